/*
 * flow_scan: the instructions of a function, and where its blocks begin.
 *
 * Private to flow.c.
 */
#ifndef CFUZZ_SYMBOLS_FLOW_SCAN_H
#define CFUZZ_SYMBOLS_FLOW_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/code.h"
#include "symbols/flow.h"

#define FLOW_TABLES_MAX 1024u

/* Flags of each byte of the code. */
#define FLOW_INSTRUCTION 1u /* an instruction begins here */
#define FLOW_LEADER 2u      /* a block begins here */
#define FLOW_TARGET 4u      /* target of an indirect jump */
#define FLOW_IDLE 8u        /* a counter's call, or a jump in the function */

/* An instruction other than a plain one. */
struct flow_turn {
	uint64_t at, next, target;
	enum code_kind kind;
	unsigned callee; /* FLOW_... of the function called or jumped to */
};

struct flow_scan {
	const struct flow_input *input;
	uint8_t *flags; /* of all ranges, concatenated */
	size_t bytes;
	struct flow_turn *turns; /* in order */
	size_t turns_n;
	struct code_instruction tables[FLOW_TABLES_MAX];
	size_t tables_n, entries_n;
	bool indirect; /* has indirect jumps */
};

/*
 * Scans the function; *scan is zero before, and input is borrowed. False: the
 * blocks are unknown. Call flow_scan_clear() in either case.
 */
bool flow_scan_make(struct flow_scan *scan, const struct flow_input *input);
void flow_scan_clear(struct flow_scan *scan);

/* The flags of an address; NULL: outside the function. */
uint8_t *flow_scan_at(const struct flow_scan *scan, uint64_t address);

#endif
