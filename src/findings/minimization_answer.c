/*
 * minimization_answer: describes a minimization, now or at an earlier try.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "findings/minimization_private.h"
#include "worker/inputs/input_text.h"

#define ANSWER_TRIES 96u /* rows of an answer */

uint64_t
minimization_oldest(const struct minimization *s)
{
	return s->segments[0].first;
}

static enum try_verdict
minimization_verdict_of(unsigned mark)
{
	switch (mark) {
	case CANDIDATE_NONE:
		return TRY_PENDING;
	case CANDIDATE_SAME:
		return TRY_SAME;
	case CANDIDATE_NOTHING:
		return TRY_NOTHING;
	case CANDIDATE_OTHER:
		return TRY_OTHER;
	case MARK_FINDING:
		return TRY_FINDING;
	case MARK_SKIPPED:
		return TRY_SKIPPED;
	case MARK_UNDONE:
		return TRY_UNDONE;
	default:
		return TRY_LOST;
	}
}

/* The length of the input that candidates are made of. */
static uint64_t
minimization_base_len(const struct minimizer *m)
{
	return m->s.phase == MINIMIZE_AGAIN ? m->s.other_len : m->s.best_len;
}

static void
minimization_fill_row(const struct minimization *s, const struct point *p,
	unsigned mark, struct reply_try *row)
{
	const struct minimizer *m = &p->m;
	const char *words;

	*row = (struct reply_try){
		.number = mark == MARK_SKIPPED ? 0 : m->s.tries + 1,
		.phase = m->s.phase,
		.offset = m->cut_offset,
		.len = m->cut_len,
		.replaced = minimizer_replaces(m),
		.verdict = minimization_verdict_of(mark),
		.len_before = minimization_base_len(m),
		.len_after = minimization_base_len(m),
	};
	words = minimization_words_find(s, m->s.tries + 1);
	if (mark != MARK_SKIPPED && words[0] != '\0')
		snprintf(row->why, sizeof(row->why), "%s", words);
	else if (mark > CANDIDATE_LOST)
		snprintf(row->why, sizeof(row->why), "%u%s",
			mark - CANDIDATE_LOST, mark == 0xff ? " or more" : "");
}

/* The segment in which the rows of an answer begin. */
static size_t
minimization_first_segment(const struct minimization *s, uint64_t at)
{
	size_t i = s->segments_n - 1;

	while (i > 0 && s->segments[i].first + ANSWER_TRIES > at)
		i--;
	return i;
}

/*
 * Replays the history up to try `at` and fills in a row for each try. Leaves p
 * in the state after the last one.
 */
static void
minimization_walk(struct minimization *s, uint64_t at, struct point *p,
	struct reply_minimization *reply)
{
	size_t i, n, rows = 0;
	struct reply_try *row;

	reply->tries = xcalloc(ANSWER_TRIES, sizeof(*reply->tries));
	for (i = minimization_first_segment(s, at); i < s->segments_n; i++) {
		const struct segment *segment = &s->segments[i];

		if (segment->first > at ||
			!minimization_point_load_segment(p, segment))
			break;
		for (n = 0; n < segment->n && p->m.s.tries < at; n++) {
			if (!minimizer_aim(&p->m))
				break;
			row = &reply->tries[rows % ANSWER_TRIES];
			minimization_fill_row(s, p, segment->marks[n], row);
			(void)minimization_point_apply(p, segment->marks[n]);
			if (p->m.s.phase == row->phase)
				row->len_after = minimization_base_len(&p->m);
			rows++;
		}
		/* A phase that was skipped after the last try. */
		while (n < segment->n && segment->marks[n] == MARK_SKIPPED &&
			at == s->now.m.s.tries &&
			minimization_point_apply(p, segment->marks[n]))
			n++;
	}
	reply->tries_n = rows < ANSWER_TRIES ? rows : ANSWER_TRIES;
	if (rows > ANSWER_TRIES) {
		struct reply_try *sorted =
			xcalloc(ANSWER_TRIES, sizeof(*sorted));

		for (n = 0; n < ANSWER_TRIES; n++)
			sorted[n] = reply->tries[(rows + n) % ANSWER_TRIES];
		free(reply->tries);
		reply->tries = sorted;
	}
}

static void
minimization_fill_bytes(const struct minimizer *m, uint64_t first,
	uint32_t count, struct reply_minimization *reply)
{
	struct tuple_types types = { .n = 0 };
	struct input_text text;
	size_t n;

	if (m->s.tuples)
		input_types(m->best, m->s.best_len, &types);
	input_text_init(&text, &types, m->best, m->s.best_len);
	n = first < text.len ? text.len - (size_t)first : 0;
	if (n > count)
		n = count;
	if (n > QUERY_BYTES_MAX)
		n = QUERY_BYTES_MAX;
	reply->first = first;
	reply->best.data = xmemdup(n > 0 ? text.data + first : NULL, n);
	reply->best.len = n;
	if (types.n > 0) {
		reply->text_len = text.len;
		reply->text_cut = reply->cut_offset;
		reply->text_cut_len = reply->cut_len;
		input_text_place(&types, m->best, m->s.best_len,
			&reply->text_cut, &reply->text_cut_len);
	}
	input_text_clear(&text);
}

/* Sets position and length of the phase; both 0 where they are unknown. */
static void
minimization_fill_position(const struct minimizer *m,
	struct reply_minimization *reply)
{
	uint64_t len = m->s.tuples ? m->at.len : minimization_base_len(m);

	reply->phase_len = len;
	switch ((enum minimize_phase)m->s.stage) {
	case MINIMIZE_BLOCKS:
	case MINIMIZE_TAIL:
		/* Counts from the end. */
		reply->position = len > m->s.position ? len - m->s.position : 0;
		break;
	default:
		reply->position = m->s.position;
		break;
	}
}

void
minimization_answer(struct minimization *s, uint64_t at, uint64_t first,
	uint32_t count, struct reply_minimization *reply)
{
	uint64_t last = s->now.m.s.tries, oldest = minimization_oldest(s);
	struct point p;

	if (at == 0 || at > last)
		at = last;
	if (at < oldest)
		at = oldest;
	minimization_point_init(&p, s->start_len);
	minimization_walk(s, at, &p, reply);
	reply->coverage = s->options.coverage;
	reply->at = at;
	reply->last = last;
	reply->oldest = oldest;
	reply->accepted = s->now.m.s.accepted;
	reply->others = s->others;
	reply->skipped = s->skipped;
	reply->start_len = s->start_len;
	/* A cut in `other` has no offset in `best`. */
	if (minimizer_aim(&p.m) && p.m.s.phase != MINIMIZE_AGAIN) {
		reply->cut_offset = p.m.cut_offset;
		reply->cut_len = p.m.cut_len;
		reply->replaces = minimizer_replaces(&p.m);
	}
	reply->phase = p.m.s.phase;
	reply->best_len = p.m.s.best_len;
	minimization_fill_position(&p.m, reply);
	minimization_fill_bytes(&p.m, first, count, reply);
	reply->sizes = xmemdup(s->sizes, s->sizes_n * sizeof(*s->sizes));
	reply->sizes_n = s->sizes_n;
	minimization_point_clear(&p);
}

void
minimization_verdict_words(struct minimization *s, char *buf, size_t size)
{
	const char *words = minimization_words_find(s, s->now.m.s.tries);

	switch (minimization_verdict_of(s->last)) {
	case TRY_SAME:
		snprintf(buf, size, "same %s",
			s->options.coverage ? "coverage" : "failure");
		break;
	case TRY_NOTHING:
		snprintf(buf, size, "no failure");
		break;
	case TRY_OTHER:
		snprintf(buf, size, "another failure%s%s",
			words[0] != '\0' ? ": " : "", words);
		break;
	case TRY_FINDING:
		snprintf(buf, size, "%s: kept as a finding", words);
		break;
	case TRY_LOST:
		snprintf(buf, size, "lost %u%s of its coverage",
			s->last - CANDIDATE_LOST,
			s->last == 0xff ? " or more" : "");
		break;
	case TRY_UNDONE:
		snprintf(buf, size, "undone");
		break;
	default:
		buf[0] = '\0';
		break;
	}
}
