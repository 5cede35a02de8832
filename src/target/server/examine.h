/*
 * examine: what a call's end means, out of all that was left behind: the
 * wait status, the block in worker memory, and what was written to the
 * report and to stderr.
 */
#ifndef CFUZZ_TARGET_SERVER_EXAMINE_H
#define CFUZZ_TARGET_SERVER_EXAMINE_H

#include "target/server/fork_server.h"

/* The child died or was stopped, with this wait status. */
void examine_death(struct fork_server *keeper, int wait_status,
	struct failure *failure);

/* The child answered: has the execution failed all the same? */
void examine_answer(struct fork_server *keeper,
	struct fork_server_result *result);

void examine_suspect(enum failure_kind kind, const char *text,
	struct failure *failure);

#endif
