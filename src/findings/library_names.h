/*
 * library_names: decides by name which functions are not the target's own.
 *
 * Functions of the C and C++ libraries, of allocators, sanitizers and compilers
 * stand on the stack above the code that called them wrongly. Usually the
 * module shows that they are a library's. In a static program, or if they are
 * inlined, only the name shows it. A name without a source file may be a
 * library's: targets are built with debug information, libraries mostly are
 * not.
 */
#ifndef CFUZZ_FINDINGS_LIBRARY_NAMES_H
#define CFUZZ_FINDINGS_LIBRARY_NAMES_H

#include <stdbool.h>

#include "symbols/symbol.h"

/* Is the function a library's? inlined: it is inlined into its caller. */
bool library_is_function(const struct symbol *symbol, bool inlined);

/*
 * Is it code that runs only before or after main()? An execution that fails
 * there has jumped there by mistake.
 */
bool library_is_startup(const struct symbol *symbol);

#endif
