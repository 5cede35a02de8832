/* cfuzz show and cfuzz findings: an output directory as text. */
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/cli.h"
#include "cli/tool.h"
#include "lib/output.h"
#include "lib/tree.h"

#define A "aaaaaaaaaaaaaaaa"
#define B "abbbbbbbbbbbbbbb"
#define C "accccccccccccccc"

/* clang-format off */
static const struct file {
	const char *name, *content; /* NULL: a folder */
} FILES[] = {
	{ "out", NULL }, { "out/corpus", NULL }, { "out/crashes", NULL },
	{ "out/crashes/x", NULL }, { "out/hangs", NULL },
	{ "out/hangs/y", NULL }, { "out/hangs/y/sequence", NULL },
	{ "out/suspects", NULL },
	{ "out/journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/my/target\","
		"\"build_id\":\"b1\",\"args\":[\"a b\",\"c\"]}\n"
		"{\"at_s\":1,\"event\":\"types\",\"types\":[\"string\","
		"\"int8\"]}\n"
		"{\"at_s\":1.5,\"event\":\"find\",\"input\":\"" A "\","
		"\"parent\":\"" B "\",\"len\":4,\"bits\":2,\"generation\":1,"
		"\"unstable\":true}\n"
		"{\"event\":\"lineage\",\"finding\":\"00f1\",\"trail\":["
		"{\"op\":\"flip\",\"offset\":3,\"len\":1}]}\n" },
	{ "out/corpus/" A, "1234" },
	{ "out/corpus/" B, "12345678901234567" },
	{ "out/corpus/" C, "go test fuzz v1\nstring(\"a\")\n\nint8(\033)\n" },
	{ "out/suspects/1", "s" },
	{ "out/crashes/x/crash.json",
		"{\"id\":\"00f1\",\"kind\":\"signal\",\"what\":\"SIGSEGV\","
		"\"where\":\"f t.c:3\",\"text\":\"bad\\u0007\","
		"\"state\":\"confirmed\",\"count\":7,\"first_s\":1.5,"
		"\"last_s\":9.5,\"replays\":5,\"reproduced\":4,"
		"\"note\":\"look\",\"call\":\"Parse(1)\",\"frames\":["
		"{\"module\":\"t\",\"offset\":16},"
		"{\"module\":\"t\",\"offset\":32,\"function\":\"f\","
		"\"file\":\"t.c\",\"line\":3,\"inlined_into\":["
		"{\"function\":\"g\",\"file\":\"t.c\"}]}]}" },
	{ "out/crashes/x/input", "\x01\xff z" },
	{ "out/crashes/x/minimized", "z" },
	{ "out/crashes/x/report.txt", "first\n\nlast" },
	{ "out/hangs/y/crash.json",
		"{\"id\":\"00f2\",\"kind\":\"hang\",\"what\":\"hang\","
		"\"where\":\"g\",\"state\":\"known\",\"count\":1,"
		"\"last_s\":3,\"sequence\":2}" },
	{ "out/hangs/y/sequence/000001", "one" },
	{ "out/hangs/y/sequence/000002", "two" },
	{ "other", "zz" }, { "same", "z" },
};

static const struct show_row {
	const char *name, *path, *id;
	const char *want[16]; /* in the text, in this order */
} SHOW[] = {
	{ "a campaign", "out", NULL,
		{ "out\n  target     /my/target\n  arguments  'a b' c\n"
		  "  takes      string, int8\n  corpus     3 inputs\n"
		  "  findings   2, listed by cfuzz findings\n"
		  "  suspects   1\n" } },
	{ "a finding", "out", "00f1",
		{ "crash: SIGSEGV in f t.c:3\n  id         00f1\n"
		  "  says       bad\\x07\n  state      confirmed\n"
		  "  note       look\n"
		  "  seen       7 times, first at 00:00:01, last at 00:00:09\n"
		  "  replays    failed in 4 of 5\n"
		  "  folder     out/crashes/x\n",
		  "input (4 B), minimized (1 B), report.txt (11 B)\n",
		  "  to re-run  cfuzz repro /my/target "
		  "out/crashes/x/minimized\n  call       Parse(1)\n",
		  "\nstack:\n    #0 t+0x10\n    #1 f t.c:3\n    #2 g t.c\n",
		  "\nmade by, from an input of the corpus:\n    flip       "
		  "              at 3, 1 bytes\n",
		  "\nreport:\n    first\n\n    last\n",
		  "\nminimized, 1 byte:\n    00000000  7a                     "
		  "                           |z|\n" } },
	{ "a sequence", "out", "00f2",
		{ "hang in g\n", "  replays    none\n",
		  "\ninput 1 of 2, sequence/000001, 3 bytes:\n",
		  "|one|\n\ninput 2 of 2, sequence/000002, 3 bytes:\n",
		  "|two|\n" } },
	{ "an input", "out", A,
		{ "out/corpus/" A "\n  size       4 bytes\n  sha256     ",
		  "\ncame from, the newest first:\n    " A "   4 bytes, "
		  "generation 1, +2 bits at 00:00:01, unstable\n    " B
		  "   a seed, or older than the journal\n",
		  "\ncontent, 4 bytes:\n", "|1234|" } },
	{ "two rows", "out", B,
		{ "content, 17 bytes:\n    00000000  31 32 33 34 35 36 37 38  "
		  "39 30 31 32 33 34 35 36  |1234567890123456|\n"
		  "    00000010  37 ", "|7|" } },
	{ "values", "out", C,
		{ "\ncontent, 37 bytes:\n    go test fuzz v1\n    string(\"a\""
		  ")\n    int8(\\x1b)\n" } },
	{ "any file", "other", NULL,
		{ "other\n", "  known in   no campaign here\n", "|zz|" } },
	{ "a finding's input", "same", NULL,
		{ "same\n", "  known in   out, as finding 00f1\n", "|z|" } },
};

static const char FINDINGS_TABLE[] =
	"what     where    seen  again  size  min  state         first      "
	"last  class  id\n"
	"SIGSEGV  f t.c:3    x7    4/5   4 B  1 B  confirmed  00:00:01  "
	"00:00:09  crash  00f1\n"
	"hang     g          x1      -   0 B    -  known      00:00:00  "
	"00:00:03  hang   00f2\n";
/* clang-format on */

static int
run(struct output *output, const struct tool_command *command, const char *a,
	const char *b, const char *c)
{
	char *argv[] = { (char *)"command", (char *)(uintptr_t)a,
		(char *)(uintptr_t)b, (char *)(uintptr_t)c, NULL };
	int argc = 1, status;

	while (argv[argc] != NULL)
		argc++;
	output_begin(output);
	status = tool_main(command, argc, argv);
	output_end(output);
	return status;
}

static void
check_order(const char *name, const char *text, const char *const *want)
{
	for (; *want != NULL; want++) {
		const char *at = strstr(text, *want);

		row_check(at != NULL, "%s: no `%s` in `%s`", name, *want, text);
		text = at + strlen(*want);
	}
}

static void
test_show(void **state)
{
	struct output output;

	for (size_t i = 0; i < ROWS(SHOW); i++) {
		const struct show_row *row = &SHOW[i];

		row_check(run(&output, &cli_show, row->path, row->id, NULL) ==
				0,
			"%s: %s", row->name, output.err);
		check_order(row->name, output.out, row->want);
		row_check(strchr(output.out, '\033') == NULL, "%s", row->name);
	}
}

/* Large files are cut, and long reports. */
static void
test_cut(void **state)
{
	const struct tree *tree = *state;
	static char big[5000], report[1000];
	struct output output;

	memset(big, 'b', sizeof(big));
	for (size_t i = 0; i < sizeof(report) - 1; i++)
		report[i] = i % 10 == 9 ? '\n' : 'r';
	tree_write(tree, "big", big, sizeof(big));
	tree_text(tree, "out/crashes/x/report.txt", report);
	assert_int_equal(run(&output, &cli_show, "big", NULL, NULL), 0);
	assert_non_null(strstr(output.out, "00000ff0  62"));
	assert_null(strstr(output.out, "00001000  62"));
	assert_non_null(strstr(output.out, "    ... and 904 more\n"));
	assert_int_equal(run(&output, &cli_show, "out", "00f1", NULL), 0);
	assert_non_null(strstr(output.out,
		"    ... and 40 more lines in report.txt\n"));
}

static void
test_json(void **state)
{
	struct output output;
	json_t *json;

	assert_int_equal(run(&output, &cli_show, "--json", "out", "00f1"), 0);
	json = json_loads(output.out, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(json, "what")),
		"SIGSEGV");
	json_decref(json);
	assert_int_equal(run(&output, &cli_findings, "--json", "out", NULL), 0);
	json = json_loads(output.out, 0, NULL);
	assert_int_equal(json_array_size(json), 2);
	json_decref(json);
}

static void
test_findings(void **state)
{
	const struct tree *tree = *state;
	struct output output;

	assert_int_equal(run(&output, &cli_findings, "out", NULL, NULL), 0);
	assert_string_equal(output.out, FINDINGS_TABLE);
	tree_folder(tree, "empty");
	tree_text(tree, "empty/journal.jsonl", "");
	assert_int_equal(run(&output, &cli_findings, "empty", NULL, NULL), 0);
	assert_string_equal(output.out, "nothing was found\n");
}

static void
test_refused(void **state)
{
	struct output output;

	assert_int_equal(run(&output, &cli_show, "gone", NULL, NULL), 2);
	assert_non_null(strstr(output.err, "gone"));
	assert_int_equal(run(&output, &cli_findings, "other", NULL, NULL), 2);
	assert_non_null(strstr(output.err, "other"));
	assert_string_equal(output.out, "");
}

static int
enter(void **state)
{
	const struct tree *tree;

	if (tree_enter(state) != 0)
		return -1;
	tree = *state;
	for (size_t i = 0; i < ROWS(FILES); i++)
		if (FILES[i].content == NULL)
			tree_folder(tree, FILES[i].name);
		else
			tree_text(tree, FILES[i].name, FILES[i].content);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, tree_leave)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_show),
		TEST(test_cut),
		TEST(test_json),
		TEST(test_findings),
		TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
