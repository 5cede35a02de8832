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
 * Before a call: forgets the failure and the output of earlier ones. What a
 * thread of the child has begun to report since the last answer stays: the child
 * will die of it.
 */
void examine_prepare(const struct fork_server *server);

/* Has the child begun a report of the kind after which a sanitizer ends it? */
bool examine_is_ending(struct fork_server *server);

/*
 * After examine_answer(): if the system has refused what the last execution
 * needs, that execution does not count and has not failed. before: the count at
 * the start of the call. Sets outcome.end to CALL_LIMIT if others had run, or
 * else to CALL_REFUSED, and server->refused.
 */
void examine_refusal(struct fork_server *server, const struct call *call,
	uint64_t before, struct fork_server_result *result);

/*
 * Describes an end that may not be the input's fault, see failure_is_suspect().
 */
void examine_suspect(enum failure_kind kind, const char *text,
	struct failure *failure);

#endif
