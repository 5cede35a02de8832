/*
 * pc_table: where in its module each counter stands.
 *
 * clang brings a table of addresses with its counters. gcc does not: there
 * the calls are looked up that were numbered at start, and of what is before
 * a call and the one before it the unwind table says whether a function
 * begins between them. Other counters stand for no place.
 */
#ifndef CFUZZ_TARGET_HOOKS_PC_TABLE_H
#define CFUZZ_TARGET_HOOKS_PC_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"

/*
 * Writes a struct table_head and the numbers of this module's counters from
 * `first` on, as many as fit. area is aligned to 8. Returns how many there
 * are; 0 also when no such module is loaded here.
 */
uint32_t pc_table_write(const struct counter_module *module, uint32_t first,
	void *area, size_t size);

#endif
