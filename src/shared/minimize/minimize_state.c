/*
 * minimize_state: a minimization as numbers, and cuts refused by hand.
 *
 * The numbers may come from another process, so each is bounded. Within the
 * bounds a phase needs no particular state: it settles from wherever it is.
 */

#include <string.h>

#include "shared/minimize/minimize_private.h"

enum state_number {
	STATE_BEST_LEN,
	STATE_OTHER_LEN,
	STATE_PHASE,
	STATE_STAGE,
	STATE_POSITION,
	STATE_STEP,
	STATE_END,
	STATE_READABLE,
	STATE_TRIES,
	STATE_ACCEPTED,
	STATE_QUICK,
	STATE_BLANK,
	STATE_FILLER,
	STATE_BY_HAND,
	STATE_ROUND,
	STATE_ROUND_ACCEPTED,
	STATE_AGAIN_TRIES,
	STATE_AGAIN_WON,
	STATE_PART,
	STATE_LEVEL,
	STATE_THOROUGH,
	STATE_HAS_OTHER,
	STATE_TUPLES,
	STATE_ARGUMENT,
	STATE_REFUSED_N,
	STATE_REFUSED, /* three for each cut */
};

_Static_assert(STATE_REFUSED + 3 * MINIMIZE_REFUSED == MINIMIZE_STATE_N,
	"each number has its place");

/* No count and no step is larger. */
#define STATE_COUNT_MAX ((uint64_t)INT64_MAX)

void
minimizer_save(const struct minimizer *m, uint64_t state[MINIMIZE_STATE_N])
{
	const uint64_t numbers[STATE_REFUSED] = {
		[STATE_BEST_LEN] = m->best_len,
		[STATE_OTHER_LEN] = m->other_len,
		[STATE_PHASE] = m->phase,
		[STATE_STAGE] = m->stage,
		[STATE_POSITION] = m->position,
		[STATE_STEP] = m->step,
		[STATE_END] = m->end,
		[STATE_READABLE] = m->readable,
		[STATE_TRIES] = m->tries,
		[STATE_ACCEPTED] = m->accepted,
		[STATE_QUICK] = m->quick,
		[STATE_BLANK] = m->blank,
		[STATE_FILLER] = m->filler,
		[STATE_BY_HAND] = m->by_hand,
		[STATE_ROUND] = m->round,
		[STATE_ROUND_ACCEPTED] = m->round_accepted,
		[STATE_AGAIN_TRIES] = m->again_tries,
		[STATE_AGAIN_WON] = m->again_won,
		[STATE_PART] = m->part,
		[STATE_LEVEL] = m->level,
		[STATE_THOROUGH] = m->thorough,
		[STATE_HAS_OTHER] = m->other != NULL,
		[STATE_TUPLES] = m->tuples,
		[STATE_ARGUMENT] = m->argument,
		[STATE_REFUSED_N] = m->refused_n,
	};
	size_t i;

	memcpy(state, numbers, sizeof(numbers));
	for (i = 0; i < MINIMIZE_REFUSED; i++) {
		state[STATE_REFUSED + 3 * i] = m->refused[i].offset;
		state[STATE_REFUSED + 3 * i + 1] = m->refused[i].len;
		state[STATE_REFUSED + 3 * i + 2] = m->refused[i].replaced;
	}
}

/* Checks the maximum of each number. */
static bool
state_is_bounded(const uint64_t *state, uint64_t room)
{
	const uint64_t most[STATE_REFUSED] = {
		[STATE_BEST_LEN] = room,
		[STATE_OTHER_LEN] = room,
		[STATE_PHASE] = MINIMIZE_PHASES - 1,
		[STATE_STAGE] = MINIMIZE_PHASES - 1,
		[STATE_POSITION] = room,
		[STATE_STEP] = STATE_COUNT_MAX,
		[STATE_END] = room,
		[STATE_READABLE] = minimize_characters_n() - 1,
		[STATE_TRIES] = STATE_COUNT_MAX,
		[STATE_ACCEPTED] = state[STATE_TRIES],
		[STATE_QUICK] = 1,
		[STATE_BLANK] = 1,
		[STATE_FILLER] = UINT8_MAX,
		[STATE_BY_HAND] = 1,
		[STATE_ROUND] = INT32_MAX,
		[STATE_ROUND_ACCEPTED] = state[STATE_ACCEPTED],
		[STATE_AGAIN_TRIES] = state[STATE_TRIES],
		[STATE_AGAIN_WON] = 1,
		[STATE_PART] = MINIMIZE_PARTS_N,
		[STATE_LEVEL] = MINIMIZE_LEVEL_MAX,
		[STATE_THOROUGH] = 1,
		[STATE_HAS_OTHER] = 1,
		[STATE_TUPLES] = state[STATE_QUICK],
		[STATE_ARGUMENT] = TUPLE_MAX - 1,
		[STATE_REFUSED_N] = MINIMIZE_REFUSED,
	};
	size_t i;

	for (i = 0; i < STATE_REFUSED; i++)
		if (state[i] > most[i])
			return false;
	for (i = 0; i < MINIMIZE_REFUSED; i++)
		if (state[STATE_REFUSED + 3 * i] > room ||
			state[STATE_REFUSED + 3 * i + 1] > room ||
			state[STATE_REFUSED + 3 * i + 2] > 1)
			return false;
	return true;
}

/* True if the stage belongs to the phase and is within its value. */
static bool
state_is_consistent(const uint64_t *state)
{
	uint64_t stage = state[STATE_STAGE], phase = state[STATE_PHASE];
	bool again = phase == MINIMIZE_AGAIN;
	uint64_t len = state[again ? STATE_OTHER_LEN : STATE_BEST_LEN];

	if (again ? stage != MINIMIZE_TAIL && stage != MINIMIZE_BYTES &&
				stage != MINIMIZE_RANGES
		  : stage != phase)
		return false;
	if (again && !state[STATE_HAS_OTHER])
		return false;
	if (stage == MINIMIZE_BYTES && state[STATE_STEP] == 0)
		return false;
	if (stage == MINIMIZE_BLOCKS &&
		state[STATE_STEP] < (uint64_t)1 << state[STATE_LEVEL])
		return false;
	return state[STATE_POSITION] <= len && state[STATE_END] <= len;
}

static void
state_take(struct minimizer *m, const uint64_t *state)
{
	size_t i;

	m->best_len = state[STATE_BEST_LEN];
	m->other_len = state[STATE_OTHER_LEN];
	m->phase = (enum minimize_phase)state[STATE_PHASE];
	m->stage = (enum minimize_phase)state[STATE_STAGE];
	m->position = state[STATE_POSITION];
	m->step = state[STATE_STEP];
	m->end = state[STATE_END];
	m->readable = (unsigned)state[STATE_READABLE];
	m->tries = state[STATE_TRIES];
	m->accepted = state[STATE_ACCEPTED];
	m->quick = state[STATE_QUICK] != 0;
	m->blank = state[STATE_BLANK] != 0;
	m->filler = (uint8_t)state[STATE_FILLER];
	m->by_hand = state[STATE_BY_HAND] != 0;
	m->round = (unsigned)state[STATE_ROUND];
	m->round_accepted = state[STATE_ROUND_ACCEPTED];
	m->again_tries = state[STATE_AGAIN_TRIES];
	m->again_won = state[STATE_AGAIN_WON] != 0;
	m->part = (unsigned)state[STATE_PART];
	m->level = (unsigned)state[STATE_LEVEL];
	m->thorough = state[STATE_THOROUGH] != 0;
	m->tuples = state[STATE_TUPLES] != 0;
	m->refused_n = state[STATE_REFUSED_N];
	for (i = 0; i < MINIMIZE_REFUSED; i++)
		m->refused[i] = (struct minimize_cut){
			.offset = state[STATE_REFUSED + 3 * i],
			.len = state[STATE_REFUSED + 3 * i + 1],
			.replaced = state[STATE_REFUSED + 3 * i + 2] != 0,
		};
}

/*
 * Begins the argument. False if there is none, if its type lacks the phase, or
 * if the search is outside of it.
 */
static bool
state_take_argument(struct minimizer *m, const uint64_t *state)
{
	size_t len;

	if (!m->tuples)
		return m->phase != MINIMIZE_VALUE;
	if (m->phase == MINIMIZE_AGAIN ||
		!minimizer_open_argument(m, (uint32_t)state[STATE_ARGUMENT]))
		return false;
	len = minimizer_base_len(m);
	if (minimizer_is_scalar(m))
		return m->phase == MINIMIZE_VALUE || m->phase == MINIMIZE_DONE;
	return m->position <= len && m->end <= len;
}

bool
minimizer_load(struct minimizer *m, uint8_t *best, uint8_t *candidate,
	uint8_t *other, size_t room, const uint64_t state[MINIMIZE_STATE_N])
{
	uint64_t copy[MINIMIZE_STATE_N];

	memset(m, 0, sizeof(*m));
	memcpy(copy, state, sizeof(copy));
	if (!state_is_bounded(copy, room) || !state_is_consistent(copy))
		return false;
	state_take(m, copy);
	m->best = best;
	m->candidate = candidate;
	if (!state_take_argument(m, copy))
		return false;
	if (copy[STATE_HAS_OTHER])
		m->other = other;
	if (m->other == NULL && m->phase == MINIMIZE_AGAIN)
		minimizer_skip_phase(m);
	return true;
}

size_t
minimize_state_best_len(const uint64_t state[MINIMIZE_STATE_N])
{
	return state[STATE_BEST_LEN];
}

size_t
minimize_state_other_len(const uint64_t state[MINIMIZE_STATE_N])
{
	return state[STATE_HAS_OTHER] ? state[STATE_OTHER_LEN] : 0;
}

/* ---- refused ---- */

bool
minimizer_is_refused(const struct minimizer *m)
{
	size_t i;

	for (i = 0; m->phase != MINIMIZE_AGAIN && i < m->refused_n; i++)
		if (m->refused[i].offset == m->cut_offset &&
			m->refused[i].len == m->cut_len &&
			m->refused[i].replaced == minimizer_replaces(m))
			return true;
	return false;
}

/* The oldest refused cut makes room. */
void
minimizer_refuse(struct minimizer *m)
{
	if (!m->pending)
		return;
	m->by_hand = true;
	if (m->phase != MINIMIZE_AGAIN) {
		if (m->refused_n == MINIMIZE_REFUSED)
			memmove(&m->refused[0], &m->refused[1],
				--m->refused_n * sizeof(m->refused[0]));
		m->refused[m->refused_n++] = (struct minimize_cut){
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

	for (i = 0; i < m->refused_n; i++) {
		struct minimize_cut cut = m->refused[i];

		if (cut.offset >= behind)
			cut.offset -= m->cut_len;
		else if (cut.offset + cut.len > m->cut_offset)
			continue; /* part of it is gone */
		m->refused[n++] = cut;
	}
	m->refused_n = n;
}
