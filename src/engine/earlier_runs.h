/*
 * earlier_runs: restores what a snapshot says of earlier runs.
 */
#ifndef CFUZZ_ENGINE_EARLIER_RUNS_H
#define CFUZZ_ENGINE_EARLIER_RUNS_H

#include <stdint.h>

struct engine;

/* Sums of the campaign's earlier runs. */
struct earlier_runs {
	double elapsed_s;
	uint64_t executions, bits; /* coverage bits at their end */
	uint32_t runs;             /* including this one */
};

void earlier_runs_resume(struct engine *e); /* after triage_resume() */

#endif
