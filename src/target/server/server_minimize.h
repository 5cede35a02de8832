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
	uint64_t seq;
	enum call_leaks leaks;
	/* the result */
	uint64_t count, tries, accepted, total_ns; /* count: executions */
	uint32_t results_n; /* verdicts in the ring of worker memory */
	enum call_end end;
	bool verified;     /* the start fails as requested, or did before */
	bool died;         /* the last failure killed the child */
	uint64_t best_len; /* of `best` in worker memory; only if verified */
	/* of the best value; CALL_UNKNOWN: of the last try */
	struct failure failure;
	/* private */
	struct known_failure *known; /* a copy that the target cannot write */
	uint32_t known_n;
	uint8_t *results; /* in worker memory */
	uint32_t results_max;
	/* Was the last candidate accepted? The next call tells the child. */
	bool accepted_last;
};

/*
 * Minimizes the input in the value area. `end` is CALL_REFUSED if there is no
 * memory, or if the saved state or the length is invalid.
 */
void server_minimize_run(struct server_minimize *s);

#endif
