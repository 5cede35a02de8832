/*
 * functions: finds where the functions of a loaded module begin.
 *
 * It reads the unwind table for exceptions (.eh_frame_hdr), which is loaded
 * with the module, stripped or not, and which compilers also write for C. Code
 * that a compiler has split off as cold has a row like a function, but its
 * unwind entry begins with a stack frame in place; that tells it apart.
 */
#ifndef CFUZZ_TARGET_HOOKS_FUNCTIONS_H
#define CFUZZ_TARGET_HOOKS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct functions {
	const uint8_t *head;  /* base of the table's offsets; in the module */
	const uint8_t *rows;  /* pairs of offsets: function, entry */
	uint32_t n;           /* number of rows */
	uintptr_t start, end; /* of the segment that holds the table */
};

/*
 * Parses a table head of size bytes within the segment [start, end). False: not
 * a format that compilers write. The module must stay loaded.
 */
bool functions_open(struct functions *functions, const uint8_t *head,
	size_t size, uintptr_t start, uintptr_t end);

/*
 * The code that row `row` (less than n) describes: [*start, *end). False:
 * unknown.
 */
bool functions_range(const struct functions *functions, uint32_t row,
	uintptr_t *start, uintptr_t *end);

/*
 * The start of the function that contains code; 0: unknown, or a part that was
 * split off as cold.
 */
uintptr_t functions_begin(const struct functions *functions, uintptr_t code);

#endif
