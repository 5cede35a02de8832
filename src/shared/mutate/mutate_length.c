/*
 * mutate_length: see mutate_length.h.
 *
 * A field may measure anything. Here it measures its payload, a piece of the
 * value behind it; both change by the same number of bytes.
 */

#include "shared/mutate/mutate_length.h"

#include <string.h>

#include "shared/mutate/digits.h"
#include "shared/mutate/edit.h"

#define LENGTH_SEARCH 16 /* positions */
#define LENGTH_HEADER 16 /* bytes that contain most fields */
#define LENGTH_GROW_MAX 256
#define LENGTH_DIGITS_MORE 8 /* more digits that a grown number may have */
#define LENGTH_GAP_MAX 4     /* between a number and what it measures */
#define LENGTH_STEP_MAX 35

struct length_field {
	struct span span;
	uint64_t value;
	bool text;   /* digits; false: bytes */
	bool little; /* the byte order */
	bool hex;
	struct span payload;
};

static uint64_t
length_load(const uint8_t *at, size_t width, bool little)
{
	uint64_t value = 0;

	for (size_t i = 0; i < width; i++)
		value = value << 8 | at[little ? width - 1 - i : i];
	return value;
}

static void
length_store(uint8_t *at, size_t width, bool little, uint64_t value)
{
	for (size_t i = 0; i < width; i++, value >>= 8)
		at[little ? i : width - 1 - i] = (uint8_t)value;
}

static uint64_t
length_most(size_t width)
{
	return ((uint64_t)1 << 8 * width) - 1;
}

/* True for the bytes behind the field, from the field on, or all of them. */
static inline bool
length_tells(size_t value, size_t len, size_t at, size_t width)
{
	size_t before = len - value;

	return value > 0 && value <= len &&
		(before == at + width || before == at || before == 0);
}

/*
 * Tries the bytes at a position as a number of each width that gives its
 * length, the widest first: that one is the least likely to match by accident.
 * Returns the width, 0 for none.
 */
static inline size_t
length_exact(const struct mutable *m, size_t at, bool *little)
{
	const uint8_t *p = m->data + at;
	uint32_t first = 0, last = 0;
	size_t left = m->len - at;

	if (left > 4) { /* compiles to a load and a swap */
		first = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
			(uint32_t)p[2] << 8 | p[3];
		last = __builtin_bswap32(first);
		*little = length_tells(last, m->len, at, 4);
		if (*little || length_tells(first, m->len, at, 4))
			return 4;
	}
	if (left > 2) {
		first = (uint32_t)p[0] << 8 | p[1];
		last = (uint32_t)p[1] << 8 | p[0];
		*little = length_tells(last, m->len, at, 2);
		if (*little || length_tells(first, m->len, at, 2))
			return 2;
	}
	*little = true;
	return left > 1 && length_tells(p[0], m->len, at, 1) ? 1 : 0;
}

static size_t
length_draw_start(const struct mutable *m, struct prng *prng)
{
	return prng_bool(prng) ? 0 : prng_intn(prng, m->len);
}

static bool
length_find_exact(const struct mutable *m, struct prng *prng,
	struct length_field *field)
{
	size_t at = length_draw_start(m, prng), width;
	size_t last = m->len - at > LENGTH_SEARCH ? at + LENGTH_SEARCH : m->len;
	bool little;

	for (; at < last; at++) {
		width = length_exact(m, at, &little);
		if (width == 0)
			continue;
		*field = (struct length_field){ .span = { at, width },
			.value = length_load(m->data + at, width, little),
			.little = little,
			.payload = { at + width, m->len - at - width } };
		return true;
	}
	return false;
}

/* Any number that fits in the bytes behind it. */
static bool
length_find_inner(const struct mutable *m, struct prng *prng,
	struct length_field *field)
{
	size_t width = (size_t)1 << prng_intn(prng, 3);
	bool little = prng_bool(prng);
	uint64_t value;
	size_t at;

	if (m->len <= width)
		return false;
	at = prng_intn(prng, m->len - width);
	value = length_load(m->data + at, width, little);
	if (value == 0 || value > m->len - at - width)
		return false;
	*field = (struct length_field){ .span = { at, width },
		.value = value,
		.little = little,
		.payload = { at + width, value } };
	return true;
}

/* The gap behind digits: a few spaces and line breaks, or one other sign. */
static size_t
length_gap(const struct mutable *m, size_t at, size_t most)
{
	size_t n = 0;

	if (most > LENGTH_GAP_MAX)
		most = LENGTH_GAP_MAX;
	while (n < most && span_class(m->data[at + n]) == SPAN_SPACE)
		n++;
	if (n == 0 && most > 0 && span_class(m->data[at]) != SPAN_WORD)
		n = 1;
	return n;
}

static bool
length_find_text(const struct mutable *m, struct prng *prng,
	struct length_field *field)
{
	struct digits digits;
	size_t end, left, gap;

	if (!digits_find(m->data, m->len, length_draw_start(m, prng), &digits))
		return false;
	end = digits.at + digits.len;
	left = m->len - end;
	if (digits.minus || digits.value == 0 || digits.value > left)
		return false;
	gap = length_gap(m, end, left - digits.value);
	*field = (struct length_field){ .span = { digits.at, digits.len },
		.value = digits.value,
		.text = true,
		.hex = digits.hex,
		.payload = { end + gap, digits.value } };
	return true;
}

static bool
length_find(const struct mutable *m, struct prng *prng,
	struct length_field *field)
{
	switch (prng_intn(prng, 4)) {
	case 0:
		return length_find_inner(m, prng, field);
	case 1:
		return length_find_text(m, prng, field);
	default:
		return length_find_exact(m, prng, field);
	}
}

/*
 * Writes another value into the field. False if the value does not fit or is
 * the old one. Adjusts the span's length to the new digits.
 */
static bool
length_write(struct mutable *m, struct length_field *field, uint64_t value)
{
	uint8_t text[DIGITS_TEXT_MAX];
	size_t width = field->span.len, n;

	if (!field->text) {
		if (value > length_most(width) || value == field->value)
			return false;
		length_store(m->data + field->span.at, width, field->little,
			value);
		return true;
	}
	if (m->data[field->span.at] != '0')
		width = 1;
	n = digits_format(text, value, field->hex, width);
	if (!edit_replace(m, &field->span, text, n))
		return false;
	field->span.len = n;
	return true;
}

/* Makes new bytes: a copy from the payload, one byte repeated, or any. */
static void
length_fill(const struct mutable *m, const struct span *payload, uint8_t *bytes,
	size_t n, struct prng *prng)
{
	size_t at;

	if (prng_bool(prng) && n <= payload->len) {
		at = prng_intn(prng, payload->len - n + 1);
		memcpy(bytes, m->data + payload->at + at, n);
		return;
	}
	if (prng_bool(prng)) {
		memset(bytes, (int)prng_intn(prng, 256), n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)prng_intn(prng, 256);
}

/* The payload lies behind the field: change it first, the field stays. */
static bool
length_grow(struct mutable *m, struct prng *prng, struct mutation *done)
{
	uint8_t bytes[LENGTH_GROW_MAX];
	struct length_field field;
	size_t n, at, width;

	if (!length_find(m, prng, &field))
		return false;
	n = prng_choose_len(prng, LENGTH_GROW_MAX);
	if (n + LENGTH_DIGITS_MORE * field.text > edit_free(m))
		return false;
	if (!field.text && field.value + n > length_most(field.span.len))
		return false;
	length_fill(m, &field.payload, bytes, n, prng);
	at = field.payload.at + prng_intn(prng, field.payload.len + 1);
	width = field.span.len;
	if (!mutate_replace(m, at, 0, bytes, n) ||
		!length_write(m, &field, field.value + n))
		return false;
	return edit_done(done, MUTATE_LENGTH_GROW, at + field.span.len - width,
		n);
}

static bool
length_shrink(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct length_field field;
	size_t n, at, width;

	if (!length_find(m, prng, &field) || field.payload.len == 0)
		return false;
	n = prng_choose_len(prng, field.payload.len);
	at = field.payload.at + prng_intn(prng, field.payload.len - n + 1);
	width = field.span.len;
	if (!mutate_replace(m, at, n, m->data, 0) ||
		!length_write(m, &field, field.value - n))
		return false;
	return edit_done(done, MUTATE_LENGTH_SHRINK,
		at + field.span.len - width, n);
}

static uint64_t
length_draw_other(const struct length_field *field, struct prng *prng)
{
	size_t width = field->text ? 4 : field->span.len;
	uint64_t most = length_most(width), value = field->value;

	switch (prng_intn(prng, 8)) {
	case 0:
		return (value + 1) & most;
	case 1:
		return (value - 1) & most;
	case 2:
		return (value + 1 + prng_intn(prng, LENGTH_STEP_MAX)) & most;
	case 3:
		return (value - 1 - prng_intn(prng, LENGTH_STEP_MAX)) & most;
	case 4:
		return 0;
	case 5:
		return most - prng_intn(prng, 2) * (most / 2 + 1);
	case 6:
		return (value * 2) & most;
	default:
		return prng_u32(prng) & most;
	}
}

static bool
length_change(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct length_field field;

	return length_find(m, prng, &field) &&
		length_write(m, &field, length_draw_other(&field, prng)) &&
		edit_done(done, MUTATE_LENGTH_CHANGE, field.span.at,
			field.span.len);
}

/* Draws digits, or bytes: half of these near the start, most aligned. */
static bool
length_draw_field(const struct mutable *m, struct prng *prng,
	struct length_field *field)
{
	size_t width = (size_t)1 << prng_intn(prng, 3), last, at;
	struct digits digits;

	if (prng_intn(prng, 4) == 0) {
		if (!digits_find(m->data, m->len, length_draw_start(m, prng),
			    &digits))
			return false;
		*field = (struct length_field){ .text = true,
			.hex = digits.hex,
			.span = { digits.at, digits.len } };
		return true;
	}
	if (m->len < width)
		return false;
	last = m->len - width;
	if (last >= LENGTH_HEADER && prng_bool(prng))
		last = LENGTH_HEADER - 1;
	at = prng_intn(prng, last + 1);
	if (prng_intn(prng, 4) > 0)
		at -= at % width;
	*field = (struct length_field){ .little = prng_bool(prng),
		.span = { at, width },
		.value = UINT64_MAX };
	return true;
}

/* The value of the new field: mostly the number of bytes behind it. */
static uint64_t
length_draw_value(const struct mutable *m, const struct span *field,
	struct prng *prng)
{
	size_t behind = m->len - field->at - field->len, less;

	switch (prng_intn(prng, 8)) {
	case 0:
		return m->len;
	case 1:
		return m->len - field->at;
	case 2:
	case 3:
		less = 1 + prng_intn(prng, LENGTH_HEADER);
		return less < behind ? behind - less : 0;
	default:
		return behind;
	}
}

static bool
length_set(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct length_field field;
	uint64_t value;

	if (!length_draw_field(m, prng, &field))
		return false;
	value = length_draw_value(m, &field.span, prng);
	if (!field.text)
		field.value = length_load(m->data + field.span.at,
			field.span.len, field.little);
	return length_write(m, &field, value) &&
		edit_done(done, MUTATE_LENGTH_SET, field.span.at,
			field.span.len);
}

bool
mutate_length(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	if (m->len == 0)
		return false;
	switch (op) {
	case MUTATE_LENGTH_GROW:
		return length_grow(m, prng, done);
	case MUTATE_LENGTH_SHRINK:
		return length_shrink(m, prng, done);
	case MUTATE_LENGTH_CHANGE:
		return length_change(m, prng, done);
	case MUTATE_LENGTH_SET:
		return length_set(m, prng, done);
	default:
		return false;
	}
}
