/*
 * afl_program: the runs of a program of AFL++, commanded by several children.
 *
 * The program's fork server outlives the children of the worker. A child may
 * die in the middle of a run, so the state of the run is in shared memory, for
 * the next child.
 */
#ifndef CFUZZ_ADAPTER_AFL_PROGRAM_H
#define CFUZZ_ADAPTER_AFL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "adapter/afl_server.h"
#include "shared/status.h"

enum afl_phase {
	AFL_IDLE,
	AFL_COMMANDED, /* a run was commanded; its process is unknown */
	AFL_RUNNING,
};

struct afl_run {
	enum afl_phase phase;
	pid_t pid;
	bool stopped; /* the process waits for the next input */
	bool lost;    /* the fork server has ended, or cannot be trusted */
	char why[ERROR_TEXT_MAX]; /* why it is lost, for people */
};

struct afl_program {
	struct afl_server server;
	struct afl_server_spec spec;
	struct afl_run *run; /* in shared memory */
	bool killed; /* the stopped process of the last run has been killed;
			the next command tells the fork server */
};

/* Starts the program's fork server. All but spec holds zeros. Errors as of
 * afl_server_start(); E_NOMEM: no memory for the run. */
enum status afl_program_open(struct afl_program *program, struct error *err)
	MUST_CHECK;

/* Starts the fork server again, after afl_server_stop(). E_TARGET also: its
 * map has another size now. */
enum status afl_program_open_again(struct afl_program *program,
	struct error *err) MUST_CHECK;

/* Call first in a new child: ends the run of the child before, and kills its
 * process, so that the first run gets a new one. E_TARGET: the fork server is
 * lost. */
enum status afl_program_take_over(struct afl_program *program,
	struct error *err) MUST_CHECK;

/* Starts a run. *pid becomes its process. E_TARGET: the fork server is lost. */
enum status afl_program_begin(struct afl_program *program, pid_t *pid,
	struct error *err) MUST_CHECK;

/*
 * Waits for the end of the run, and kills it after limit_ms (-1: never).
 * *status becomes a wait status, as of waitpid(). E_TARGET: the fork server is
 * lost.
 */
enum status afl_program_end(struct afl_program *program, int limit_ms,
	int *status, struct error *err) MUST_CHECK;

#endif
