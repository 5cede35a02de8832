/* fit: see fit.h. */
#include "ui/widgets/fit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/glyph.h"

#define FIT_SCOPE "::"
#define FIT_OFFSET "+0x" /* "program+0x1234", a function without a name */
#define FIT_PLACE 512    /* bytes of a file and a line */

/* Does the cleaned text fit? */
static bool
fit_clean(const char *text, int columns, char *buf, size_t size)
{
	text_clean_string(text, buf, size - FIT_SPARE);
	return (int)text_width(buf) <= columns;
}

static void
fit_cut(const struct grid *grid, int columns, char *buf)
{
	const char *more = glyph(grid, GLYPH_MORE);

	memcpy(buf + text_fit(buf, columns > 1 ? (size_t)columns - 1 : 0), more,
		strlen(more) + 1);
}

/* Puts the ellipsis in place of all before `rest`, a part of buf. */
static void
fit_drop(const struct grid *grid, const char *rest, char *buf)
{
	const char *more = glyph(grid, GLYPH_MORE);

	memmove(buf + strlen(more), rest, strlen(rest) + 1);
	memcpy(buf, more, strlen(more));
}

const char *
fit_start(const struct grid *grid, const char *text, int columns, char *buf,
	size_t size)
{
	if (!fit_clean(text, columns, buf, size))
		fit_cut(grid, columns, buf);
	return buf;
}

const char *
fit_end(const struct grid *grid, const char *text, int columns, char *buf,
	size_t size)
{
	const char *rest = buf;

	if (fit_clean(text, columns, buf, size))
		return buf;
	while (rest[0] != '\0' && (int)text_width(rest) >= columns)
		do
			rest++;
		while (((unsigned char)rest[0] & 0xc0) == 0x80);
	fit_drop(grid, rest, buf);
	return buf;
}

const char *
fit_place(const struct grid *grid, const char *file, uint32_t line, int columns,
	char *buf, size_t size)
{
	char place[FIT_PLACE];

	if (line > 0)
		snprintf(place, sizeof(place), "%s:%" PRIu32, file, line);
	else
		snprintf(place, sizeof(place), "%s", file);
	return fit_end(grid, place, columns, buf, size);
}

/*
 * The "::" that ends the first scope, or NULL. Template arguments and
 * parameters have scopes of their own, and "(anonymous)" is one name.
 */
static const char *
fit_scope_end(const char *name)
{
	int depth = 0;

	for (; name[0] != '\0'; name++) {
		if (strchr("<(", name[0]) != NULL)
			depth++;
		else if (strchr(">)", name[0]) != NULL)
			depth -= depth > 0; /* operator>> */
		else if (depth == 0 &&
			strncmp(name, FIT_SCOPE, strlen(FIT_SCOPE)) == 0)
			return name;
	}
	return NULL;
}

const char *
fit_function(const struct grid *grid, const char *name, int columns, char *buf,
	size_t size)
{
	const char *own = buf, *end;

	if (strstr(name, FIT_OFFSET) != NULL)
		return fit_end(grid, name, columns, buf, size);
	if (fit_clean(name, columns, buf, size))
		return buf;
	while ((end = fit_scope_end(own)) != NULL) {
		if ((int)text_width(end) < columns) {
			fit_drop(grid, end, buf);
			return buf;
		}
		own = end + strlen(FIT_SCOPE);
	}
	memmove(buf, own, strlen(own) + 1);
	if ((int)text_width(buf) > columns)
		fit_cut(grid, columns, buf);
	return buf;
}
