/*
 * export_program: writes an input as a C program that calls the target with it.
 */
#ifndef CFUZZ_FINDINGS_EXPORT_PROGRAM_H
#define CFUZZ_FINDINGS_EXPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/tuple.h"

/*
 * Returns a new text. function: name of the typed target's function, "" for any
 * other target; title: the failure, for a comment; small: the input is
 * minimized.
 */
char *export_program(const struct tuple_types *types, const char *function,
	const char *title, bool small, const uint8_t *data, size_t len);

#endif
