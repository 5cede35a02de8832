/*
 * process: starting, watching and ending the processes of a worker (Linux).
 *
 * The one place that knows posix_spawn's details, pidfd and process groups;
 * proc.h knows what the system tells of processes. Everything is exec'ed: a process merely forked would keep our
 * writable map of campaign memory.
 */
#ifndef CFUZZ_ENGINE_PROCESS_H
#define CFUZZ_ENGINE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/status.h"

struct process_spec {
	int target_fd; /* of the executable; run even if it is replaced */
	char **argv, **envp;
	int memory_fd, campaign_fd; /* become WORKER_FD_… in the child */
	int stderr_fd, report_fd;
};

struct process {
	pid_t pid; /* 0: none */
	int pidfd;
	int in_fd;  /* fuzz_in: we write, non-blocking */
	int out_fd; /* fuzz_out: we read, non-blocking */
};

/* The child leads a session of its own. */
enum status process_spawn(struct process *process,
	const struct process_spec *spec, struct error *err) MUST_CHECK;
void process_close_in(struct process *process);
/* Reaps an ended process: its wait status, or -1 while it runs. */
int process_reap(struct process *process);
void process_close(struct process *process); /* descriptors; no signal */
void process_signal(const struct process *process, int signo);

void process_signal_group(pid_t leader, int signo);

/* Adopt what a dying keeper leaves behind, and end it. */
void process_become_subreaper(void);
void process_kill_strays(void); /* all our children, at the end */
/* While others go on: spares what leads a session, as all we start does. */
void process_kill_orphans(void);
/* No core files, nobody may ptrace us. */
void process_harden(void);

#endif
