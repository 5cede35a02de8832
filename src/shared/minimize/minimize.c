/*
 * minimize: candidates and verdicts, see minimize.h.
 *
 * Between verdicts the state may point past the end of a phase.
 * minimizer_aim() settles it: it moves the state to the next candidate that
 * exists. A verdict only advances the state.
 *
 * The cost of a candidate depends on its execution: one that survives costs
 * next to nothing, one that dies costs a fork. So the quick search is generous
 * with candidates that will be rejected, and drops large parts.
 */

#include "shared/minimize/minimize_private.h"

#include <string.h>

#define MINIMIZE_ROUNDS 8
#define MINIMIZE_AGAIN_LEN 256     /* results up to this are tried again … */
#define MINIMIZE_AGAIN_TRIES 49152 /* … with at most this many tries … */
#define MINIMIZE_AGAIN_FAR 1024    /* … and not if it is that far behind */

/* The whole value that candidates are made of: best, or other. */
static uint8_t *
minimizer_whole(const struct minimizer *m)
{
	return m->s.phase == MINIMIZE_AGAIN ? m->other : m->best;
}

static size_t
minimizer_whole_len(const struct minimizer *m)
{
	return m->s.phase == MINIMIZE_AGAIN ? m->s.other_len : m->s.best_len;
}

const uint8_t *
minimizer_base(const struct minimizer *m)
{
	return minimizer_whole(m) + (m->s.tuples ? m->at.offset : 0);
}

size_t
minimizer_base_len(const struct minimizer *m)
{
	return m->s.tuples ? m->at.len : minimizer_whole_len(m);
}

/* ---- from phase to phase ---- */

/* Begins a phase. */
static void
minimizer_enter(struct minimizer *m, enum minimize_phase phase)
{
	m->s.phase = phase;
	m->pending = false;
	m->cut_offset = 0;
	m->cut_len = 0;
	m->field = (struct minimize_field){ .width = 0 };
	if (phase == MINIMIZE_BLOCKS) {
		m->s.round++;
		m->s.round_accepted = m->s.accepted;
	}
	minimize_stage_begin(m,
		phase == MINIMIZE_AGAIN ? MINIMIZE_TAIL : phase);
}

/* True if the order of Go's minimizer may give a smaller result. */
static bool
minimizer_wants_again(const struct minimizer *m)
{
	return m->s.quick && m->other != NULL && !m->s.by_hand &&
		!m->s.tuples && m->s.best_len > 1 &&
		m->s.best_len <= MINIMIZE_AGAIN_LEN &&
		m->s.best_len < m->s.other_len;
}

static bool
minimizer_has(const struct minimizer *m, enum minimize_phase phase)
{
	switch (phase) {
	case MINIMIZE_PARTS:
	case MINIMIZE_ZEROS:
		return m->s.quick && m->s.thorough;
	case MINIMIZE_AGAIN:
		return minimizer_wants_again(m);
	case MINIMIZE_BLANK:
		return m->s.blank;
	case MINIMIZE_VALUE:
		return m->s.tuples;
	default:
		return true;
	}
}

static enum minimize_phase
minimizer_after(const struct minimizer *m)
{
	enum minimize_phase phase = m->s.phase;

	do
		phase = minimize_phase_after(phase);
	while (!minimizer_has(m, phase));
	return phase;
}

/* ---- from argument to argument ---- */

bool
minimizer_open_argument(struct minimizer *m, uint32_t argument)
{
	struct tuple tuple;

	if (!m->s.tuples || !tuple_parse(m->best, m->s.best_len, &tuple) ||
		argument >= tuple.n)
		return false;
	m->s.argument = argument;
	m->at = tuple.fields[argument];
	return true;
}

bool
minimizer_is_scalar(const struct minimizer *m)
{
	return m->s.tuples && !value_type_is_bytes(m->at.type);
}

static enum minimize_phase
minimizer_first(const struct minimizer *m)
{
	return minimizer_is_scalar(m) ? MINIMIZE_VALUE : MINIMIZE_BLOCKS;
}

/* Ends the phase; begins this one or the next argument. */
static void
minimizer_proceed(struct minimizer *m, enum minimize_phase phase)
{
	if (phase == MINIMIZE_DONE &&
		minimizer_open_argument(m, m->s.argument + 1)) {
		m->s.round = 0;
		phase = minimizer_first(m);
	}
	minimizer_enter(m, phase);
}

/* The dropped bytes may have made larger parts removable. */
static bool
minimizer_wants_round(const struct minimizer *m)
{
	return m->s.quick && m->s.round < MINIMIZE_ROUNDS &&
		m->s.accepted > m->s.round_accepted &&
		(m->s.phase == MINIMIZE_BLOCKS ||
			m->s.phase == MINIMIZE_BYTES ||
			m->s.phase == MINIMIZE_PARTS ||
			m->s.phase == MINIMIZE_ZEROS ||
			m->s.phase == MINIMIZE_RANGES);
}

/* True if the order of Go's minimizer has arrived at the same result. */
static bool
minimizer_is_the_same(const struct minimizer *m)
{
	return !m->s.again_won && m->s.other_len == m->s.best_len &&
		memcmp(m->other, m->best, m->s.best_len) == 0;
}

/* Moves to the next try of this phase. Returns false if the phase is over. */
static bool
minimizer_settle(struct minimizer *m)
{
	if (m->s.phase != MINIMIZE_AGAIN)
		return minimize_stage_settle(m);
	while (m->s.again_tries < MINIMIZE_AGAIN_TRIES &&
		!minimizer_is_the_same(m)) {
		if (minimize_stage_settle(m))
			return true;
		if (m->s.stage == MINIMIZE_RANGES ||
			(m->s.stage == MINIMIZE_BYTES &&
				m->s.other_len >
					m->s.best_len + MINIMIZE_AGAIN_FAR))
			return false;
		minimize_stage_begin(m,
			m->s.stage == MINIMIZE_TAIL ? MINIMIZE_BYTES
						    : MINIMIZE_RANGES);
	}
	return false;
}

/* ---- candidates ---- */

/* Corrects the numbers that count the dropped bytes. */
static void
minimizer_lower_fields(const struct minimizer *m, uint8_t *whole)
{
	struct minimize_field length = { .width = TUPLE_LENGTH_LEN };

	if (m->field.width > 0)
		minimize_field_lower(whole, &m->field, m->cut_len);
	if (!m->s.tuples)
		return;
	length.offset = m->at.offset - TUPLE_LENGTH_LEN;
	minimize_field_lower(whole, &length, m->cut_len);
}

static void
minimizer_build(struct minimizer *m)
{
	const uint8_t *whole = minimizer_whole(m);
	size_t len = minimizer_whole_len(m);
	size_t behind = m->cut_offset + m->cut_len;

	if (minimizer_replaces(m)) {
		memcpy(m->candidate, whole, len);
		minimize_stage_fill(m, m->candidate);
		m->candidate_len = len;
		return;
	}
	memcpy(m->candidate, whole, m->cut_offset);
	memcpy(m->candidate + m->cut_offset, whole + behind, len - behind);
	m->candidate_len = len - m->cut_len;
	minimizer_lower_fields(m, m->candidate);
}

bool
minimizer_aim(struct minimizer *m)
{
	while (!m->pending) {
		if (minimizer_settle(m)) {
			minimize_stage_aim(m);
			if (!minimizer_is_refused(m))
				m->pending = true;
			else
				minimize_stage_advance(m, false);
			continue;
		}
		if (m->s.phase == MINIMIZE_DONE)
			return false;
		minimizer_proceed(m,
			minimizer_wants_round(m) ? MINIMIZE_BLOCKS
						 : minimizer_after(m));
	}
	return true;
}

bool
minimizer_next(struct minimizer *m)
{
	if (!minimizer_aim(m))
		return false;
	minimizer_build(m);
	return true;
}

/* ---- verdicts ---- */

/* Changes the base itself: the candidate's bytes are not trusted. */
static void
minimizer_accept(struct minimizer *m)
{
	uint8_t *whole = minimizer_whole(m);
	size_t len = minimizer_whole_len(m);
	size_t behind = m->cut_offset + m->cut_len;

	m->s.accepted++;
	if (minimizer_replaces(m)) {
		minimize_stage_fill(m, whole);
		return;
	}
	memmove(whole + m->cut_offset, whole + behind, len - behind);
	minimizer_lower_fields(m, whole);
	len -= m->cut_len;
	if (m->s.tuples)
		m->at.len -= m->cut_len;
	if (m->s.phase != MINIMIZE_AGAIN) {
		m->s.best_len = len;
		minimizer_move_refused(m);
		return;
	}
	m->s.other_len = len;
	if (len < m->s.best_len) {
		memcpy(m->best, m->other, len);
		m->s.best_len = len;
		m->s.again_won = true;
	}
}

void
minimizer_verdict(struct minimizer *m, bool accepted)
{
	if (!m->pending)
		return;
	m->pending = false;
	m->s.tries++;
	if (m->s.phase == MINIMIZE_AGAIN)
		m->s.again_tries++;
	if (accepted)
		minimizer_accept(m);
	minimize_stage_advance(m, accepted);
}

void
minimizer_skip_phase(struct minimizer *m)
{
	if (m->s.phase == MINIMIZE_DONE)
		return;
	/* Earlier accepted cuts must not lead back to this phase. */
	m->s.round_accepted = m->s.accepted;
	minimizer_proceed(m, minimizer_after(m));
}

/* ---- the start ---- */

void
minimizer_init(struct minimizer *m, uint8_t *best, size_t len,
	uint8_t *candidate, enum minimize_phase first)
{
	memset(m, 0, sizeof(*m));
	m->best = best;
	m->s.best_len = len;
	m->candidate = candidate;
	m->s.quick = first == MINIMIZE_BLOCKS;
	minimizer_enter(m, first);
}

void
minimizer_again(struct minimizer *m, uint8_t *other)
{
	m->s.thorough = true;
	m->other = other;
	m->s.has_other = true;
	m->s.other_len = m->s.best_len;
	memcpy(other, m->best, m->s.best_len);
}

bool
minimizer_tuples(struct minimizer *m)
{
	m->s.tuples = m->s.quick;
	if (!minimizer_open_argument(m, 0)) {
		m->s.tuples = false;
		return false;
	}
	m->s.round = 0;
	minimizer_enter(m, minimizer_first(m));
	return true;
}

void
minimizer_blank(struct minimizer *m, uint8_t filler)
{
	m->s.blank = true;
	m->s.filler = filler;
}
