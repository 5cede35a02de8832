/*
 * test_clipboard: the escape sequence, and base64 as in RFC 4648.
 */
#include "ui/term/clipboard.h"

#include "lib/check.h"

static void
test_lines(void **state)
{
	static const struct {
		const char *text, *digits;
	} rows[] = {
		{ "", "" },
		{ "f", "Zg==" },
		{ "fo", "Zm8=" },
		{ "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" },
		{ "\033]0;x\a\xff\xfe", "G10wO3gH//4=" },
	};
	char want[64];

	for (size_t i = 0; i < ROWS(rows); i++) {
		char *line = clipboard_line(rows[i].text);

		snprintf(want, sizeof(want), "\033]52;c;%s\a", rows[i].digits);
		check_text(line, want, rows[i].text);
		free(line);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
