/*
 * mutate_number: see mutate_number.h. A step from a number that begins with a zero
 * keeps its width, because such a width often has a meaning.
 */

#include "shared/mutate/mutate_number.h"

#include <string.h>

#include "shared/mutate/digits.h"
#include "shared/mutate/edit.h"

#define NUMBER_TEXT_MAX 64 /* room for any number written here */
#define NUMBER_REST_MAX 64 /* digits of a fraction or an exponent */
#define NUMBER_STEP_MAX 35
#define NUMBER_ROW_MAX 320 /* digits that are added at once */
#define NUMBER_COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const NUMBER_DECIMALS[] = { "0", "1", "-1", "2", "3", "7",
	"9", "10", "16", "32", "64", "99", "100", "127", "128", "-128", "-129",
	"255", "256", "257", "999", "1000", "1024", "4096", "9999", "10000",
	"32767", "32768", "-32768", "-32769", "65535", "65536", "65537",
	"100000", "1000000", "1114111", "1114112", "16777216", "2147483647",
	"2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
	"4294967297", "9007199254740991", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808",
	"-9223372036854775809", "18446744073709551615", "18446744073709551616",
	"340282366920938463463374607431768211456",
	"99999999999999999999999999999999999999999999999999", "-0", "00", "0.1",
	"-0.0", "0.5", "1.5", "1e1", "1e-1", "1E+9", "1e19", "1e308", "-1e308",
	"1e309", "1e-308", "1e-400", "4.9e-324", "1e99999", "0e0", "0x10", "1.",
	".1", "nan", "inf" };
static const char *const NUMBER_HEXES[] = { "0", "1", "7", "8", "f", "10", "20",
	"7f", "80", "ff", "100", "7ff", "800", "d800", "dfff", "fffd", "7fff",
	"8000", "ffff", "10000", "10ffff", "110000", "ffffff", "7fffffff",
	"80000000", "ffffffff", "100000000", "7fffffffffffffff",
	"8000000000000000", "ffffffffffffffff", "10000000000000000" };

/* A number being written. */
struct number_writer {
	uint8_t bytes[NUMBER_TEXT_MAX];
	size_t n;
};

/* Replaces the digits and their sign by a text. */
static bool
number_put(struct mutable *m, const struct span *span, const uint8_t *bytes,
	size_t n, struct mutation *done, enum mutate_op op)
{
	return edit_replace(m, span, bytes, n) &&
		edit_done(done, op, span->at, n);
}

static struct span
number_span(const struct digits *number)
{
	return (struct span){ number->at - number->minus,
		number->len + number->minus };
}

static int64_t
number_next(int64_t value, struct prng *prng)
{
	switch (prng_intn(prng, 8)) {
	case 0:
		return value + 1;
	case 1:
		return value - 1;
	case 2:
		return value + 1 + (int64_t)prng_intn(prng, NUMBER_STEP_MAX);
	case 3:
		return value - 1 - (int64_t)prng_intn(prng, NUMBER_STEP_MAX);
	case 4:
		return value * 2;
	case 5:
		return value / 2;
	case 6:
		return -value;
	default:
		return value ^ (int64_t)1 << prng_intn(prng, 32);
	}
}

static bool
number_step(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct number_writer w = { .n = 0 };
	struct digits number;
	int64_t value, next;
	struct span span;
	size_t width;

	if (!digits_find(m->data, m->len, prng_intn(prng, m->len), &number))
		return false;
	span = number_span(&number);
	value = number.minus ? -(int64_t)number.value : (int64_t)number.value;
	next = number_next(value, prng);
	if (next == value) /* 0 was doubled, halved or negated */
		next++;
	width = m->data[number.at] == '0' ? number.len : 1;
	if (next < 0)
		w.bytes[w.n++] = '-';
	w.n += digits_format(w.bytes + w.n, (uint64_t)(next < 0 ? -next : next),
		number.hex, width);
	return number_put(m, &span, w.bytes, w.n, done, MUTATE_NUMBER_STEP);
}

/* A number at or next to a power of two, of either sign. */
static void
number_write_power(struct number_writer *w, bool hex, struct prng *prng)
{
	uint64_t value = (uint64_t)1 << prng_intn(prng, 64);

	value += prng_intn(prng, 3) - 1;
	if (!hex && prng_intn(prng, 4) == 0)
		w->bytes[w->n++] = '-';
	w->n += digits_format(w->bytes + w->n, value, hex, 1);
}

static void
number_write_value(struct number_writer *w, bool hex, struct prng *prng)
{
	const char *text;

	if (prng_bool(prng)) {
		number_write_power(w, hex, prng);
		return;
	}
	text = hex ? NUMBER_HEXES[prng_intn(prng, NUMBER_COUNT(NUMBER_HEXES))]
		   : NUMBER_DECIMALS[prng_intn(prng,
			     NUMBER_COUNT(NUMBER_DECIMALS))];
	w->n = strlen(text);
	memcpy(w->bytes, text, w->n);
}

/* The end of the digits from a position on, after a few at most. */
static size_t
number_skip(const uint8_t *data, size_t len, size_t at)
{
	size_t last = NUMBER_REST_MAX < len - at ? at + NUMBER_REST_MAX : len;

	while (at < last && digits_is(data[at]))
		at++;
	return at;
}

/* Extends the span by the fraction and the exponent that follow. */
static void
number_take_rest(const struct mutable *m, struct span *span)
{
	size_t end = span->at + span->len, at;

	if (end + 1 < m->len && m->data[end] == '.')
		end = number_skip(m->data, m->len, end + 1);
	if (end + 1 < m->len && (m->data[end] | 0x20) == 'e') {
		at = end + 1;
		if (m->data[at] == '-' || m->data[at] == '+')
			at++;
		if (at < m->len && digits_is(m->data[at]))
			end = number_skip(m->data, m->len, at);
	}
	span->len = end - span->at;
}

static bool
number_set(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct number_writer w = { .n = 0 };
	struct digits number;
	struct span span;

	if (!digits_find(m->data, m->len, prng_intn(prng, m->len), &number))
		return false;
	span = number_span(&number);
	if (!number.hex && prng_bool(prng))
		number_take_rest(m, &span);
	number_write_value(&w, number.hex, prng);
	return number_put(m, &span, w.bytes, w.n, done, MUTATE_NUMBER_SET);
}

static uint8_t
number_draw_digit(bool hex, struct prng *prng)
{
	return (uint8_t) "0123456789abcdef"[prng_intn(prng, hex ? 16 : 10)];
}

static size_t
number_draw_row(uint8_t *bytes, size_t n, bool hex, struct prng *prng)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = number_draw_digit(hex, prng);
	return n;
}

/* Repeats one digit: a cheap way to overflow. */
static size_t
number_draw_same(uint8_t *bytes, uint8_t digit, struct prng *prng)
{
	size_t n = prng_choose_len(prng, NUMBER_ROW_MAX);

	memset(bytes, digit, n);
	return n;
}

/* ".25" or "e-7" */
static size_t
number_draw_suffix(uint8_t *bytes, uint8_t letter, struct prng *prng)
{
	size_t n = 0;

	bytes[n++] = letter;
	if (letter == 'e' && prng_bool(prng))
		bytes[n++] = '-';
	return n +
		number_draw_row(bytes + n, prng_choose_len(prng, 32), false,
			prng);
}

/*
 * Draws the new digits and their place: span becomes the bytes to replace,
 * possibly none. Returns the number of new bytes.
 */
static size_t
number_draw_digits(const struct digits *number, struct span *span,
	uint8_t *bytes, struct prng *prng)
{
	size_t offset = number->at + prng_intn(prng, number->len);
	size_t end = number->at + number->len;
	unsigned kind = (unsigned)prng_intn(prng, 8);

	switch (kind) {
	case 0:
		*span = (struct span){ number->at, number->len };
		return number_draw_row(bytes, number->len, number->hex, prng);
	case 1:
		*span = (struct span){ offset, 0 };
		return number_draw_row(bytes, 1, number->hex, prng);
	case 2:
		*span = (struct span){ offset, 1 };
		return number->len > 1
			? 0
			: number_draw_row(bytes, 1, number->hex, prng);
	case 3:
		*span = (struct span){ number->at, 0 };
		return number_draw_same(bytes, '0', prng);
	case 4:
		*span = (struct span){ offset, 0 };
		return number_draw_same(bytes,
			number_draw_digit(number->hex, prng), prng);
	case 5:
	case 6:
		*span = (struct span){ end, 0 };
		return number_draw_suffix(bytes, kind == 5 ? '.' : 'e', prng);
	default:
		*span = (struct span){ offset, 1 };
		return number_draw_row(bytes, 1, number->hex, prng);
	}
}

/* Records the place of the new digits, or of a removed one. */
static bool
number_digits(struct mutable *m, struct prng *prng, struct mutation *done)
{
	uint8_t bytes[NUMBER_ROW_MAX];
	struct digits number;
	struct span span;
	size_t n;

	if (!digits_find(m->data, m->len, prng_intn(prng, m->len), &number))
		return false;
	n = number_draw_digits(&number, &span, bytes, prng);
	if (!edit_replace(m, &span, bytes, n))
		return false;
	/* After a removal, record the next digit, or the one before. */
	if (n == 0 && span.at == number.at + number.len - 1)
		span.at--;
	return edit_done(done, MUTATE_NUMBER_DIGITS, span.at, n > 0 ? n : 1);
}

bool
mutate_number(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	if (m->len == 0)
		return false;
	switch (op) {
	case MUTATE_NUMBER_STEP:
		return number_step(m, prng, done);
	case MUTATE_NUMBER_SET:
		return number_set(m, prng, done);
	case MUTATE_NUMBER_DIGITS:
		return number_digits(m, prng, done);
	default:
		return false;
	}
}
