/*
 * test_filter: a filter's words must all be found; the title shows the filter.
 */
#include "ui/model/filter.h"

#include "lib/check.h"

/* clang-format off */
static const struct filter_case {
	const char *name, *words, *one, *other;
	bool yes;
} cases[] = {
	{ "no words",		 "",		 "heap",  "",	   true },
	{ "blanks alone",	 "   ",		 "heap",  "",	   true },
	{ "a part",		 "eap",		 "heap",  "",	   true },
	{ "the whole",		 "heap",	 "heap",  "",	   true },
	{ "longer than it",	 "heaps",	 "heap",  "",	   false },
	{ "capitals",		 "HEAP",	 "hEaP",  "",	   true },
	{ "in either text",	 "heap tile",	 "heap",  "tile.c", true },
	{ "in any order",	 " tile  heap ", "heap",  "tile.c", true },
	{ "one is missing",	 "heap png",	 "heap",  "tile.c", false },
	{ "not across texts",	 "heaptile",	 "heap",  "tile",  false },
	{ "starts over",	 "aab",		 "aaab",  "",	   true },
	{ "no pattern",		 "h.*p",	 "heap",  "",	   false },
	{ "beyond ASCII",	 "größe",	 "Größe", "",	   true },
	{ "empty texts",	 "x",		 "",	  "",	   false },
};
/* clang-format on */

static void
test_cases(void **state)
{
	struct filter filter;

	for (size_t i = 0; i < ROWS(cases); i++) {
		const char *texts[] = { cases[i].one, cases[i].other };

		filter_set(&filter, cases[i].words);
		check(filter_match(&filter, texts, 2) == cases[i].yes, "%s",
			cases[i].name);
	}
}

/* The filter's text is cleaned, cut and trimmed. */
static void
test_set(void **state)
{
	struct filter filter;
	char longest[1000];

	filter_set(&filter, "  heap\033[2J  ");
	assert_string_equal(filter.text, "heap\\x1b[2J");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	filter_set(&filter, longest);
	assert_int_equal(strlen(filter.text), FILTER_SIZE - 1);
	assert_true(filter_on(&filter));
	filter_set(&filter, "   ");
	assert_false(filter_on(&filter));
}

static void
test_title(void **state)
{
	struct filter filter;
	char title[FILTER_TITLE];

	filter_set(&filter, "heap");
	assert_string_equal(filter_title(&filter, 3, 41, title),
		"filter: heap  3 of 41");
	filter_set(&filter, "a very long filter that is cut in a title");
	assert_string_equal(filter_title(&filter, 0, 1234, title),
		"filter: a very long filter that   0 of 1 234");
	filter_set(&filter, "");
	assert_string_equal(filter_title(&filter, 3, 41, title), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_title),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
