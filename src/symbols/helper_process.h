/*
 * helper_process: a helper as whoever asks it sees it: a process and a socket.
 *
 * It is started when there is something to ask and killed without ado: it
 * keeps nothing. Nothing here waits; the dead are buried by
 * symbols_process_bury(), from time to time.
 */
#ifndef CFUZZ_SYMBOLS_HELPER_PROCESS_H
#define CFUZZ_SYMBOLS_HELPER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define SYMBOLS_DYING_MAX 8

/* All zero but fd, which is -1: none is running. */
struct symbols_process {
	pid_t pid; /* 0: none */
	int fd;
	pid_t dying[SYMBOLS_DYING_MAX]; /* killed, to be buried */
	uint32_t dying_n;
};

/*
 * program NULL: this executable; argv NULL: as a helper is called. Returns an
 * errno, 0: it runs.
 */
int symbols_process_start(struct symbols_process *process, const char *program,
	char **argv);
void symbols_process_kill(struct symbols_process *process);

/* True: some are not dead yet. */
bool symbols_process_bury(struct symbols_process *process);

/* Kills it and waits for all. */
void symbols_process_clear(struct symbols_process *process);

#endif
