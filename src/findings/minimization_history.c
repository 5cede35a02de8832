/*
 * minimization_history: the states of a minimization over time, see
 * minimization.h.
 *
 * The history is a list of segments. Each has its start state and a byte for
 * each try that followed. The current state is the end of the last segment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "findings/minimization_private.h"

/* ---- points -------------------------------------------------------------- */

void
minimization_point_init(struct point *p, size_t room)
{
	memset(p, 0, sizeof(*p));
	p->room = room > 0 ? room : 1;
	p->best = xmalloc(3 * p->room);
	p->candidate = p->best + p->room;
	p->other = p->candidate + p->room;
}

void
minimization_point_clear(struct point *p)
{
	free(p->best);
}

/* Restores a saved state. False: it is invalid. */
bool
minimization_point_load(struct point *p, const struct minimizer_state *state,
	const uint8_t *best, size_t best_len, const uint8_t *other,
	size_t other_len)
{
	if (best == NULL || best_len > p->room || other_len > p->room ||
		state->best_len != best_len ||
		(other != NULL && minimize_state_other_len(state) != other_len))
		return false;
	memcpy(p->best, best, best_len);
	if (other != NULL)
		memcpy(p->other, other, other_len);
	return minimizer_load(&p->m, p->best, p->candidate,
		other != NULL ? p->other : NULL, p->room, state);
}

bool
minimization_point_load_segment(struct point *p, const struct segment *segment)
{
	return minimization_point_load(p, &segment->state, segment->bytes,
		segment->best_len,
		segment->other_len > 0 ? segment->bytes + segment->best_len
				       : NULL,
		segment->other_len);
}

/* Applies a recorded verdict. False: no try is left for it. */
bool
minimization_point_apply(struct point *p, unsigned mark)
{
	if (!minimizer_aim(&p->m))
		return false;
	if (mark == MARK_SKIPPED)
		minimizer_skip_phase(&p->m);
	else if (mark == MARK_UNDONE)
		minimizer_refuse(&p->m);
	else
		minimizer_verdict(&p->m, mark == CANDIDATE_SAME);
	return true;
}

/* ---- segments ------------------------------------------------------------ */

static size_t
minimization_segment_memory(const struct segment *segment)
{
	return sizeof(*segment) + segment->best_len + segment->other_len +
		segment->room;
}

void
minimization_segment_clear(struct segment *segment)
{
	free(segment->bytes);
	free(segment->marks);
}

/* Counts the tries among the first n marks. */
uint64_t
minimization_segment_tries(const struct segment *segment, size_t n)
{
	uint64_t tries = 0;
	size_t i;

	for (i = 0; i < n; i++)
		tries += segment->marks[i] != MARK_SKIPPED;
	return tries;
}

struct segment *
minimization_history_last(const struct minimization *s)
{
	return &s->segments[s->segments_n - 1];
}

void
minimization_history_drop_first(struct minimization *s)
{
	s->memory -= minimization_segment_memory(&s->segments[0]);
	minimization_segment_clear(&s->segments[0]);
	s->segments_n--;
	memmove(s->segments, s->segments + 1,
		s->segments_n * sizeof(*s->segments));
}

/* Starts a segment with the current state. */
void
minimization_history_begin(struct minimization *s)
{
	const struct minimizer *m = &s->now.m;
	struct segment segment = { .best_len = m->s.best_len,
		.other_len = m->other != NULL ? m->s.other_len : 0,
		.first = m->s.tries };

	segment.state = m->s;
	segment.bytes = xmalloc(segment.best_len + segment.other_len + 1);
	if (segment.best_len > 0)
		memcpy(segment.bytes, m->best, segment.best_len);
	if (m->other != NULL)
		memcpy(segment.bytes + segment.best_len, m->other,
			segment.other_len);
	s->segments = xreallocarray(s->segments, s->segments_n + 1,
		sizeof(*s->segments));
	s->segments[s->segments_n++] = segment;
	s->memory += minimization_segment_memory(&segment);
	while (s->memory > MINIMIZATION_MEMORY && s->segments_n > 1)
		minimization_history_drop_first(s);
}

void
minimization_history_add(struct minimization *s, const uint8_t *marks, size_t n)
{
	struct segment *last = minimization_history_last(s);

	if (n == 0)
		return;
	if (last->n + n > last->room) {
		s->memory -= last->room;
		last->room = 2 * (last->n + n);
		last->marks = xrealloc(last->marks, last->room);
		s->memory += last->room;
	}
	memcpy(last->marks + last->n, marks, n);
	last->n += n;
}

void
minimization_history_add_mark(struct minimization *s, unsigned mark)
{
	uint8_t byte = (uint8_t)mark;

	minimization_history_add(s, &byte, 1);
}

/* Forgets all after the first n marks of this segment. */
void
minimization_history_cut(struct minimization *s, size_t index, size_t n)
{
	while (s->segments_n > index + 1) {
		s->memory -= minimization_segment_memory(
			minimization_history_last(s));
		minimization_segment_clear(minimization_history_last(s));
		s->segments_n--;
	}
	minimization_history_last(s)->n = n;
}

/* ---- what else is remembered --------------------------------------------- */

void
minimization_words_add(struct minimization *s, uint64_t number,
	const char *text)
{
	struct words *words = &s->words[s->words_next++ % MINIMIZATION_WORDS];

	words->number = number;
	snprintf(words->text, sizeof(words->text), "%s", text);
}

const char *
minimization_words_find(const struct minimization *s, uint64_t number)
{
	size_t i;

	for (i = 0; i < MINIMIZATION_WORDS; i++)
		if (s->words[i].number == number)
			return s->words[i].text;
	return "";
}

void
minimization_words_forget(struct minimization *s, uint64_t from)
{
	size_t i;

	for (i = 0; i < MINIMIZATION_WORDS; i++)
		if (s->words[i].number >= from)
			s->words[i].number = 0;
}

/* Adds a point to the curve of sizes. A full curve drops every other point. */
void
minimization_sizes_add(struct minimization *s)
{
	struct reply_size size = { s->now.m.s.tries, s->now.m.s.best_len };
	size_t i;

	if (s->sizes_n > 0 && s->sizes[s->sizes_n - 1].number == size.number)
		s->sizes_n--;
	if (s->sizes_n == QUERY_SIZES_MAX) {
		for (i = 0; 2 * i < QUERY_SIZES_MAX; i++)
			s->sizes[i] = s->sizes[2 * i];
		s->sizes_n = i;
	}
	s->sizes[s->sizes_n++] = size;
}

void
minimization_sizes_forget(struct minimization *s, uint64_t from)
{
	while (s->sizes_n > 1 && s->sizes[s->sizes_n - 1].number >= from)
		s->sizes_n--;
}
