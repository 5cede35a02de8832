/*
 * finding_location: see finding_location.h.
 */
#include "ui/widgets/finding_location.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/fit.h"

#define FINDING_LOCATION_IN " in "
#define FINDING_LOCATION_NAME 4 /* minimum columns for a cut name: `ini…` */
#define FINDING_LOCATION_WHAT 6 /* minimum columns for the failure's text */

/* Skips the function: "tile.c:118" of "read_tile tile.c:118". */
static const char *
finding_location_short(const char *location)
{
	const char *space = strrchr(location, ' ');

	return space && strpbrk(space, ":+") ? space + 1 : location;
}

/* The place, and the frame that tells it from others: "twelve.c:9 < caller". */
static const char *
finding_location_rest(const struct snapshot_finding *f,
	char buf[FINDING_LOCATION_SIZE])
{
	snprintf(buf, FINDING_LOCATION_SIZE, "%s%s%s",
		finding_location_short(f->where),
		f->apart[0] != '\0' ? " < " : "", f->apart);
	return buf;
}

int
finding_location_least(const struct snapshot_finding *f)
{
	char rest[FINDING_LOCATION_SIZE];

	return (int)text_width(finding_location_rest(f, rest));
}

int
finding_location_whole(const struct snapshot_finding *f)
{
	return (int)text_width(f->where) -
		(int)text_width(finding_location_short(f->where)) +
		finding_location_least(f);
}

const char *
finding_location_fit(const struct grid *grid, const struct snapshot_finding *f,
	int columns, char buf[FINDING_LOCATION_SIZE])
{
	const char *file_line = finding_location_short(f->where);
	char function[sizeof(f->where)], name[sizeof(f->where) + FIT_SPARE];
	char rest[FINDING_LOCATION_SIZE];
	int room = columns - (int)text_width(finding_location_rest(f, rest));
	bool whole = columns >= (int)text_width(file_line);

	snprintf(function, sizeof(function), "%.*s",
		(int)(file_line - f->where), f->where);
	if ((int)text_width(function) <= room) {
		snprintf(buf, FINDING_LOCATION_SIZE, "%s%.300s", function,
			rest);
	} else if (room > FINDING_LOCATION_NAME) {
		function[strlen(function) - 1] = '\0'; /* the blank */
		fit_function(grid, function, room - 1, name, sizeof(name));
		snprintf(buf, FINDING_LOCATION_SIZE, "%s %.300s", name, rest);
	} else if (room >= 0 || whole) {
		fit_start(grid, rest, columns, buf, FINDING_LOCATION_SIZE);
	} else if (strpbrk(file_line, ":+")) {
		fit_end(grid, file_line, columns, buf, FINDING_LOCATION_SIZE);
	} else {
		fit_start(grid, file_line, columns, buf, FINDING_LOCATION_SIZE);
	}
	return buf;
}

const char *
finding_location_title(const struct grid *grid, const char *class,
	const struct snapshot_finding *f, int columns,
	char buf[FINDING_LOCATION_TITLE_SIZE])
{
	char what[sizeof(f->what) + FIT_SPARE], location[FINDING_LOCATION_SIZE];
	bool known = f->where[0] != '\0';
	const char *colon = class[0] != '\0' ? ": " : "";
	int room = columns - (int)text_width(class) - (int)strlen(colon) -
		(known ? (int)strlen(FINDING_LOCATION_IN) : 0);
	int what_room = room - finding_location_least(f);

	fit_start(grid, f->what,
		what_room > FINDING_LOCATION_WHAT ? what_room
						  : FINDING_LOCATION_WHAT,
		what, sizeof(what));
	finding_location_fit(grid, f, room - (int)text_width(what), location);
	snprintf(buf, FINDING_LOCATION_TITLE_SIZE, "%s%s%s%s%s", class, colon,
		what, known ? FINDING_LOCATION_IN : "", known ? location : "");
	return buf;
}
