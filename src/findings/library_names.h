/*
 * library_names: which functions are not the target's own, by their names.
 *
 * Those of the C and C++ libraries, of allocators, sanitizers and of what
 * compilers add stand above the code that called them wrongly. Mostly they
 * are known by their module; in a static program, or inlined, by their names
 * alone. A name without a file may be a library's: targets are built with
 * debug information, libraries mostly are not.
 */
#ifndef CFUZZ_FINDINGS_LIBRARY_NAMES_H
#define CFUZZ_FINDINGS_LIBRARY_NAMES_H

#include <stdbool.h>

#include "symbols/symbol.h"

/* "libc.so.6", "libasan.so.8" ... */
bool library_is_module(const char *module);

/* inlined: it is part of the function around it. */
bool library_is_function(const struct symbol *symbol, bool inlined);

/*
 * Code that runs before and after main() alone. Whoever fails there during an
 * execution has jumped there by mistake.
 */
bool library_is_startup(const struct symbol *symbol);

#endif
