/*
 * crash_stack: has the target written over its stack?
 *
 * A walk over such a stack stores addresses that no call has left there. For
 * signal handlers: nothing here takes a lock or allocates memory.
 */
#ifndef CFUZZ_TARGET_CRASH_CRASH_STACK_H
#define CFUZZ_TARGET_CRASH_CRASH_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"

/* Facts about a crash besides its frames and registers. */
struct crash_stack {
	uint32_t walked; /* frames that the walk has stored, at least 1 */
	uint64_t caller; /* guessed, after a call through a bad pointer; or 0 */
	uintptr_t bottom; /* the target's frames lie below it */
	bool met_call;    /* the walk met the call of the target */
};

bool crash_stack_is_smashed(const struct failure_block *block,
	const struct crash_stack *stack);

/* Keeps the credible frames, and marks the stack as smashed. */
void crash_stack_cut(struct failure_block *block);

/* Reads own memory without faulting; returns the bytes read. */
size_t crash_memory_read(void *to, uint64_t from, size_t len);

#endif
