/*
 * bytes: a scrollable view of an input's bytes, as hex or as text.
 *
 * A hex view starts at a multiple of the bytes per row. A row of text ends at a
 * newline or at the width of the view; rows before the top are found by a scan
 * of the held bytes.
 */
#include "ui/widgets/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "shared/utf8.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/hex.h"

#define BYTES_PIECE 4096u /* greater than any screenful */
#define BYTES_ROWS 256    /* maximum rows of text to scan back */

void
bytes_clear(struct bytes *bytes)
{
	bool text = bytes->text;

	free(bytes->held.data);
	*bytes = (struct bytes){ .text = text };
}

void
bytes_query(const struct bytes *bytes, struct query *query)
{
	uint64_t top = bytes->top;
	uint64_t piece;

	/* The length is not known yet: the first bytes bring it. */
	if (bytes->last && bytes->len > BYTES_PIECE)
		top = bytes->len - BYTES_PIECE;
	piece = top / BYTES_PIECE;
	query->first = (piece > 0 ? piece - 1 : 0) * BYTES_PIECE;
	query->count = 3 * BYTES_PIECE;
}

void
bytes_take(struct bytes *bytes, struct reply_entry *reply)
{
	free(bytes->held.data);
	bytes->len = reply->len;
	bytes->first = reply->first;
	bytes->held = reply->bytes;
	reply->bytes = (struct field_blob){ 0 };
	/* Do not trust the reply: show only bytes that it holds. */
	if (bytes->first > bytes->len ||
		bytes->held.len > bytes->len - bytes->first) {
		bytes->len = bytes->held.len;
		bytes->first = 0;
	}
	if (bytes->top > bytes->len)
		bytes->top = 0;
}

/* ---- rows of text ---- */

/*
 * Writes one row into buf, unless NULL, and returns the number of bytes in that
 * row. A newline ends the row and is not shown.
 */
static size_t
bytes_text_row(const uint8_t *data, size_t len, int columns, char *buf,
	size_t size)
{
	size_t at = 0, used = 0;
	int column = 0;
	char one[32];

	while (at < len) {
		uint32_t code;
		size_t n =
			utf8_decode((const char *)data + at, len - at, &code);
		size_t out;

		if (n == 0)
			n = 1;
		if (n == 1 && data[at] == '\n')
			return at + 1;
		out = text_clean(data + at, n, one, sizeof(one));
		if (column + (int)text_width(one) > columns && at > 0)
			break;
		column += (int)text_width(one);
		if (buf != NULL && used + out < size) {
			memcpy(buf + used, one, out + 1);
			used += out;
		}
		at += n;
	}
	return at;
}

/* The start of the row that is `rows` before `to`, in the held bytes. */
static uint64_t
bytes_text_back(const struct bytes *bytes, uint64_t to, int rows)
{
	/* A column holds at most one character. */
	uint64_t far = (uint64_t)rows * (uint64_t)bytes->columns * UTF8_LEN_MAX;
	uint64_t from = to > far ? to - far : 0;
	uint64_t starts[BYTES_ROWS];
	size_t n = 0;

	if (rows > BYTES_ROWS)
		rows = BYTES_ROWS;
	if (from < bytes->first)
		from = bytes->first;
	if (to > bytes->first + bytes->held.len)
		to = bytes->first + bytes->held.len;
	while (from < to) {
		starts[n++ % BYTES_ROWS] = from;
		from += bytes_text_row(bytes->held.data + (from - bytes->first),
			(size_t)(to - from), bytes->columns, NULL, 0);
	}
	if (n == 0)
		return to;
	return starts[(n > (size_t)rows ? n - (size_t)rows : 0) % BYTES_ROWS];
}

static size_t
bytes_draw_text(struct grid *grid, struct rect rect, const uint8_t *data,
	size_t len)
{
	size_t at = 0;
	int row;

	for (row = 0; row < rect.h && at < len; row++) {
		char text[2048] = "";

		at += bytes_text_row(data + at, len - at, rect.w, text,
			sizeof(text));
		grid_text(grid, rect.x, rect.y + row, rect.w, STYLE_VALUE,
			text);
	}
	return at;
}

/* ---- view ---- */

static size_t
bytes_per_row(const struct bytes *bytes)
{
	return hex_per_row(bytes->columns, bytes->len);
}

/* Does the view show rows of text, also because hex would not fit? */
static bool
bytes_in_text(const struct bytes *bytes)
{
	return bytes->text || bytes_per_row(bytes) == 0;
}

/* The start of the last screenful. */
static uint64_t
bytes_last(const struct bytes *bytes)
{
	size_t per_row = bytes_per_row(bytes);
	uint64_t rows;

	if (bytes->text)
		return bytes_text_back(bytes, bytes->len, bytes->rows);
	if (per_row == 0)
		return 0;
	rows = (bytes->len + per_row - 1) / per_row;
	return rows > (uint64_t)bytes->rows
		? (rows - (uint64_t)bytes->rows) * per_row
		: 0;
}

/* The start of the view, within the held bytes. */
static uint64_t
bytes_top(const struct bytes *bytes)
{
	size_t per_row = bytes_per_row(bytes);
	uint64_t end = bytes->first + bytes->held.len;
	uint64_t top = bytes->last ? bytes_last(bytes) : bytes->top;

	if (!bytes->text && per_row > 0)
		top -= top % per_row;
	if (top >= bytes->first && top < end)
		return top;
	/* Until the reply is here, stay at the last position. */
	return bytes->shown >= bytes->first && bytes->shown < end
		? bytes->shown
		: bytes->first;
}

static size_t
bytes_draw_hex(struct grid *grid, struct rect rect, const struct bytes *bytes,
	uint64_t top)
{
	size_t n = bytes->held.len - (size_t)(top - bytes->first);
	size_t most = (size_t)rect.h * bytes_per_row(bytes);
	struct hex hex = {
		.bytes = bytes->held.data + (top - bytes->first),
		.n = n < most ? n : most,
		.total = bytes->len,
		.first = top,
		.part = true,
	};

	hex_draw(grid, rect, &hex);
	return hex.n;
}

void
bytes_draw(struct bytes *bytes, struct grid *grid, struct rect rect,
	struct rect box)
{
	uint64_t top;

	if (rect.h <= 0 || rect.w <= 0)
		return;
	bytes->rows = rect.h;
	bytes->columns = rect.w;
	if (bytes->len == 0) {
		draw_words(grid, rect, STYLE_DIM, "The input is empty.");
		return;
	}
	top = bytes_top(bytes);
	bytes->shown = top;
	if (bytes->text || bytes_per_row(bytes) == 0)
		bytes->page = bytes_draw_text(grid, rect,
			bytes->held.data + (top - bytes->first),
			bytes->held.len - (size_t)(top - bytes->first));
	else
		bytes->page = bytes_draw_hex(grid, rect, bytes, top);
	draw_scroll(grid, box, (size_t)top, bytes->page, (size_t)bytes->len);
}

static void
bytes_page_up(struct bytes *bytes)
{
	uint64_t top = bytes_top(bytes);

	bytes->last = false;
	if (bytes->text)
		bytes->top = bytes_text_back(bytes, top, bytes->rows);
	else
		bytes->top = top > bytes->page ? top - bytes->page : 0;
}

static void
bytes_page_down(struct bytes *bytes)
{
	uint64_t top = bytes_top(bytes);

	if (bytes->last)
		return;
	if (top + 2 * bytes->page >= bytes->len)
		bytes->last = top + bytes->page < bytes->len;
	else
		bytes->top = top + bytes->page;
}

static void
bytes_up(struct bytes *bytes)
{
	uint64_t top = bytes_top(bytes);
	size_t row = bytes_per_row(bytes);

	bytes->last = false;
	if (bytes_in_text(bytes))
		bytes->top = bytes_text_back(bytes, top, 1);
	else
		bytes->top = top > row ? top - row : 0;
}

/* To the row below, until the end is on the screen. */
static void
bytes_down(struct bytes *bytes)
{
	uint64_t top = bytes_top(bytes);
	size_t row = bytes_per_row(bytes);

	if (bytes->last || top + bytes->page >= bytes->len)
		return;
	if (bytes_in_text(bytes))
		row = bytes_text_row(bytes->held.data + (top - bytes->first),
			bytes->held.len - (size_t)(top - bytes->first),
			bytes->columns, NULL, 0);
	bytes->top = top + row;
}

bool
bytes_command(struct bytes *bytes, const char *command)
{
	if (strcmp(command, "hex") == 0) {
		bytes->text = !bytes->text;
	} else if (strcmp(command, "home") == 0) {
		bytes->top = 0;
		bytes->last = false;
	} else if (strcmp(command, "end") == 0) {
		bytes->last = true;
	} else if (strcmp(command, "up") == 0) {
		bytes_up(bytes);
	} else if (strcmp(command, "down") == 0) {
		bytes_down(bytes);
	} else if (strcmp(command, "page-up") == 0) {
		bytes_page_up(bytes);
	} else if (strcmp(command, "page-down") == 0) {
		bytes_page_down(bytes);
	} else {
		return false;
	}
	return true;
}
