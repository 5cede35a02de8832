/*
 * limit_effects: reports the effect of a changed limit on the speed.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_LIMIT_EFFECTS_H
#define CFUZZ_ENGINE_STATISTICS_LIMIT_EFFECTS_H

#include <stdbool.h>

struct engine;

/* Executions per second: now, in a pause as before it. 0: unknown. */
double limit_effects_rate(const struct engine *e);
/* Call before a pause begins: keeps the rate. */
void limit_effects_note_pause(struct engine *e);
/* A limit is being changed: begins to measure the effect. The texts, name and
 * values of the limit, are copied. */
void limit_effects_note(struct engine *e, const char *limit, const char *before,
	const char *after);
/* Call each tick: reports an effect after five seconds of fuzzing. last:
 * reports it at once. An effect that was measured for less than a second is
 * dropped. */
void limit_effects_tick(struct engine *e, bool last);

#endif
