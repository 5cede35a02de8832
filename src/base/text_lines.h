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
	size_t *starts; /* n + 1 offsets */
	size_t n;
};

void text_lines_clear(struct text_lines *lines);

/* Takes a text of malloc() and divides it into lines. */
void text_lines_take(struct text_lines *lines, char *take_text, size_t len);

/*
 * Reads a source file; errors as of file_read(). On failure, `why` says for
 * users why it cannot be shown.
 */
enum status text_lines_read_source(struct text_lines *lines, const char *path,
	char *why, size_t size) MUST_CHECK;

/* Writes line `row`, which is less than n; a longer one is cut. */
void text_lines_get(const struct text_lines *lines, size_t row,
	char buf[TEXT_LINES_BYTES]);

#endif
