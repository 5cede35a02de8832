/*
 * process: starts, watches and ends the processes of a worker (Linux).
 *
 * The only module that knows pidfd and process groups; proc.h reads process
 * information. Every process is exec'ed: a merely forked one would keep our
 * writable map of campaign memory.
 */
#ifndef CFUZZ_WORKER_PROCESS_H
#define CFUZZ_WORKER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "isolate/isolate.h"
#include "shared/status.h"

struct process_spec {
	int target_fd; /* the executable; runs even if the file is replaced */
	char **argv, **envp;
	const char *folder; /* where it works, unless isolated; NULL: ours */
	int memory_fd, campaign_fd; /* become WORKER_FD_… in the child */
	int stderr_fd, report_fd;
	const struct isolate_spec *isolate; /* NULL: not isolated */
	uint64_t file_limit_mb; /* maximum size of its files, 0 = none */
	bool fixed_addresses;   /* the same in each process, if we may */
};

struct process {
	pid_t pid; /* 0: none; if isolated, its helper */
	/* The fork server: the same pid, but if isolated another one, which is
	 * unknown before process_find_fork_server(). */
	pid_t fork_server;
	int pidfd;
	int in_fd;  /* fuzz_in: we write, non-blocking */
	int out_fd; /* fuzz_out: we read, non-blocking */
};

/*
 * How many of n new workers have enough descriptors, of which each takes
 * PROCESS_WORKER_FDS; some are reserved for other uses, and PROCESS_START_FDS
 * for each of the `starts` workers that are made and not started yet. If less
 * than n, `why` gets the reason and the remedy.
 */
#define PROCESS_WORKER_FDS 6
#define PROCESS_START_FDS 3
uint64_t process_workers_room(uint64_t n, uint64_t starts, char *why,
	size_t size);

/* The fork server leads its own session. E_BUSY: the system has no resources
 * now. E_TARGET: it cannot be started at all. Nothing is left then. */
enum status process_spawn(struct process *process,
	const struct process_spec *spec, struct error *err) MUST_CHECK;
/* Finds an isolated fork server; call it after the first answer. */
void process_find_fork_server(struct process *process);
/* Reaps an ended process and forgets it. Returns its wait status (0 if that is
 * lost), or -1 while it runs or if there is none. */
int process_reap(struct process *process);
void process_close(struct process *process); /* descriptors; no signal */
void process_signal(const struct process *process, int signo);

/* The group may not exist yet: then the leader alone. leader 0: none. */
void process_signal_group(pid_t leader, int signo);

/* Makes us adopt the orphans of a dying fork server. */
void process_become_subreaper(void);

/*
 * Children that are not ours: inherited from the program that exec'ed us, or
 * orphans of these. They are exempt, and nobody waits for them.
 */
#define PROCESS_STRANGERS_MAX 1024 /* no more children of ours are seen */
struct process_strangers {
	pid_t pids[PROCESS_STRANGERS_MAX], sessions[PROCESS_STRANGERS_MAX];
	size_t n;
	bool unsettled;  /* some orphans could not be killed yet */
	int children_fd; /* of the list of our children; 0: not open yet */
};
/* Notes all children there are; call it before anything is started. */
void process_note_strangers(struct process_strangers *strangers);
/*
 * Notes new strangers; call it now and then. A fork server adopts the orphans
 * of its target until it begins to end. So before that, an orphan that we adopt
 * is not the target's.
 */
void process_note_orphans(struct process_strangers *strangers,
	const pid_t *fork_servers, size_t fork_servers_n);
/* Kills all our children but strangers; at the end. Closes what is open. */
void process_kill_leftovers(struct process_strangers *strangers);
/* Kills orphans while workers run: spares what spawn_apart() has started. */
void process_kill_orphans(struct process_strangers *strangers);
/*
 * Protects this process, see harden_process() and rlimits_ignore_file_signal(),
 * and gives SIGCHLD its default action: ignored, it would lose wait statuses.
 */
void process_harden(void);

#endif
