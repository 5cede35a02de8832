/* trim_private: struct trims, for trim.c. */
#ifndef CFUZZ_ENGINE_SCHEDULE_TRIM_PRIVATE_H
#define CFUZZ_ENGINE_SCHEDULE_TRIM_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "corpus/queue.h"

struct trims {
	struct queue queue;  /* struct trim_job, owned */
	size_t bytes;        /* of all `keep` lists in the queue */
	uint64_t executions; /* spent on trimming, in this run */
};

#endif
