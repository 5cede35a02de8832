/*
 * minimize_advance: the effect of a verdict on a phase, see
 * minimize_stage_advance().
 */
#include "shared/minimize/minimize_private.h"

#define ADVANCE_GALLOP_LEN 512 /* the steps of longer starts double */

/* Where a block was dropped, a larger one is tried next. */
static void
advance_blocks(struct minimizer *m, bool accepted)
{
	size_t least = (size_t)1 << m->level;

	if (accepted || m->step <= least)
		m->position -= m->step;
	if (accepted && m->step <= minimizer_base_len(m))
		m->step *= 2;
	else if (!accepted && m->step > least)
		m->step /= 2;
}

/*
 * Steps grow only in MINIMIZE_AGAIN with a long start: they double until one is
 * rejected, then halve down to single bytes.
 */
static void
advance_bytes(struct minimizer *m, bool accepted)
{
	bool leaps =
		m->phase == MINIMIZE_AGAIN && m->other_len > ADVANCE_GALLOP_LEN;

	if (!accepted && m->step == 1) {
		m->position++;
		m->end = 0;
	} else if (!accepted || m->end == 1) {
		m->end = m->step > 1;
		m->step = m->step > 1 ? m->step / 2 : 1;
	} else if (leaps) {
		m->step *= 2;
	}
}

/* After a drop, another part begins there; payload steps adapt. */
static void
advance_parts(struct minimizer *m, bool accepted)
{
	if (!minimize_part_shrinks(m->part)) {
		m->part = accepted ? 0 : m->part + 1;
		return;
	}
	m->step = accepted ? 2 * m->cut_len : m->cut_len / 2;
	if (m->step == 0)
		m->part++;
}

static void
advance_readable(struct minimizer *m, bool accepted)
{
	if (m->step > 0) {
		m->position += m->cut_len;
	} else if (accepted || ++m->readable == minimize_characters_n()) {
		m->position++;
		m->readable = 0;
	}
}

/* An accepted step is tried again; zero is the smallest. */
static void
advance_value(struct minimizer *m, bool accepted)
{
	if (!minimizer_is_scalar(m))
		m->readable = 1;
	else if (!accepted)
		m->step /= 2;
	else if (m->readable != MINIMIZE_VALUE_LOWER)
		m->step = 1;
}

void
minimize_stage_advance(struct minimizer *m, bool accepted)
{
	switch (m->stage) {
	case MINIMIZE_BLOCKS:
		advance_blocks(m, accepted);
		break;
	case MINIMIZE_TAIL:
		if (!accepted)
			m->step /= 2;
		m->position = minimizer_base_len(m);
		break;
	case MINIMIZE_BYTES:
		advance_bytes(m, accepted);
		break;
	case MINIMIZE_RANGES:
		if (accepted)
			m->end = minimizer_base_len(m);
		if (m->end > 0)
			m->end--;
		break;
	case MINIMIZE_BLANK:
	case MINIMIZE_ZEROS:
		m->position += m->cut_len;
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
