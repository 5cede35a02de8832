/*
 * library_names: decides by name which functions are not the target's own.
 *
 * Functions of the C and C++ libraries, of allocators, sanitizers and compilers
 * stand on the stack above the code that called them wrongly. Usually their
 * module tells; in a static program, or inlined, only the name does. A name
 * without a source file may be a library's: targets are built with debug
 * information, libraries mostly are not.
 */
#ifndef CFUZZ_FINDINGS_LIBRARY_NAMES_H
#define CFUZZ_FINDINGS_LIBRARY_NAMES_H

#include <stdbool.h>

#include "symbols/symbol.h"

/* "libc.so.6", "libasan.so.8" ... */
bool library_is_module(const char *module);

/* inlined: the function is inlined into its caller. */
bool library_is_function(const struct symbol *symbol, bool inlined);

/*
 * Code that runs only before or after main(). An execution that fails there has
 * jumped there by mistake.
 */
bool library_is_startup(const struct symbol *symbol);

#endif
