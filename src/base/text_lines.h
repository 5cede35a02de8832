/*
 * text_lines: the lines of a foreign text, such as a source file or a report.
 *
 * The size is bounded. text_lines_get() expands tabs and cleans the line.
 */
#ifndef CFUZZ_BASE_TEXT_LINES_H
#define CFUZZ_BASE_TEXT_LINES_H

#include <stddef.h>

#include "shared/status.h"

#define TEXT_LINES_MAX 500000u /* lines; further ones are dropped */
#define TEXT_LINES_BYTES 2048  /* bytes of a cleaned line, with its zero */
#define TEXT_LINES_FILE_MAX (8u << 20) /* bytes of a source file */

struct text_lines {
	char *text;     /* owned; NULL: no text */
	size_t *starts; /* n + 1 offsets; the last is the end of line n - 1 */
	size_t n;
};

/* Lines of zero bytes are empty and can be cleared and filled. */
void text_lines_clear(struct text_lines *lines);

/* Clears `lines`, takes a text of malloc() of len bytes and divides it. */
void text_lines_take(struct text_lines *lines, char *take_text, size_t len);

/*
 * Reads a source file; errors: see file_read(). On failure `lines` does not
 * change, and `why` (size bytes) tells users why the file cannot be shown.
 */
enum status text_lines_read_source(struct text_lines *lines, const char *path,
	char *why, size_t size) MUST_CHECK;

/* Writes line `row`, 0 to n - 1, without its end; cut if buf is too small. */
void text_lines_get(const struct text_lines *lines, size_t row,
	char buf[TEXT_LINES_BYTES]);

#endif
