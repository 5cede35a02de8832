/*
 * function_name: what is the same of a function in all its copies.
 *
 * Compilers make several functions out of one: instances of a template, parts
 * that are split off, clones for constant arguments. A bug in one of them is
 * a bug in all.
 */
#ifndef CFUZZ_FINDINGS_FUNCTION_NAME_H
#define CFUZZ_FINDINGS_FUNCTION_NAME_H

#include <stddef.h>

/*
 * Writes the name without arguments of templates, parameters, marks of clones
 * (".isra.0", ".cold", " [clone …]"), tags of an ABI and numbers of lambdas.
 * Any text is taken, and something is left of any that is not empty.
 */
void function_name(const char *name, char *buf, size_t size);

#endif
