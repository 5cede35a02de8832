/*
 * limit_effects: reports the effect of a changed limit on the speed.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_LIMIT_EFFECTS_H
#define CFUZZ_ENGINE_STATISTICS_LIMIT_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

struct engine;

double limit_effects_rate(
	const struct engine *e); /* now, or before the pause */
/* Keeps the rate before a pause, which is the rate during it. */
void limit_effects_note_pause(struct engine *e);
void limit_effects_note(struct engine *e, const char *limit, const char *before,
	const char *after);
/* last: reports without further waiting. */
void limit_effects_tick(struct engine *e, bool last);

#endif
