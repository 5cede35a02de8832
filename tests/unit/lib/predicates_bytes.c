/* predicates_bytes: some bytes matter, or all together, see predicates.h. */

#include "lib/predicates_private.h"

#include <string.h>

/* ---- single bytes ---- */

static void
draw_place(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 0, p->len - 1 < 200 ? p->len - 1 : 200);
	p->byte = p->start[p->number];
}

static bool
has_place(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len > p->number && data[p->number] == p->byte;
}

static void
draw_distance(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 1, 40);
	p->byte = (uint8_t)predicate_number(r, 0, 255);
	p->more = predicate_number(r, 0, p->len - p->number - 1);
	p->start[p->more] = p->start[p->more + p->number] = p->byte;
}

static bool
has_distance(const struct predicate *p, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i + p->number < len; i++)
		if (data[i] == p->byte && data[i + p->number] == p->byte)
			return true;
	return false;
}

static void
draw_steps(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 2, 7);
	p->more = predicate_number(r, 0, 1);
}

/* Bytes at places of a pattern are larger than those before. */
static bool
has_steps(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = 0;

	for (size_t i = 1; i < len && n < p->number; i += 1 + p->more)
		n += data[i] > data[i - 1];
	return n >= p->number;
}

static void
draw_run(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 2, 30);
	p->byte = (uint8_t)predicate_number(r, 0, 255);
	memset(p->start + predicate_number(r, 0, p->len - p->number), p->byte,
		p->number);
}

static bool
has_run(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n < p->number; i++)
		n = data[i] == p->byte ? n + 1 : 0;
	return n >= p->number;
}

static void
draw_sorted(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 3, 9);
	for (size_t i = 1, at = predicate_number(r, 0, p->len - 12); i < 12;
		i++)
		p->start[at + i] = (uint8_t)(p->start[at] + i);
}

static bool
is_sorted(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = 1;

	for (size_t i = 1; i < len && n < p->number; i++)
		n = data[i] >= data[i - 1] ? n + 1 : 1;
	return len > 0 && n >= p->number;
}

static void
draw_distinct(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 2, 40);
}

static bool
is_distinct(const struct predicate *p, const uint8_t *data, size_t len)
{
	bool seen[256] = { false };
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		n += !seen[data[i]];
		seen[data[i]] = true;
	}
	return n >= p->number;
}

static void
draw_count(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->byte = (uint8_t)predicate_number(r, 0, 255);
	p->number = predicate_number(r, 1, 9);
	for (size_t n = predicate_number(r, p->number, 12); n > 0; n--)
		p->start[predicate_number(r, 0, p->len - 1)] = p->byte;
}

static size_t
count(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += data[i] == p->byte;
	return n;
}

static bool
has_count(const struct predicate *p, const uint8_t *data, size_t len)
{
	return count(p, data, len) >= p->number;
}

static bool
has_count_exactly(const struct predicate *p, const uint8_t *data, size_t len)
{
	return count(p, data, len) == p->number;
}

/* ---- all bytes together ---- */

static size_t
sum(const uint8_t *data, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += data[i];
	return n;
}

static void
draw_sum(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_number(r, 20, 200), false);
	p->number = sum(p->start, p->len) * predicate_number(r, 1, 9) / 10;
}

static bool
has_sum(const struct predicate *p, const uint8_t *data, size_t len)
{
	return sum(data, len) > p->number;
}

static void
draw_parity(struct predicate *p, struct prng *r)
{
	predicate_one_word(p, r);
	p->more = predicate_number(r, 2, 8);
	p->number = sum(p->start, p->len) % p->more;
}

static bool
has_parity(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len > 0 && sum(data, len) % p->more == p->number;
}

static bool
has_parity_and_word(const struct predicate *p, const uint8_t *data, size_t len)
{
	return has_parity(p, data, len) && predicate_has_words(p, data, len);
}

/* The last byte is the sum of those before. */
static void
draw_checksum(struct predicate *p, struct prng *r)
{
	predicate_one_word(p, r);
	p->start[p->len] = (uint8_t)sum(p->start, p->len);
	p->len++;
}

static bool
has_checksum(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len > 1 && data[len - 1] == (uint8_t)sum(data, len - 1) &&
		predicate_has_words(p, data, len);
}

static void
draw_chaos(struct predicate *p, struct prng *r)
{
	predicate_one_word(p, r);
	p->number = predicate_number(r, 2, 12);
}

/* A hash of all bytes decides: no cut says anything about the next one. */
static bool
is_chaos(const struct predicate *p, const uint8_t *data, size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ data[i]) * 16777619u;
	return hash % p->number == 0 && predicate_has_words(p, data, len);
}

/* clang-format off */
const struct predicate_family PREDICATE_BYTE_FAMILIES[] = {
	{ "a byte at a place", has_place, draw_place },
	{ "bytes at a distance", has_distance, draw_distance },
	{ "steps up", has_steps, draw_steps },
	{ "a run of bytes", has_run, draw_run },
	{ "sorted bytes", is_sorted, draw_sorted },
	{ "distinct bytes", is_distinct, draw_distinct },
	{ "count of a byte", has_count, draw_count },
	{ "count of a byte, exactly", has_count_exactly, draw_count },
	{ "sum", has_sum, draw_sum },
	{ "parity", has_parity, draw_parity },
	{ "parity and a word", has_parity_and_word, draw_parity },
	{ "checksum", has_checksum, draw_checksum },
	{ "chaos", is_chaos, draw_chaos },
	{ NULL, NULL, NULL },
};
/* clang-format on */
