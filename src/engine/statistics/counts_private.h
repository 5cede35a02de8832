/* counts_private: struct counts, for counts.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_COUNTS_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_COUNTS_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/statistics/rate.h"

/* As section 4.3 of the reference names them. */
struct counts {
	uint64_t executions, new_inputs, replays, rejected;
	uint64_t unstable; /* of the new inputs */
	/* Campaign time; 0: no new input yet. */
	double last_find_s, plateau_gap_s;
	double news_s; /* of the last input or finding; 0: not asked yet */
	uint64_t words_learned;
	uint64_t value_entries;
	size_t value_bytes;
	struct rate rate;
};

#endif
