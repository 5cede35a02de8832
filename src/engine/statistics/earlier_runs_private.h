/* earlier_runs_private: struct earlier_runs, for earlier_runs.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_EARLIER_RUNS_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_EARLIER_RUNS_PRIVATE_H

#include <stdint.h>

/* Sums of the campaign's earlier runs. */
struct earlier_runs {
	double elapsed_s;          /* without pauses */
	uint64_t executions, bits; /* bits: features at their end */
	uint32_t runs;             /* including this one */
};

#endif
