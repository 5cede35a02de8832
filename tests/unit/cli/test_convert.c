/* cfuzz convert: raw inputs to texts of values, and back. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/tool.h"
#include "lib/output.h"
#include "lib/tree.h"

#define VERSION "go test fuzz v1\n"

/* clang-format off */
static const struct convert_row {
	const char *name;
	bool raw;
	const char *from, *content; /* content NULL: no such file */
	const char *to;
	int status;
	const char *want; /* in the result, or in the error */
} CONVERT[] = {
	{ "a text", false, "a", "hi \"you\"\n", "to", 0,
		VERSION "[]byte(\"hi \\\"you\\\"\\n\")\n" },
	{ "nothing", false, "a", "", "to", 0, VERSION "[]byte(\"\")\n" },
	{ "back", true, "a", VERSION "[]byte(\"a\\x01b\")\n", "to", 0,
		"a\x01" "b" },
	{ "characters", true, "a", VERSION "string(`a\\b`)\n", "to", 0,
		"a\\b" },
	{ "a number", true, "a", VERSION "int(5)\n", "to", 2,
		"a: its value is neither bytes nor text" },
	{ "two values", true, "a", VERSION "[]byte(\"a\")\nint8(1)\n", "to", 2,
		"a: it has 2 values; a raw file holds one" },
	{ "no text", true, "a", "hello", "to", 2, "a: " },
	{ "no file", false, "a", NULL, "to", 2, "a" },
	{ "it exists", false, "a", "x", "there", 2, "cfuzz: there exists already, and no file is overwritten\n" },
	{ "no such folder", false, "a", "x", "gone/to", 3,
		"cfuzz: cannot write gone/to: No such file or directory\n" },
};
/* clang-format on */

static int
convert(struct output *output, bool raw, const char *from, const char *to)
{
	char *argv[] = { (char *)"convert", (char *)"--raw",
		(char *)(uintptr_t)from, (char *)(uintptr_t)to, NULL };
	int status;

	output_begin(output);
	status = raw ? tool_main(&cli_convert, 4, argv)
		     : tool_main(&cli_convert, 3,
			       (char *[]){ argv[0], argv[2], argv[3], NULL });
	output_end(output);
	return status;
}

static void
check_row(const struct tree *tree, const struct convert_row *row)
{
	struct output output;
	int status;

	tree_text(tree, "there", "mine");
	if (row->content != NULL)
		tree_text(tree, row->from, row->content);
	status = convert(&output, row->raw, row->from, row->to);
	row_check(status == row->status, "%s: %d %s", row->name, status,
		output.err);
	if (status == 0)
		row_check(tree_holds(tree, row->to, row->want), "%s",
			row->name);
	else
		row_check(strstr(output.err, row->want) != NULL, "%s: %s",
			row->name, output.err);
	row_check(tree_has(tree, "to") == (status == 0), "%s", row->name);
	row_check(tree_holds(tree, "there", "mine"), "%s", row->name);
	unlink("a");
	unlink("to");
}

static void
test_file(void **state)
{
	for (size_t i = 0; i < ROWS(CONVERT); i++)
		check_row(*state, &CONVERT[i]);
}

/* A folder's files keep their names; those that cannot be converted, or exist
 * in the new folder, are skipped. */
static void
test_folder(void **state)
{
	const struct tree *tree = *state;
	struct output output;

	tree_folder(tree, "from");
	tree_folder(tree, "from/sub");
	tree_text(tree, "from/one", "1");
	tree_text(tree, "from/two", "2");
	assert_int_equal(convert(&output, false, "from", "deep/to"), 0);
	assert_non_null(strstr(output.out, "skipped sub: "));
	assert_non_null(strstr(output.out, "2 converted, 1 skipped\n"));
	assert_true(tree_holds(tree, "deep/to/one", VERSION "[]byte(\"1\")\n"));
	tree_folder(tree, "back");
	tree_text(tree, "back/two", "mine");
	tree_text(tree, "deep/to/none", "no text");
	assert_int_equal(convert(&output, true, "deep/to", "back"), 0);
	assert_non_null(strstr(output.out, "skipped none: "));
	assert_non_null(strstr(output.out, "skipped two: two exists already"));
	assert_non_null(strstr(output.out, "1 converted, 2 skipped\n"));
	assert_true(tree_holds(tree, "back/one", "1"));
	assert_true(tree_holds(tree, "back/two", "mine"));
	assert_int_equal(convert(&output, true, "deep/to", "back"), 2);
	assert_string_equal(output.err, "cfuzz: nothing could be converted\n");
}

/* A result that cannot be written ends the conversion of a folder. */
static void
test_lost(void **state)
{
	struct tree *tree = *state;
	struct output output;
	static char big[200000];

	tree_folder(tree, "from");
	memset(big, 'x', sizeof(big));
	tree_write(tree, "from/big", big, sizeof(big));
	tree_text(tree, "file", "");
	assert_int_equal(convert(&output, false, "from", "file"), 3);
	assert_non_null(strstr(output.err, "file"));
	if (!tree_mount(tree, "disk", 65536))
		skip();
	assert_int_equal(convert(&output, false, "from", "disk"), 3);
	assert_non_null(strstr(output.out, "0 converted, 0 skipped\n"));
	assert_non_null(strstr(output.err, "cannot write into disk: "));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_enter, tree_leave)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_file),
		TEST(test_folder),
		TEST(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
