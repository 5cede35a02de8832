/*
 * finding_place: see finding_place.h.
 */
#include "ui/widgets/finding_place.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/glyph.h"

#define FINDING_PLACE_IN " in "
#define FINDING_PLACE_NAME 2 /* minimum columns for a function's name: `i…` */
#define FINDING_PLACE_WHAT 6 /* minimum columns for the failure's text */

/* Skips the function: "tile.c:118" of "read_tile tile.c:118". */
static const char *
finding_place_short(const char *where)
{
	const char *space = strrchr(where, ' ');

	return space && strpbrk(space, ":+") ? space + 1 : where;
}

/* The place, and the frame that tells it from others: "twelve.c:9 < caller". */
static const char *
finding_place_rest(const struct snapshot_finding *f,
	char buf[FINDING_PLACE_SIZE])
{
	snprintf(buf, FINDING_PLACE_SIZE, "%s%s%s",
		finding_place_short(f->where), f->apart[0] != '\0' ? " < " : "",
		f->apart);
	return buf;
}

int
finding_place_least(const struct snapshot_finding *f)
{
	char rest[FINDING_PLACE_SIZE];

	return (int)text_width(finding_place_rest(f, rest));
}

/* The start of a text, with an ellipsis if it is cut. */
static void
finding_place_start(const struct grid *grid, const char *text, int columns,
	char *buf, size_t size)
{
	if ((int)text_width(text) <= columns)
		snprintf(buf, size, "%s", text);
	else
		snprintf(buf, size, "%.*s%s",
			(int)text_fit(text,
				columns > 1 ? (size_t)columns - 1 : 0),
			text, glyph(grid, GLYPH_MORE));
}

/* The end of a text, because a place ends with the line number. */
static void
finding_place_end(const struct grid *grid, const char *text, int columns,
	char buf[FINDING_PLACE_SIZE])
{
	while (text[0] != '\0' && (int)text_width(text) >= columns)
		do
			text++;
		while (((unsigned char)text[0] & 0xc0) == 0x80);
	snprintf(buf, FINDING_PLACE_SIZE, "%s%s", glyph(grid, GLYPH_MORE),
		text);
}

const char *
finding_place_fit(const struct grid *grid, const struct snapshot_finding *f,
	int columns, char buf[FINDING_PLACE_SIZE])
{
	const char *place = finding_place_short(f->where);
	char function[sizeof(f->where)], name[sizeof(f->where) + 8];
	char rest[FINDING_PLACE_SIZE];
	int room = columns - (int)text_width(finding_place_rest(f, rest));
	bool whole = columns >= (int)text_width(place);

	snprintf(function, sizeof(function), "%.*s", (int)(place - f->where),
		f->where);
	if ((int)text_width(function) <= room) {
		snprintf(buf, FINDING_PLACE_SIZE, "%s%.300s", function, rest);
	} else if (room > FINDING_PLACE_NAME) {
		finding_place_start(grid, function, room - 1, name,
			sizeof(name));
		snprintf(buf, FINDING_PLACE_SIZE, "%s %.300s", name, rest);
	} else if (room >= 0 || whole) {
		finding_place_start(grid, rest, columns, buf,
			FINDING_PLACE_SIZE);
	} else if (strpbrk(place, ":+")) {
		finding_place_end(grid, place, columns, buf);
	} else {
		finding_place_start(grid, place, columns, buf,
			FINDING_PLACE_SIZE);
	}
	return buf;
}

const char *
finding_place_title(const struct grid *grid, const char *class,
	const struct snapshot_finding *f, int columns,
	char buf[FINDING_PLACE_TITLE_SIZE])
{
	char what[sizeof(f->what) + 8], where[FINDING_PLACE_SIZE];
	bool placed = f->where[0] != '\0';
	const char *colon = class[0] != '\0' ? ": " : "";
	int room = columns - (int)text_width(class) - (int)strlen(colon) -
		(placed ? (int)strlen(FINDING_PLACE_IN) : 0);
	int what_room = room - finding_place_least(f);

	finding_place_start(grid, f->what,
		what_room > FINDING_PLACE_WHAT ? what_room : FINDING_PLACE_WHAT,
		what, sizeof(what));
	finding_place_fit(grid, f, room - (int)text_width(what), where);
	snprintf(buf, FINDING_PLACE_TITLE_SIZE, "%s%s%s%s%s", class, colon,
		what, placed ? FINDING_PLACE_IN : "", placed ? where : "");
	return buf;
}
