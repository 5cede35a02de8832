/*
 * flow: the blocks of a function's machine code, the ways between them, and
 * what the counters in some of them tell about the others.
 *
 * Compilers leave out counters that others imply. A block without one was
 * entered for certain if a counter that only it leads to, or that leads to
 * nothing but it, counted; it was not if no counter that stands on all ways
 * to it, or on all ways from it, did. What is in between is not known.
 *
 * Where it is not certain, there are more ways than in truth, never fewer:
 * each of these rules stays true then. A call comes back, unless the module
 * knows of another way (`leaps`: longjmp(), exceptions); then what follows a
 * call is a block of its own, and where exceptions may end (`throws`), anything
 * may lead to it.
 */
#ifndef CFUZZ_SYMBOLS_FLOW_H
#define CFUZZ_SYMBOLS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/code.h"
#include "symbols/source.h"

#define FLOW_BYTES_MAX (4u << 20)   /* of a function */
#define FLOW_SET_MAX SOURCE_SET_MAX /* counters that decide about a block */

struct flow_range {
	uint64_t start, end;
};

/* A counter. */
struct flow_point {
	uint64_t at;
	uint32_t counter;
	bool entry; /* of the function */
};

/* What a function does that is called; any of these. */
#define FLOW_ENDS 1u    /* never comes back */
#define FLOW_REPORTS 2u /* a sanitizer's: says what one of its checks found */
#define FLOW_HOOK 4u /* a sanitizer's or the coverage's; none of the target */

struct flow_input {
	struct code *code;
	const struct flow_range *ranges; /* in order, apart from each other */
	size_t ranges_n;
	const struct flow_point *points; /* in order */
	size_t points_n;
	bool leaps, throws;
	/* Of the function at this address; NULL: nothing is known of any. */
	unsigned (*callee)(void *arg, uint64_t address);
	void *arg;
};

/* Some of `members`: counters. */
struct flow_set {
	uint32_t first, n;
};

struct flow_block {
	uint64_t start, end;
	uint32_t point, points_n; /* its own counters, of the input */
	bool check; /* a sanitizer's: runs only to report what it found */
	/* Without one: any of `hit` that counted says it was entered; none of
	 * `before`, or of `after`, that it was not; empty: these do not. */
	struct flow_set hit, before, after;
};

struct flow {
	struct flow_block *blocks; /* in order */
	uint32_t *members;
	uint64_t *calls; /* in order: where code of the target is called */
	uint32_t blocks_n, members_n, calls_n;
};

/* False: it cannot be told what the function does; the flow is empty. */
bool flow_make(struct flow *flow, const struct flow_input *input);
void flow_clear(struct flow *flow);

#endif
