/*
 * server_minimize: minimizes a failing input, driven by the fork server.
 *
 * The fork server survives every try, so it runs the minimizer. A child runs
 * the candidates and is replaced when it dies. The best value stands in the
 * fork server's own memory, where the target cannot write. If the request asks
 * for it (rpc_request.ask), an unknown failure ends the call: only the engine
 * has symbols to judge it.
 */
#ifndef CFUZZ_TARGET_SERVER_SERVER_MINIMIZE_H
#define CFUZZ_TARGET_SERVER_SERVER_MINIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/wire/rpc.h"
#include "target/server/fork_server_state.h"

struct server_minimize {
	/* set by the caller; all else is zero at the start */
	struct fork_server *fork_server;
	const struct rpc_request *request; /* the goal and the start */
	/* Zero at the start. Its failure is that of the best value, with
	 * CALL_UNKNOWN that of the last try. */
	struct rpc_reply *reply;
	enum call_leaks leaks;
	bool no_memory; /* set by server_minimize_run() */
	/* private */
	struct known_failure *known; /* a copy that the target cannot write */
	uint32_t known_n;
	uint8_t *results; /* in worker memory */
	uint32_t results_max;
	/* Was the last candidate accepted? The next call tells the child. */
	bool accepted_last;
};

/*
 * Minimizes the input in the value area. The reply's end is CALL_REFUSED if
 * there is no memory (no_memory), if the saved state or the length is invalid, or
 * if no child can be forked (fork_server->refused): then the tries before it count.
 */
void server_minimize_run(struct server_minimize *s);

#endif
