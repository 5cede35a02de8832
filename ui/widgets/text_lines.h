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

#define TEXT_LINES_MAX 500000u /* more of them are left out */
#define TEXT_LINES_BYTES 2048  /* of a line, that are shown */
#define TEXT_LINES_FILE_MAX (8u << 20)

struct text_lines {
	char *text;     /* owned; NULL: there is none */
	size_t *starts; /* of n + 1 lines */
	size_t n;
};

void text_lines_clear(struct text_lines *lines);

/* The text is owned from now on. */
void text_lines_take(struct text_lines *lines, char *take_text, size_t len);

/*
 * Reads a source file of this machine. OK, or why there is none in words for
 * people.
 */
enum status text_lines_read_source(struct text_lines *lines, const char *path,
	char *why, size_t size) MUST_CHECK;

/* row < n */
void text_lines_get(const struct text_lines *lines, size_t row,
	char buf[TEXT_LINES_BYTES]);

#endif
