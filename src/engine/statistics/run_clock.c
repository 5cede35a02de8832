/* run_clock: see run_clock.h. */
#include "engine/statistics/run_clock.h"

#include "base/clock.h"
#include "engine/statistics/run_clock_private.h"

uint64_t
run_clock_pause_ns(const struct run_clock *clock, uint64_t now)
{
	return clock->paused ? now - clock->pause_began_ns : 0;
}

uint64_t
run_clock_paused_ns(const struct run_clock *clock, uint64_t now)
{
	return clock->paused_ns + run_clock_pause_ns(clock, now);
}

uint64_t
run_clock_elapsed_ns(const struct run_clock *clock)
{
	uint64_t now = clock_now_ns();

	return clock->start_ns == 0
		? 0
		: now - clock->start_ns - run_clock_paused_ns(clock, now);
}

uint64_t
run_clock_run_ns(const struct run_clock *clock)
{
	return clock->run_ns != 0 ? clock->run_ns : run_clock_elapsed_ns(clock);
}

void
run_clock_end(struct run_clock *clock)
{
	clock->run_ns = run_clock_elapsed_ns(clock);
}

uint64_t
run_clock_fuzzed_ns(const struct run_clock *clock)
{
	uint64_t now = clock_now_ns();

	if (clock->fuzz_start_ns == 0)
		return 0;
	return now - clock->fuzz_start_ns -
		(run_clock_paused_ns(clock, now) - clock->warm_paused_ns);
}

void
run_clock_set_paused(struct run_clock *clock, bool paused)
{
	uint64_t now = clock_now_ns();

	clock->paused_ns = run_clock_paused_ns(clock, now);
	clock->pause_began_ns = now;
	clock->paused = paused;
}

void
run_clock_start(struct run_clock *clock)
{
	clock->start_ns = clock_now_ns();
}

void
run_clock_begin_fuzzing(struct run_clock *clock)
{
	clock->fuzz_start_ns = clock_now_ns();
	clock->warm_paused_ns =
		run_clock_paused_ns(clock, clock->fuzz_start_ns);
}
