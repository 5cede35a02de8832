/*
 * cfuzz min with a fake worker: what is written, what is said, the status.
 */
#include "lib/tool.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/own_note.h"

#define HEAD "go test fuzz v1\n"

/* clang-format off */
static const struct min_row {
	const char *name, *mode, *input;
	const char *options[4]; /* name, value, ... */
	enum exit_status status;
	const char *output; /* NULL: nothing is written */
	const char *says;   /* in the lines, or in the error */
	const char *end;    /* of the event; NULL: there is none */
} MIN[] = {
	{ "no stack", "inputs", "some text C and more", { NULL },
		EXIT_NOTHING, "C", "SIGSEGV\nminimized: 20 -> 1 bytes, ",
		"done" },
	{ "the same bucket at other addresses", "inputs", "some A text",
		{ NULL }, EXIT_NOTHING, "A",
		"SIGSEGV in f1 t.c:1\nminimized: 11 -> 1 bytes, ", "done" },
	{ "another bucket is refused", "inputs", "__A_B__", { NULL },
		EXIT_NOTHING, "A", "SIGSEGV in f1", "done" },
	{ "another failure has no stack", "inputs", "D_______D", { NULL },
		EXIT_NOTHING, "A", "SIGSEGV in f1", "done" },
	{ "the same kind is enough", "inputs", "__A__",
		{ "minimize-rule", "same-kind" }, EXIT_NOTHING, "A",
		"minimized: 5 -> 1 bytes", "done" },
	{ "an error by its text", "inputs", "text E text", { NULL },
		EXIT_NOTHING, "E", "bad\nminimized: 11 -> 1 bytes", "done" },
	{ "any failure", "inputs", "__AE",
		{ "minimize-rule", "any-failure" }, EXIT_NOTHING, "A",
		"minimized: 4 -> 1 bytes", "done" },
	{ "the budget is used up", "inputs", "some long text C and more",
		{ "minimizetime", "3x" }, EXIT_NOTHING, "",
		"the budget is used up: this is the smallest so far\n",
		"budget" },
	{ "by hand", "inputs-nofork", "some text C and more", { NULL },
		EXIT_NOTHING, "C", "minimized: 20 -> 1 bytes, ", "done" },
	{ "by hand, at other addresses", "inputs-nofork", "some A text",
		{ NULL }, EXIT_NOTHING, "A", "minimized: 11 -> 1 bytes, ",
		"done" },
	{ "by hand, another bucket", "inputs-nofork", "__A_B__", { NULL },
		EXIT_NOTHING, "A", "minimized: 7 -> 1 bytes, ", "done" },
	{ "by hand, budget", "inputs-nofork", "some long text C and more",
		{ "minimizetime", "3x" }, EXIT_NOTHING, "",
		"the budget is used up", "budget" },
	{ "typed", "inputs-typed", HEAD "string(\"some A text\")\n",
		{ NULL }, EXIT_NOTHING, HEAD "string(\"A\")\n",
		"minimized: 38 -> 28 bytes, ", "done" },
	{ "typed by a wrong file", "inputs-typed", "A", { NULL }, EXIT_SETUP,
		NULL, "in: ", NULL },
	{ "a hang is confirmed once", "inputs", "text H text",
		{ "verify", "3" }, EXIT_NOTHING, "H", "reproduced 1 of 1\n",
		"done" },
	{ "a crash is confirmed often", "inputs", "text C text",
		{ "verify", "3" }, EXIT_NOTHING, "C", "reproduced 3 of 3\n",
		"done" },
	{ "it does not fail", "inputs", "good", { NULL }, EXIT_SETUP, NULL,
		"in does not fail, in 1 run: there is nothing to minimize",
		NULL },
	{ "it does not fail three times", "inputs", "good",
		{ "verify", "3" }, EXIT_SETUP, NULL,
		"in does not fail, in 3 runs: ", NULL },
	{ "something outside ends it", "inputs", "K", { NULL }, EXIT_SETUP,
		NULL, "in is not minimized: a smaller input that ends like this",
		NULL },
	{ "it does not run", "inputs", "N", { NULL }, EXIT_LOST, NULL,
		"the input was not run", NULL },
	{ "the program is lost in the first run", "inputs-afl", "Z",
		{ NULL }, EXIT_SETUP, NULL, "in does not fail, in 1 run: ",
		NULL },
	{ "the data of a worker is damaged", "inputs", "Z", { NULL },
		EXIT_SETUP, NULL, "in is not minimized: ", NULL },
	{ "the worker ends before the confirmation", "inputs", "some JC text",
		{ NULL }, EXIT_NOTHING, "C", "reproduced 1 of 1\n", "done" },
	{ "it does not run any more", "inputs", "CP",
		{ "minimizetime", "50x" }, EXIT_LOST, NULL,
		"the input was not run: no process (2 calls)", NULL },
	{ "it fails once only", "inputs", "F.....", { "verify", "2" },
		EXIT_LOST, NULL,
		"the smaller input did not fail again: nothing was written",
		NULL },
	{ "it then fails elsewhere", "inputs", "X", { NULL }, EXIT_LOST, NULL,
		"the smaller input did not fail again", NULL },
	{ "stopped in the first run", "inputs", "W", { NULL }, EXIT_LOST,
		NULL, "stopped before anything was smaller", NULL },
	{ "no time", "inputs", "C", { "minimizetime", "0" }, EXIT_SETUP, NULL,
		"--minimizetime 0 leaves no time to minimize", NULL },
};
/* clang-format on */

static void
check_row(const struct tree *tree, const struct min_row *row)
{
	enum exit_status status;
	struct tool tool;
	size_t i, len = 0;
	char *output;

	unlinkat(tree->fd, "out", 0);
	tree_text(tree, "in", row->input);
	tool_open(&tool, tree, row->mode);
	for (i = 0; i < 4 && row->options[i] != NULL; i += 2)
		tool_set(&tool, row->options[i], row->options[i + 1]);
	status = engine_min(&tool.config, "in", "out", &tool.err);
	row_check(status == row->status, "%s: %d %s `%s`", row->name, status,
		tool.err.text, tool.said);
	row_check(row->says == NULL || tool_said(&tool, row->says) ||
			strstr(tool.err.text, row->says) != NULL,
		"%s: `%s` `%s`", row->name, tool.said, tool.err.text);
	row_check((row->end == NULL) == (tool.event == NULL), "%s", row->name);
	row_check(strcmp(tool_text(&tool, "end"),
			  row->end != NULL ? row->end : "") == 0,
		"%s: %s", row->name, tool_text(&tool, "end"));
	output = tree_read(tree, "out", &len);
	row_check((output != NULL) == (row->output != NULL), "%s", row->name);
	row_check(output == NULL || row->output[0] == '\0' ||
			strcmp(output, row->output) == 0,
		"%s: `%s`", row->name, output);
	row_check(output == NULL || tool_number(&tool, "len") == (int)len, "%s",
		row->name);
	row_check(tree_holds(tree, "in", row->input), "%s", row->name);
	free(output);
	tool_close(&tool);
}

static void
test_rows(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(MIN); i++)
		check_row(tree, &MIN[i]);
	assert_int_equal(chdir("/"), 0);
}

/* All members of the event. */
static void
test_event(void **state)
{
	const struct tree *tree = *state;
	struct tool tool;

	tree_text(tree, "in", "some A text");
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	assert_int_equal(engine_min(&tool.config, "in", "out", &tool.err),
		EXIT_NOTHING);
	assert_string_equal(tool_text(&tool, "event"), "minimized");
	assert_string_equal(tool_text(&tool, "input"), "in");
	assert_string_equal(tool_text(&tool, "output"), "out");
	assert_int_equal(tool_number(&tool, "start_len"), 11);
	assert_int_equal(tool_number(&tool, "len"), 1);
	assert_true(tool_number(&tool, "tries") > 0);
	assert_true(tool_number(&tool, "accepted") > 0);
	assert_string_equal(tool_text(&tool, "kind"), "signal");
	assert_string_equal(tool_text(&tool, "what"), "SIGSEGV");
	assert_string_equal(tool_text(&tool, "where"), "f1 t.c:1");
	assert_string_equal(tool_text(&tool, "rule"), "same-bucket");
	assert_int_equal(tool_number(&tool, "reproduced"), 1);
	assert_int_equal(tool_number(&tool, "runs"), 1);
	assert_true(tool_said(&tool, "written to out\n"));
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* Each try counts once, however often the minimization is interrupted. */
static void
test_counts(void **state)
{
	static const char *const rules[] = { "same-bucket", "any-failure" };
	const struct tree *tree = *state;
	int tries[2], accepted[2];
	struct tool tool;
	size_t i;

	tree_text(tree, "in", "some long text A");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(rules); i++) {
		tool_open(&tool, tree, "inputs");
		tool_set(&tool, "minimize-rule", rules[i]);
		assert_int_equal(engine_min(&tool.config, "in", "out",
					 &tool.err),
			EXIT_NOTHING);
		tries[i] = tool_number(&tool, "tries");
		accepted[i] = tool_number(&tool, "accepted");
		tool_close(&tool);
	}
	assert_int_equal(tries[0], tries[1]);
	assert_int_equal(accepted[0], accepted[1]);
	assert_int_equal(chdir("/"), 0);
}

static void
make_finding(const struct tree *tree, const char *input)
{
	tree_folder(tree, "crashes");
	tree_folder(tree, "crashes/x");
	tree_text(tree, "journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"inputs\"]}\n");
	tree_text(tree, "crashes/x/input", input);
}

/* clang-format off */
static const struct earlier_row {
	const char *name, *earlier, *want, *says;
} EARLIER[] = {
	{ "it still fails", "__A_", "A", "minimized: 11 -> 1 bytes" },
	{ "it does not fail", "good", "A", "minimized: 11 -> 1 bytes" },
	{ "it fails elsewhere", "B", "A", "minimized: 11 -> 1 bytes" },
	{ "it is as small as can be", "A", "A", "minimized: 11 -> 1 bytes" },
	{ "it is no smaller", "some A text", "A",
		"minimized: 11 -> 1 bytes" },
};
/* clang-format on */

/* In the folder of a finding, an earlier result is the start if it fails. */
static void
test_finding(void **state)
{
	const struct tree *tree = *state;
	struct tool tool;
	size_t i;

	make_finding(tree, "some A text");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(EARLIER); i++) {
		const struct earlier_row *row = &EARLIER[i];
		enum exit_status status;

		tree_text(tree, "crashes/x/minimized", row->earlier);
		tool_open(&tool, tree, "inputs");
		tool.config.args = NULL;
		status = engine_min(&tool.config, "crashes/x", NULL, &tool.err);
		row_check(status == EXIT_NOTHING, "%s: %s", row->name,
			tool.err.text);
		row_check(tool_said(&tool, row->says), "%s: %s", row->name,
			tool.said);
		row_check(tool_said(&tool,
				  "with the campaign's arguments: inputs\n"),
			"%s", row->name);
		row_check(tree_holds(tree, "crashes/x/minimized", row->want),
			"%s", row->name);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

#define IS(kind, what, more) \
	"{\"id\":\"1\",\"kind\":\"" kind "\",\"what\":\"" what "\"" more "}"
#define IN(function) \
	",\"where\":\"" function " t.c:7\",\"frames\":[{\"module\":\"t\"," \
	"\"offset\":1,\"function\":\"" function "\",\"file\":\"t.c\"," \
	"\"line\":7}]"
#define BY(rule) ",\"minimize_rule\":\"" rule "\""

/* clang-format off */
static const struct keep_row {
	const char *name, *crash, *input;
	const char *options[4]; /* name, value, ... */
	enum exit_status status;
	const char *says; /* in the lines, or in the error */
} KEEP[] = {
	{ "the failure of the finding", IS("signal", "SIGSEGV", IN("f1")),
		"some A text", { NULL }, EXIT_NOTHING, "minimized: " },
	{ "another kind", IS("sanitizer", "bad-thing", IN("f1")),
		"some A text", { NULL }, EXIT_SETUP,
		"crashes/x/input fails in another way than its finding: "
		"SIGSEGV in f1 t.c:1, not bad-thing in f1 t.c:7" },
	{ "another signal", IS("signal", "SIGABRT", ""), "some C text",
		{ NULL }, EXIT_SETUP, "finding: SIGSEGV, not SIGABRT; " },
	{ "another function", IS("signal", "SIGSEGV", IN("f2")),
		"some A text", { NULL }, EXIT_SETUP, "not SIGSEGV in f2" },
	{ "one without a name", IS("signal", "SIGSEGV", ""), "some A text",
		{ NULL }, EXIT_NOTHING, "minimized: " },
	{ "another one in the first run only",
		IS("signal", "SIGSEGV", IN("f2")), "some X text",
		{ "verify", "2" }, EXIT_NOTHING, "SIGSEGV in f2 t.c:2\n" },
	{ "another one, then none", IS("error", "bad", ""), "some F text",
		{ "verify", "2" }, EXIT_SETUP, "finding: SIGSEGV, not bad; " },
	{ "damaged", "{", "some A text", { NULL }, EXIT_NOTHING,
		"minimized: " },
	{ "by a rule that lets in others", IS("signal", "SIGSEGV", IN("f1")),
		"some A text", { "minimize-rule", "any-failure" }, EXIT_SETUP,
		"names no rule, which stands for same-bucket: " },
	{ "by one that is less strict",
		IS("signal", "SIGSEGV", IN("f1") BY("same-kind")),
		"some A text", { "minimize-rule", "any-failure" }, EXIT_SETUP,
		"crash.json says same-kind: " },
	{ "by its rule", IS("signal", "SIGSEGV", IN("f1") BY("any-failure")),
		"some A text", { "minimize-rule", "any-failure" },
		EXIT_NOTHING, "minimized: " },
};
/* clang-format on */

/* With -o any failure may be kept. */
static void
check_elsewhere(const struct tree *tree)
{
	struct tool tool;

	tool_open(&tool, tree, "inputs");
	tool_set(&tool, "minimize-rule", "any-failure");
	tree_text(tree, "crashes/x/crash.json",
		IS("sanitizer", "bad-thing", ""));
	assert_int_equal(engine_min(&tool.config, "crashes/x", "out",
				 &tool.err),
		EXIT_NOTHING);
	tool_close(&tool);
}

/* A finding's smaller input fails as the finding does. */
static void
test_keep(void **state)
{
	const struct tree *tree = *state;
	enum exit_status status;
	struct tool tool;

	make_finding(tree, "");
	assert_int_equal(chdir(tree->path), 0);
	for (size_t i = 0; i < ROWS(KEEP); i++) {
		const struct keep_row *row = &KEEP[i];

		tree_text(tree, "crashes/x/input", row->input);
		tree_text(tree, "crashes/x/crash.json", row->crash);
		tree_text(tree, "crashes/x/minimized", "earlier");
		tool_open(&tool, tree, "inputs");
		for (size_t k = 0; k < 4 && row->options[k] != NULL; k += 2)
			tool_set(&tool, row->options[k], row->options[k + 1]);
		status = engine_min(&tool.config, "crashes/x", NULL, &tool.err);
		row_check(status == row->status, "%s: %d %s `%s`", row->name,
			status, tool.err.text, tool.said);
		row_check(tool_said(&tool, row->says) ||
				strstr(tool.err.text, row->says) != NULL,
			"%s: `%s` `%s`", row->name, tool.said, tool.err.text);
		row_check(tree_holds(tree, "crashes/x/minimized", "earlier") ==
				(status != EXIT_NOTHING),
			"%s: the file", row->name);
		tool_close(&tool);
	}
	check_elsewhere(tree);
	assert_int_equal(chdir("/"), 0);
}

#define SMALL "\"minimized_len\":1,\"minimize_rule\":\"same-bucket\"}"

/* clang-format off */
static const struct record_row {
	const char *name, *mode, *input, *before;
	const char *after; /* what is to be in crash.json besides */
	bool left;
} RECORD[] = {
	{ "not minimized so far", "inputs", "some A text",
		IS("signal", "SIGSEGV", ",\"note\":\"x\""),
		"{\"note\":\"x\"," SMALL, false },
	{ "minimized by a less strict rule", "inputs", "some A text",
		IS("signal", "SIGSEGV", BY("any-failure")
			",\"minimized_len\":3,\"minimized_build\":\"7\""),
		"{" SMALL, false },
	{ "left by a run", "inputs", "some A text",
		IS("signal", "SIGSEGV", ",\"left\":\"minimize\""),
		"{" SMALL, false },
	{ "to be verified first", "inputs", "some A text",
		IS("signal", "SIGSEGV", ",\"left\":\"verify\""),
		"{\"left\":\"verify\"," SMALL, true },
	{ "stopped", "inputs", "CI______________",
		IS("signal", "SIGSEGV", ",\"left\":\"minimize\""),
		"{\"left\":\"minimize\"}", true },
	{ "typed", "inputs-typed", HEAD "string(\"some A text\")\n",
		IS("signal", "SIGSEGV", ",\"call\":\"old\""),
		"{\"minimized_len\":28}", false },
	{ "typed, a sequence", "inputs-typed",
		HEAD "string(\"some A text\")\n",
		IS("signal", "SIGSEGV", ",\"sequence\":2,\"call\":\"old\""),
		"{\"call\":\"old\",\"minimized_len\":28}", false },
};
/* clang-format on */

static void
check_record(const struct tree *tree, const struct record_row *row)
{
	json_t *info, *want = json_loads(row->after, 0, NULL), *value;
	size_t len, size = 0;
	char *text, *minimized;
	const char *name;

	text = tree_read(tree, "crashes/x/crash.json", &len);
	minimized = tree_read(tree, "crashes/x/minimized", &size);
	info = json_loads(text, 0, NULL);
	json_object_foreach(want, name, value)
		row_check(json_equal(json_object_get(info, name), value),
			"%s: %s in %s", row->name, name, text);
	row_check(json_integer_value(json_object_get(info, "minimized_len")) ==
			(json_int_t)size,
		"%s: %s", row->name, text);
	row_check((json_object_get(info, "left") != NULL) == row->left, "%s",
		row->name);
	value = json_object_get(info, "minimized_build");
	row_check(value != NULL && strcmp(json_string_value(value), "7") != 0,
		"%s: %s", row->name, text);
	json_decref(info);
	json_decref(want);
	free(text);
	free(minimized);
}

/* crash.json says what has been minimized, and keeps all else. */
static void
test_record(void **state)
{
	const struct record_row *row;
	const struct tree *tree = *state;
	struct tool tool;

	make_finding(tree, "");
	assert_int_equal(chdir(tree->path), 0);
	for (row = RECORD; row < RECORD + ROWS(RECORD); row++) {
		unlinkat(tree->fd, "crashes/x/minimized", 0);
		tree_text(tree, "crashes/x/input", row->input);
		tree_text(tree, "crashes/x/crash.json", row->before);
		tool_open(&tool, tree, row->mode);
		row_check(engine_min(&tool.config, "crashes/x", NULL,
				  &tool.err) == EXIT_NOTHING,
			"%s: %s", row->name, tool.err.text);
		check_record(tree, row);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

/* The input of a stopped run is as small as it got. */
static void
test_stopped(void **state)
{
	static const char *const modes[] = { "inputs", "inputs-nofork" };
	const struct tree *tree = *state;
	struct tool tool;
	size_t i;

	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(modes); i++) {
		/* The engine is interrupted by a candidate with an I alone. */
		tree_text(tree, "in", "CI______________");
		tool_open(&tool, tree, modes[i]);
		row_check(engine_min(&tool.config, "in", "out", &tool.err) ==
				EXIT_NOTHING,
			"%s: %s", modes[i], tool.err.text);
		row_check(tool_said(&tool,
				  "stopped: this is the smallest so far\n"),
			"%s: %s", modes[i], tool.said);
		row_check(strcmp(tool_text(&tool, "end"), "stopped") == 0, "%s",
			modes[i]);
		row_check(tool_number(&tool, "reproduced") == 1, "%s",
			modes[i]);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_rows),
		TREE_TEST(test_event),
		TREE_TEST(test_counts),
		TREE_TEST(test_finding),
		TREE_TEST(test_keep),
		TREE_TEST(test_record),
		TREE_TEST(test_stopped),
	};

	tool_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
