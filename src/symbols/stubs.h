/*
 * stubs: functions of other modules, as a module calls them: by a step that
 * jumps to an address which the loader writes into a slot. On x86-64.
 *
 * For the helper alone.
 */
#ifndef CFUZZ_SYMBOLS_STUBS_H
#define CFUZZ_SYMBOLS_STUBS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/code.h"

/* A slot, and what its function does, as the caller has said. */
struct stub {
	uint64_t slot;
	unsigned way;
};

/* All zero: empty. */
struct stubs {
	struct stub *stubs; /* in order */
	size_t n, room;
};

/* Those that `way` says something of by their names: not 0. */
void stubs_make(struct stubs *stubs, const struct code *code,
	unsigned (*way)(const char *name));
void stubs_clear(struct stubs *stubs);

/* Of the function that a call of this address comes to; 0: nothing. */
unsigned stubs_way(const struct stubs *stubs, const struct code *code,
	uint64_t address);

#endif
