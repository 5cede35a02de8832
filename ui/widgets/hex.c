/*
 * hex: bytes as hex and text, with a marked range.
 *
 * A row: `0010  00 00 00 08[00 00 00 08] 08 02 …   ........`. The columns
 * before a byte belong to that byte; the column after a row's last byte belongs
 * to none. Brackets stand in those columns.
 */
#include "ui/widgets/hex.h"

#include <inttypes.h>

#include "base/text.h"
#include "ui/term/glyph.h"
#include "ui/term/row_writer.h"

#define HEX_ADDRESS 4
#define HEX_GROUP 8

/* Digits of an address in an input of `total` bytes. */
static int
hex_address(uint64_t total)
{
	int digits = HEX_ADDRESS;

	while (digits < 16 && total > UINT64_C(1) << (4 * digits))
		digits += 2;
	return digits;
}

static int
hex_columns(int per_row, int address)
{
	int groups = (per_row - 1) / HEX_GROUP;

	/* address, blank, bytes, last bracket, two blanks, text */
	return address + 1 + per_row * 3 + groups + 1 + 2 + per_row;
}

size_t
hex_per_row(int columns, uint64_t total)
{
	int per_row;

	for (per_row = 32; per_row >= 4; per_row /= 2)
		if (hex_columns(per_row, hex_address(total)) <= columns)
			return (size_t)per_row;
	return 0;
}

/* Bytes that the addresses must cover. */
static uint64_t
hex_bytes_of(const struct hex *hex)
{
	return hex->part ? hex->total : hex->n;
}

static bool
hex_is_highlighted(const struct hex *hex, size_t at)
{
	return at >= hex->highlight && at - hex->highlight < hex->highlight_len;
}

/*
 * Draws the columns before a byte, two between groups: the opening bracket of
 * the highlight goes into the last one, the closing bracket into the first one.
 */
static void
hex_before(struct row_writer *out, const struct hex *hex, size_t at,
	size_t column)
{
	bool here = at < hex->n && hex_is_highlighted(hex, at);
	bool before = column > 0 && hex_is_highlighted(hex, at - 1);
	bool group = column > 0 && column % HEX_GROUP == 0;
	enum style style = here && before ? STYLE_MARK : STYLE_NORMAL;

	if (before && !here)
		row_text(out, STYLE_MARK, "]");
	else if (here && !before && !group)
		row_text(out, STYLE_MARK, "[");
	else
		row_text(out, style, " ");
	if (group)
		row_text(out, here ? STYLE_MARK : STYLE_NORMAL,
			here && !before ? "[" : " ");
}

static void
hex_byte(struct row_writer *out, const struct hex *hex, size_t at)
{
	enum style style = hex->bytes[at] ? STYLE_HEX : STYLE_DIM;

	row_printf(out, hex_is_highlighted(hex, at) ? STYLE_MARK : style,
		"%02x", hex->bytes[at]);
}

static void
hex_bytes(struct row_writer *out, const struct hex *hex, size_t from,
	size_t per_row)
{
	size_t i;

	for (i = 0; i < per_row; i++) {
		size_t at = from + i;

		if (at <= hex->n)
			hex_before(out, hex, at, i);
		else
			row_gap(out, i > 0 && i % HEX_GROUP == 0 ? 2 : 1);
		if (at < hex->n)
			hex_byte(out, hex, at);
		else
			row_gap(out, 2);
	}
	if (from + per_row <= hex->n &&
		hex_is_highlighted(hex, from + per_row - 1))
		row_text(out, STYLE_MARK, "]");
	else
		row_gap(out, 1);
}

static void
hex_text(struct row_writer *out, const struct hex *hex, size_t from,
	size_t per_row)
{
	size_t at;

	for (at = from; at < from + per_row && at < hex->n; at++) {
		uint8_t byte = hex->bytes[at];
		bool plain = byte >= 0x20 && byte < 0x7f;
		char text[2] = { plain ? (char)byte : '.', '\0' };

		row_text(out,
			hex_is_highlighted(hex, at) ? STYLE_MARK
				: plain             ? STYLE_VALUE
						    : STYLE_DIM,
			text);
	}
}

static void
hex_row(struct grid *grid, struct rect rect, int row, const struct hex *hex,
	size_t from, size_t per_row)
{
	struct row_writer out = row_put_at(grid, rect, row);

	row_printf(&out, STYLE_DIM, "%0*" PRIx64 " ",
		hex_address(hex_bytes_of(hex)), hex->first + from);
	hex_bytes(&out, hex, from, per_row);
	row_gap(&out, 2);
	hex_text(&out, hex, from, per_row);
}

/* The first row to draw so that the highlight is visible. */
static size_t
hex_top(const struct hex *hex, size_t per_row, size_t rows)
{
	size_t all = (hex->n + per_row - 1) / per_row;
	size_t highlight;

	if (all <= rows || hex->highlight_len == 0 || hex->highlight >= hex->n)
		return 0;
	highlight = (size_t)hex->highlight / per_row;
	if (highlight < rows)
		return 0;
	/* Scroll in steps of half a page, so that the bytes move rarely. */
	highlight = highlight / (rows > 1 ? rows / 2 : 1) *
		(rows > 1 ? rows / 2 : 1);
	return highlight + rows > all ? all - rows : highlight;
}

static void
hex_missing(struct grid *grid, struct rect rect, int row, const struct hex *hex,
	size_t end)
{
	struct row_writer out = row_put_at(grid, rect, row);
	char rest[TEXT_NUMBER_SIZE], total[TEXT_NUMBER_SIZE];

	row_printf(&out, STYLE_DIM, "%s %s more of %s bytes",
		glyph(grid, GLYPH_MORE), text_count(hex->total - end, rest),
		text_count(hex->total, total));
}

void
hex_draw(struct grid *grid, struct rect rect, const struct hex *hex)
{
	size_t per_row = hex_per_row(rect.w, hex_bytes_of(hex));
	size_t rows, top, end;
	int row;

	if (per_row == 0 || rect.h <= 0)
		return;
	rows = (size_t)rect.h;
	if (!hex->part && (hex->n < hex->total || hex->n > rows * per_row))
		rows -= rows > 1;
	top = hex_top(hex, per_row, rows);
	for (row = 0; row < (int)rows; row++) {
		size_t from = (top + (size_t)row) * per_row;

		if (from < hex->n)
			hex_row(grid, rect, row, hex, from, per_row);
		else
			break;
	}
	end = (top + (size_t)row) * per_row;
	if (end > hex->n)
		end = hex->n;
	if (!hex->part && end < hex->total && row < rect.h)
		hex_missing(grid, rect, row, hex, end);
}
