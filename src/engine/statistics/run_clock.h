/*
 * run_clock: the time of a run, without its pauses.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_RUN_CLOCK_H
#define CFUZZ_ENGINE_STATISTICS_RUN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct run_clock;

/* All durations are in ns, and 0 before the start. now: of clock_now_ns(). */
void run_clock_start(struct run_clock *clock);
void run_clock_begin_fuzzing(struct run_clock *clock); /* ends the warm-up */

uint64_t run_clock_elapsed_ns(const struct run_clock *clock); /* no pauses */
/* The same, but it stands still after run_clock_end(). */
uint64_t run_clock_run_ns(const struct run_clock *clock);
void run_clock_end(struct run_clock *clock);
/* Without pauses and warm-up. */
uint64_t run_clock_fuzzed_ns(const struct run_clock *clock);
/* All pauses so far, including the current one. */
uint64_t run_clock_paused_ns(const struct run_clock *clock, uint64_t now);
/* The current pause; 0: not paused. */
uint64_t run_clock_pause_ns(const struct run_clock *clock, uint64_t now);
void run_clock_set_paused(struct run_clock *clock, bool paused);

#endif
