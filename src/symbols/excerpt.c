/* excerpt: see excerpt.h. */
#include "symbols/excerpt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"

#define EXCERPT_BYTES_MAX (16u << 20) /* search limit per file */
#define EXCERPT_TAB 4u

static FILE *
excerpt_open(const char *path)
{
	struct stat st;
	int fd = fd_open_regular(path, &st);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (file == NULL)
		fd_close(&fd);
	return file;
}

static void
excerpt_put(struct symbol_line *line, size_t *n, int c)
{
	size_t blanks = c == '\t' ? EXCERPT_TAB - *n % EXCERPT_TAB : 1;

	while (blanks-- > 0 && *n + 1 < sizeof(line->text))
		line->text[(*n)++] = (char)(c == '\t' ? ' ' : c);
}

/* Reads the next line and stores it if `line` is given. False: end of file. */
static bool
excerpt_line(FILE *file, size_t *left, struct symbol_line *line)
{
	size_t n = 0;
	int c = EOF;
	bool any = false;

	while (*left > 0 && (c = getc_unlocked(file)) != EOF && c != '\n') {
		--*left;
		any = true;
		if (line != NULL && c != '\r' && c != '\0')
			excerpt_put(line, &n, c);
	}
	if (line != NULL)
		line->text[n] = '\0';
	return any || c == '\n';
}

uint32_t
excerpt_read(const char *path, uint32_t line,
	struct symbol_line lines[SYMBOL_LINES_MAX])
{
	const uint32_t around = SYMBOL_LINES_MAX / 2;
	const uint32_t first = line > around ? line - around : 1;
	const uint64_t last = (uint64_t)line + around;
	uint64_t number;
	uint32_t n = 0;
	size_t left = EXCERPT_BYTES_MAX;
	struct symbol_line *to;
	FILE *file;

	memset(lines, 0, SYMBOL_LINES_MAX * sizeof(*lines));
	file = line > 0 ? excerpt_open(path) : NULL;
	if (file == NULL)
		return 0;
	for (number = 1; number <= last; number++) {
		to = number >= first ? &lines[n] : NULL;
		if (!excerpt_line(file, &left, to))
			break;
		if (to == NULL)
			continue;
		to->number = (uint32_t)number;
		n++;
	}
	(void)fclose(file);
	return n > 0 && lines[n - 1].number >= line ? n : 0;
}
