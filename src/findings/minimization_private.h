/*
 * minimization_private: internals of a minimization, shared by minimization.c
 * (current state), minimization_history.c (earlier states) and
 * minimization_answer.c (replies).
 */
#ifndef CFUZZ_FINDINGS_MINIMIZATION_PRIVATE_H
#define CFUZZ_FINDINGS_MINIMIZATION_PRIVATE_H

#include "findings/minimization.h"
#include "shared/wire/memory.h"

#define SEGMENT_MARKS 16384u /* after so many a new segment begins */

/*
 * A mark is one byte of the history: enum candidate_result, or one that only
 * the engine makes.
 */
enum {
	MARK_FINDING = 0x10, /* a try failed in a new way */
	MARK_SKIPPED,        /* no try: the user skipped the phase */
	MARK_UNDONE          /* a try that the user refused afterwards */
};

/* A minimizer state with its bytes, ready to continue. */
struct point {
	struct minimizer m;
	uint8_t *best, *candidate, *other; /* one allocation, best is first */
	size_t room;                       /* bytes of each */
};

/* A part of the history: a state, and the marks that followed it. */
struct segment {
	struct minimizer_state state;
	uint8_t *bytes; /* best, then other */
	size_t best_len, other_len;
	uint64_t first; /* tries before this segment */
	uint8_t *marks;
	size_t n, room; /* marks; bytes allocated for them */
};

/* The details of a verdict: the failure, or "2 of 3". */
struct words {
	uint64_t number; /* of the try; 0: free */
	char text[96];
};

struct minimization {
	struct minimization_options options;
	struct point now;
	size_t start_len;
	uint32_t skipped; /* phases, a bit each */
	uint64_t others;  /* tries that failed in another way */

	struct segment *segments; /* oldest first; at least one */
	size_t segments_n;
	size_t memory; /* bytes of all segments */

	struct words words[MINIMIZATION_WORDS];
	size_t words_next;                        /* `words` is a ring */
	struct reply_size sizes[QUERY_SIZES_MAX]; /* of best, over the tries */
	size_t sizes_n;
	unsigned last; /* mark of the last try */
};

/* minimization_history.c */
void minimization_point_init(struct point *p, size_t room);
void minimization_point_clear(struct point *p);
/* False: the state is invalid. */
bool minimization_point_load(struct point *p,
	const struct minimizer_state *state, const uint8_t *best,
	size_t best_len, const uint8_t *other, size_t other_len);
bool minimization_point_load_segment(struct point *p,
	const struct segment *segment);
/* Repeats what a mark stands for. False: no try is left for it. */
bool minimization_point_apply(struct point *p, unsigned mark);
void minimization_segment_clear(struct segment *segment);
/* Tries among the first n marks. */
uint64_t minimization_segment_tries(const struct segment *segment, size_t n);
struct segment *minimization_history_last(const struct minimization *s);
void minimization_history_drop_first(struct minimization *s);
/* Begins a segment with the current state; drops the oldest if they are too
 * large. */
void minimization_history_begin(struct minimization *s);
void minimization_history_add(struct minimization *s, const uint8_t *marks,
	size_t n);
void minimization_history_add_mark(struct minimization *s, unsigned mark);
/* Forgets all that follows the first n marks of segment `index`. */
void minimization_history_cut(struct minimization *s, size_t index, size_t n);
/* Details of the verdict of try `number`; the newest MINIMIZATION_WORDS are
 * kept. `find` returns "" if there are none; `forget` drops those from try
 * `from` on. */
void minimization_words_add(struct minimization *s, uint64_t number,
	const char *text);
const char *minimization_words_find(const struct minimization *s,
	uint64_t number);
void minimization_words_forget(struct minimization *s, uint64_t from);
/* Adds the present size to the curve; `forget` drops points from try `from`
 * on. */
void minimization_sizes_add(struct minimization *s);
void minimization_sizes_forget(struct minimization *s, uint64_t from);

#endif
