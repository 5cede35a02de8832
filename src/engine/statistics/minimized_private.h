/* minimized_private: struct minimized, for minimized.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_MINIMIZED_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_MINIMIZED_PRIVATE_H

#include <stddef.h>

#include "control/snapshot.h"

struct minimized {
	struct snapshot_minimized
		list[SNAPSHOT_MINIMIZED_MAX]; /* newest first */
	size_t n;
};

#endif
