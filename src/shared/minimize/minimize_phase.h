/* minimize_phase: the phases of a minimization, their order and their names. */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_PHASE_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_PHASE_H

#include <stdbool.h>

/*
 * The phases. Their numbers are on the wire. Their order is that of
 * minimize_phase_after(): blocks, tail, bytes, parts, zeros, ranges, again,
 * blank, readable, value. Go's minimizer has tail, bytes, ranges and readable,
 * each once.
 */
enum minimize_phase {
	MINIMIZE_BLOCKS,   /* drop halves, quarters … 2 bytes, from the end */
	MINIMIZE_TAIL,     /* cut 1024, 512 … 1 bytes off the end */
	MINIMIZE_BYTES,    /* drop single bytes */
	MINIMIZE_RANGES,   /* drop every range */
	MINIMIZE_READABLE, /* put a readable character in each place */
	MINIMIZE_DONE,
	MINIMIZE_BLANK, /* fill irrelevant bytes with one character */
	MINIMIZE_AGAIN, /* the start once more, without blocks */
	MINIMIZE_PARTS, /* drop lines, records, ends of payloads */
	MINIMIZE_ZEROS, /* make numbers small, so that more can be dropped */
	MINIMIZE_VALUE, /* make an argument zero or small, bytes empty */
};

#define MINIMIZE_PHASES 11 /* the number of phases, with MINIMIZE_DONE */

/* "blocks", "tail" …, as the enumerator without its prefix; "?" for another
 * number. */
const char *minimize_phase_name(enum minimize_phase phase);

/* The next phase, in the order from MINIMIZE_BLOCKS to MINIMIZE_DONE. */
enum minimize_phase minimize_phase_after(enum minimize_phase phase);

/* The index of a phase in that order, from 0. */
unsigned minimize_phase_order(enum minimize_phase phase);

/* True for the phases that many minimizations do not have. */
bool minimize_phase_is_optional(enum minimize_phase phase);

#endif
