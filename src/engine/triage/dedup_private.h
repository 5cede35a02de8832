/* dedup_private: struct dedup, for dedup.c. */
#ifndef CFUZZ_ENGINE_TRIAGE_DEDUP_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_DEDUP_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "findings/stack_hash.h"

struct dedup {
	struct finding **merged; /* into other findings */
	size_t merged_n;
	struct stack_hashes hashes; /* of failures, and their buckets */
	bool overflow_said;
};

#endif
