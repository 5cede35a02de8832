/*
 * minimize: the minimizer as a state machine.
 *
 * The minimizer executes nothing and allocates nothing. The caller asks for the
 * next candidate, tries it, and reports the verdict. So the same machine serves
 * a worker at full speed and an operator who steps by hand.
 *
 * Four phases are those of Go's minimizer (internal/fuzz, minimize.go): tail,
 * bytes, ranges, readable. The others are our own.
 *
 * A point in history is a copy of the state, of best_len bytes of `best` and, if
 * there is an `other`, of other_len bytes of it. minimizer_load() goes back to
 * that point, in this process or in another one. A pending candidate is not part
 * of it: minimizer_next() builds that candidate again.
 * So an undo is simple: go back to the point before an accepted candidate, ask
 * for it again with minimizer_next(), and minimizer_refuse() it.
 */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/minimize/minimize_part.h"
#include "shared/minimize/minimize_phase.h"
#include "shared/values/tuple.h"

/* Cuts that were refused by hand and are remembered. */
#define MINIMIZE_REFUSED 8

struct minimize_cut {
	uint64_t offset, len;
	uint64_t replaced; /* 1: filled with other bytes, not dropped */
};

/*
 * All that a minimization needs to go on elsewhere, besides the bytes. It is on
 * the wire: numbers of 64 bits, so that a wrong one can be seen. What is true
 * or false is 1 or 0.
 */
struct minimizer_state {
	uint64_t best_len;
	uint64_t other_len;
	uint64_t phase;    /* enum minimize_phase */
	uint64_t stage;    /* AGAIN: TAIL, BYTES or RANGES; or phase */
	uint64_t position; /* first byte of the try; TAIL: the length;
			      BLOCKS: end of the block */
	uint64_t step;     /* bytes per try; READABLE, 0: one byte;
			      PARTS: bytes of a payload, 0: all;
			      VALUE: how much lower */
	uint64_t end;      /* RANGES: end of the range that starts at position;
			      BYTES: 1: steps get smaller */
	uint64_t readable; /* READABLE: index of the character that is tried;
			      VALUE: the kind of try */
	uint64_t tries;    /* verdicts reported */
	uint64_t accepted;

	/* Options chosen at the start; thorough and tuples as well. */
	uint64_t quick;   /* it began with MINIMIZE_BLOCKS */
	uint64_t blank;   /* there is a MINIMIZE_BLANK */
	uint64_t filler;  /* a byte */
	uint64_t by_hand; /* a candidate was refused */

	uint64_t round;          /* times that BLOCKS began in this argument */
	uint64_t round_accepted; /* `accepted` at the start of the round */
	uint64_t again_tries;    /* verdicts in MINIMIZE_AGAIN */
	uint64_t again_won;      /* the best comes from MINIMIZE_AGAIN */
	uint64_t part;           /* PARTS: the kind of guess that is tried */
	uint64_t level;          /* BLOCKS: steps have at least 2^level bytes */
	uint64_t thorough;       /* there are PARTS and ZEROS */
	uint64_t has_other;      /* there is an `other` */

	/* A tuple is minimized one argument after the other. Offsets of the
	 * search are relative to the argument, those of the cut to the
	 * whole. */
	uint64_t tuples;
	uint64_t argument;
	uint64_t refused_n;
	struct minimize_cut refused[MINIMIZE_REFUSED];
};

struct minimizer {
	uint8_t *best;      /* the smallest value accepted; the caller's */
	uint8_t *candidate; /* room for the start's length; the caller's */
	uint8_t *other;     /* as candidate; NULL: no MINIMIZE_AGAIN */
	size_t candidate_len;
	struct minimizer_state s;

	/*
	 * The part that the candidate lacks or replaces: of best, in
	 * MINIMIZE_AGAIN of other.
	 */
	size_t cut_offset;
	size_t cut_len;
	struct minimize_field field; /* lowered by cut_len; width 0: none */
	bool pending;                /* candidate awaits its verdict */
	struct tuple_field at;       /* the argument's place in best */
};

/*
 * best holds the len bytes to minimize; they are overwritten as they shrink.
 * candidate has room for as many. Both must outlive the minimizer. The caller
 * verifies first that the input fails at all.
 *
 * `first` is MINIMIZE_BLOCKS, or a phase of Go's minimizer. With a phase of
 * Go's, the earlier phases are left out, and candidates come exactly in Go's
 * order. MINIMIZE_BLOCKS is our own search: it drops large parts in few tries,
 * returns to blocks as long as that helps, tries only short ranges of long
 * values, and fills many places at once. In rare cases its result is larger
 * than that of Go's minimizer; see minimizer_again().
 */
void minimizer_init(struct minimizer *m, uint8_t *best, size_t len,
	uint8_t *candidate, enum minimize_phase first);

/*
 * Call right after init with MINIMIZE_BLOCKS, for a thorough search. It also
 * drops parts that the input itself delimits, with their length, and makes
 * numbers small. If the result is short, it also tries the phases of Go's
 * minimizer from the start and keeps the smaller result. The start is copied
 * into `other`, which has room for as many bytes and outlives the minimizer.
 */
void minimizer_again(struct minimizer *m, uint8_t *other);

/*
 * Call right after init with MINIMIZE_BLOCKS and before minimizer_again(): best
 * is a tuple, and stays one. The arguments are minimized in order; there is no
 * MINIMIZE_AGAIN. False: best is not a tuple.
 */
bool minimizer_tuples(struct minimizer *m);

/*
 * Irrelevant bytes become the filler before MINIMIZE_READABLE, which then
 * leaves bytes with the filler as they are. Call at any time before that phase.
 */
void minimizer_blank(struct minimizer *m, uint8_t filler);

/*
 * Builds the whole next candidate, whatever the buffer held before. Returns
 * false if there is none left. Without a verdict in between, it builds the same
 * candidate again.
 */
bool minimizer_next(struct minimizer *m);
/*
 * The same without building it, for a verdict that is known: only the state and
 * the cut become those of the next candidate.
 */
bool minimizer_aim(struct minimizer *m);

/* Reports the verdict. No effect without a pending candidate. */
void minimizer_verdict(struct minimizer *m, bool accepted);

/*
 * Rejects the pending candidate, whatever it does. Later phases do not try the
 * same part again, and MINIMIZE_AGAIN is left out: it would not know of the
 * refusal.
 */
void minimizer_refuse(struct minimizer *m);

/* True if the candidate replaces the bytes of the cut. False: it drops them. */
bool minimizer_replaces(const struct minimizer *m);

/* Continues with the next phase; a pending candidate is dropped. */
void minimizer_skip_phase(struct minimizer *m);

/* ---- a point in history ---- */

/*
 * Continues from a saved state. best and candidate have room for `room` bytes,
 * at least the length of the start; best begins with the state's best bytes.
 * `other` is the same for the other bytes, or NULL: then MINIMIZE_AGAIN is left
 * out. False, and m is unusable, if the numbers cannot belong to a minimization
 * in so much room. Wrong numbers that pass give useless candidates, but never
 * an access outside of the buffers.
 */
bool minimizer_load(struct minimizer *m, uint8_t *best, uint8_t *candidate,
	uint8_t *other, size_t room, const struct minimizer_state *state);

/* The length of `other` in a state, in bytes; 0: no `other`. */
size_t minimize_state_other_len(const struct minimizer_state *state);

#endif
