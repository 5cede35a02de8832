/* run_clock_private: struct run_clock, for run_clock.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_RUN_CLOCK_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_RUN_CLOCK_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* Times of clock_now_ns(), and durations. */
struct run_clock {
	uint64_t start_ns;       /* 0: not started */
	uint64_t fuzz_start_ns;  /* end of the warm-up; 0: not reached */
	uint64_t pause_began_ns; /* of the current or last pause */
	uint64_t paused_ns;      /* without the current pause */
	uint64_t warm_paused_ns; /* the part before fuzzing began */
	uint64_t run_ns;         /* length of the run; 0: it is not over */
	bool paused;
};

#endif
