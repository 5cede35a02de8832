/* counts_private: struct counts, for counts.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_COUNTS_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_COUNTS_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/statistics/rate.h"

struct counts {
	uint64_t executions; /* that count for a limit */
	uint64_t replays;    /* executions that do not */
	uint64_t rejected;   /* the target returned -1 */
	uint64_t new_inputs;
	uint64_t unstable;    /* of the new inputs */
	double last_find_s;   /* campaign time of the last one; 0: none */
	double plateau_gap_s; /* longest time between two new inputs */
	double news_s; /* campaign time of the last new input or finding; 0:
			  nobody has asked yet */
	uint64_t auto_dictionary; /* words of the automatic dictionary */
	/* Entries of the value profile, and their bytes. */
	uint64_t value_entries;
	size_t value_bytes;
	struct rate rate;
};

#endif
