/* afl_cmplog: see afl_cmplog.h. */

#include "adapter/afl_cmplog.h"

#include <stdbool.h>
#include <string.h>

#include "target/hooks/compare.h"

#define CMPLOG_COLUMNS 32u
#define CMPLOG_BLOCK 256u /* rows; their headers have 2 KiB at most */
#define CMPLOG_FLOAT 8u   /* attribute */
#define CMPLOG_FN_BYTES 32u
/* The length was given by the program; else bytes of any kind follow. */
#define CMPLOG_FN_EXACT 0x80u
/* Rows that are looked at to recognise the layout, and how many must fit. */
#define CMPLOG_SAMPLE 256u
#define CMPLOG_FITS(good, all) ((good)*4 >= (all)*3)

/* Positions are in bits for the header and in bytes for the rest. */
struct afl_cmplog_layout {
	uint8_t header; /* bytes */
	uint8_t hits, shape, type, type_bits, attribute;
	uint8_t number_type, bytes_type;
	uint8_t number, number_at[2]; /* a column of numbers */
	uint8_t bytes, bytes_at[2], len_at[2];
};

static const struct afl_cmplog_layout CMPLOG_LAYOUTS[] = {
	/* AFL++ 4.00 */
	{ .header = 8,
		.hits = 24,
		.shape = 48,
		.type = 53,
		.type_bits = 2,
		.attribute = 55,
		.number_type = 1,
		.bytes_type = 2,
		.number = 32,
		.number_at = { 0, 8 },
		.bytes = 64,
		.bytes_at = { 0, 32 },
		.len_at = { 31, 63 } },
	/* AFL++ 4.20 */
	{ .header = 2,
		.hits = 6,
		.shape = 6,
		.type = 11,
		.type_bits = 1,
		.attribute = 12,
		.number_type = 0,
		.bytes_type = 1,
		.number = 42,
		.number_at = { 0, 8 },
		.bytes = 67,
		.bytes_at = { 0, 33 },
		.len_at = { 32, 65 } },
	/* AFL++ 5 */
	{ .header = 2,
		.hits = 6,
		.shape = 6,
		.type = 11,
		.type_bits = 1,
		.attribute = 12,
		.number_type = 0,
		.bytes_type = 1,
		.number = 72,
		.number_at = { 0, 32 },
		.bytes = 72,
		.bytes_at = { 0, 32 },
		.len_at = { 64, 65 } },
};
#define CMPLOG_LAYOUTS_N (sizeof(CMPLOG_LAYOUTS) / sizeof(CMPLOG_LAYOUTS[0]))

struct cmplog_row {
	uint32_t index;
	uint32_t hits, shape, type, attribute;
	const uint8_t *at;
};

static uint32_t
cmplog_bits(uint64_t header, unsigned from, unsigned n)
{
	return (uint32_t)(header >> from) & ((1u << n) - 1);
}

/* Not by memcmp(): where that is hooked, it would be a comparison of the
 * program. */
static bool
cmplog_is_zero(const uint8_t *at, size_t len)
{
	uint64_t word, all = 0;

	for (size_t i = 0; i < len; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		all |= word;
	}
	return all == 0;
}

/* Skips rows that the program has not come to, as most of them are. */
static uint32_t
cmplog_skip(const struct afl_cmplog *c, const struct afl_cmplog_layout *l,
	uint32_t index)
{
	size_t header = l->header;

	while (index < AFL_CMPLOG_ROWS && index % CMPLOG_BLOCK == 0 &&
		cmplog_is_zero(c->map + index * header, CMPLOG_BLOCK * header))
		index += CMPLOG_BLOCK;
	return index;
}

/* False: the program has not come there. */
static bool
cmplog_row(const struct afl_cmplog *c, const struct afl_cmplog_layout *l,
	uint32_t index, struct cmplog_row *row)
{
	uint64_t header = 0;

	memcpy(&header, c->map + (size_t)index * l->header, l->header);
	if (header == 0)
		return false;
	*row = (struct cmplog_row){ .index = index,
		.hits = cmplog_bits(header, 0, l->hits),
		.shape = cmplog_bits(header, l->shape, 5),
		.type = cmplog_bits(header, l->type, l->type_bits),
		.attribute = cmplog_bits(header, l->attribute, 4),
		.at = c->map + (size_t)AFL_CMPLOG_ROWS * l->header +
			(size_t)index * CMPLOG_COLUMNS * l->number };
	return true;
}

/* Only unequal numbers are recorded, so that one of them is not 0. */
static bool
cmplog_row_fits(const struct afl_cmplog_layout *l, const struct cmplog_row *row)
{
	uint64_t a, b;

	if (row->hits == 0)
		return false;
	memcpy(&a, row->at + l->number_at[0], sizeof(a));
	memcpy(&b, row->at + l->number_at[1], sizeof(b));
	if (row->type == l->number_type)
		return a != b;
	return row->type == l->bytes_type && row->at[l->len_at[0]] != 0 &&
		row->at[l->len_at[1]] != 0;
}

/* The number of rows that make sense in the layout, 0 if too many do not. */
static uint32_t
cmplog_count_fits(const struct afl_cmplog *c, const struct afl_cmplog_layout *l)
{
	uint32_t good = 0, all = 0;
	struct cmplog_row row;

	for (uint32_t i = cmplog_skip(c, l, 0);
		i < AFL_CMPLOG_ROWS && all < CMPLOG_SAMPLE;
		i = cmplog_skip(c, l, i + 1)) {
		if (!cmplog_row(c, l, i, &row))
			continue;
		all++;
		good += cmplog_row_fits(l, &row);
	}
	return CMPLOG_FITS(good, all) ? good : 0;
}

static const struct afl_cmplog_layout *
cmplog_find_layout(const struct afl_cmplog *c)
{
	const struct afl_cmplog_layout *best = NULL;
	uint32_t best_n = 0;

	for (size_t i = 0; i < CMPLOG_LAYOUTS_N; i++) {
		uint32_t n = cmplog_count_fits(c, &CMPLOG_LAYOUTS[i]);

		if (n > best_n) {
			best = &CMPLOG_LAYOUTS[i];
			best_n = n;
		}
	}
	return best;
}

static void
cmplog_numbers(const struct afl_cmplog_layout *l, const struct cmplog_row *row)
{
	uint32_t bytes = row->shape + 1, width = 8;
	unsigned shape;

	while (width > 1 && bytes <= width / 2)
		width /= 2;
	shape = width |
		((row->attribute & CMPLOG_FLOAT) && width >= 4 ? COMPARE_FLOAT
							       : 0);
	for (uint32_t i = 0; i < row->hits && i < CMPLOG_COLUMNS; i++) {
		const uint8_t *column = row->at + (size_t)i * l->number;
		uint64_t a, b;

		memcpy(&a, column + l->number_at[0], sizeof(a));
		memcpy(&b, column + l->number_at[1], sizeof(b));
		if (width < 8) {
			a &= (1ull << width * 8) - 1;
			b &= (1ull << width * 8) - 1;
		}
		compare_number(row->index, a, b, shape);
	}
}

/* A string ends at its NUL, and so do bytes of unknown length. */
static void
cmplog_cut(struct compare_pair *pair, const bool exact[2])
{
	for (int k = 0; k < 2; k++) {
		size_t n = strnlen((char *)pair->bytes[k], pair->len[k]);

		if (n > 0 && n < pair->len[k] &&
			(!exact[k] || n + 1u == pair->len[k])) {
			pair->len[k] = (uint8_t)n;
			pair->shape |= COMPARE_TEXT;
		}
	}
}

static void
cmplog_bytes(const struct afl_cmplog_layout *l, const struct cmplog_row *row)
{
	uint32_t columns = CMPLOG_COLUMNS * l->number / l->bytes;

	for (uint32_t i = 0; i < row->hits && i < columns; i++) {
		const uint8_t *column = row->at + (size_t)i * l->bytes;
		struct compare_pair pair = { .shape = 0 };
		bool exact[2], equal;

		for (int k = 0; k < 2; k++) {
			uint8_t len = column[l->len_at[k]];

			exact[k] = (len & CMPLOG_FN_EXACT) != 0;
			len &= (uint8_t)~CMPLOG_FN_EXACT;
			/* Some layouts have one byte less. */
			if (len > CMPLOG_FN_BYTES - 1)
				len = CMPLOG_FN_BYTES - 1;
			pair.len[k] = len;
			memcpy(pair.bytes[k], column + l->bytes_at[k], len);
		}
		equal = pair.len[0] == pair.len[1] &&
			memcmp(pair.bytes[0], pair.bytes[1], pair.len[0]) == 0;
		cmplog_cut(&pair, exact);
		if (pair.len[0] > 0 && pair.len[1] > 0)
			compare_bytes(row->index, &pair, equal);
	}
}

void
afl_cmplog_clear(struct afl_cmplog *c)
{
	size_t header = c->layout != NULL ? c->layout->header : 8;

	memset(c->map, 0, AFL_CMPLOG_ROWS * header);
}

void
afl_cmplog_read(struct afl_cmplog *c)
{
	const struct afl_cmplog_layout *l = c->layout;
	struct cmplog_row row;

	if (l == NULL)
		l = c->layout = cmplog_find_layout(c);
	if (l == NULL)
		return;
	for (uint32_t i = cmplog_skip(c, l, 0); i < AFL_CMPLOG_ROWS;
		i = cmplog_skip(c, l, i + 1)) {
		if (!cmplog_row(c, l, i, &row) || row.hits == 0)
			continue;
		if (row.type == l->number_type)
			cmplog_numbers(l, &row);
		else if (row.type == l->bytes_type)
			cmplog_bytes(l, &row);
	}
}
