/*
 * minimize_order: which of two inputs of the same length is simpler.
 *
 * The order is that of the minimizer. Each try that it accepts without a change
 * of the length leads to a simpler input, so the end of a minimization is never
 * less simple than its start or a point on the way.
 */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_ORDER_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tuple_types;

struct minimize_order {
	const struct tuple_types *types; /* of the target; n 0: not typed */
	bool blank;                      /* there is a MINIMIZE_BLANK */
	uint8_t filler;                  /* its byte */
};

/*
 * True if a is simpler than b; both have len bytes. The first argument that
 * differs decides: the smaller scalar, the shorter bytes, or the first byte that
 * differs. Of bytes the filler is the simplest, then come the characters of
 * MINIMIZE_READABLE in their order, then zero.
 */
bool minimize_is_simpler(const struct minimize_order *order, const uint8_t *a,
	const uint8_t *b, size_t len);

#endif
