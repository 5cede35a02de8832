/*
 * test_text_field: editing one line.
 */
#include "ui/model/text_field.h"

#include "lib/check.h"

static void
test_commands(void **state)
{
	static const struct {
		const char *text, *commands, *want;
		size_t cursor;
	} rows[] = {
		{ "abc", "", "abc", 3 },
		{ "abc", "left", "abc", 2 },
		{ "abc", "right", "abc", 3 },
		{ "abc", "home left", "abc", 0 },
		{ "abc", "home right", "abc", 1 },
		{ "abc", "home end", "abc", 3 },
		{ "abc", "rubout", "ab", 2 },
		{ "abc", "home rubout", "abc", 0 },
		{ "abc", "home delete", "bc", 0 },
		{ "abc", "delete", "abc", 3 },
		{ "ab cd ef", "kill-word", "ab cd ", 6 },
		{ "ab cd  ", "kill-word", "ab ", 3 },
		{ "ab cd", "left kill-line", "d", 0 },
		{ "ab cd", "left left kill-end", "ab ", 3 },
		{ "a世b", "left left", "a世b", 1 },
		{ "a世b", "left rubout", "ab", 1 },
		{ "ae\xcc\x81", "left", "ae\xcc\x81", 1 },
		{ "ae\xcc\x81", "rubout", "a", 1 },
		{ "ae\xcc\x81z", "home right right", "ae\xcc\x81z", 4 },
		{ "",
			"left right home end rubout delete kill-word kill-line "
			"kill-end",
			"", 0 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char commands[128], *rest = commands, *command;
		struct text_field field;

		snprintf(commands, sizeof(commands), "%s", rows[i].commands);
		text_field_set(&field, rows[i].text);
		while ((command = strsep(&rest, " ")) != NULL)
			if (command[0] != '\0')
				assert_true(
					text_field_command(&field, command));
		check_text(field.text, rows[i].want, rows[i].commands);
		check(field.cursor == rows[i].cursor, "`%s` %s: %zu",
			rows[i].text, rows[i].commands, field.cursor);
		check(field.len == strlen(field.text), "%s", field.text);
	}
}

static void
test_insert(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *want;
	} rows[] = {
		{ "abc", 3, "<abc>" },
		{ "a\nb\tc\r", 6, "<a b c >" },
		{ "a\033[31mb", 7, "<a[31mb>" },
		{ "\xff\xc3z", 3, "<z>" },
		{ "\xe2\x80\xae", 3, "<>" },
		{ "世", 3, "<世>" },
		{ "a\0b", 3, "<ab>" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct text_field field;

		text_field_set(&field, "<>");
		assert_true(text_field_command(&field, "left"));
		text_field_insert(&field, rows[i].bytes, rows[i].len);
		check_text(field.text, rows[i].want, rows[i].want);
	}
}

static void
test_full(void **state)
{
	struct text_field field;
	char *much = malloc(1 << 20);

	memset(much, 'x', 1 << 20);
	text_field_set(&field, "");
	text_field_insert(&field, much, 1 << 20);
	assert_int_equal(field.len, TEXT_FIELD_SIZE - 1);
	text_field_insert(&field, "世", 3);
	assert_int_equal(strlen(field.text), TEXT_FIELD_SIZE - 1);
	assert_true(text_field_command(&field, "rubout"));
	text_field_insert(&field, "世",
		3); /* inserted as a whole or not at all */
	assert_int_equal(field.len, TEXT_FIELD_SIZE - 2);
	free(much);
}

static void
test_column(void **state)
{
	struct text_field field;

	text_field_set(&field, "a世e\xcc\x81");
	assert_int_equal(text_field_cursor_column(&field), 4);
	assert_true(text_field_command(&field, "left"));
	assert_int_equal(text_field_cursor_column(&field), 3);
	assert_false(text_field_command(&field, "up"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_insert),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
