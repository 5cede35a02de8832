/*
 * minimize_state: a minimization as numbers, and cuts refused by hand.
 *
 * The numbers may come from another process, so each is bounded. Within the
 * bounds a phase needs no particular state: it settles from wherever it is.
 */

#include <string.h>

#include "shared/minimize/minimize_private.h"

/* No count and no step is larger. */
#define STATE_COUNT_MAX ((uint64_t)INT64_MAX)

static bool
state_refused_is_bounded(const struct minimizer_state *s, uint64_t room)
{
	size_t i;

	for (i = 0; i < MINIMIZE_REFUSED; i++)
		if (s->refused[i].offset > room || s->refused[i].len > room ||
			s->refused[i].replaced > 1)
			return false;
	return s->refused_n <= MINIMIZE_REFUSED;
}

/* Checks the maximum of each number. */
static bool
state_is_bounded(const struct minimizer_state *s, uint64_t room)
{
	return state_refused_is_bounded(s, room) && s->best_len <= room &&
		s->other_len <= room && s->phase < MINIMIZE_PHASES &&
		s->stage < MINIMIZE_PHASES && s->position <= room &&
		s->step <= STATE_COUNT_MAX && s->end <= room &&
		s->readable < minimize_characters_n() &&
		s->tries <= STATE_COUNT_MAX && s->accepted <= s->tries &&
		s->quick <= 1 && s->blank <= 1 && s->filler <= UINT8_MAX &&
		s->by_hand <= 1 && s->round <= INT32_MAX &&
		s->round_accepted <= s->accepted &&
		s->again_tries <= s->tries && s->again_won <= 1 &&
		s->part <= MINIMIZE_PARTS_N && s->level <= MINIMIZE_LEVEL_MAX &&
		s->thorough <= 1 && s->has_other <= 1 &&
		s->tuples <= s->quick && s->argument < TUPLE_MAX;
}

/* True if the stage belongs to the phase and is within its value. */
static bool
state_is_consistent(const struct minimizer_state *s)
{
	bool again = s->phase == MINIMIZE_AGAIN;
	uint64_t len = again ? s->other_len : s->best_len;

	if (again ? s->stage != MINIMIZE_TAIL && s->stage != MINIMIZE_BYTES &&
				s->stage != MINIMIZE_RANGES
		  : s->stage != s->phase)
		return false;
	if (again && !s->has_other)
		return false;
	if (s->stage == MINIMIZE_BYTES && s->step == 0)
		return false;
	if (s->stage == MINIMIZE_BLOCKS && s->step < (uint64_t)1 << s->level)
		return false;
	return s->position <= len && s->end <= len;
}

/*
 * Begins the argument. False if there is none, if its type lacks the phase, or
 * if the search is outside of it.
 */
static bool
state_open_argument(struct minimizer *m)
{
	size_t len;

	if (!m->s.tuples)
		return m->s.phase != MINIMIZE_VALUE;
	if (m->s.phase == MINIMIZE_AGAIN ||
		!minimizer_open_argument(m, (uint32_t)m->s.argument))
		return false;
	len = minimizer_base_len(m);
	if (minimizer_is_scalar(m))
		return m->s.phase == MINIMIZE_VALUE ||
			m->s.phase == MINIMIZE_DONE;
	return m->s.position <= len && m->s.end <= len;
}

bool
minimizer_load(struct minimizer *m, uint8_t *best, uint8_t *candidate,
	uint8_t *other, size_t room, const struct minimizer_state *state)
{
	memset(m, 0, sizeof(*m));
	m->s = *state;
	if (!state_is_bounded(&m->s, room) || !state_is_consistent(&m->s))
		return false;
	m->best = best;
	m->candidate = candidate;
	if (!state_open_argument(m))
		return false;
	if (m->s.has_other)
		m->other = other;
	m->s.has_other = m->other != NULL;
	if (m->other == NULL && m->s.phase == MINIMIZE_AGAIN)
		minimizer_skip_phase(m);
	return true;
}

size_t
minimize_state_other_len(const struct minimizer_state *state)
{
	return state->has_other ? state->other_len : 0;
}

/* ---- refused ---- */

bool
minimizer_is_refused(const struct minimizer *m)
{
	size_t i;

	for (i = 0; m->s.phase != MINIMIZE_AGAIN && i < m->s.refused_n; i++)
		if (m->s.refused[i].offset == m->cut_offset &&
			m->s.refused[i].len == m->cut_len &&
			m->s.refused[i].replaced == minimizer_replaces(m))
			return true;
	return false;
}

/* The oldest refused cut makes room. */
void
minimizer_refuse(struct minimizer *m)
{
	if (!m->pending)
		return;
	m->s.by_hand = true;
	if (m->s.phase != MINIMIZE_AGAIN) {
		if (m->s.refused_n == MINIMIZE_REFUSED)
			memmove(&m->s.refused[0], &m->s.refused[1],
				--m->s.refused_n * sizeof(m->s.refused[0]));
		m->s.refused[m->s.refused_n++] = (struct minimize_cut){
			.offset = m->cut_offset,
			.len = m->cut_len,
			.replaced = minimizer_replaces(m),
		};
	}
	minimizer_verdict(m, false);
}

void
minimizer_move_refused(struct minimizer *m)
{
	size_t behind = m->cut_offset + m->cut_len, i, n = 0;

	for (i = 0; i < m->s.refused_n; i++) {
		struct minimize_cut cut = m->s.refused[i];

		if (cut.offset >= behind)
			cut.offset -= m->cut_len;
		else if (cut.offset + cut.len > m->cut_offset)
			continue; /* part of it is gone */
		m->s.refused[n++] = cut;
	}
	m->s.refused_n = n;
}
