/* test_arguments: splits words as compilers split a response file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "cc/arguments.h"
#include "lib/help.h"
#include "lib/rows.h"

#define MAX_WORDS 8

static const struct row {
	const char *name;
	const char *text;
	const char *words[MAX_WORDS];
} rows[] = {
	{ "nothing", "", { NULL } },
	{ "blanks only", " \t\r\n\f\v ", { NULL } },
	{ "one", "a.c", { "a.c" } },
	{ "lines", "a.c\nb.c\r\n c.c ", { "a.c", "b.c", "c.c" } },
	{ "double quotes", "\"a b.c\" c", { "a b.c", "c" } },
	{ "single quotes", "'a b.c' c", { "a b.c", "c" } },
	{ "quote inside a word", "-DX=\"a b\"c", { "-DX=a bc" } },
	{ "the other quote is text", "'a\"b' \"c'd\"", { "a\"b", "c'd" } },
	{ "backslash", "a\\ b c\\\\d", { "a b", "c\\d" } },
	{ "backslash in quotes", "\"a\\\"b\" 'c\\'d'", { "a\"b", "c'd" } },
	{ "backslash at the end", "a\\", { "a\\" } },
	{ "empty word", "a '' b", { "a", "", "b" } },
	{ "open quote", "a 'b c", { "a", "b c" } },
};

static void
test_parse(void **state)
{
	const struct row *row = *state;
	struct arguments words = { .n = 0 };
	size_t n = 0;

	arguments_parse(&words, row->text, strlen(row->text));
	for (; row->words[n] != NULL; n++) {
		assert_true(n < words.n);
		assert_string_equal(words.v[n], row->words[n]);
	}
	assert_int_equal(words.n, n);
	assert_true(n == 0 || words.v[n] == NULL);
	arguments_clear(&words);
}

static void
test_grows(void **state)
{
	struct arguments words = { .n = 0 }, copy = { .n = 0 };

	for (int i = 0; i < 1000; i++)
		arguments_take(&words, xasprintf("%d", i));
	arguments_add_list(&copy, &words);
	assert_int_equal(copy.n, 1000);
	assert_string_equal(copy.v[999], "999");
	assert_null(copy.v[1000]);
	arguments_clear(&words);
	arguments_clear(&copy);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_grows),
	};

	return rows_run_with("cc/words", ROWS_OF(rows, name, test_parse),
		others, ROWS(others), NULL, NULL);
}
