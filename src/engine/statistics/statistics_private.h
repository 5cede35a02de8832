/* statistics_private: struct statistics, for statistics.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_STATISTICS_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_STATISTICS_PRIVATE_H

#include <stdint.h>

struct statistics {
	uint64_t line_count, line_ns; /* executions and time at the last line */
};

#endif
