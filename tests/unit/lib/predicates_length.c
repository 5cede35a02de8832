/* predicates_length: inputs whose length matters, see predicates.h. */

#include "lib/predicates_private.h"

#include <string.h>

static void
draw_long(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_len(r), false);
	p->number = predicate_number(r, 1, p->len < 300 ? p->len : 300);
}

static bool
is_long(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len >= p->number;
}

static void
draw_very_long(struct predicate *p, struct prng *r)
{
	predicate_start(p, r, predicate_number(r, 400, 700), false);
	predicate_words(p, r, 1);
	predicate_put_words(p, r);
	p->number = predicate_number(r, 257, 400);
}

static bool
is_very_long(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len >= p->number && predicate_has_words(p, data, len);
}

static void
draw_blocks(struct predicate *p, struct prng *r)
{
	p->number = predicate_number(r, 2, 40);
	predicate_start(p, r, p->number * predicate_number(r, 2, 9), false);
	p->byte = p->start[predicate_number(r, 0, p->len - 1)];
}

static bool
is_in_blocks(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len > 0 && len % p->number == 0 &&
		memchr(data, p->byte, len) != NULL;
}

/* Its first two bytes say how long the rest is. */
static void
draw_length_field(struct predicate *p, struct prng *r)
{
	predicate_one_word(p, r);
	p->number = predicate_number(r, 0, 40);
	p->start[0] = (uint8_t)(p->len - 2);
	p->start[1] = (uint8_t)((p->len - 2) >> 8);
}

static bool
has_length_field(const struct predicate *p, const uint8_t *data, size_t len)
{
	return len >= 2 && data[0] + 256u * data[1] == len - 2 &&
		len >= p->number;
}

static bool
has_short_length_field(const struct predicate *p, const uint8_t *data,
	size_t len)
{
	return len >= 2 && data[0] + 256u * data[1] > len - 2 &&
		predicate_has_words(p, data + 2, len - 2);
}

static void
draw_short_length_field(struct predicate *p, struct prng *r)
{
	draw_length_field(p, r);
	p->start[1]++;
}

/* Records of a kind, a length and so many bytes; one of a kind is wanted. */
static void
draw_records(struct predicate *p, struct prng *r)
{
	p->len = 0;
	p->byte = (uint8_t)predicate_number(r, 'A', 'F');
	p->number = predicate_number(r, 1, 6);
	for (size_t n = predicate_number(r, 4, 20); n > 0; n--) {
		size_t len = predicate_number(r, 0, 20);

		p->start[p->len++] = (uint8_t)predicate_number(r, 'A', 'F');
		p->start[p->len++] = (uint8_t)len;
		while (len-- > 0)
			p->start[p->len++] =
				(uint8_t)predicate_number(r, 0, 255);
	}
}

static bool
has_records(const struct predicate *p, const uint8_t *data, size_t len)
{
	size_t at = 0;
	bool seen = false;

	while (at + 2 <= len) {
		seen |= data[at] == p->byte && data[at + 1] >= p->number;
		if (data[at + 1] > len - at - 2)
			return false;
		at += 2 + data[at + 1];
	}
	return seen && at == len;
}

/* clang-format off */
const struct predicate_family PREDICATE_LENGTH_FAMILIES[] = {
	{ "length", is_long, draw_long },
	{ "large length and a word", is_very_long, draw_very_long },
	{ "length in blocks", is_in_blocks, draw_blocks },
	{ "length field", has_length_field, draw_length_field },
	{ "length field too large", has_short_length_field,
		draw_short_length_field },
	{ "records", has_records, draw_records },
	{ NULL, NULL, NULL },
};
/* clang-format on */
