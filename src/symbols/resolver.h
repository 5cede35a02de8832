/*
 * resolver: addresses to functions, files and lines, by debug information.
 *
 * Reads foreign files with a library of some size, so it belongs into a
 * process that may die: the helper.
 */
#ifndef CFUZZ_SYMBOLS_RESOLVER_H
#define CFUZZ_SYMBOLS_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/symbol.h"

struct resolver;

struct resolver *resolver_create(void);
void resolver_destroy(struct resolver *resolver); /* NULL is fine */

/* This machine lacks the library: nothing will ever be found. */
bool resolver_is_blind(const struct resolver *resolver);

/*
 * What stands at this virtual address of an ELF file: the innermost inlined
 * function first, then whoever it is inlined into. Without debug information
 * the function comes from the symbol table, with the distance from its start.
 * Returns how many, at most max; 0: nothing is known. A file whose build-id
 * is not `id` is another file: nothing is known of it; "" takes any.
 */
uint32_t resolver_find(struct resolver *resolver, const char *path,
	const char *id, uint64_t offset, struct symbol *symbols, uint32_t max);

#endif
