/* test_digits: numbers found in a text, and written. */

#include "shared/mutate/digits.h"

#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"

struct find_row {
	const char *name, *text;
	size_t at;
	const char *digits; /* NULL: none */
	uint64_t value;
	bool minus, hex;
};

/* clang-format off */
static const struct find_row ROWS[] = {
	{ "from its begin", "a 123 b", 2, "123", 123, false, false },
	{ "from within", "a 123 b", 3, "123", 123, false, false },
	{ "from before", "a 123 b", 0, "123", 123, false, false },
	{ "not from behind", "a 123 b", 5, NULL, 0, false, false },
	{ "at the ends", "123", 2, "123", 123, false, false },
	{ "nothing", "", 0, NULL, 0, false, false },
	{ "beyond the end", "12", 2, NULL, 0, false, false },
	{ "a sign", "x=-45", 0, "45", 45, true, false },
	{ "zeros in front", "007", 0, "007", 7, false, false },
	{ "a fraction is another number", "1.25", 2, "25", 25, false, false },
	{ "as long as it may be", "999999999999999999", 0, "999999999999999999", 999999999999999999, false, false },
	{ "the first digits of more", "1234567890123456789", 0, "123456789012345678", 123456789012345678, false, false },
	{ "the last digits of more", "1234567890123456789", 18, "234567890123456789", 234567890123456789, false, false },
	{ "hexadecimal", "0x1fG", 0, "1f", 0x1f, false, true },
	{ "hexadecimal from within", "0x1fa2", 5, "1fa2", 0x1fa2, false, true },
	{ "hexadecimal in capitals", "(0XAB0)", 0, "AB0", 0xab0, false, true },
	{ "the last of many", "0x123456789abcdef01", 0, "3456789abcdef01", 0x3456789abcdef01, false, true },
	{ "an x without digits", "0x", 0, "0", 0, false, false },
	{ "an x without a zero", "x12", 0, "12", 12, false, false },
	{ "letters without an x", "ab12", 0, "12", 12, false, false },
	{ "too far away", "----------------------------------------------------------------1", 0, NULL, 0, false, false },
};
/* clang-format on */

static void
test_row(void **state)
{
	const struct find_row *row = *state;
	struct digits digits;
	bool found = digits_find((const uint8_t *)row->text, strlen(row->text),
		row->at, &digits);

	row_check(found == (row->digits != NULL), "%s", row->name);
	if (!found)
		return;
	row_check(digits.len == strlen(row->digits), "%s: %zu", row->name,
		digits.len);
	row_check(memcmp(row->text + digits.at, row->digits, digits.len) == 0,
		"%s: %zu", row->name, digits.at);
	row_check(digits.value == row->value, "%s", row->name);
	row_check(digits.minus == row->minus, "%s", row->name);
	row_check(digits.hex == row->hex, "%s", row->name);
}

static void
test_format(void **state)
{
	static const struct {
		uint64_t value;
		bool hex;
		size_t width;
		const char *text;
	} rows[] = {
		{ 0, false, 1, "0" },
		{ 0, false, 0, "0" },
		{ 1234567890, false, 1, "1234567890" },
		{ UINT64_MAX, false, 1, "18446744073709551615" },
		{ UINT64_MAX, true, 1, "ffffffffffffffff" },
		{ 0xa0, true, 4, "00a0" },
		{ 42, false, 5, "00042" },
		{ 7, false, 99, "00000000000000000000000000000007" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t text[DIGITS_TEXT_MAX];
		size_t n = digits_format(text, rows[i].value, rows[i].hex,
			rows[i].width);

		row_check(n == strlen(rows[i].text) &&
				memcmp(text, rows[i].text, n) == 0,
			"row %zu", i);
	}
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_format),
	};

	return rows_run_with("digits", ROWS_OF(ROWS, name, test_row), others,
		ROWS(others), NULL, NULL);
}
