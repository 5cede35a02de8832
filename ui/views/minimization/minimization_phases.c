/* minimization_phases: see minimization_phases.h. */
#include "ui/views/minimization/minimization_phases.h"

#include <string.h>

#include "ui/term/glyph.h"

#define PHASES_DONE "  done"

enum phase_look {
	LOOK_NONE, /* an optional phase; is not shown */
	LOOK_LATER,
	LOOK_NOW,
	LOOK_OVER,
	LOOK_SKIPPED
};

static enum phase_look
phase_look(enum minimize_phase phase, enum minimize_phase now, uint32_t skipped)
{
	if (phase == now)
		return LOOK_NOW;
	if (skipped >> phase & 1)
		return LOOK_SKIPPED;
	if (minimize_phase_is_optional(phase))
		return LOOK_NONE;
	return minimize_phase_order(phase) < minimize_phase_order(now)
		? LOOK_OVER
		: LOOK_LATER;
}

static int
phases_width(enum minimize_phase now, uint32_t skipped)
{
	enum minimize_phase phase = MINIMIZE_BLOCKS;
	int width = -1;

	for (; phase != MINIMIZE_DONE; phase = minimize_phase_after(phase)) {
		enum phase_look look = phase_look(phase, now, skipped);

		if (look != LOOK_NONE)
			width += 1 + 2 * (look != LOOK_LATER) +
				(int)strlen(minimize_phase_name(phase));
	}
	return width;
}

void
minimization_phase_put(enum minimize_phase now, struct row_writer *out)
{
	row_text(out, STYLE_MINIMIZING,
		glyph(out->grid,
			now == MINIMIZE_DONE ? GLYPH_DONE : GLYPH_HERE));
	row_gap(out, 1);
	row_text(out, STYLE_MINIMIZING, minimize_phase_name(now));
}

void
minimization_phases_put(enum minimize_phase now, uint32_t skipped,
	struct row_writer *out)
{
	static const struct {
		enum glyph mark;
		enum style of_mark, of_name;
	} looks[] = {
		[LOOK_LATER] = { GLYPH_COUNT, STYLE_DIM, STYLE_DIM },
		[LOOK_NOW] = { GLYPH_HERE, STYLE_MINIMIZING, STYLE_MINIMIZING },
		[LOOK_OVER] = { GLYPH_DONE, STYLE_GOOD, STYLE_VALUE },
		[LOOK_SKIPPED] = { GLYPH_FAILED, STYLE_WARN, STYLE_DIM },
	};
	enum minimize_phase phase = MINIMIZE_BLOCKS;

	if (row_room(out) < phases_width(now, skipped)) {
		minimization_phase_put(now, out);
		return;
	}
	for (; phase != MINIMIZE_DONE; phase = minimize_phase_after(phase)) {
		enum phase_look look = phase_look(phase, now, skipped);

		if (look == LOOK_NONE)
			continue;
		if (phase != MINIMIZE_BLOCKS)
			row_gap(out, 1);
		if (look != LOOK_LATER) {
			row_text(out, looks[look].of_mark,
				glyph(out->grid, looks[look].mark));
			row_gap(out, 1);
		}
		row_text(out, looks[look].of_name, minimize_phase_name(phase));
	}
	/* Without room for it, all phases have their marks. */
	if (now == MINIMIZE_DONE && row_room(out) >= (int)strlen(PHASES_DONE))
		row_text(out, STYLE_GOOD, PHASES_DONE);
}
