/*
 * trace_pc: edge counters for gcc's -fsanitize-coverage=trace-pc.
 *
 * gcc emits only calls, neither counters nor a table. The calls in the text of
 * each module are found at start and numbered in order, so that the numbers are
 * the same in every worker. A table leads from a return address to its counter.
 * A call from an unknown page triggers one search, because a new module may
 * have been loaded.
 */
#ifndef CFUZZ_TARGET_HOOKS_TRACE_PC_H
#define CFUZZ_TARGET_HOOKS_TRACE_PC_H

#include <stdint.h>

/* Finds the calls in all loaded modules and registers their counters. */
void trace_pc_init(void);

/*
 * Writes the addresses of counters `first` to `first + n - 1` of the trace_pc
 * region that starts at `counters`. Each address lies inside its call
 * instruction; 0 for the counters shared by calls that were not found.
 */
void trace_pc_addresses(const uint8_t *counters, uint32_t first, uint32_t n,
	uint64_t *addresses);

#endif
