/*
 * helper_process: a helper as seen by its user: a process and a socket.
 *
 * The helper is started on demand. It has no state and may be killed at any
 * time. Call symbols_process_reap() from time to time to reap killed helpers.
 * Only symbols_process_clear() waits, and symbols_process_kill() if
 * SYMBOLS_DYING_MAX killed helpers were not reaped.
 */
#ifndef CFUZZ_SYMBOLS_HELPER_PROCESS_H
#define CFUZZ_SYMBOLS_HELPER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SYMBOLS_DYING_MAX 8

/* No helper is running: all zero, except fd, which is -1. */
struct symbols_process {
	pid_t pid;                      /* 0: none */
	int fd;                         /* our end of the socket; -1: none */
	pid_t dying[SYMBOLS_DYING_MAX]; /* killed, to be reaped */
	uint32_t dying_n;
};

/*
 * Starts a helper; none may be running. program NULL: this executable; argv
 * NULL: arguments of a helper. Returns 0 or an errno.
 */
int symbols_process_start(struct symbols_process *process, const char *program,
	char **argv);
void symbols_process_kill(struct symbols_process *process);

/* Reaps killed helpers that have ended. True: others are still alive. */
bool symbols_process_reap(struct symbols_process *process);

/* Kills the helper; waits for this one and all that were killed before. */
void symbols_process_clear(struct symbols_process *process);

#endif
