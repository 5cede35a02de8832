/* test_mutate_number: results of mutations of numbers in a text. */

#include "lib/reach.h"

/* clang-format off */
static const struct reach_row ROWS[] = {
	{ "one more", MUTATE_NUMBER_STEP, BYTES("a=41;"), BYTES("a=42;"), NOTHING, 0 },
	{ "one less", MUTATE_NUMBER_STEP, BYTES("a=41;"), BYTES("a=40;"), NOTHING, 0 },
	{ "a carry makes it longer", MUTATE_NUMBER_STEP, BYTES("99"), BYTES("100"), NOTHING, 0 },
	{ "a borrow makes it shorter", MUTATE_NUMBER_STEP, BYTES("x100y"), BYTES("x99y"), NOTHING, 0 },
	{ "twice", MUTATE_NUMBER_STEP, BYTES("[500]"), BYTES("[1000]"), NOTHING, 0 },
	{ "half", MUTATE_NUMBER_STEP, BYTES("[500]"), BYTES("[250]"), NOTHING, 0 },
	{ "a few more", MUTATE_NUMBER_STEP, BYTES("[500]"), BYTES("[535]"), NOTHING, 0 },
	{ "a bit of it", MUTATE_NUMBER_STEP, BYTES("[500]"), BYTES("[66036]"), NOTHING, 0 },
	{ "the opposite", MUTATE_NUMBER_STEP, BYTES("7 "), BYTES("-7 "), NOTHING, 0 },
	{ "the opposite of a negative one", MUTATE_NUMBER_STEP, BYTES("-7 "), BYTES("7 "), NOTHING, 0 },
	{ "across zero", MUTATE_NUMBER_STEP, BYTES("0"), BYTES("-1"), NOTHING, 0 },
	{ "up to zero", MUTATE_NUMBER_STEP, BYTES("-1"), BYTES("0"), NOTHING, 0 },
	{ "twice nothing is one", MUTATE_NUMBER_STEP, BYTES("0"), BYTES("1"), NOTHING, 0 },
	{ "a width that began with zero stays", MUTATE_NUMBER_STEP, BYTES("2024-01-09"), BYTES("2024-01-10"), NOTHING, 0 },
	{ "hexadecimal", MUTATE_NUMBER_STEP, BYTES("0xfe"), BYTES("0xff"), NOTHING, 0 },
	{ "hexadecimal with a carry", MUTATE_NUMBER_STEP, BYTES("a 0x9f b"), BYTES("a 0xa0 b"), NOTHING, 0 },
	{ "hexadecimal that ends with a digit", MUTATE_NUMBER_STEP, BYTES("0Xab9"), BYTES("0Xaba"), NOTHING, 0 },
	{ "the fraction", MUTATE_NUMBER_STEP, BYTES("1.5e7"), BYTES("1.6e7"), NOTHING, 0 },
	{ "the exponent", MUTATE_NUMBER_STEP, BYTES("1.5e7"), BYTES("1.5e8"), NOTHING, 0 },
	{ "the last digits of many", MUTATE_NUMBER_STEP, BYTES("9000000000000000000000000000009"), BYTES("9000000000000000000000000000010"), NOTHING, 0 },
	{ "no room for another digit", MUTATE_NUMBER_STEP, BYTES("9"), BYTES("8"), NOTHING, 2 },
	{ "full, but not longer", MUTATE_NUMBER_STEP, BYTES("9"), BYTES("8"), NOTHING, 1 },
	{ "no number", MUTATE_NUMBER_STEP, BYTES("abc def"), NOTHING, NOTHING, 0 },
	{ "nothing", MUTATE_NUMBER_STEP, BYTES(""), NOTHING, NOTHING, 0 },

	{ "zero", MUTATE_NUMBER_SET, BYTES("{\"n\":12}"), BYTES("{\"n\":0}"), NOTHING, 0 },
	{ "minus one", MUTATE_NUMBER_SET, BYTES("{\"n\":12}"), BYTES("{\"n\":-1}"), NOTHING, 0 },
	{ "another for the sign, too", MUTATE_NUMBER_SET, BYTES("-12"), BYTES("255"), NOTHING, 0 },
	{ "32 bits", MUTATE_NUMBER_SET, BYTES("12"), BYTES("2147483648"), NOTHING, 0 },
	{ "64 bits", MUTATE_NUMBER_SET, BYTES("12"), BYTES("18446744073709551615"), NOTHING, 0 },
	{ "a power of two and one more", MUTATE_NUMBER_SET, BYTES("12"), BYTES("8388609"), NOTHING, 0 },
	{ "the sign of a power of two", MUTATE_NUMBER_SET, BYTES("12"), BYTES("-8388607"), NOTHING, 0 },
	{ "a great float", MUTATE_NUMBER_SET, BYTES("12"), BYTES("1e308"), NOTHING, 0 },
	{ "a small one", MUTATE_NUMBER_SET, BYTES("12"), BYTES("0.1"), NOTHING, 0 },
	{ "a whole float goes", MUTATE_NUMBER_SET, BYTES("x 1.25e-3 y"), BYTES("x 1000000 y"), NOTHING, 0 },
	{ "or a part of it", MUTATE_NUMBER_SET, BYTES("x 1.25e-3 y"), BYTES("x 0.25e-3 y"), NOTHING, 0 },
	{ "a point that ends a sentence", MUTATE_NUMBER_SET, BYTES("x 12."), BYTES("x 32."), NOTHING, 0 },
	{ "hexadecimal", MUTATE_NUMBER_SET, BYTES("0x12"), BYTES("0xffffffff"), NOTHING, 0 },
	{ "a code point", MUTATE_NUMBER_SET, BYTES("0x12"), BYTES("0x10ffff"), NOTHING, 0 },

	{ "other digits", MUTATE_NUMBER_DIGITS, BYTES("v12"), BYTES("v74"), NOTHING, 0 },
	{ "a digit more", MUTATE_NUMBER_DIGITS, BYTES("v12"), BYTES("v152"), NOTHING, 0 },
	{ "a digit less", MUTATE_NUMBER_DIGITS, BYTES("v12"), BYTES("v2"), NOTHING, 0 },
	{ "the last digit less", MUTATE_NUMBER_DIGITS, BYTES("v12"), BYTES("v1"), NOTHING, 0 },
	{ "the only digit stays one", MUTATE_NUMBER_DIGITS, BYTES("3"), BYTES("5"), NOTHING, 0 },
	{ "zeros in front", MUTATE_NUMBER_DIGITS, BYTES("v12"), BYTES("v00012"), NOTHING, 0 },
	{ "a row of nines", MUTATE_NUMBER_DIGITS, BYTES("12"), BYTES("1999999992"), NOTHING, 0 },
	{ "a fraction", MUTATE_NUMBER_DIGITS, BYTES("12,"), BYTES("12.5,"), NOTHING, 0 },
	{ "an exponent", MUTATE_NUMBER_DIGITS, BYTES("12,"), BYTES("12e6,"), NOTHING, 0 },
	{ "a negative exponent", MUTATE_NUMBER_DIGITS, BYTES("12,"), BYTES("12e-6,"), NOTHING, 0 },
	{ "a hexadecimal digit", MUTATE_NUMBER_DIGITS, BYTES("0x12"), BYTES("0x1d"), NOTHING, 0 },
	{ "no digits", MUTATE_NUMBER_DIGITS, BYTES("\x80\x01 -"), NOTHING, NOTHING, 0 },
};
/* clang-format on */

int
main(void)
{
	return reach_run("mutate_number", ROWS, sizeof(ROWS) / sizeof(ROWS[0]));
}
