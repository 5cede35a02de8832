/*
 * flow: the control-flow graph of a function's machine code, and the inference
 * from the edge counters in some blocks to the blocks without a counter.
 *
 * Compilers leave out counters that others imply. A block without a counter was
 * certainly executed if one of these counters was hit: a counter that is
 * reachable only through the block, or one that leads only to the block. It was
 * not executed if no counter before it (on any path to the block) was hit, or
 * none after it (on any path from the block). Otherwise it is unknown.
 *
 * In doubt the graph has more control-flow edges than the code, never fewer, so
 * that these rules stay correct. A call is assumed to return, unless the module
 * has non-local jumps (`leaps`: longjmp(), exceptions); the code after a call
 * is then a block of its own. With exceptions (`throws`) such a block may be
 * reached from anywhere. Calls of coverage and sanitizer functions return.
 */
#ifndef CFUZZ_SYMBOLS_FLOW_H
#define CFUZZ_SYMBOLS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/code.h"
#include "symbols/relocations.h"
#include "symbols/source.h"

#define FLOW_BYTES_MAX (4u << 20)   /* of a function */
#define FLOW_SET_MAX SOURCE_SET_MAX /* counters per set of a block */

/* Addresses from start to end - 1. */
struct flow_range {
	uint64_t start, end;
};

/* An edge counter. */
struct flow_point {
	uint64_t at;
	uint32_t counter;
	bool entry; /* of the function */
};

/* Properties of a called function, as bits. */
#define FLOW_ENDS 1u    /* never comes back */
#define FLOW_REPORTS 2u /* a sanitizer's function that reports an error */
#define FLOW_HOOK 4u    /* a sanitizer or coverage function */

struct flow_input {
	struct code *code;
	const struct flow_range *ranges; /* in order, disjoint */
	size_t ranges_n;
	const struct flow_point *points; /* in order */
	size_t points_n;
	bool leaps, throws;
	const struct relocations *relocations; /* of the module; NULL: none */
	/* Returns FLOW_... of the function at this address, 0: none of them.
	 * NULL: nothing is known of any function. */
	unsigned (*callee)(void *arg, uint64_t address);
	void *arg;
};

/* A slice of `members`, which are counters. */
struct flow_set {
	uint32_t first, n;
};

struct flow_block {
	uint64_t start, end;
	/* Without the calls of a counter at its start, and the jump at its end:
	 * compilers give these the line of other code. */
	uint64_t code, code_end;
	uint32_t point, points_n; /* its counters: a slice of input's points */
	bool check;               /* only reports a sanitizer's error */
	/*
	 * For a block without a counter: it was executed if any counter of
	 * `hit` was hit, and not executed if none of `before`, or none of
	 * `after`, was hit. An empty set says nothing.
	 */
	struct flow_set hit, before, after;
};

struct flow {
	struct flow_block *blocks; /* in order */
	uint32_t *members;
	uint64_t *calls; /* in order: addresses of calls, not of a sanitizer */
	uint32_t blocks_n, members_n, calls_n;
};

/* Overwrites *flow; the caller clears it. False: the control flow is unknown,
 * and `flow` is empty. */
bool flow_make(struct flow *flow, const struct flow_input *input);
void flow_clear(struct flow *flow);

#endif
