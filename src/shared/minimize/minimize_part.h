/*
 * minimize_part: what the input itself says is a part of it.
 *
 * Blocks and short ranges seldom meet the borders of records. But where a
 * part begins, something often says where it ends: a number of one, two or
 * four bytes that is its length, the end of the line, the bracket that
 * matches. Such a guess costs one try; most of them are wrong, and cheap.
 */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_PART_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of guesses for each place. */
#define MINIMIZE_PARTS_N 62u

/* A number in the input. */
struct minimize_field {
	size_t offset;
	uint8_t width; /* 1, 2 or 4 bytes; 0: none */
	bool big;      /* the high byte comes first */
};

struct minimize_part {
	size_t offset, len;
	/* That number becomes smaller by len when the part is dropped. */
	struct minimize_field field;
};

/*
 * The guess of this kind for a part that begins at this place, or, of the
 * last kinds, for the payload that a number there is the length of: then its
 * last or first `step` bytes, or all of it if it is shorter or step is 0.
 * False: there is none.
 */
bool minimize_part_guess(const uint8_t *data, size_t len, size_t place,
	unsigned kind, size_t step, struct minimize_part *part);

/* Is it one of the last kinds? */
bool minimize_part_shrinks(unsigned kind);

/* Takes `less` from the number. */
void minimize_field_lower(uint8_t *data, const struct minimize_field *field,
	size_t less);

#endif
