/*
 * hex: bytes as hex and text, with a marked range.
 *
 * The mark is a style and a pair of brackets, so it is visible without colour.
 */
#ifndef CFUZZ_UI_WIDGETS_HEX_H
#define CFUZZ_UI_WIDGETS_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/grid.h"

struct hex {
	const uint8_t *bytes;
	size_t n;       /* bytes held */
	uint64_t total; /* bytes of the whole input */
	uint64_t first; /* address of the first held byte */
	bool part;      /* the caller scrolls: no "N more" */
	/* The mark, an offset in the held bytes; highlight_len 0: none. */
	uint64_t highlight, highlight_len;
};

/* Bytes per row at a width: 4, 8, 16 or 32; 0: no room. An input of `total`
 * bytes may need long addresses. */
size_t hex_per_row(int columns, uint64_t total);

/* Draws from the row that makes the mark visible. Unless hex->part, the last of
 * several rows counts the bytes that follow. */
void hex_draw(struct grid *grid, struct rect rect, const struct hex *hex);

#endif
