/*
 * hot_spot: areas of the screen that act on a click or have an explanation.
 *
 * There are two kinds: an area that runs a command line when it is clicked, and
 * an area that shows a value with an entry in the glossary. Views add hot spots
 * while they draw; the mouse and the help in place look them up.
 */
#ifndef CFUZZ_UI_TERM_HOT_SPOT_H
#define CFUZZ_UI_TERM_HOT_SPOT_H

#include <stdbool.h>
#include <stddef.h>

#define HOT_SPOTS_MAX 512 /* per screen; further ones are dropped */
#define HOT_SPOT_TEXT 48

enum hot_spot_kind {
	HOT_SPOT_COMMAND, /* text: "row 3", "view findings", "toggle-pause" */
	HOT_SPOT_FIELD,   /* text: an entry's name in the glossary */
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

/* Drops empty rectangles and texts that are too long. */
void hot_spots_add(struct hot_spots *spots, enum hot_spot_kind kind, int x,
	int y, int w, int h, const char *text);

/* The hot spot of that kind at a cell, the last added first; NULL: none. */
const struct hot_spot *hot_spots_at(const struct hot_spots *spots,
	enum hot_spot_kind kind, int x, int y);

/* Removes the hot spots that touch a rectangle, which is now drawn over. */
void hot_spots_cover(struct hot_spots *spots, int x, int y, int w, int h);

#endif
