/*
 * minimize: the minimizer as a state machine.
 *
 * It executes nothing and allocates nothing. The caller asks for the next
 * candidate, tries it by its own means, and tells the verdict; so the same
 * machine serves a worker at full speed and an operator who steps by hand.
 * The struct has no secrets: a copy of it, with a copy of the best bytes, is
 * a point in history to which one can return.
 */
#ifndef CFUZZ_SHARED_MINIMIZE_H
#define CFUZZ_SHARED_MINIMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The phases in their order. The reference has none for blocks: that one is
 * for large inputs, of which it takes most away in few tries.
 */
enum minimize_phase {
	MINIMIZE_BLOCKS,   /* drop halves, quarters … 4 bytes, from the end */
	MINIMIZE_TAIL,     /* cut 1024, 512 … 1 bytes off the end */
	MINIMIZE_BYTES,    /* drop single bytes */
	MINIMIZE_RANGES,   /* drop every range */
	MINIMIZE_READABLE, /* put a readable character in each place */
	MINIMIZE_DONE,
};

struct minimizer {
	uint8_t *best;      /* the smallest accepted so far; the caller's */
	uint8_t *candidate; /* room for the start's length; the caller's */
	size_t best_len;
	size_t candidate_len;

	/* The part of best that the candidate lacks, or has otherwise. */
	size_t cut_offset;
	size_t cut_len;

	enum minimize_phase phase;
	size_t position; /* where the phase has got to; TAIL: best_len;
			    BLOCKS: end of the block */
	size_t step;     /* TAIL, BLOCKS: bytes to cut off */
	size_t end;      /* RANGES: end of the range that starts at position */
	unsigned readable; /* READABLE: which character is tried */
	bool pending;      /* candidate awaits its verdict */

	uint64_t tries; /* verdicts told */
	uint64_t accepted;
};

/*
 * best holds the len bytes to be minimized and is overwritten as they
 * shrink; candidate has room for as many. Both must outlive the minimizer.
 * That the input fails at all is for the caller to verify first. The phases
 * before `first` are left out: the reference begins with MINIMIZE_TAIL.
 */
void minimizer_init(struct minimizer *m, uint8_t *best, size_t len,
	uint8_t *candidate, enum minimize_phase first);

/*
 * Build the next candidate, whole, whatever was in the buffer before.
 * Returns false when there is none left. Asked again without a verdict, it
 * builds the same one again.
 */
bool minimizer_next(struct minimizer *m);

/* Was the candidate accepted? Without a pending candidate: no effect. */
void minimizer_verdict(struct minimizer *m, bool accepted);

/*
 * Would the reference look at its time and execution limits now? Before each
 * try, but in MINIMIZE_READABLE only before the first character of a place.
 * To stop anywhere else is as safe: best is always a complete result.
 */
bool minimizer_may_stop(const struct minimizer *m);

/* Go on with the next phase; a pending candidate is forgotten. */
void minimizer_skip_phase(struct minimizer *m);

/* "blocks", "tail", "bytes", "ranges", "readable", "done". */
const char *minimize_phase_name(enum minimize_phase phase);

#endif
