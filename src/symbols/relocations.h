/*
 * relocations: what the loader writes into a module. Slots hold the addresses of
 * functions in other modules; on x86-64 a PLT stub jumps to the address in one.
 * Other words hold addresses of the module itself: one that points into a
 * function is that of a label, for a computed goto.
 *
 * Only for the helper process.
 */
#ifndef CFUZZ_SYMBOLS_RELOCATIONS_H
#define CFUZZ_SYMBOLS_RELOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/code.h"

/* A slot, and the properties of its function as given by the caller. */
struct relocations_slot {
	uint64_t at;
	unsigned way;
};

/* All zero: empty. */
struct relocations {
	struct relocations_slot *slots; /* in order */
	size_t slots_n;
	uint64_t *labels; /* addresses in order, some twice */
	size_t labels_n;
	bool labels_cut; /* too many: there are others */
};

/* Overwrites *r, with the slots of functions for which `way`, called with the
 * name, is not 0. A module that is not relocated has none of either, and its
 * tables hold the addresses themselves. The caller clears it. */
void relocations_make(struct relocations *r, const struct code *code,
	unsigned (*way)(const char *name));
void relocations_clear(struct relocations *r);

/* The value that `way` returned for the function behind the PLT stub at this
 * address; 0: there is no such stub. */
unsigned relocations_way(const struct relocations *r, const struct code *code,
	uint64_t address);

#endif
