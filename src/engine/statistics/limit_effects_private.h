/* limit_effects_private: struct limit_effects, for limit_effects.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_LIMIT_EFFECTS_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_LIMIT_EFFECTS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* A changed limit, to be reported later with its effect. */
struct limit_effect {
	char limit[24], before[64], after[64];
	double rate;    /* executions per second before */
	uint64_t count; /* executions at the change */
	uint64_t at_ns; /* time of the change, by run_clock_elapsed_ns() */
};

struct limit_effects {
	struct limit_effect effect;
	bool due;             /* the effect is still to be reported */
	double rate_at_pause; /* executions per second */
};

#endif
