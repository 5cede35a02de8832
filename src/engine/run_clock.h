/*
 * run_clock: the time of a run, without its pauses.
 */
#ifndef CFUZZ_ENGINE_RUN_CLOCK_H
#define CFUZZ_ENGINE_RUN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Times of clock_now_ns(). */
struct run_clock {
	uint64_t start_ns;      /* 0: not started */
	uint64_t fuzz_start_ns; /* end of the warm-up; 0: not reached */
	uint64_t pause_began_ns;
	uint64_t paused_ns;      /* without the current pause */
	uint64_t warm_paused_ns; /* the part before fuzzing began */
	bool paused;
};

uint64_t run_clock_elapsed_ns(const struct run_clock *clock); /* no pauses */
/* Without pauses and warm-up. */
uint64_t run_clock_fuzzed_ns(const struct run_clock *clock);
/* All pauses so far, including the current one. */
uint64_t run_clock_paused_ns(const struct run_clock *clock, uint64_t now);
void run_clock_set_paused(struct run_clock *clock, bool paused);

#endif
