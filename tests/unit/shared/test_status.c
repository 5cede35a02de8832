/*
 * test_status: the first message wins, context goes in front, texts are cut.
 */

#include "shared/status.h"

#include <string.h>

#include "lib/vectors.h"

static void
test_first_message_wins(void **state)
{
	struct error err = { 0 };

	assert_int_equal(error_set(&err, E_IO, "open %s", "a"), E_IO);
	assert_int_equal(error_set(&err, E_FULL, "later"), E_FULL);
	assert_int_equal(err.code, E_IO);
	assert_string_equal(err.text, "open a");
	error_clear(&err);
	assert_int_equal(err.code, OK);
	assert_string_equal(err.text, "");
}

static void
test_wrap(void **state)
{
	struct error err = { 0 };

	assert_int_equal(error_set(&err, E_FORMAT, "bad digit"), E_FORMAT);
	assert_int_equal(error_wrap(&err, "line %d", 3), E_FORMAT);
	assert_int_equal(error_wrap(&err, "file"), E_FORMAT);
	assert_string_equal(err.text, "file: line 3: bad digit");
}

static void
test_without_error(void **state)
{
	struct error err = { 0 };

	assert_int_equal(error_set(NULL, E_BUSY, "x"), E_BUSY);
	assert_int_equal(error_wrap(NULL, "x"), E_INTERNAL);
	assert_int_equal(error_wrap(&err, "x"), E_INTERNAL);
	error_clear(NULL);
}

static void
test_long_texts_are_cut(void **state)
{
	struct error err = { 0 };
	char text[2 * ERROR_TEXT_MAX];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(error_set(&err, E_RANGE, "%s", text), E_RANGE);
	assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
	assert_int_equal(error_wrap(&err, "%s", text), E_RANGE);
	assert_int_equal(strlen(err.text), ERROR_TEXT_MAX - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_message_wins),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_without_error),
		cmocka_unit_test(test_long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
