/*
 * test_sort: the next column, the reverse order, and the order of equal rows.
 */
#include "ui/widgets/sort.h"

#include "lib/check.h"

struct row {
	const char *name;
	double size;
};

static const struct row rows[] = {
	{ "b", 2 },
	{ "a", 3 },
	{ "c", 2 },
	{ "a", 1 },
};

static double
by_size(const void *row)
{
	return ((const struct row *)row)->size;
}

static const char *
by_name(const void *row)
{
	return ((const struct row *)row)->name;
}

static const struct table_column columns[] = {
	{ .text = by_name },
	{ .query = NULL },
	{ .number = by_size, .falling = true },
	{ .query = "age" },
};

/* The sorted rows as digits. */
static void
order(const struct sort *sort, char text[ROWS(rows) + 1])
{
	const void *pointers[ROWS(rows)];

	for (size_t i = 0; i < ROWS(rows); i++)
		pointers[i] = &rows[i];
	sort_rows(sort, columns, pointers, ROWS(rows));
	for (size_t i = 0; i < ROWS(rows); i++)
		text[i] =
			(char)('0' + ((const struct row *)pointers[i] - rows));
	text[ROWS(rows)] = '\0';
}

/* clang-format off */
static const struct sort_case {
	const char *name, *commands;
	size_t column;
	const char *order;
} cases[] = {
	{ "as it starts",	"",			     0, "1302" },
	{ "turned round",	"sort-reverse",		     0, "2013" },
	{ "the next",		"sort",			     2, "1023" },
	{ "the next, reversed",	"sort sort-reverse",	     2, "3021" },
	{ "forgets reversing",	"sort-reverse sort",	     2, "1023" },
	{ "rows of the engine",	"sort sort",		     3, "0123" },
	{ "round again",	"sort sort sort",	     0, "1302" },
	{ "a head",		"sort:2",		     2, "1023" },
	{ "the same head",	"sort:2 sort:2",	     2, "3021" },
	{ "and once more",	"sort:2 sort:2 sort:2",	     2, "1023" },
	{ "one that does not",	"sort:1",		     0, "1302" },
	{ "none",		"sort:9",		     0, "1302" },
	{ "no number",		"sort:x",		     0, "1302" },
};
/* clang-format on */

static void
test_cases(void **state)
{
	for (size_t i = 0; i < ROWS(cases); i++) {
		struct sort sort = { 0 };
		char copy[64], *rest = copy, *command, text[ROWS(rows) + 1];

		snprintf(copy, sizeof(copy), "%s", cases[i].commands);
		while ((command = strsep(&rest, " ")) != NULL) {
			if (strchr(command, ':') != NULL)
				*strchr(command, ':') = ' ';
			check(sort_command(&sort, columns, ROWS(columns),
				      command) == (command[0] != '\0'),
				"%s: %s", cases[i].name, command);
		}
		check(sort.column == cases[i].column, "%s", cases[i].name);
		order(&sort, text);
		check_text(text, cases[i].order, cases[i].name);
	}
}

/* Columns without room are skipped; if all are hidden, nothing changes. */
static void
test_hidden(void **state)
{
	struct sort sort = { .hidden = 1u << 2 };

	assert_true(sort_command(&sort, columns, ROWS(columns), "sort"));
	assert_int_equal(sort.column, 3);
	sort.hidden = ~0u;
	assert_true(sort_command(&sort, columns, ROWS(columns), "sort"));
	assert_int_equal(sort.column, 3);
	assert_false(sort_command(&sort, columns, ROWS(columns), "down"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
