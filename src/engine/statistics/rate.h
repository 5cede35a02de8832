/*
 * rate: executions per second over the last 3 s.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_RATE_H
#define CFUZZ_ENGINE_STATISTICS_RATE_H

#include <stdint.h>

#define RATE_SAMPLES 32

/* Samples 100 ms apart. Empty: all zero. */
struct rate {
	uint64_t at_ns[RATE_SAMPLES], value[RATE_SAMPLES];
	unsigned n, next;
};

/* Adds a sample, unless the last one is younger than 100 ms. value: the count
 * so far; now: of clock_now_ns(). */
void rate_add(struct rate *rate, uint64_t now, uint64_t value);
/* Per second, from the oldest sample of the last 3 s to value; 0: unknown. */
double rate_get(const struct rate *rate, uint64_t now, uint64_t value);

#endif
