/*
 * decimal: see decimal.h.
 *
 * The C library does the arithmetic, but only with digits and an exponent. The
 * decimal point depends on the locale, so it is neither written nor read.
 */

#include "shared/values/decimal.h"

#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This many digits tell a value from every midpoint of two doubles. */
#define DECIMAL_KEPT_MAX 800
#define DECIMAL_EXPONENT_MAX 100000
#define DECIMAL_SHORTEST_MAX 17

/* 0.d1d2d3… times ten to the power of point. */
struct decimal {
	char digits[DECIMAL_SHORTEST_MAX + 1];
	int n;
	int point;
};

static double
decimal_read(const char *text, bool narrow)
{
	return narrow ? (double)strtof(text, NULL) : strtod(text, NULL);
}

static bool
decimal_reads_as(const struct decimal *d, double value, bool narrow)
{
	char text[DECIMAL_SHORTEST_MAX + 16];

	snprintf(text, sizeof(text), "%.*se%d", d->n, d->digits,
		d->point - d->n);
	return decimal_read(text, narrow) == value;
}

/* The n digits nearest to a positive value. */
static void
decimal_round(struct decimal *d, double value, int n)
{
	char text[64];
	const char *at = text;

	snprintf(text, sizeof(text), "%.*e", n - 1, value);
	d->n = 0;
	for (; *at && *at != 'e'; at++) {
		if (*at >= '0' && *at <= '9' && d->n < n)
			d->digits[d->n++] = *at;
	}
	d->point = (*at == 'e' ? atoi(at + 1) : 0) + 1;
}

/* Adds one to the last digit. Returns false if all digits are nines. */
static bool
decimal_increment(struct decimal *d)
{
	int i = d->n - 1;

	while (i >= 0 && d->digits[i] == '9')
		d->digits[i--] = '0';
	if (i < 0)
		return false;
	d->digits[i]++;
	return true;
}

/* Floats below a power of two lie closer together than floats above it. */
static bool
decimal_is_power(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return (bits & ((UINT64_C(1) << (DBL_MANT_DIG - 1)) - 1)) == 0;
}

/*
 * The nearest digits are the shortest, except at a power of two: there the next
 * digits up may read back as the value when the nearest, below, do not.
 */
static void
decimal_shortest(struct decimal *d, double value, bool narrow)
{
	int most = narrow ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;

	for (int n = 1; n <= most; n++) {
		decimal_round(d, value, n);
		if (decimal_reads_as(d, value, narrow))
			break;
		if (decimal_is_power(value) && decimal_increment(d) &&
			decimal_reads_as(d, value, narrow))
			break;
	}
	while (d->n > 1 && d->digits[d->n - 1] == '0')
		d->n--;
}

static void
decimal_format_scientific(struct sink *sink, const struct decimal *d)
{
	char exponent[16];

	sink_char(sink, d->digits[0]);
	if (d->n > 1) {
		sink_char(sink, '.');
		sink_put(sink, d->digits + 1, (size_t)d->n - 1);
	}
	snprintf(exponent, sizeof(exponent), "e%+03d", d->point - 1);
	sink_text(sink, exponent);
}

static void
decimal_format_plain(struct sink *sink, const struct decimal *d)
{
	if (d->point <= 0)
		sink_char(sink, '0');
	for (int i = d->point < 0 ? d->point : 0; i < d->n || i < d->point;
		i++) {
		if (i == d->point)
			sink_char(sink, '.');
		sink_char(sink, i >= 0 && i < d->n ? d->digits[i] : '0');
	}
}

void
decimal_format(struct sink *sink, double value, bool narrow)
{
	struct decimal d;

	if (value != value) {
		sink_text(sink, "NaN");
		return;
	}
	if (__builtin_signbit(value)) {
		sink_char(sink, '-');
		value = -value;
	} else if (value > DBL_MAX) {
		sink_char(sink, '+');
	}
	if (value > DBL_MAX) {
		sink_text(sink, "Inf");
		return;
	}
	if (value == 0) {
		sink_char(sink, '0');
		return;
	}
	decimal_shortest(&d, value, narrow);
	if (d.point < -3 || d.point > 6)
		decimal_format_scientific(sink, &d);
	else
		decimal_format_plain(sink, &d);
}

/* A parsed literal: the digits as an integer, and its exponent. */
struct decimal_literal {
	char digits[DECIMAL_KEPT_MAX + 1];
	size_t n;
	int64_t exponent; /* of ten, or of two if hex */
	bool hex;
	bool lost; /* digits other than 0 were dropped */
};

static bool
decimal_is_digit(char c, bool hex)
{
	return (c >= '0' && c <= '9') ||
		(hex && ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'));
}

/* Parses the mantissa. Returns its end. */
static size_t
decimal_take_mantissa(struct decimal_literal *l, const char *text, size_t len)
{
	int64_t weight = l->hex ? 4 : 1;
	bool behind_point = false;
	size_t i;

	for (i = 0; i < len; i++) {
		if (text[i] == '.') {
			behind_point = true;
			continue;
		}
		if (text[i] == '_')
			continue;
		if (!decimal_is_digit(text[i], l->hex))
			break;
		if (behind_point)
			l->exponent -= weight;
		if (l->n == 0 && text[i] == '0')
			continue;
		if (l->n < DECIMAL_KEPT_MAX) {
			l->digits[l->n++] = text[i];
		} else {
			l->exponent += weight;
			l->lost = l->lost || text[i] != '0';
		}
	}
	return i;
}

static int64_t
decimal_take_exponent(const char *text, size_t len)
{
	int64_t exponent = 0;
	bool minus = false;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '-')
			minus = true;
		if (text[i] >= '0' && text[i] <= '9' &&
			exponent < INT64_MAX / 100)
			exponent = exponent * 10 + (text[i] - '0');
	}
	return minus ? -exponent : exponent;
}

static int
decimal_clamp(int64_t exponent)
{
	if (exponent > DECIMAL_EXPONENT_MAX)
		return DECIMAL_EXPONENT_MAX;
	if (exponent < -DECIMAL_EXPONENT_MAX)
		return -DECIMAL_EXPONENT_MAX;
	return (int)exponent;
}

/* The absolute value of the literal. */
static double
decimal_evaluate(struct decimal_literal *l, bool narrow)
{
	char text[DECIMAL_KEPT_MAX + 32];

	if (l->n == 0)
		return 0;
	/* A last digit other than 0 stands for all dropped digits. */
	if (l->lost && l->digits[l->n - 1] == '0')
		l->digits[l->n - 1] = '1';
	snprintf(text, sizeof(text), "%s%.*s%c%d", l->hex ? "0x" : "",
		(int)l->n, l->digits, l->hex ? 'p' : 'e',
		decimal_clamp(l->exponent));
	return decimal_read(text, narrow);
}

enum number_result
decimal_parse(const char *text, size_t len, bool narrow, double *value)
{
	struct decimal_literal l = { .n = 0 };
	size_t used;

	if (len > 1 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		l.hex = true;
		text += 2;
		len -= 2;
	}
	used = decimal_take_mantissa(&l, text, len);
	if (used == len ? l.hex : !memchr("eEpP", text[used], 4))
		return NUMBER_SYNTAX;
	l.exponent += decimal_take_exponent(text + used, len - used);
	*value = decimal_evaluate(&l, narrow);
	return *value > DBL_MAX ? NUMBER_RANGE : NUMBER_OK;
}
