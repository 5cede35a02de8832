/*
 * bytes: a window on the bytes of an input, as hex or as text.
 *
 * An input may be larger than what is worth sending: the bytes around the
 * window are asked for, and the old ones are shown until the new ones come.
 */
#ifndef CFUZZ_UI_WIDGETS_BYTES_H
#define CFUZZ_UI_WIDGETS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "ui/term/grid.h"

struct bytes {
	uint64_t len; /* of the whole input */
	uint64_t top; /* the byte at the start of the window */
	bool last;    /* the window is at the end, wherever that is */
	bool text;
	uint64_t first; /* of those at hand */
	struct field_blob held;
	uint64_t shown; /* the top, when it was drawn */
	int rows;       /* of the window, when it was drawn; … */
	int columns;
	size_t page; /* … bytes that it showed */
};

void bytes_clear(struct bytes *bytes);

/* first and count of what the window needs. */
void bytes_want(const struct bytes *bytes, struct query *query);

/* Takes the bytes out of the reply. */
void bytes_take(struct bytes *bytes, struct reply_entry *reply);

/* "page-up", "page-down", "home", "end", "hex"; false: none of them. */
bool bytes_command(struct bytes *bytes, const char *command);

/* The box, for the scroll mark, is around the rectangle. */
void bytes_draw(struct bytes *bytes, struct grid *grid, struct rect rect,
	struct rect box);

#endif
