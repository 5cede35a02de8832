/*
 * test_decimal: numeric literals, and floats as text and back.
 */

#include "shared/values/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/vectors.h"

static const char *
format(double value, bool narrow)
{
	static char text[64];
	struct sink sink = { .data = text, .cap = sizeof(text) - 1 };

	decimal_format(&sink, value, narrow);
	assert_true(sink.len < sizeof(text));
	text[sink.len] = '\0';
	return text;
}

static double
parse(const char *text, bool narrow)
{
	double value = 0, sign = 1;

	if (text[0] == '-') {
		sign = -1;
		text++;
	}
	assert_int_equal(decimal_parse(text, strlen(text), narrow, &value),
		NUMBER_OK);
	return sign * value;
}

static void
test_format(void **state)
{
	static const struct {
		double value;
		bool narrow;
		const char *want;
	} rows[] = {
		{ 0, false, "0" },
		{ -0.0, false, "-0" },
		{ INFINITY, false, "+Inf" },
		{ -INFINITY, true, "-Inf" },
		{ NAN, false, "NaN" },
		{ 1, false, "1" },
		{ -12.5, false, "-12.5" },
		{ 0.5, false, "0.5" },
		{ 100000, false, "100000" },
		{ 1e6, false, "1e+06" },
		{ 654321, false, "654321" },
		{ 6543210, false, "6.54321e+06" },
		{ 123456789, false, "1.23456789e+08" },
		{ 0.0001, false, "0.0001" },
		{ 0.00012, false, "0.00012" },
		{ 1e-5, false, "1e-05" },
		{ 1e20, false, "1e+20" },
		{ 1e21, false, "1e+21" },
		{ 5e-324, false, "5e-324" },
		{ DBL_MAX, false, "1.7976931348623157e+308" },
		{ DBL_MIN, false, "2.2250738585072014e-308" },
		{ 0.1f, true, "0.1" },
		{ FLT_MAX, true, "3.4028235e+38" },
		{ 1e-45f, true, "1e-45" },
		{ 16777216, true, "1.6777216e+07" },
		/* Powers of two with nearest digits that do not read back. */
		{ 0x1p-44, false, "5.684341886080802e-14" },
		{ 0x1p-1019, false, "1.7800590868057611e-307" },
		{ 9007199254740992, false, "9.007199254740992e+15" },
		{ 9.5367431640625e-07f, true, "9.536743e-07" },
		{ 0x1p90f, true, "1.2379401e+27" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(strcmp(format(rows[i].value, rows[i].narrow),
				  rows[i].want) == 0,
			"%s is %s", rows[i].want,
			format(rows[i].value, rows[i].narrow));
}

/* B4 and more: written digits read back, in their own width. */
static void
check_round_trip(uint64_t bits, bool narrow)
{
	uint32_t half = (uint32_t)bits;
	double value, back;
	float single;

	memcpy(&value, &bits, sizeof(value));
	memcpy(&single, &half, sizeof(single));
	if (narrow)
		value = single;
	if (!isfinite(value))
		return;
	back = parse(format(value, narrow), narrow);
	row_check(memcmp(&value, &back, sizeof(value)) == 0, "%a", value);
}

static void
test_round_trips(void **state)
{
	struct prng p;

	prng_init(&p, 2024, 1);
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = (uint64_t)prng_u32(&p) << 32 | prng_u32(&p);

		check_round_trip(bits, false);
		check_round_trip(bits, true);
	}
	for (int power = 0; power < 2047; power++) {
		check_round_trip((uint64_t)power << 52, false);
		check_round_trip(((uint64_t)power << 52) - 1, false);
		check_round_trip(((uint64_t)power << 52) + 1, false);
	}
	for (int power = 0; power < 255; power++) {
		check_round_trip((uint64_t)power << 23, true);
		check_round_trip(((uint64_t)power << 23) + 1, true);
	}
	for (int bit = 0; bit < 52; bit++)
		check_round_trip(UINT64_C(1) << bit, false);
}

static void
test_parse(void **state)
{
	static const struct {
		const char *text;
		bool narrow;
		double want;
	} rows[] = {
		{ "0", false, 0 },
		{ "010", false, 10 },
		{ "1_000.5", false, 1000.5 },
		{ ".5", false, 0.5 },
		{ "5.", false, 5 },
		{ "1e-400", false, 0 },
		{ "1e-99999999999999999999", false, 0 },
		{ "0e99999999999999999999", false, 0 },
		{ "0x1p-2", false, 0.25 },
		{ "0x1.8p1", false, 3 },
		{ "0X.8P+2", false, 2 },
		{ "0x1.fffffffffffff8p1023", true, INFINITY },
		{ "100000000000000000000000e-23", false, 1 },
		{ "0.00000000000000000000001e23", false, 1 },
		{ "1.00000005960464477539062", true, 1 },
		{ "1.00000005960464477539063", true, 1.0000001192092896 },
		/* half way, then decided by a digit far behind */
		{ "9007199254740993", false, 9007199254740992 },
		{ "9007199254740993.00000000000000000000000000000001", false,
			9007199254740994 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double value = -1;
		enum number_result result = decimal_parse(rows[i].text,
			strlen(rows[i].text), rows[i].narrow, &value);

		row_check(result ==
				(isinf(rows[i].want) ? NUMBER_RANGE
						     : NUMBER_OK),
			"%s", rows[i].text);
		row_check(result != NUMBER_OK || value == rows[i].want,
			"%s is %a", rows[i].text, value);
	}
}

/* A million digits: rounded once, and the last digit decides. */
static void
test_parse_long(void **state)
{
	static char text[1000100];
	size_t len = 1000000;
	double value;

	memcpy(text, "9007199254740993.", 17);
	memset(text + 17, '0', len - 17);
	assert_int_equal(decimal_parse(text, len, false, &value), NUMBER_OK);
	assert_true(value == 9007199254740992);
	text[len - 1] = '1';
	assert_int_equal(decimal_parse(text, len, false, &value), NUMBER_OK);
	assert_true(value == 9007199254740994);
	memset(text, '0', len);
	memcpy(text, "0.", 2);
	memcpy(text + len, "1e999999", 9);
	assert_int_equal(decimal_parse(text, len + 8, false, &value),
		NUMBER_OK);
	assert_true(value == 1);
	memset(text, '9', len);
	assert_int_equal(decimal_parse(text, len, false, &value), NUMBER_RANGE);
	/* Each last digit that is kept, with others behind it. */
	for (const char *digit = "0123456789abcdefABCDEF"; *digit != '\0';
		digit++) {
		memset(text, *digit, len);
		memcpy(text, "0x1.", 4);
		text[len - 3] = '1';
		memcpy(text + len - 2, "p0", 2);
		assert_int_equal(decimal_parse(text, len, false, &value),
			NUMBER_OK);
		memcpy(text + 30, "p0", 3);
		row_check(value == strtod(text, NULL), "%c: %a", *digit, value);
	}
}

static void
test_parse_refuses(void **state)
{
	static const struct {
		const char *text;
		bool narrow;
		enum number_result want;
	} rows[] = {
		{ "0x10", false, NUMBER_SYNTAX },
		{ "0b11", false, NUMBER_SYNTAX },
		{ "0o17", false, NUMBER_SYNTAX },
		{ "1e400", false, NUMBER_RANGE },
		{ "3.5e38", true, NUMBER_RANGE },
		{ "3.5e38", false, NUMBER_OK },
		{ "1.7976931348623159e308", false, NUMBER_RANGE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double value;

		row_check(decimal_parse(rows[i].text, strlen(rows[i].text),
				  rows[i].narrow, &value) == rows[i].want,
			"%s", rows[i].text);
	}
}

/* No locale has an effect, whatever its decimal point is. */
static void
test_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8",
		"de_DE" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		setlocale(LC_ALL, names[i]);
	assert_string_equal(format(-12.5, false), "-12.5");
	assert_string_equal(format(1.5e300, false), "1.5e+300");
	assert_true(parse("2.25", false) == 2.25);
	setlocale(LC_ALL, "C");
}

static void
test_scan(void **state)
{
	static const struct {
		const char *text;
		int kind; /* -1: wrong */
		size_t used;
	} rows[] = {
		{ "0", NUMBER_INT, 1 },
		{ "123)", NUMBER_INT, 3 },
		{ "017", NUMBER_INT, 3 },
		{ "0x_1F", NUMBER_INT, 5 },
		{ "0b101", NUMBER_INT, 5 },
		{ "0O17", NUMBER_INT, 4 },
		{ "1_000", NUMBER_INT, 5 },
		{ "1.5", NUMBER_FLOAT, 3 },
		{ "08.5", NUMBER_FLOAT, 4 },
		{ ".5", NUMBER_FLOAT, 2 },
		{ "5.", NUMBER_FLOAT, 2 },
		{ "1e3", NUMBER_FLOAT, 3 },
		{ "1E+3", NUMBER_FLOAT, 4 },
		{ "0x1p-2", NUMBER_FLOAT, 6 },
		{ "1i", NUMBER_IMAGINARY, 2 },
		{ "08i", NUMBER_IMAGINARY, 3 },
		{ "08", -1, 0 },
		{ "0b12", -1, 0 },
		{ "0o8", -1, 0 },
		{ "0x", -1, 0 },
		{ "0b1.5", -1, 0 },
		{ "0x1.5", -1, 0 },
		{ "1e", -1, 0 },
		{ "1e+", -1, 0 },
		{ "0b1e3", -1, 0 },
		{ "1p3", -1, 0 },
		{ "1__0", -1, 0 },
		{ "1_", -1, 0 },
		{ "1_.5", -1, 0 },
		{ "1._5", -1, 0 },
		{ "0_x1", -1, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum number_kind kind;
		size_t used = 0;
		const char *wrong = number_scan(rows[i].text,
			strlen(rows[i].text), &kind, &used);

		row_check((wrong != NULL) == (rows[i].kind < 0), "%s",
			rows[i].text);
		row_check(wrong ||
				((int)kind == rows[i].kind &&
					used == rows[i].used),
			"%s", rows[i].text);
	}
}

static void
test_integers(void **state)
{
	static const struct {
		const char *text;
		bool minus;
		unsigned bits;
		enum number_result want;
		int64_t value;
	} rows[] = {
		{ "127", false, 8, NUMBER_OK, 127 },
		{ "128", false, 8, NUMBER_RANGE, 0 },
		{ "128", true, 8, NUMBER_OK, -128 },
		{ "129", true, 8, NUMBER_RANGE, 0 },
		{ "0x7fff", false, 16, NUMBER_OK, 32767 },
		{ "0b11", false, 32, NUMBER_OK, 3 },
		{ "017", false, 32, NUMBER_OK, 15 },
		{ "0o17", false, 32, NUMBER_OK, 15 },
		{ "1_000", false, 32, NUMBER_OK, 1000 },
		{ "9223372036854775807", false, 64, NUMBER_OK, INT64_MAX },
		{ "9223372036854775808", false, 64, NUMBER_RANGE, 0 },
		{ "9223372036854775808", true, 64, NUMBER_OK, INT64_MIN },
		{ "99999999999999999999", true, 64, NUMBER_RANGE, 0 },
		{ "0", true, 64, NUMBER_OK, 0 },
		{ "", false, 64, NUMBER_SYNTAX, 0 },
		{ "0x", false, 64, NUMBER_SYNTAX, 0 },
		{ "1.5", false, 64, NUMBER_SYNTAX, 0 },
	};
	uint64_t u;
	int64_t v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum number_result result = number_parse_signed(rows[i].text,
			strlen(rows[i].text), rows[i].minus, rows[i].bits, &v);

		row_check(result == rows[i].want, "%s", rows[i].text);
		row_check(result != NUMBER_OK || v == rows[i].value, "%s",
			rows[i].text);
	}
	assert_int_equal(number_parse_unsigned("18446744073709551615", 20, 64,
				 &u),
		NUMBER_OK);
	assert_true(u == UINT64_MAX);
	assert_int_equal(number_parse_unsigned("18446744073709551616", 20, 64,
				 &u),
		NUMBER_RANGE);
	assert_int_equal(number_parse_unsigned("256", 3, 8, &u), NUMBER_RANGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_long),
		cmocka_unit_test(test_parse_refuses),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_integers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
