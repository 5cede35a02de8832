/*
 * function_name: reduces a function's name to the part that all copies share.
 *
 * Compilers make several functions out of one: instances of a template, parts
 * that are split off, clones for constant arguments. A bug in one of them is a
 * bug in all.
 */
#ifndef CFUZZ_FINDINGS_FUNCTION_NAME_H
#define CFUZZ_FINDINGS_FUNCTION_NAME_H

#include <stddef.h>

/*
 * Writes the name without template arguments, parameters, clone suffixes
 * (".isra.0", ".cold", " [clone …]"), ABI tags and lambda numbers, cut at size
 * - 1 bytes. Takes any text; the result is empty only if the name is.
 */
void function_name(const char *name, char *buf, size_t size);

#endif
