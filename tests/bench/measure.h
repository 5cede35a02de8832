/*
 * measure: what the programs that measure functions of ours share.
 */
#ifndef CFUZZ_BENCH_MEASURE_H
#define CFUZZ_BENCH_MEASURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Of the processor, for this process. */
static inline double
now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void
fail(const char *what)
{
	(void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	exit(1);
}

#endif
