/*
 * finding_place: see finding_place.h.
 */
#include "ui/widgets/finding_place.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/glyph.h"

#define SPOT_IN " in "
#define SPOT_NAME 2 /* columns of a name that is worth a look: `i…` */
#define SPOT_WHAT 6 /* the words of a failure keep so many */

/* Behind the function: "tile.c:118" of "read_tile tile.c:118". */
static const char *
spot_place(const char *where)
{
	const char *space = strrchr(where, ' ');

	return space && strpbrk(space, ":+") ? space + 1 : where;
}

/* The place, and what tells it from others: "twelve.c:9 < caller". */
static const char *
spot_rest(const struct snapshot_finding *f, char buf[SPOT_SIZE])
{
	snprintf(buf, SPOT_SIZE, "%s%s%s", spot_place(f->where),
		f->apart[0] != '\0' ? " < " : "", f->apart);
	return buf;
}

int
spot_least(const struct snapshot_finding *f)
{
	char rest[SPOT_SIZE];

	return (int)text_width(spot_rest(f, rest));
}

/* The start of a text, and that there was more of it. */
static void
spot_start(const struct grid *grid, const char *text, int columns, char *buf,
	size_t size)
{
	if ((int)text_width(text) <= columns)
		snprintf(buf, size, "%s", text);
	else
		snprintf(buf, size, "%.*s%s",
			(int)text_fit(text,
				columns > 1 ? (size_t)columns - 1 : 0),
			text, symbol(grid, SYMBOL_MORE));
}

/* The end of a text: of a place it is the line. */
static void
spot_end(const struct grid *grid, const char *text, int columns,
	char buf[SPOT_SIZE])
{
	while (text[0] != '\0' && (int)text_width(text) >= columns)
		do
			text++;
		while (((unsigned char)text[0] & 0xc0) == 0x80);
	snprintf(buf, SPOT_SIZE, "%s%s", symbol(grid, SYMBOL_MORE), text);
}

const char *
spot_fit(const struct grid *grid, const struct snapshot_finding *f, int columns,
	char buf[SPOT_SIZE])
{
	const char *place = spot_place(f->where);
	char function[sizeof(f->where)], name[sizeof(f->where) + 8];
	char rest[SPOT_SIZE];
	int room = columns - (int)text_width(spot_rest(f, rest));
	bool whole = columns >= (int)text_width(place);

	snprintf(function, sizeof(function), "%.*s", (int)(place - f->where),
		f->where);
	if ((int)text_width(function) <= room) {
		snprintf(buf, SPOT_SIZE, "%s%.300s", function, rest);
	} else if (room > SPOT_NAME) {
		spot_start(grid, function, room - 1, name, sizeof(name));
		snprintf(buf, SPOT_SIZE, "%s %.300s", name, rest);
	} else if (room >= 0 || whole) {
		spot_start(grid, rest, columns, buf, SPOT_SIZE);
	} else if (strpbrk(place, ":+")) {
		spot_end(grid, place, columns, buf);
	} else {
		spot_start(grid, place, columns, buf, SPOT_SIZE);
	}
	return buf;
}

const char *
spot_title(const struct grid *grid, const char *class,
	const struct snapshot_finding *f, int columns,
	char buf[SPOT_TITLE_SIZE])
{
	char what[sizeof(f->what) + 8], where[SPOT_SIZE];
	bool placed = f->where[0] != '\0';
	const char *colon = class[0] != '\0' ? ": " : "";
	int room = columns - (int)text_width(class) - (int)strlen(colon) -
		(placed ? (int)strlen(SPOT_IN) : 0);
	int what_room = room - spot_least(f);

	spot_start(grid, f->what, what_room > SPOT_WHAT ? what_room : SPOT_WHAT,
		what, sizeof(what));
	spot_fit(grid, f, room - (int)text_width(what), where);
	snprintf(buf, SPOT_TITLE_SIZE, "%s%s%s%s%s", class, colon, what,
		placed ? SPOT_IN : "", placed ? where : "");
	return buf;
}
