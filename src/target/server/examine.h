/*
 * examine: classifies the end of a call, from the wait status, the failure
 * block in worker memory, the sanitizer report and stderr.
 */
#ifndef CFUZZ_TARGET_SERVER_EXAMINE_H
#define CFUZZ_TARGET_SERVER_EXAMINE_H

#include "target/server/fork_server_state.h"

/* Describes why the child died or was stopped, with this wait status. */
void examine_death(struct fork_server *server, int wait_status,
	struct failure *failure);

/*
 * The child answered; finds out whether the execution failed nevertheless. Sets
 * failure and outcome.end of the result.
 */
void examine_answer(struct fork_server *server,
	struct fork_server_result *result);

/*
 * Describes an end that may not be the input's fault, see failure_is_suspect().
 */
void examine_suspect(enum failure_kind kind, const char *text,
	struct failure *failure);

#endif
