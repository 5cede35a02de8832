/* statistics_private: struct statistics, for statistics.c. */
#ifndef CFUZZ_ENGINE_STATISTICS_STATISTICS_PRIVATE_H
#define CFUZZ_ENGINE_STATISTICS_STATISTICS_PRIVATE_H

#include <stdint.h>

struct statistics {
	/* Executions and time, of clock_now_ns(), at the last line. */
	uint64_t line_count, line_ns;
};

#endif
