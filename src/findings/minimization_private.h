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

/* Marks that only the engine makes, besides enum candidate_result. */
enum {
	MARK_FINDING = 0x10,
	MARK_SKIPPED,
	MARK_UNDONE
};

/* A minimizer state with its bytes, ready to continue. */
struct point {
	struct minimizer m;
	uint8_t *best, *candidate, *other;
	size_t room;
};

struct segment {
	uint64_t state[MINIMIZE_STATE_N];
	uint8_t *bytes; /* best, then other */
	size_t best_len, other_len;
	uint64_t first; /* tries before this segment */
	uint8_t *marks;
	size_t n, room;
};

struct words {
	uint64_t number;
	char text[96];
};

struct minimization {
	struct minimization_options options;
	struct point now;
	uint64_t state[MINIMIZE_STATE_N];
	size_t start_len;
	uint32_t skipped; /* phases, a bit each */
	uint64_t others;

	struct segment *segments; /* oldest first; at least one */
	size_t segments_n;
	size_t memory; /* bytes of all segments */

	struct words words[MINIMIZATION_WORDS];
	size_t words_next;
	struct reply_size sizes[QUERY_SIZES_MAX];
	size_t sizes_n;
	unsigned last; /* mark of the last try */
};

/* minimization_history.c */
void minimization_point_init(struct point *p, size_t room);
void minimization_point_clear(struct point *p);
bool minimization_point_load(struct point *p,
	const uint64_t state[MINIMIZE_STATE_N], const uint8_t *best,
	size_t best_len, const uint8_t *other, size_t other_len);
bool minimization_point_load_segment(struct point *p,
	const struct segment *segment);
bool minimization_point_apply(struct point *p, unsigned mark);
void minimization_segment_clear(struct segment *segment);
uint64_t minimization_segment_tries(const struct segment *segment, size_t n);
struct segment *minimization_history_last(const struct minimization *s);
void minimization_history_drop_first(struct minimization *s);
void minimization_history_begin(struct minimization *s);
void minimization_history_add(struct minimization *s, const uint8_t *marks,
	size_t n);
void minimization_history_add_mark(struct minimization *s, unsigned mark);
void minimization_history_cut(struct minimization *s, size_t index, size_t n);
void minimization_words_add(struct minimization *s, uint64_t number,
	const char *text);
const char *minimization_words_find(const struct minimization *s,
	uint64_t number);
void minimization_words_forget(struct minimization *s, uint64_t from);
void minimization_sizes_add(struct minimization *s);
void minimization_sizes_forget(struct minimization *s, uint64_t from);

#endif
