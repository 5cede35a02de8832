/*
 * bytes: a scrollable view of an input's bytes, as hex or as text.
 *
 * An input may be too large to send: the view asks for the bytes around its
 * position, and shows the old ones until the reply is here.
 */
#ifndef CFUZZ_UI_WIDGETS_BYTES_H
#define CFUZZ_UI_WIDGETS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "ui/term/grid.h"

struct bytes {
	uint64_t len; /* bytes in the whole input */
	uint64_t top; /* offset of the first byte to show */
	bool last;    /* show the end of the input */
	bool text;
	uint64_t first;         /* offset of the held bytes */
	struct field_blob held; /* owned */
	uint64_t shown;         /* `top` at the last draw */
	int rows;               /* at the last draw: rows, … */
	int columns;
	size_t page; /* … and bytes on the screen */
};

/* Frees the bytes; the choice of text or hex stays. */
void bytes_clear(struct bytes *bytes);

/* Sets first and count of the query to the bytes around the view. */
void bytes_query(const struct bytes *bytes, struct query *query);

/* Moves the bytes out of the reply. */
void bytes_take(struct bytes *bytes, struct reply_entry *reply);

/* "up", "down", "page-up", "page-down", "home", "end", "hex"; false: another
 * command. */
bool bytes_command(struct bytes *bytes, const char *command);

/* Draws into rect; the scroll bar goes on `box`, the box around rect. */
void bytes_draw(struct bytes *bytes, struct grid *grid, struct rect rect,
	struct rect box);

#endif
