/*
 * fork_server: the process that forks children to run inputs.
 *
 * It is the process that the engine started, after the target's initialisation.
 * It runs no input itself. It sends calls to a child and sees how they end: by
 * an answer, a death, a stop or a lost link. When the engine is gone, it kills
 * everything that the target has started.
 */
#ifndef CFUZZ_TARGET_SERVER_FORK_SERVER_H
#define CFUZZ_TARGET_SERVER_FORK_SERVER_H

#include <stdbool.h>

#include "target/server/fork_server_state.h"

/* The leak checks of a call. always: at each execution, if possible. */
enum call_leaks fork_server_leaks(const struct fork_server *server,
	bool always);

/*
 * Turns this process into a fork server, after the target's initialisation.
 * worker and runner are borrowed. False: no memory or no descriptor.
 */
bool fork_server_open(struct fork_server *server, struct worker *worker,
	struct child *runner);

/* Kills the child; the next call runs in a new one. */
void fork_server_discard_child(struct fork_server *server);

/*
 * Runs a call in the child, or in a new one if there is none. Ends the process
 * if the engine goes meanwhile. The caller has set value, length and count in
 * worker memory. outcome.end is CALL_REFUSED without a failure if the system
 * refuses a child or what its first input needs (server->refused is an errno
 * then), or if the child refuses the call.
 */
void fork_server_call(struct fork_server *server, const struct call *call,
	struct fork_server_result *result);

/*
 * Waits for input from the engine. Notes the failure of an idle child in
 * idle_death and idle_failure. False: the engine is gone.
 */
bool fork_server_wait_for_engine(struct fork_server *server);

/* Kills and reaps everything that the target has started. */
void fork_server_close(struct fork_server *server);
/* Does the same, and ends the process. */
void fork_server_exit(struct fork_server *server, int status)
	__attribute__((noreturn));

#endif
