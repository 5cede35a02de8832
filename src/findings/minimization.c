/*
 * minimization: see minimization.h. The current state and the operations on it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "findings/minimization_private.h"

/* ---- now ----------------------------------------------------------------- */

struct minimization *
minimization_create(const uint8_t *data, size_t len,
	const struct minimization_options *options)
{
	struct minimization *s = xcalloc(1, sizeof(*s));
	struct point *now = &s->now;

	s->options = *options;
	s->start_len = len;
	minimization_point_init(now, len);
	memcpy(now->best, data, len);
	minimizer_init(&now->m, now->best, len, now->candidate,
		options->reference && !options->tuples ? MINIMIZE_TAIL
						       : MINIMIZE_BLOCKS);
	if (options->tuples)
		(void)minimizer_tuples(&now->m);
	if (!options->reference && !options->coverage)
		minimizer_again(&now->m, now->other);
	if (options->blank)
		minimizer_blank(&now->m, options->filler);
	minimization_history_begin(s);
	minimization_sizes_add(s);
	return s;
}

void
minimization_destroy(struct minimization *s)
{
	size_t i;

	if (s == NULL)
		return;
	for (i = 0; i < s->segments_n; i++)
		minimization_segment_clear(&s->segments[i]);
	free(s->segments);
	minimization_point_clear(&s->now);
	free(s);
}

const uint8_t *
minimization_best(const struct minimization *s, size_t *len)
{
	*len = s->now.m.s.best_len;
	return s->now.m.best;
}

uint64_t
minimization_others(const struct minimization *s)
{
	return s->others;
}

bool
minimization_is_done(struct minimization *s)
{
	return !minimizer_aim(&s->now.m);
}

size_t
minimization_start_len(const struct minimization *s)
{
	return s->start_len;
}

void
minimization_cut(struct minimization *s, uint64_t *position, uint64_t *offset,
	uint64_t *len)
{
	const struct minimizer *m = &s->now.m;
	/* The bytes that MINIMIZE_AGAIN cuts are in `other`, not in `best`. */
	bool any = minimizer_aim(&s->now.m) && m->s.phase != MINIMIZE_AGAIN;

	*position = m->s.position;
	*offset = any ? m->cut_offset : 0;
	*len = any ? m->cut_len : 0;
}

/* ---- at full speed ------------------------------------------------------- */

const struct minimizer_state *
minimization_state(const struct minimization *s)
{
	return &s->now.m.s;
}

const uint8_t *
minimization_other(const struct minimization *s, size_t *len)
{
	*len = s->now.m.other != NULL ? s->now.m.s.other_len : 0;
	return s->now.m.other;
}

/* Do the marks match the state? Otherwise they are discarded. */
static bool
minimization_marks_fit(const struct minimization_call *call, uint64_t tries)
{
	size_t i;

	if (call->marks_n != tries)
		return false;
	for (i = 0; i < call->marks_n; i++)
		if (call->marks[i] == CANDIDATE_NONE ||
			(call->marks[i] > CANDIDATE_OTHER &&
				call->marks[i] < CANDIDATE_LOST))
			return false;
	return true;
}

bool
minimization_take(struct minimization *s, const struct minimization_call *call)
{
	struct point then;
	uint64_t tries;
	size_t i;

	minimization_point_init(&then, s->start_len);
	if (!minimization_point_load(&then, call->state, call->best,
		    call->best_len, call->other, call->other_len) ||
		then.m.s.tries < s->now.m.s.tries ||
		then.m.s.best_len > s->now.m.s.best_len) {
		minimization_point_clear(&then);
		return false;
	}
	tries = then.m.s.tries - s->now.m.s.tries;
	if (minimization_history_last(s)->n > 0)
		minimization_history_begin(s);
	minimization_point_clear(&s->now);
	s->now = then;
	if (minimization_marks_fit(call, tries)) {
		minimization_history_add(s, call->marks, call->marks_n);
		for (i = 0; i < call->marks_n; i++)
			s->others += call->marks[i] == CANDIDATE_OTHER;
		if (call->marks_n > 0)
			s->last = call->marks[call->marks_n - 1];
	} else {
		/* The tries before this state are not known. */
		minimization_history_begin(s);
		while (s->segments_n > 1)
			minimization_history_drop_first(s);
	}
	minimization_sizes_add(s);
	return true;
}

void
minimization_replay(struct minimization *s, const uint8_t *marks, size_t n)
{
	size_t i, done = 0;

	if (minimization_history_last(s)->n > 0)
		minimization_history_begin(s);
	for (i = 0; i < n && marks[i] != CANDIDATE_NONE; i++, done++)
		if (!minimization_point_apply(&s->now, marks[i]))
			break;
	minimization_history_add(s, marks, done);
	minimization_sizes_add(s);
}

/* ---- try by try ---------------------------------------------------------- */

const uint8_t *
minimization_next(struct minimization *s, size_t *len)
{
	if (!minimizer_next(&s->now.m))
		return NULL;
	*len = s->now.m.candidate_len;
	return s->now.m.candidate;
}

static unsigned
minimization_mark_of(enum try_verdict verdict, uint32_t lost)
{
	switch (verdict) {
	case TRY_SAME:
		return CANDIDATE_SAME;
	case TRY_OTHER:
		return CANDIDATE_OTHER;
	case TRY_FINDING:
		return MARK_FINDING;
	case TRY_LOST:
		return CANDIDATE_LOST + (lost < 0x7f ? lost : 0x7f);
	case TRY_UNDONE:
		return MARK_UNDONE;
	default:
		return CANDIDATE_NOTHING;
	}
}

void
minimization_judge(struct minimization *s, enum try_verdict verdict,
	uint32_t lost, const char *words)
{
	unsigned mark = minimization_mark_of(verdict, lost);

	if (!minimizer_aim(&s->now.m))
		return;
	if (minimization_history_last(s)->n >= SEGMENT_MARKS)
		minimization_history_begin(s);
	(void)minimization_point_apply(&s->now, mark);
	minimization_history_add_mark(s, mark);
	s->last = mark;
	s->others += mark == CANDIDATE_OTHER || mark == MARK_FINDING;
	if (words != NULL && words[0] != '\0')
		minimization_words_add(s, s->now.m.s.tries, words);
	if (mark == CANDIDATE_SAME)
		minimization_sizes_add(s);
}

bool
minimization_skip(struct minimization *s)
{
	if (!minimizer_aim(&s->now.m))
		return false;
	s->skipped |= 1u << s->now.m.s.phase;
	(void)minimization_point_apply(&s->now, MARK_SKIPPED);
	minimization_history_add_mark(s, MARK_SKIPPED);
	return true;
}

/* Finds the last accepted cut at or before try `at`. */
static bool
minimization_find_accepted(const struct minimization *s, uint64_t at,
	size_t *index, size_t *mark)
{
	size_t i, n;

	for (i = s->segments_n; i-- > 0;) {
		const struct segment *segment = &s->segments[i];
		uint64_t number = segment->first +
			minimization_segment_tries(segment, segment->n);

		for (n = segment->n; n-- > 0;) {
			if (segment->marks[n] == CANDIDATE_SAME &&
				number <= at) {
				*index = i;
				*mark = n;
				return true;
			}
			number -= segment->marks[n] != MARK_SKIPPED;
		}
	}
	return false;
}

bool
minimization_undo(struct minimization *s, uint64_t at)
{
	struct point then;
	size_t index, n, i;

	if (!minimization_find_accepted(s, at > 0 ? at : UINT64_MAX, &index,
		    &n))
		return false;
	minimization_point_init(&then, s->start_len);
	if (!minimization_point_load_segment(&then, &s->segments[index])) {
		minimization_point_clear(&then);
		return false;
	}
	for (i = 0; i < n; i++)
		(void)minimization_point_apply(&then,
			s->segments[index].marks[i]);
	minimization_history_cut(s, index, n);
	minimization_point_clear(&s->now);
	s->now = then;
	minimization_words_forget(s, s->now.m.s.tries + 1);
	minimization_sizes_forget(s, s->now.m.s.tries + 1);
	minimization_judge(s, TRY_UNDONE, 0, NULL);
	minimization_sizes_add(s);
	return true;
}
