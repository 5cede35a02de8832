/*
 * fit: foreign text, cleaned and cut with an ellipsis where readers miss it
 * least.
 *
 * Each function writes into buf, of more than FIT_SPARE bytes, and returns it.
 * Text that fits into the columns stays whole; size cuts it without an ellipsis.
 */
#ifndef CFUZZ_UI_WIDGETS_FIT_H
#define CFUZZ_UI_WIDGETS_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "ui/term/grid.h"

#define FIT_SPARE 8 /* bytes of buf for the ellipsis */

/* The start: "heap-buffer-ove…" */
const char *fit_start(const struct grid *grid, const char *text, int columns,
	char *buf, size_t size);

/* The end, because a place ends with the line number: "…_chunk.c:118" */
const char *fit_end(const struct grid *grid, const char *text, int columns,
	char *buf, size_t size);

/* The end of "file:line", or of the file if the line is 0. */
const char *fit_place(const struct grid *grid, const char *file, uint32_t line,
	int columns, char *buf, size_t size);

/*
 * A function's own name tells it from others, so its scopes are cut first:
 * "…::reader::read_tile", "…::read_tile", "read_tile", "read_t…". Of a function
 * without a name the end stays: "…ader+0x4f10".
 */
const char *fit_function(const struct grid *grid, const char *name, int columns,
	char *buf, size_t size);

#endif
