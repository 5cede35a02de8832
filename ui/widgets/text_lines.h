/*
 * text_lines: a foreign text, line by line, as it can be shown.
 *
 * A source file or a report. Its size is bounded, tabs become blanks, all
 * else is cleaned when a line is asked for.
 */
#ifndef CFUZZ_UI_WIDGETS_TEXT_LINES_H
#define CFUZZ_UI_WIDGETS_TEXT_LINES_H

#include <stddef.h>

#include "shared/status.h"

#define LINES_MAX 500000u /* more of them are left out */
#define LINES_BYTES 2048  /* of a line, that are shown */
#define LINES_FILE_MAX (8u << 20)

struct lines {
	char *text;     /* owned; NULL: there is none */
	size_t *starts; /* of n + 1 lines */
	size_t n;
};

void lines_clear(struct lines *lines);

/* The text is owned from now on. */
void lines_take(struct lines *lines, char *take_text, size_t len);

/*
 * Reads a source file of this machine. OK, or why there is none in words for
 * people.
 */
enum status lines_read_source(struct lines *lines, const char *path, char *why,
	size_t size) MUST_CHECK;

/* row < n */
void lines_get(const struct lines *lines, size_t row, char buf[LINES_BYTES]);

#endif
