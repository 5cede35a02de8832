/* test_hex_text: bytes as hex digits and back. */
#include "base/hex_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_round_trip(void **state)
{
	uint8_t bytes[256], back[256];
	char hex[2 * 256 + 1];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	hex_encode(bytes, sizeof(bytes), hex);
	assert_int_equal(strlen(hex), 2 * sizeof(bytes));
	assert_memory_equal(hex, "000102", 6);
	assert_string_equal(hex + 2 * 253, "fdfeff");
	assert_true(hex_decode(hex, back, sizeof(back)));
	assert_memory_equal(back, bytes, sizeof(bytes));
	hex_encode(bytes, 0, hex);
	assert_string_equal(hex, "");
}

/* The zero byte ends the text: nothing behind it is read. */
static void
test_bad_digits(void **state)
{
	static const char *const bad[] = { "", "0", "0g", "g0", "0F", "a/",
		"a:", "a`", " 1", "0x" };
	uint8_t byte;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(hex_decode(bad[i], &byte, 1));
	assert_true(hex_decode("", &byte, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_bad_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
