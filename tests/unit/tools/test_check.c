/*
 * cfuzz check with a fake worker: the verdict on each finding, and the status.
 */
#include "lib/tool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/own_note.h"

#define FINDINGS_MAX 3

/* clang-format off */
#define SIGNAL "\"kind\":\"signal\",\"what\":\"SIGSEGV\""
#define HANG "\"kind\":\"hang\",\"what\":\"hang\"," \
	"\"limits\":{\"timeout\":\"100ms\"}"
#define REPLAYS "\"replays\":5,\"reproduced\":5"
#define UNSURE "\"replays\":5,\"reproduced\":2"
#define IN(f, line) "\"where\":\"" f " t.c:" line "\",\"frames\":[{" \
	"\"module\":\"t\",\"offset\":16,\"function\":\"" f "\"," \
	"\"file\":\"t.c\",\"line\":" line "}]"
#define IN_F1 IN("f1", "1")
#define IN_F2 IN("f2", "2")

struct found {
	const char *json, *input, *minimized; /* NULL: there is none */
	const char *sequence[2];
};

static const struct check_row {
	const char *name;
	struct found found[FINDINGS_MAX];
	enum exit_status status;
	const char *says[4];
	const char *verdict; /* of the first finding */
	int runs;            /* of the first finding */
} CHECK[] = {
	{ "nothing was found", { { NULL, NULL, NULL, { NULL } } },
		EXIT_NOTHING, { "nothing was found: nothing to check\n" }, "",
		0 },
	{ "it still fails", { { SIGNAL "," REPLAYS, "C", NULL, { NULL } } },
		EXIT_FOUND,
		{ "crashes/x0: still fails: SIGSEGV\n",
		  "1 finding: 1 still fails, 0 differently, 0 fixed, "
		  "0 not run\n" }, "still-fails", 1 },
	{ "in the same function",
		{ { SIGNAL "," REPLAYS "," IN_F1, "A", NULL, { NULL } } },
		EXIT_FOUND,
		{ "crashes/x0: still fails: SIGSEGV in f1 t.c:1\n" },
		"still-fails", 1 },
	{ "in another function",
		{ { SIGNAL "," REPLAYS "," IN_F1, "B", NULL, { NULL } } },
		EXIT_FOUND,
		{ "crashes/x0: fails differently: SIGSEGV in f2 t.c:2 "
		  "(it was SIGSEGV in f1 t.c:1)\n",
		  "0 still fail, 1 differently" }, "fails-differently", 1 },
	{ "in another way",
		{ { SIGNAL "," REPLAYS, "E", NULL, { NULL } } }, EXIT_FOUND,
		{ "crashes/x0: fails differently: bad (it was SIGSEGV)\n" },
		"fails-differently", 1 },
	{ "it is fixed", { { SIGNAL "," REPLAYS "," IN_F1, "good", NULL,
		{ NULL } } }, EXIT_NOTHING,
		{ "crashes/x0: fixed (it was SIGSEGV in f1 t.c:1)\n",
		  "0 still fail, 0 differently, 1 fixed" }, "fixed", 1 },
	{ "an unsure one runs more often",
		{ { SIGNAL "," UNSURE, "good", NULL, { NULL } } },
		EXIT_NOTHING, { "fixed" }, "fixed", 4 },
	{ "an unsure one that fails in another function first",
		{ { SIGNAL "," UNSURE "," IN_F2, "X", NULL, { NULL } } },
		EXIT_FOUND,
		{ "crashes/x0: still fails: SIGSEGV in f2 t.c:2\n" },
		"still-fails", 2 },
	{ "an unsure one that fails in another way once",
		{ { "\"kind\":\"error\",\"what\":\"bad\"," UNSURE, "F",
		NULL, { NULL } } }, EXIT_FOUND,
		{ "crashes/x0: fails differently: SIGSEGV (it was bad)\n" },
		"fails-differently", 4 },
	{ "the second file of an unsure one",
		{ { SIGNAL "," UNSURE, "xxC", "E", { NULL } } }, EXIT_FOUND,
		{ "crashes/x0: still fails: SIGSEGV\n" }, "still-fails", 5 },
	{ "so does one without replays",
		{ { SIGNAL, "good", NULL, { NULL } } }, EXIT_NOTHING,
		{ "fixed" }, "fixed", 4 },
	{ "the minimized input first",
		{ { SIGNAL "," REPLAYS, "good", "C", { NULL } } }, EXIT_FOUND,
		{ "crashes/x0: still fails" }, "still-fails", 1 },
	{ "then the input", { { SIGNAL "," REPLAYS, "xxC", "x", { NULL } } },
		EXIT_FOUND, { "crashes/x0: still fails" }, "still-fails", 2 },
	{ "one file fails as before",
		{ { SIGNAL "," REPLAYS, "xxC", "E", { NULL } } }, EXIT_FOUND,
		{ "crashes/x0: still fails: SIGSEGV\n" }, "still-fails", 2 },
	{ "a sequence",
		{ { SIGNAL "," REPLAYS ",\"sequence\":2", "good", NULL,
		{ "one", "C" } } }, EXIT_FOUND,
		{ "crashes/x0: still fails: SIGSEGV" }, "still-fails", 1 },
	{ "a sequence that is fixed",
		{ { SIGNAL "," REPLAYS ",\"sequence\":2", "C", NULL,
		{ "one", "two" } } }, EXIT_NOTHING, { "crashes/x0: fixed" },
		"fixed", 1 },
	{ "a sequence of which a part is lost",
		{ { SIGNAL "," REPLAYS ",\"sequence\":3", "C", NULL,
		{ "one", "two" } } }, EXIT_LOST,
		{ "crashes/x0: not run: files of the sequence are missing\n" },
		"not-run", 0 },
	{ "a sequence of which a part runs",
		{ { SIGNAL "," REPLAYS ",\"sequence\":2", "C", NULL,
		{ "S", "C" } } }, EXIT_LOST,
		{ "not run: no run failed, but only 1 of 2 inputs ran\n" },
		"not-run", 1 },
	{ "with a lower limit it failed",
		{ { HANG "," REPLAYS, "good", NULL, { NULL } } }, EXIT_LOST,
		{ "not run: no run failed, but it failed with "
		  "--timeout 100ms\n" }, "not-run", 1 },
	{ "none of its replays failed",
		{ { SIGNAL ",\"replays\":5,\"reproduced\":0", "good", NULL,
		{ NULL } } }, EXIT_LOST,
		{ "not run: no run failed, but none of its replays did" },
		"not-run", 4 },
	{ "none of its replays with another build failed",
		{ { SIGNAL ",\"replays\":5,\"reproduced\":0,\"build_id\":\"a\","
		"\"replays_build\":\"b\"", "good", NULL, { NULL } } },
		EXIT_NOTHING, { "crashes/x0: fixed" }, "fixed", 4 },
	{ "a flaky one that fails with no other build",
		{ { SIGNAL ",\"replays\":5,\"reproduced\":0,\"build_id\":\"a\","
		"\"replays_build\":\"b\",\"state\":\"flaky\"", "good", NULL,
		{ NULL } } }, EXIT_LOST,
		{ "not run: no run failed, but none of its replays did" },
		"not-run", 4 },
	{ "nothing is known of it", { { "", "good", NULL, { NULL } } },
		EXIT_LOST, { "not run: no run failed, but crash.json is "
		"missing or damaged\n" }, "not-run", 4 },
	{ "the finding has no input", { { SIGNAL, NULL, NULL, { NULL } } }, EXIT_LOST,
		{ "crashes/x0: not run: the finding has no input\n",
		  "0 fixed, 1 not run\n" }, "not-run", 0 },
	{ "the process ended", { { SIGNAL "," REPLAYS, "N", NULL, { NULL } } },
		EXIT_LOST, { "crashes/x0: not run: " }, "not-run", 0 },
	{ "no process for it", { { SIGNAL "," REPLAYS, "$", NULL, { NULL } } },
		EXIT_LOST, { "crashes/x0: not run: no process (1 calls)\n" },
		"not-run", 0 },
	{ "two in a row do not run", { { SIGNAL "," REPLAYS, "N", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "N", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "good", NULL, { NULL } } }, EXIT_LOST,
		{ "crashes/x0: not run: ", "crashes/x1: not run: ",
		  "crashes/x2: fixed", "1 fixed, 2 not run\n" }, "not-run", 0 },
	{ "something outside ended it",
		{ { SIGNAL "," REPLAYS, "K", NULL, { NULL } } }, EXIT_LOST,
		{ "not run: the process was killed from outside\n" },
		"not-run", 0 },
	{ "a worker ends between two findings",
		{ { SIGNAL "," REPLAYS, "aJ", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "C", NULL, { NULL } } }, EXIT_FOUND,
		{ "crashes/x0: fixed", "crashes/x1: still fails: SIGSEGV\n",
		  "0 not run\n" }, "fixed", 1 },
	{ "stopped", { { SIGNAL "," REPLAYS, "W", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "C", NULL, { NULL } } }, EXIT_LOST,
		{ "crashes/x0: not run: ", "crashes/x1: not run: stopped\n",
		  "2 findings: 0 still fail, 0 differently, 0 fixed, "
		  "2 not run\n" }, "not-run", 0 },
	{ "three of them", { { SIGNAL "," REPLAYS, "C", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "good", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "E", NULL, { NULL } } }, EXIT_FOUND,
		{ "x0: still fails", "x1: fixed", "x2: fails differently",
		  "3 findings: 1 still fails, 1 differently, 1 fixed, "
		  "0 not run\n" }, "still-fails", 1 },
};
/* clang-format on */

static void
make_file(const struct tree *tree, const char *output, size_t i,
	const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/crashes/x%zu/%s", output, i, name);
	if (text != NULL)
		tree_text(tree, path, text);
}

static void
make_finding(const struct tree *tree, const char *output, size_t i,
	const struct found *found)
{
	char path[128], json[1024];

	snprintf(path, sizeof(path), "%s/crashes/x%zu", output, i);
	tree_folder(tree, path);
	snprintf(json, sizeof(json),
		"{\"id\":\"%016zx\",\"last_s\":%zu,\"state\":\"confirmed\",%s}",
		i + 1, 9 - i, found->json);
	make_file(tree, output, i, "crash.json", json);
	make_file(tree, output, i, "input", found->input);
	make_file(tree, output, i, "minimized", found->minimized);
	if (found->sequence[0] == NULL)
		return;
	snprintf(path, sizeof(path), "%s/crashes/x%zu/sequence", output, i);
	tree_folder(tree, path);
	make_file(tree, output, i, "sequence/000001", found->sequence[0]);
	make_file(tree, output, i, "sequence/000002", found->sequence[1]);
}

static void
make_output(const struct tree *tree, const char *output,
	const struct found found[FINDINGS_MAX], const char *args)
{
	char name[64], text[256];
	size_t i;

	tree_folder(tree, output);
	snprintf(name, sizeof(name), "%s/crashes", output);
	tree_folder(tree, name);
	snprintf(name, sizeof(name), "%s/journal.jsonl", output);
	snprintf(text, sizeof(text),
		"{\"event\":\"campaign\",\"build_id\":\"\",\"args\":[%s]}\n",
		args);
	tree_text(tree, name, text);
	for (i = 0; i < FINDINGS_MAX && found[i].json != NULL; i++)
		make_finding(tree, output, i, &found[i]);
}

static void
check_row(const struct tree *tree, const struct check_row *row, size_t number)
{
	enum exit_status status;
	const json_t *first;
	const char *verdict;
	struct tool tool;
	char output[32];
	size_t i;

	snprintf(output, sizeof(output), "out%zu", number);
	make_output(tree, output, row->found, "");
	tool_open(&tool, tree, "inputs");
	tool_set(&tool, "verify", "4");
	status = engine_check(&tool.config, output, &tool.err);
	row_check(status == row->status, "%s: %d %s `%s`", row->name, status,
		tool.err.text, tool.said);
	row_check(strncmp(tool.said, "running ", 8) == 0, "%s: `%s`", row->name,
		tool.said);
	for (i = 0; i < 4 && row->says[i] != NULL; i++)
		row_check(tool_said(&tool, row->says[i]), "%s: `%s` in `%s`",
			row->name, row->says[i], tool.said);
	first = json_array_get(json_object_get(tool.event, "findings"), 0);
	verdict = json_string_value(json_object_get(first, "verdict"));
	row_check(strcmp(verdict != NULL ? verdict : "", row->verdict) == 0,
		"%s: %s", row->name, verdict);
	row_check(json_integer_value(json_object_get(first, "runs")) ==
			row->runs,
		"%s: `%s`", row->name, tool.said);
	tool_close(&tool);
}

static void
test_rows(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(CHECK); i++)
		check_row(tree, &CHECK[i], i);
	assert_int_equal(chdir("/"), 0);
}

/* A program of AFL++ that is lost starts again. Damaged data of another target may
 * be its own work, and no clean run after it says that it was mended. */
static void
test_lost(void **state)
{
	static const struct {
		const char *mode, *says;
		enum exit_status status;
	} rows[] = {
		{ "inputs-afl", "crashes/x0: fixed", EXIT_NOTHING },
		{ "inputs", "crashes/x0: not run: ", EXIT_LOST },
	};
	static const struct found found[FINDINGS_MAX] = {
		{ SIGNAL "," REPLAYS, "aZ", NULL, { NULL } },
	};
	const struct tree *tree = *state;
	struct tool tool;
	size_t i;

	make_output(tree, "out", found, "");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(rows); i++) {
		enum exit_status status;

		tool_open(&tool, tree, rows[i].mode);
		status = engine_check(&tool.config, "out", &tool.err);
		row_check(status == rows[i].status &&
				tool_said(&tool, rows[i].says),
			"%s: %d `%s`", rows[i].mode, status, tool.said);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

/* A sequence with more bytes than a process gets with the default --max-len:
 * the campaign's was larger. */
static void
test_long_sequence(void **state)
{
	static const struct found found[FINDINGS_MAX] = {
		{ SIGNAL "," REPLAYS ",\"sequence\":9", "C", NULL,
			{ "one", "two" } },
	};
	const struct tree *tree = *state;
	struct tool tool;
	char path[64];
	int i;

	make_output(tree, "out", found, "");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 1; i < 9; i++) {
		snprintf(path, sizeof(path), "out/crashes/x0/sequence/%06d", i);
		tree_text(tree, path, "");
		assert_int_equal(truncate(path, 1000000), 0);
	}
	tree_text(tree, "out/crashes/x0/sequence/000009", "C");
	tool_open(&tool, tree, "inputs");
	assert_int_equal(engine_check(&tool.config, "out", &tool.err),
		EXIT_FOUND);
	assert_true(tool_said(&tool, "crashes/x0: still fails: SIGSEGV\n"));
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

static void
check_text(const json_t *object, const char *name, const char *want)
{
	assert_string_equal(json_string_value(json_object_get(object, name)),
		want);
}

/* Several workers at once: the lines are in the order of the findings. */
static void
test_event(void **state)
{
	static const struct found found[FINDINGS_MAX] = {
		{ SIGNAL "," REPLAYS "," IN_F1, "A", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "E", NULL, { NULL } },
		{ SIGNAL "," REPLAYS, "good", NULL, { NULL } },
	};
	const struct tree *tree = *state;
	const json_t *list;
	struct tool tool;

	make_output(tree, "out", found, "");
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	tool_set(&tool, "parallel", "3");
	assert_int_equal(engine_check(&tool.config, "out", &tool.err),
		EXIT_FOUND);
	assert_true(strstr(tool.said, "x0: ") < strstr(tool.said, "x1: "));
	assert_true(strstr(tool.said, "x1: ") < strstr(tool.said, "x2: "));
	assert_string_equal(tool_text(&tool, "event"), "checked");
	assert_string_equal(tool_text(&tool, "output"), "out");
	assert_string_equal(tool_text(&tool, "target"), tool.target);
	assert_int_equal(tool_number(&tool, "still_fails"), 1);
	assert_int_equal(tool_number(&tool, "fails_differently"), 1);
	assert_int_equal(tool_number(&tool, "fixed"), 1);
	assert_int_equal(tool_number(&tool, "not_run"), 0);
	list = json_object_get(tool.event, "findings");
	assert_int_equal(json_array_size(list), 3);
	check_text(json_array_get(list, 0), "id", "0000000000000001");
	check_text(json_array_get(list, 0), "folder", "crashes/x0");
	check_text(json_array_get(list, 0), "where", "f1 t.c:1");
	check_text(json_array_get(list, 1), "verdict", "fails-differently");
	check_text(json_array_get(list, 1), "was_what", "SIGSEGV");
	check_text(json_array_get(list, 1), "what", "bad");
	check_text(json_array_get(list, 2), "verdict", "fixed");
	check_text(json_array_get(list, 2), "what", "");
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* The arguments are those of the campaign; so is the target, if it is known. */
static void
test_campaign(void **state)
{
	static const struct found found[FINDINGS_MAX] = {
		{ SIGNAL "," REPLAYS, "C", NULL, { NULL } },
	};
	const struct tree *tree = *state;
	struct tool tool;

	make_output(tree, "out", found, "\"inputs\"");
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	tool.config.args = NULL;
	assert_int_equal(engine_check(&tool.config, "out", &tool.err),
		EXIT_FOUND);
	assert_true(
		tool_said(&tool, "with the campaign's arguments: inputs\n"));
	tool_forget(&tool);
	tool.config.target = NULL;
	assert_int_equal(engine_check(&tool.config, "out", &tool.err),
		EXIT_SETUP);
	assert_non_null(strstr(tool.err.text, "does not name its target"));
	assert_string_equal(tool.said, "");
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* clang-format off */
static const struct target_row {
	const char *name, *first, *latest; /* of the journal's runs */
	const char *types;
	bool fine;
} TARGETS[] = {
	{ "unknown", "", "",
		"[]", true },
	{ "in another folder", "/x/test_check", "/x/test_check",
		"[]", true },
	{ "another program", "/x/other", "/x/other",
		"[]", false },
	{ "of a longer name", "/x/my_test_check", "/x/my_test_check",
		"[]", false },
	{ "at the path of the first run", "SELF", "/x/other",
		"[]", true },
	{ "named as in the first run", "/x/test_check", "/x/other",
		"[]", false },
	{ "of other types", "SELF", "SELF", "[\"string\"]", false },
	{ "of other types, and unknown", "", "", "[\"string\"]", false },
};
/* clang-format on */

static void
write_runs(const struct tool *tool, const struct target_row *row)
{
	char text[2 * PATH_MAX + 256];

	snprintf(text, sizeof(text),
		"{\"event\":\"campaign\",\"build_id\":\"\",\"args\":[],"
		"\"target\":\"%s\"}\n"
		"{\"event\":\"resume\",\"build_id\":\"\",\"args\":[],"
		"\"target\":\"%s\"}\n"
		"{\"event\":\"types\",\"types\":%s}\n",
		strcmp(row->first, "SELF") == 0 ? tool->target : row->first,
		strcmp(row->latest, "SELF") == 0 ? tool->target : row->latest,
		row->types);
	tree_text(tool->tree, "out/journal.jsonl", text);
}

/* Another program is no new build. */
static void
test_targets(void **state)
{
	static const struct found found[FINDINGS_MAX] = {
		{ SIGNAL "," REPLAYS, "good", NULL, { NULL } },
	};
	const struct tree *tree = *state;
	struct tool tool;
	size_t i;

	make_output(tree, "out", found, "");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(TARGETS); i++) {
		const struct target_row *row = &TARGETS[i];
		enum exit_status status;

		tool_open(&tool, tree, "inputs");
		write_runs(&tool, row);
		status = engine_check(&tool.config, "out", &tool.err);
		row_check(status == (row->fine ? EXIT_NOTHING : EXIT_SETUP),
			"%s: %d %s `%s`", row->name, status, tool.err.text,
			tool.said);
		row_check(row->fine ||
				(tool.err.code == E_EXISTS &&
					!tool_said(&tool, "x0")),
			"%s: %s `%s`", row->name, tool.err.text, tool.said);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

static void
test_no_output(void **state)
{
	const struct tree *tree = *state;
	struct tool tool;

	tool_open(&tool, tree, "inputs");
	assert_int_equal(engine_check(&tool.config, tree->path, &tool.err),
		EXIT_SETUP);
	assert_int_not_equal(tool.err.code, OK);
	assert_string_equal(tool.said, "");
	tool_close(&tool);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_rows),
		TREE_TEST(test_lost),
		TREE_TEST(test_long_sequence),
		TREE_TEST(test_event),
		TREE_TEST(test_campaign),
		TREE_TEST(test_targets),
		TREE_TEST(test_no_output),
	};

	tool_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
