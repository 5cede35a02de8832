/*
 * minimize: the minimizer as a state machine.
 *
 * It executes nothing and allocates nothing. The caller asks for the next
 * candidate, tries it by its own means, and tells the verdict; so the same
 * machine serves a worker at full speed and an operator who steps by hand.
 *
 * A point in history is what minimizer_save() says, with a copy of best_len
 * bytes of `best` and, while there is an `other`, of other_len bytes of that.
 * minimizer_load() goes back there, in this process or in another one. So an
 * undo needs no more than this: go back to before an accepted candidate, ask
 * for it again with minimizer_next(), and minimizer_refuse() it.
 */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/minimize/minimize_part.h"
#include "shared/values/tuple.h"

/*
 * The phases. The numbers are on the wire; the order is that of
 * minimize_phase_after(): blocks, tail, bytes, parts, zeros, ranges, again, blank,
 * readable, value.
 * The reference has tail, bytes, ranges and readable, each once.
 */
enum minimize_phase {
	MINIMIZE_BLOCKS,   /* drop halves, quarters … 2 bytes, from the end */
	MINIMIZE_TAIL,     /* cut 1024, 512 … 1 bytes off the end */
	MINIMIZE_BYTES,    /* drop single bytes */
	MINIMIZE_RANGES,   /* drop every range */
	MINIMIZE_READABLE, /* put a readable character in each place */
	MINIMIZE_DONE,
	MINIMIZE_BLANK, /* fill what does not matter with one character */
	MINIMIZE_AGAIN, /* the start once more, without blocks */
	MINIMIZE_PARTS, /* drop lines, records, ends of payloads */
	MINIMIZE_ZEROS, /* make numbers small, which may make more removable */
	MINIMIZE_VALUE, /* make an argument zero or small, bytes empty */
};

#define MINIMIZE_PHASES 11 /* how many, with MINIMIZE_DONE */

/* Cuts that were refused by hand and are remembered. */
#define MINIMIZE_REFUSED 8

struct minimize_cut {
	size_t offset, len;
	bool replaced; /* filled with something else, not dropped */
};

struct minimizer {
	uint8_t *best;      /* the smallest accepted so far; the caller's */
	uint8_t *candidate; /* room for the start's length; the caller's */
	uint8_t *other;     /* the same; NULL: there is no MINIMIZE_AGAIN */
	size_t best_len;
	size_t candidate_len;
	size_t other_len;

	/*
	 * The part that the candidate lacks, or has otherwise: of best, in
	 * MINIMIZE_AGAIN of other.
	 */
	size_t cut_offset;
	size_t cut_len;
	struct minimize_field field; /* lowered by cut_len; width 0: none */

	enum minimize_phase phase;
	enum minimize_phase stage; /* AGAIN: TAIL, BYTES or RANGES; or phase */
	size_t position;   /* where the phase has got to; TAIL: best_len;
			    BLOCKS: end of the block */
	size_t step;       /* how many bytes at once; READABLE: 0: one place */
	size_t end;        /* RANGES: end of the range that starts at position;
			    BYTES: 1: steps get smaller */
	unsigned readable; /* READABLE: which character is tried */
	unsigned part;     /* PARTS: which kind of guess is tried */
	unsigned level; /* BLOCKS: steps have 2 to the power of it, or more */
	bool pending;   /* candidate awaits its verdict */

	/*
	 * A tuple is minimized one argument after the other. Offsets of the
	 * search are within the argument, those of the cut within the whole.
	 */
	bool tuples;
	uint32_t argument;
	struct tuple_field at; /* where it stands in best */

	uint64_t tries; /* verdicts told */
	uint64_t accepted;

	/* What was chosen at the start. */
	bool quick;    /* it began with MINIMIZE_BLOCKS */
	bool blank;    /* there is a MINIMIZE_BLANK */
	bool thorough; /* there are PARTS and ZEROS */
	bool by_hand;  /* something was refused */
	uint8_t filler;

	unsigned round;          /* times that MINIMIZE_BLOCKS was entered */
	uint64_t round_accepted; /* `accepted` when the round began */
	uint64_t again_tries;
	bool again_won; /* the best comes from MINIMIZE_AGAIN */
	struct minimize_cut refused[MINIMIZE_REFUSED];
	size_t refused_n;
};

/*
 * best holds the len bytes to be minimized and is overwritten as they
 * shrink; candidate has room for as many. Both must outlive the minimizer.
 * That the input fails at all is for the caller to verify first.
 *
 * `first` is MINIMIZE_BLOCKS, or a phase of the reference: then the phases
 * before it are left out, and candidates come exactly in the reference's
 * order. MINIMIZE_BLOCKS is a search of our own: it takes large parts away in
 * few tries, goes back to blocks as long as that helps, tries only short
 * ranges of what is long, and fills many places at once. What it gives may in
 * rare cases be larger than what the reference finds; see minimizer_again().
 */
void minimizer_init(struct minimizer *m, uint8_t *best, size_t len,
	uint8_t *candidate, enum minimize_phase first);

/*
 * Right after init with MINIMIZE_BLOCKS: searches thoroughly. Parts that the
 * input itself delimits are dropped, also with the number that is their
 * length; numbers are made small. And when the result is short, the
 * reference's stages are tried from the start as well, and the smaller one is
 * kept. The start is copied into `other`, which has room for as many bytes as
 * best.
 */
void minimizer_again(struct minimizer *m, uint8_t *other);

/*
 * Right after init with MINIMIZE_BLOCKS, and before minimizer_again(): best
 * is a tuple, and stays one. Each argument has its turn, from the first on;
 * there is no MINIMIZE_AGAIN then. False: it is none.
 */
bool minimizer_tuples(struct minimizer *m);

/*
 * Bytes that do not matter become the filler, before the readable characters,
 * which then leave each byte that is the filler as it is. Before that phase,
 * at any time.
 */
void minimizer_blank(struct minimizer *m, uint8_t filler);

/*
 * Build the next candidate, whole, whatever was in the buffer before.
 * Returns false when there is none left. Asked again without a verdict, it
 * builds the same one again.
 */
bool minimizer_next(struct minimizer *m);

/* Was the candidate accepted? Without a pending candidate: no effect. */
void minimizer_verdict(struct minimizer *m, bool accepted);

/*
 * Rejects the pending candidate, whatever it does. Later phases do not try
 * the same part again, and MINIMIZE_AGAIN is not begun after that: it would
 * not know of it.
 */
void minimizer_refuse(struct minimizer *m);

/* Does the pending candidate have other bytes in the cut, or lack them? */
bool minimizer_replaces(const struct minimizer *m);

/* Go on with the next phase; a pending candidate is forgotten. */
void minimizer_skip_phase(struct minimizer *m);

/* ---- a point in history ---- */

#define MINIMIZE_STATE_N 49

/* A pending candidate is not part of it: minimizer_next() builds it again. */
void minimizer_save(const struct minimizer *m,
	uint64_t state[MINIMIZE_STATE_N]);

/*
 * Goes on from a state that was saved. best and candidate have room for
 * `room` bytes, which is at least the start's length, and best begins with
 * state's best bytes. `other` is the same for other's bytes, or NULL: then
 * MINIMIZE_AGAIN is left out. False, and nothing is to be done with m, if the
 * numbers are not those of a minimization in so much room. Nonsense that
 * passes gives candidates of no use, never one outside of the buffers.
 */
bool minimizer_load(struct minimizer *m, uint8_t *best, uint8_t *candidate,
	uint8_t *other, size_t room, const uint64_t state[MINIMIZE_STATE_N]);

/* What such a state says of its buffers, for those who carry them. */
size_t minimize_state_best_len(const uint64_t state[MINIMIZE_STATE_N]);
size_t minimize_state_other_len(const uint64_t state[MINIMIZE_STATE_N]);

/* ---- names ---- */

/* "blocks", "tail", "bytes", "parts", "zeros", "ranges", "again", "blank" … */
const char *minimize_phase_name(enum minimize_phase phase);

/* All of them in their order, from MINIMIZE_BLOCKS on, to MINIMIZE_DONE. */
enum minimize_phase minimize_phase_after(enum minimize_phase phase);

/* Its place in that order, from 0. */
unsigned minimize_phase_order(enum minimize_phase phase);

/* Those that many minimizations do not have. */
bool minimize_phase_is_optional(enum minimize_phase phase);

#endif
