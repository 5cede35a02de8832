/*
 * hot_spot: what stands where on the screen, noted while it is drawn.
 *
 * Two kinds of places are noted: one that does something when it is clicked,
 * with the command line that it stands for; and one that shows a thing with
 * an explanation, with the name of its glossary entry. Views note them as
 * they draw; the mouse and the help in place look them up.
 */
#ifndef CFUZZ_UI_TERM_HOT_SPOT_H
#define CFUZZ_UI_TERM_HOT_SPOT_H

#include <stdbool.h>
#include <stddef.h>

#define HOT_SPOTS_MAX 512 /* on one screen; more of them are left out */
#define HOT_SPOT_TEXT 48

enum hot_spot_kind {
	HOT_SPOT_COMMAND, /* text: "row 3", "view findings", "toggle-pause" */
	HOT_SPOT_FIELD,   /* text: a name of the glossary */
};

struct hot_spot {
	enum hot_spot_kind kind;
	int x, y, w, h;
	char text[HOT_SPOT_TEXT];
};

struct hot_spots {
	struct hot_spot items[HOT_SPOTS_MAX];
	size_t n;
};

/* Empty rectangles and texts that are too long are left out. */
void hot_spots_add(struct hot_spots *marks, enum hot_spot_kind kind, int x,
	int y, int w, int h, const char *text);

/* What was noted last of those at a cell; NULL: nothing of that kind. */
const struct hot_spot *hot_spots_at(const struct hot_spots *marks,
	enum hot_spot_kind kind, int x, int y);

/* What lies below a rectangle is covered: its marks are gone. */
void hot_spots_cover(struct hot_spots *marks, int x, int y, int w, int h);

#endif
