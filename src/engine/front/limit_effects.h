/*
 * limit_effects: reports the effect of a changed limit on the speed.
 */
#ifndef CFUZZ_ENGINE_FRONT_LIMIT_EFFECTS_H
#define CFUZZ_ENGINE_FRONT_LIMIT_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

struct engine;

/* A changed limit, to be reported later with its effect. */
struct limit_effect {
	char limit[24], before[64], after[64];
	double rate;    /* executions per second before */
	uint64_t count; /* executions at the change */
	uint64_t at_ns; /* elapsed time at the change */
};

struct limit_effects {
	struct limit_effect effect;
	bool due; /* and not reported yet */
};

double limit_effects_rate(
	const struct engine *e); /* now, or before the pause */
void limit_effects_note(struct engine *e, const char *limit, const char *before,
	const char *after);
/* last: reports without further waiting. */
void limit_effects_tick(struct engine *e, bool last);

#endif
