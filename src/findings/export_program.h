/*
 * export_program: an input as a C program that calls the target with it.
 */
#ifndef CFUZZ_FINDINGS_EXPORT_PROGRAM_H
#define CFUZZ_FINDINGS_EXPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/tuple.h"

/*
 * A new text. function: of a typed target, "" for any; title: what is wrong,
 * for a comment; small: it is minimized.
 */
char *export_program(const struct tuple_types *types, const char *function,
	const char *title, bool small, const uint8_t *data, size_t len);

#endif
