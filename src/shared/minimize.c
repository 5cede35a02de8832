/*
 * minimize: candidates in the order of the reference, see minimize.h.
 *
 * Between verdicts the state may point past the end of a phase. It is
 * settled, that is moved to the next candidate that exists, when one is asked
 * for; a verdict only advances. So each phase is three small pieces: where is
 * the next try, what does it look like, what does its verdict change.
 */

#include "shared/minimize.h"

#include <string.h>

#define MINIMIZE_TAIL_STEP 1024
#define MINIMIZE_BLOCK_MIN 4

static const char MINIMIZE_CHARACTERS[] = "012789ABCXYZabcxyz !\"#$%&'()*+,.";

#define MINIMIZE_CHARACTERS_N (sizeof(MINIMIZE_CHARACTERS) - 1)

static const char *const MINIMIZE_PHASE_NAMES[] = {
	[MINIMIZE_BLOCKS] = "blocks",
	[MINIMIZE_TAIL] = "tail",
	[MINIMIZE_BYTES] = "bytes",
	[MINIMIZE_RANGES] = "ranges",
	[MINIMIZE_READABLE] = "readable",
	[MINIMIZE_DONE] = "done",
};

/* The largest power of two that is at most half of the bytes. */
static size_t
minimizer_first_block(const struct minimizer *m)
{
	size_t step = 1;

	while (4 * step <= m->best_len)
		step *= 2;
	return step;
}

static void
minimizer_enter(struct minimizer *m, enum minimize_phase phase)
{
	m->phase = phase;
	m->position = phase == MINIMIZE_BLOCKS ? m->best_len : 0;
	m->step = phase == MINIMIZE_BLOCKS ? minimizer_first_block(m)
		: phase == MINIMIZE_TAIL   ? MINIMIZE_TAIL_STEP
					   : 0;
	m->end = m->best_len;
	m->readable = 0;
	m->pending = false;
	m->cut_offset = 0;
	m->cut_len = 0;
}

void
minimizer_init(struct minimizer *m, uint8_t *best, size_t len,
	uint8_t *candidate, enum minimize_phase first)
{
	memset(m, 0, sizeof(*m));
	m->best = best;
	m->best_len = len;
	m->candidate = candidate;
	minimizer_enter(m, first);
}

/* Find the next try of this phase. Returns false if the phase is over. */
static bool
minimizer_settle(struct minimizer *m)
{
	switch (m->phase) {
	case MINIMIZE_BLOCKS:
		while (m->step >= MINIMIZE_BLOCK_MIN &&
			(m->position < m->step || m->best_len <= m->step)) {
			m->step /= 2;
			m->position = m->best_len;
		}
		return m->step >= MINIMIZE_BLOCK_MIN;
	case MINIMIZE_TAIL:
		while (m->step > 0 && m->best_len <= m->step)
			m->step /= 2;
		m->position = m->best_len;
		return m->step > 0;
	case MINIMIZE_BYTES:
		return m->position + 1 < m->best_len;
	case MINIMIZE_RANGES:
		if (m->end <= m->position + 1) {
			m->position++;
			m->end = m->best_len;
		}
		return m->position + 1 < m->best_len;
	case MINIMIZE_READABLE:
		return m->position < m->best_len;
	case MINIMIZE_DONE:
		break;
	}
	return false;
}

/* The candidate is best without [offset, offset + len). */
static void
minimizer_cut(struct minimizer *m, size_t offset, size_t len)
{
	size_t behind = offset + len;

	memcpy(m->candidate, m->best, offset);
	memcpy(m->candidate + offset, m->best + behind, m->best_len - behind);
	m->candidate_len = m->best_len - len;
	m->cut_offset = offset;
	m->cut_len = len;
}

static void
minimizer_replace(struct minimizer *m, size_t offset, char character)
{
	memcpy(m->candidate, m->best, m->best_len);
	m->candidate[offset] = (uint8_t)character;
	m->candidate_len = m->best_len;
	m->cut_offset = offset;
	m->cut_len = 1;
}

static void
minimizer_build(struct minimizer *m)
{
	switch (m->phase) {
	case MINIMIZE_BLOCKS:
		minimizer_cut(m, m->position - m->step, m->step);
		break;
	case MINIMIZE_TAIL:
		minimizer_cut(m, m->best_len - m->step, m->step);
		break;
	case MINIMIZE_BYTES:
		minimizer_cut(m, m->position, 1);
		break;
	case MINIMIZE_RANGES:
		minimizer_cut(m, m->position, m->end - m->position);
		break;
	case MINIMIZE_READABLE:
		minimizer_replace(m, m->position,
			MINIMIZE_CHARACTERS[m->readable]);
		break;
	case MINIMIZE_DONE:
		break;
	}
}

bool
minimizer_next(struct minimizer *m)
{
	while (!m->pending && !minimizer_settle(m)) {
		if (m->phase == MINIMIZE_DONE)
			return false;
		minimizer_enter(m, m->phase + 1);
	}
	minimizer_build(m);
	m->pending = true;
	return true;
}

/* Make the candidate the best, out of best itself: it alone is trusted. */
static void
minimizer_accept(struct minimizer *m)
{
	size_t behind = m->cut_offset + m->cut_len;

	m->accepted++;
	if (m->phase == MINIMIZE_READABLE) {
		m->best[m->cut_offset] =
			(uint8_t)MINIMIZE_CHARACTERS[m->readable];
		return;
	}
	memmove(m->best + m->cut_offset, m->best + behind,
		m->best_len - behind);
	m->best_len -= m->cut_len;
}

static void
minimizer_advance(struct minimizer *m, bool accepted)
{
	switch (m->phase) {
	case MINIMIZE_BLOCKS:
		m->position -= m->step;
		break;
	case MINIMIZE_TAIL:
		if (!accepted)
			m->step /= 2;
		break;
	case MINIMIZE_BYTES:
		if (!accepted)
			m->position++;
		break;
	case MINIMIZE_RANGES:
		if (accepted)
			m->end = m->best_len;
		if (m->end > 0)
			m->end--;
		break;
	case MINIMIZE_READABLE:
		if (accepted || ++m->readable == MINIMIZE_CHARACTERS_N) {
			m->position++;
			m->readable = 0;
		}
		break;
	case MINIMIZE_DONE:
		break;
	}
}

void
minimizer_verdict(struct minimizer *m, bool accepted)
{
	if (!m->pending)
		return;
	m->pending = false;
	m->tries++;
	if (accepted)
		minimizer_accept(m);
	minimizer_advance(m, accepted);
}

bool
minimizer_may_stop(const struct minimizer *m)
{
	return m->phase != MINIMIZE_READABLE || m->readable == 0;
}

void
minimizer_skip_phase(struct minimizer *m)
{
	if (m->phase != MINIMIZE_DONE)
		minimizer_enter(m, m->phase + 1);
}

const char *
minimize_phase_name(enum minimize_phase phase)
{
	if ((unsigned)phase > MINIMIZE_DONE)
		return "?";
	return MINIMIZE_PHASE_NAMES[phase];
}
