/*
 * trace_pc: counters for gcc's -fsanitize-coverage=trace-pc.
 *
 * gcc gives neither counters nor a table, only calls. Their places are found
 * in the text of each module at start and numbered in order, so the numbers
 * are the same in every worker; a return address leads to its counter by a
 * table. A call from an unknown place is looked into once: it may come from a
 * module that was loaded since.
 */
#ifndef CFUZZ_TARGET_HOOKS_TRACE_PC_H
#define CFUZZ_TARGET_HOOKS_TRACE_PC_H

#include <stdint.h>

/* Finds the calls of all loaded modules and registers their counters. */
void trace_pc_init(void);

/*
 * Where the calls stand that counters `first` … `first + n - 1` of a region
 * of ours count: for each an address inside the call instruction, 0 for those
 * that calls share which were not found.
 */
void trace_pc_places(const uint8_t *counters, uint32_t first, uint32_t n,
	uint64_t *places);

#endif
