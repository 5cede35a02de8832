/*
 * minimize_part: guesses the parts that the input itself delimits.
 *
 * Blocks and short ranges seldom meet the borders of records. But the start of
 * a part often says where the part ends: a length of one, two or four bytes,
 * the end of the line, the matching bracket. A guess costs one try; most
 * guesses are wrong, and cheap.
 */
#ifndef CFUZZ_SHARED_MINIMIZE_MINIMIZE_PART_H
#define CFUZZ_SHARED_MINIMIZE_MINIMIZE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of guesses for each place: 0 … MINIMIZE_PARTS_N - 1. */
#define MINIMIZE_PARTS_N 62u

/* A number in the input. */
struct minimize_field {
	size_t offset;
	uint8_t width; /* 1, 2 or 4 bytes; 0: none */
	bool big;      /* the high byte comes first */
};

struct minimize_part {
	size_t offset, len;
	/* This number becomes smaller by len when the part is dropped. */
	struct minimize_field field;
};

/*
 * Guesses a part that begins at this place. The last kinds take a number at
 * this place as the length of a payload. Their part is the last or the first
 * `step` bytes of the payload, or all of it if it is shorter or step is 0.
 * False: no such part.
 */
bool minimize_part_guess(const uint8_t *data, size_t len, size_t place,
	unsigned kind, size_t step, struct minimize_part *part);

/* True for one of these last kinds. */
bool minimize_part_shrinks(unsigned kind);

/* Subtracts `less` from the number, modulo 2^(8 * width). */
void minimize_field_lower(uint8_t *data, const struct minimize_field *field,
	size_t less);

#endif
