/*
 * stubs: calls of functions in other modules, by PLT stubs on x86-64. A stub
 * jumps to the address in a slot, which the loader fills.
 *
 * Only for the helper process.
 */
#ifndef CFUZZ_SYMBOLS_STUBS_H
#define CFUZZ_SYMBOLS_STUBS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/code.h"

/* A slot, and the properties of its function as given by the caller. */
struct stub {
	uint64_t slot;
	unsigned way;
};

/* All zero: empty. */
struct stubs {
	struct stub *stubs; /* in order */
	size_t n;
};

/* Overwrites *stubs with the functions for which `way`, called with the name,
 * is not 0. The caller clears it. */
void stubs_make(struct stubs *stubs, const struct code *code,
	unsigned (*way)(const char *name));
void stubs_clear(struct stubs *stubs);

/* The value that `way` returned for the function behind the stub at this
 * address; 0: there is no such stub. */
unsigned stubs_way(const struct stubs *stubs, const struct code *code,
	uint64_t address);

#endif
