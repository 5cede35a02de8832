/*
 * hex: bytes as hex and text, with a marked part.
 *
 * The mark is a style and a pair of brackets, so it is seen without colour.
 */
#ifndef CFUZZ_UI_WIDGETS_HEX_H
#define CFUZZ_UI_WIDGETS_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/grid.h"

struct hex {
	const uint8_t *bytes;
	size_t n;                /* bytes that are at hand */
	uint64_t total;          /* bytes of the whole input */
	uint64_t first;          /* address of the first byte at hand */
	bool part;               /* of it: the rest is not spoken of */
	uint64_t mark, mark_len; /* len 0: nothing marked */
};

/* Bytes in a row of so many columns: 4, 8, 16 or 32; 0: no room. */
size_t hex_per_row(int columns);
/* The same for an input of so many bytes: addresses may be long. */
size_t hex_per_row_of(int columns, uint64_t total);

/* Scrolls so that the mark is seen. The last row may say what is missing. */
void hex_draw(struct grid *grid, struct rect rect, const struct hex *hex);

#endif
