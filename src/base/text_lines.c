/* text_lines: see text_lines.h. */
#include "base/text_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define TEXT_LINES_TAB 8

void
text_lines_clear(struct text_lines *lines)
{
	free(lines->text);
	free(lines->starts);
	*lines = (struct text_lines){ 0 };
}

void
text_lines_take(struct text_lines *lines, char *take_text, size_t len)
{
	size_t at = 0;
	char *end;

	text_lines_clear(lines);
	lines->text = take_text;
	lines->starts = xgrow(NULL, 0, 1, sizeof(size_t));
	while (at < len && lines->n < TEXT_LINES_MAX) {
		lines->starts =
			xgrow(lines->starts, lines->n + 1, 1, sizeof(size_t));
		lines->starts[lines->n++] = at;
		end = memchr(take_text + at, '\n', len - at);
		at = end != NULL ? (size_t)(end - take_text) + 1 : len;
	}
	lines->starts[lines->n] = at;
}

enum status
text_lines_read_source(struct text_lines *lines, const char *path, char *why,
	size_t size)
{
	struct error err;
	uint8_t *data = NULL;
	size_t len = 0;
	enum status status;

	error_clear(&err);
	status = file_read(path, TEXT_LINES_FILE_MAX, &data, &len, &err);
	if (status == OK)
		text_lines_take(lines, (char *)data, len);
	else if (status == E_NOT_FOUND)
		snprintf(why, size,
			"The source is not where the compiler found it.");
	else
		snprintf(why, size, "The source cannot be shown: %.200s.",
			err.text);
	return status;
}

/* Bytes before the next tab or the end. */
static size_t
text_lines_run(const char *at, const char *end)
{
	const char *tab = memchr(at, '\t', (size_t)(end - at));

	return (size_t)((tab != NULL ? tab : end) - at);
}

void
text_lines_get(const struct text_lines *lines, size_t row,
	char buf[TEXT_LINES_BYTES])
{
	const char *at = lines->text + lines->starts[row];
	const char *end = lines->text + lines->starts[row + 1];
	size_t len = 0, columns = 0, n;

	while (end > at && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	while (at < end && len + TEXT_LINES_TAB + 1 < TEXT_LINES_BYTES) {
		if (*at == '\t') {
			do
				buf[len++] = ' ';
			while (++columns % TEXT_LINES_TAB != 0);
			at++;
			continue;
		}
		n = text_lines_run(at, end);
		text_clean(at, n, buf + len, TEXT_LINES_BYTES - len);
		columns += text_width(buf + len);
		len += strlen(buf + len);
		at += n;
	}
	buf[len] = '\0';
}
