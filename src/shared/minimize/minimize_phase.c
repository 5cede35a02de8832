/* minimize_phase: see minimize_phase.h. */
#include "shared/minimize/minimize_phase.h"

static const struct {
	const char *name;
	enum minimize_phase after;
} MINIMIZE_ORDER[MINIMIZE_PHASES] = {
	[MINIMIZE_BLOCKS] = { "blocks", MINIMIZE_TAIL },
	[MINIMIZE_TAIL] = { "tail", MINIMIZE_BYTES },
	[MINIMIZE_BYTES] = { "bytes", MINIMIZE_PARTS },
	[MINIMIZE_PARTS] = { "parts", MINIMIZE_ZEROS },
	[MINIMIZE_ZEROS] = { "zeros", MINIMIZE_RANGES },
	[MINIMIZE_RANGES] = { "ranges", MINIMIZE_AGAIN },
	[MINIMIZE_AGAIN] = { "again", MINIMIZE_BLANK },
	[MINIMIZE_BLANK] = { "blank", MINIMIZE_READABLE },
	[MINIMIZE_READABLE] = { "readable", MINIMIZE_VALUE },
	[MINIMIZE_VALUE] = { "value", MINIMIZE_DONE },
	[MINIMIZE_DONE] = { "done", MINIMIZE_DONE },
};

const char *
minimize_phase_name(enum minimize_phase phase)
{
	if ((unsigned)phase >= MINIMIZE_PHASES)
		return "?";
	return MINIMIZE_ORDER[phase].name;
}

enum minimize_phase
minimize_phase_after(enum minimize_phase phase)
{
	if ((unsigned)phase >= MINIMIZE_PHASES)
		return MINIMIZE_DONE;
	return MINIMIZE_ORDER[phase].after;
}

unsigned
minimize_phase_order(enum minimize_phase phase)
{
	unsigned left = 0;

	while (phase != MINIMIZE_DONE) {
		phase = minimize_phase_after(phase);
		left++;
	}
	return MINIMIZE_PHASES - 1 - left;
}

bool
minimize_phase_is_optional(enum minimize_phase phase)
{
	return phase == MINIMIZE_AGAIN || phase == MINIMIZE_BLANK ||
		phase == MINIMIZE_PARTS || phase == MINIMIZE_ZEROS ||
		phase == MINIMIZE_VALUE;
}
