/*
 * pc_table: the code addresses of a module's edge counters.
 *
 * clang emits a table of addresses with its counters. For gcc, the addresses
 * are those of the calls that were numbered at start, and the unwind table
 * shows whether a function begins between a call and the call before. Blocks
 * with breakpoints have their own addresses. Other counters have no address:
 * their number is 0.
 */
#ifndef CFUZZ_TARGET_HOOKS_PC_TABLE_H
#define CFUZZ_TARGET_HOOKS_PC_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory_campaign.h"

/*
 * Writes a struct pc_table_head and the numbers (see there) of the module's
 * counters from `first` on, as many as fit into the size bytes of area, which
 * is aligned to 8. Returns how many numbers it has written; 0 also if the
 * module is not loaded here.
 */
uint32_t pc_table_write(const struct counter_module *module, uint32_t first,
	void *area, size_t size);

#endif
