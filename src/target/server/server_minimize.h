/*
 * server_minimize: minimizing an input that fails, from the keeper.
 *
 * The keeper survives every try, so it drives the minimizer; a child runs
 * the candidates and is made anew when it dies. The best value so far stands
 * in the keeper's own memory, out of the target's reach. A try that fails in
 * a way nobody has judged yet ends the call: the engine knows names.
 */
#ifndef CFUZZ_TARGET_SERVER_SERVER_MINIMIZE_H
#define CFUZZ_TARGET_SERVER_SERVER_MINIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/wire/rpc.h"
#include "target/server/fork_server.h"

struct server_minimize {
	struct fork_server *keeper;
	const struct rpc_request *request; /* what to keep, and how to begin */
	uint64_t seq;
	enum call_leaks leaks;
	/* what came of it */
	uint64_t count, tries, accepted, total_ns;
	uint32_t marks_n;
	enum call_end end;
	bool verified;     /* the start failed as it should */
	bool died;         /* the last failure killed the child */
	uint64_t best_len; /* it stands in `best` of worker memory */
	/* of the best one; CALL_UNKNOWN: of the last try */
	struct failure failure;
	/* its own */
	struct known_failure *known; /* a copy, out of the target's reach */
	uint32_t known_n;
	uint8_t *marks; /* in worker memory */
	uint32_t marks_max;
	bool accepted_last; /* what the child learns with its next call */
};

/* Shrinks what stands in the value area. */
void server_minimize_run(struct server_minimize *shrink);

#endif
