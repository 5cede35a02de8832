/*
 * shrink: minimizing an input that fails, from the keeper.
 *
 * The keeper survives every try, so it drives the minimizer; a child runs
 * the candidates and is made anew when it dies. The best value so far stands
 * in the keeper's own memory, out of the target's reach.
 */
#ifndef CFUZZ_TARGET_SHRINK_H
#define CFUZZ_TARGET_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/rpc.h"
#include "target/keeper.h"

struct shrink {
	struct keeper *keeper;
	/* what to keep */
	uint64_t seq, limit;
	enum minimize_rule rule;
	uint64_t signature;
	enum failure_kind kind;
	const char *what;
	/* what came of it */
	uint64_t count, tries, accepted, total_ns;
	enum call_end end;
	bool verified;          /* the start failed as it should */
	bool died;              /* the best one kills the child */
	uint64_t best_len;      /* it stands in `best` of worker memory */
	struct failure failure; /* of the best one */
};

/* Shrinks what stands in the value area. */
void shrink_run(struct shrink *shrink);

#endif
