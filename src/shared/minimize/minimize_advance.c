/*
 * minimize_advance: the effect of a verdict on a phase, see
 * minimize_stage_advance().
 */
#include "shared/minimize/minimize_private.h"

#define ADVANCE_GALLOP_LEN 512 /* the steps of longer starts double */

/* After a block that was dropped, a larger one is tried. */
static void
advance_blocks(struct minimizer *m, bool accepted)
{
	size_t least = (size_t)1 << m->s.level;

	if (accepted || m->s.step <= least)
		m->s.position -= m->s.step;
	if (accepted && m->s.step <= minimizer_base_len(m))
		m->s.step *= 2;
	else if (!accepted && m->s.step > least)
		m->s.step /= 2;
}

/*
 * Steps grow only in MINIMIZE_AGAIN with a long start: they double until one is
 * rejected, then halve down to single bytes.
 */
static void
advance_bytes(struct minimizer *m, bool accepted)
{
	bool leaps = m->s.phase == MINIMIZE_AGAIN &&
		m->s.other_len > ADVANCE_GALLOP_LEN;

	if (!accepted && m->s.step == 1) {
		m->s.position++;
		m->s.end = 0;
	} else if (!accepted || m->s.end == 1) {
		m->s.end = m->s.step > 1;
		m->s.step = m->s.step > 1 ? m->s.step / 2 : 1;
	} else if (leaps) {
		m->s.step *= 2;
	}
}

/* After a drop, another part begins there; payload steps adapt. */
static void
advance_parts(struct minimizer *m, bool accepted)
{
	if (!minimize_part_shrinks(m->s.part)) {
		m->s.part = accepted ? 0 : m->s.part + 1;
		return;
	}
	m->s.step = accepted ? 2 * m->cut_len : m->cut_len / 2;
	if (m->s.step == 0)
		m->s.part++;
}

static void
advance_readable(struct minimizer *m, bool accepted)
{
	if (m->s.step > 0) {
		m->s.position += m->cut_len;
	} else if (accepted || ++m->s.readable == minimize_characters_n()) {
		m->s.position++;
		m->s.readable = 0;
	}
}

/* An accepted step is tried again; zero is the smallest. */
static void
advance_value(struct minimizer *m, bool accepted)
{
	if (!minimizer_is_scalar(m))
		m->s.readable = 1;
	else if (!accepted)
		m->s.step /= 2;
	else if (m->s.readable != MINIMIZE_VALUE_LOWER)
		m->s.step = 1;
}

void
minimize_stage_advance(struct minimizer *m, bool accepted)
{
	switch ((enum minimize_phase)m->s.stage) {
	case MINIMIZE_BLOCKS:
		advance_blocks(m, accepted);
		break;
	case MINIMIZE_TAIL:
		if (!accepted)
			m->s.step /= 2;
		m->s.position = minimizer_base_len(m);
		break;
	case MINIMIZE_BYTES:
		advance_bytes(m, accepted);
		break;
	case MINIMIZE_RANGES:
		if (accepted)
			m->s.end = minimizer_base_len(m);
		if (m->s.end > 0)
			m->s.end--;
		break;
	case MINIMIZE_BLANK:
	case MINIMIZE_ZEROS:
		m->s.position += m->cut_len;
		break;
	case MINIMIZE_PARTS:
		advance_parts(m, accepted);
		break;
	case MINIMIZE_READABLE:
		advance_readable(m, accepted);
		break;
	case MINIMIZE_VALUE:
		advance_value(m, accepted);
		break;
	case MINIMIZE_AGAIN:
	case MINIMIZE_DONE:
		break;
	}
}
