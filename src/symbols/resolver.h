/*
 * resolver: finds function, file and line of an address in debug information.
 *
 * It parses untrusted files with a large library and therefore belongs into a
 * process that may crash: the helper.
 */
#ifndef CFUZZ_SYMBOLS_RESOLVER_H
#define CFUZZ_SYMBOLS_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/symbol.h"

struct resolver;

struct resolver *resolver_create(void);
void resolver_destroy(struct resolver *resolver); /* NULL is fine */

/* libdw is missing: no address can be resolved. */
bool resolver_is_blind(const struct resolver *resolver);

/*
 * Resolves a virtual address of an ELF file: the innermost inlined function
 * comes first, its callers follow. Without debug information the symbol table
 * gives the function and the offset from its start. Returns the number of
 * symbols, at most max; 0: unknown. Texts are not cleaned. A file with another
 * build-id than `id` is ignored; "" matches any.
 */
uint32_t resolver_find(struct resolver *resolver, const char *path,
	const char *id, uint64_t offset, struct symbol *symbols, uint32_t max);

#endif
