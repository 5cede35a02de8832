/*
 * functions: where the functions of a loaded module begin.
 *
 * From the table by which exceptions are unwound: it is loaded with the
 * module, stripped or not, and compilers write it for C as well. What a
 * compiler has put apart as seldom executed stands there as if it were a
 * function; its entry says that it is none, as it begins with a stack that is
 * in use.
 */
#ifndef CFUZZ_TARGET_HOOKS_FUNCTIONS_H
#define CFUZZ_TARGET_HOOKS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct functions {
	const uint8_t *head; /* what offsets of the table count from */
	const uint8_t *rows; /* pairs of offsets: function, entry */
	uint32_t n;
	uintptr_t start, end; /* of the segment that all this lies in */
};

/*
 * Parses a header of size bytes within a segment. False: it is of no kind
 * that compilers write.
 */
bool functions_open(struct functions *functions, const uint8_t *head,
	size_t size, uintptr_t start, uintptr_t end);

/* Where the function that has this code begins; 0: not known, or not there. */
uintptr_t functions_begin(const struct functions *functions, uintptr_t code);

#endif
