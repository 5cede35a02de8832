/*
 * export_program: writes inputs as a C program that calls the target with them.
 */
#ifndef CFUZZ_FINDINGS_EXPORT_PROGRAM_H
#define CFUZZ_FINDINGS_EXPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/tuple.h"

struct export_input {
	uint8_t *data;
	size_t len;
};

/* All pointers are borrowed. */
struct export_program {
	const struct tuple_types *types;
	const char *function;        /* of a typed target; "" for any other */
	const char *title;           /* the failure, for a comment */
	bool small;                  /* the input is minimized */
	struct export_input *inputs; /* in the order in which they run */
	size_t n;
};

/* Returns a new text, which the caller frees; NULL: no memory. */
char *export_program(const struct export_program *program);

#endif
