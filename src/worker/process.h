/*
 * process: starting, watching and ending the processes of a worker (Linux).
 *
 * The one place that knows pidfd and process groups; proc.h knows what the
 * system tells of processes. Everything is exec'ed: a process merely forked
 * would keep our writable map of campaign memory.
 */
#ifndef CFUZZ_WORKER_PROCESS_H
#define CFUZZ_WORKER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "isolate/isolate.h"
#include "shared/status.h"

struct process_spec {
	int target_fd; /* of the executable; run even if it is replaced */
	char **argv, **envp;
	int memory_fd, campaign_fd; /* become WORKER_FD_… in the child */
	int stderr_fd, report_fd;
	const struct isolate_spec *isolate; /* NULL: it is not isolated */
	uint64_t file_limit_mb; /* of files that it writes, 0 = none */
};

struct process {
	pid_t pid; /* 0: none; of an isolated one, of its helper */
	/* The target: the same, but of an isolated one, which is not known before
	 * process_find_keeper(). */
	pid_t keeper;
	int pidfd;
	int in_fd;  /* fuzz_in: we write, non-blocking */
	int out_fd; /* fuzz_out: we read, non-blocking */
};

/*
 * How many of n workers there are descriptors for, each of which takes
 * PROCESS_WORKER_FDS; all else that is opened now and then has its own. If
 * there are less, why says so and what to do.
 */
#define PROCESS_WORKER_FDS 6
uint64_t process_workers_room(uint64_t n, char *why, size_t size);

/* The keeper leads a session of its own. */
enum status process_spawn(struct process *process,
	const struct process_spec *spec, struct error *err) MUST_CHECK;
/* Of an isolated one that has answered: the helper knows who it is. */
void process_find_keeper(struct process *process);
void process_close_in(struct process *process);
/* Reaps an ended process: its wait status, or -1 while it runs. */
int process_reap(struct process *process);
void process_close(struct process *process); /* descriptors; no signal */
void process_signal(const struct process *process, int signo);

void process_signal_group(pid_t leader, int signo);

/* Adopt what a dying keeper leaves behind, and end it. */
void process_become_subreaper(void);

/*
 * Children that are not ours: who exec'ed us had them, or they are orphans of
 * such. They are spared, and nobody waits for them.
 */
#define PROCESS_STRANGERS_MAX 256
struct process_strangers {
	pid_t pids[PROCESS_STRANGERS_MAX], sessions[PROCESS_STRANGERS_MAX];
	size_t n;
	bool unsettled; /* not all that was to be killed is gone */
};
/* All that there are: before anything is started. */
void process_note_strangers(struct process_strangers *strangers);
/*
 * Now and then. Whatever the target loses comes to its keeper, so as long as
 * all keepers live, an orphan that comes to us is none of the target's.
 */
void process_note_orphans(struct process_strangers *strangers,
	const pid_t *keepers, size_t keepers_n);
/* All of our children, at the end. */
void process_kill_strays(struct process_strangers *strangers);
/* While others go on: spares what leads a session, as all we start does. */
void process_kill_orphans(struct process_strangers *strangers);
/* No core files, nobody may ptrace us. */
void process_harden(void);

#endif
