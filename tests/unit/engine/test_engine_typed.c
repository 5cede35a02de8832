/*
 * A whole engine with a fake worker of a typed target: seeds, files, and
 * damaged memory.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/corpus/load.h"
#include "engine/program.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"
#include "worker/inputs/input_text.h"

#define HEAD "go test fuzz v1\n"
#define ZEROS HEAD "[]byte(\"\")\nint8(0)\n"
#define OWN HEAD "[]byte(\"ab\")\nint8(-2)\n"

struct campaign {
	struct engine *engine;
	char said[8192]; /* reported lines */
	enum exit_status status;
	struct error err;
};

static void
on_report(void *arg, const struct report *report)
{
	struct campaign *c = arg;
	size_t len = strlen(c->said);

	if (report->kind == REPORT_LINE)
		snprintf(c->said + len, sizeof(c->said) - len, "%s\n",
			report->text);
}

/* options: name, value, ..., NULL. */
static void
run(struct campaign *c, const struct tree *tree, const char *mode,
	const char *const *options)
{
	*c = (struct campaign){ 0 };
	c->engine = whole_engine_open(tree, mode, options, -1, on_report, c);
	c->status = whole_engine_run(c->engine, &c->err);
}

static const char *const few[] = { "parallel", "1", "fuzztime", "20x", "verify",
	"0", "minimizetime", "0", NULL };

/* Checks the input of the only finding. */
static void
check_finding(const struct tree *tree, const struct campaign *c,
	const char *text)
{
	char path[512];

	assert_int_equal(c->engine->findings.n, 1);
	snprintf(path, sizeof(path), "out/%s/input",
		c->engine->findings.list[0]->folder);
	assert_true(tree_holds(tree, path, text));
}

/* One seed from a file, one from the target; invalid ones are reported. */
static void
test_seeds(void **state)
{
	const struct tree *tree = *state;
	const char *const options[] = { "parallel", "1", "fuzztime", "20x",
		"verify", "0", "minimizetime", "0", "seeds",
		tree_path(tree, "seeds"), NULL };
	struct campaign c;
	const struct corpus_entry *entry;

	tree_folder(tree, "seeds");
	tree_text(tree, "seeds/README", "no seed");
	tree_text(tree, "seeds/good", HEAD "[]byte(\"xyz\")\nint8(1)\n");
	tree_text(tree, "seeds/wrong", HEAD "string(\"hello\")\nint(50)\n");
	run(&c, tree, "typed", options);
	assert_int_equal(c.status, EXIT_FOUND);
	assert_non_null(strstr(c.said, "4 seeds skipped"));
	assert_non_null(strstr(c.said, "seed#1, seed#2, README"));
	assert_non_null(strstr(c.said, "must include version"));
	assert_int_equal(corpus_len(c.engine->campaign.corpus), 2);
	entry = corpus_get(c.engine->campaign.corpus, 0);
	assert_true(entry->is_seed);
	assert_string_equal(load_label(c.engine, entry), "seed#0");
	assert_int_equal(entry->file_len, strlen(OWN));
	assert_int_equal(entry->len, 16);
	entry = corpus_get(c.engine->campaign.corpus, 1);
	assert_string_equal(load_label(c.engine, entry), "good");
	/* Finds that are not of the types count as damage. */
	assert_int_equal(tree_count(tree, "out/corpus"), 0);
	engine_destroy(c.engine);
}

static void
test_finding(void **state)
{
	static const struct {
		const char *mode, *text;
	} rows[] = {
		{ "typed", OWN },
		{ "typed-empty", OWN },
		{ "typed-scribbles", ZEROS },
	};
	const struct tree *tree = *state;
	struct campaign c;
	char *journal;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		run(&c, tree, rows[i].mode, few);
		assert_int_equal(c.status, EXIT_FOUND);
		check_finding(tree, &c, rows[i].text);
		engine_destroy(c.engine);
		journal = tree_read(tree, "out/journal.jsonl", NULL);
		assert_non_null(
			strstr(journal, "\"types\":[\"[]uint8\",\"int8\"]"));
		free(journal);
		/* The second run knows the finding and its bytes. */
		run(&c, tree, rows[i].mode, few);
		check_finding(tree, &c, rows[i].text);
		assert_true(input_is_sound(&c.engine->target.types,
			c.engine->findings.list[0]->input,
			c.engine->findings.list[0]->len));
		engine_destroy(c.engine);
		tree_close(state);
		tree_open(state);
		tree = *state;
	}
}

/* The worker claims more seeds than its memory holds. */
static void
test_lies(void **state)
{
	const struct tree *tree = *state;
	struct campaign c;

	run(&c, tree, "typed-lies", few);
	assert_non_null(strstr(c.said, "do not fit into its memory"));
	assert_string_equal(load_label(c.engine,
				    corpus_get(c.engine->campaign.corpus, 0)),
		"seed#0");
	engine_destroy(c.engine);
}

/* A worker with other types than the first one is not used. */
static void
test_apart(void **state)
{
	const struct tree *tree = *state;
	const char *const options[] = { "parallel", "2", "fuzztime", "2000x",
		"verify", "0", "minimizetime", "0", NULL };
	struct campaign c;

	run(&c, tree, "typed-apart", options);
	assert_int_equal(c.status, EXIT_FOUND);
	assert_int_equal(c.engine->counts.executions, 2000);
	engine_destroy(c.engine);
}

/* The output directory belongs to another target: nothing is changed. */
static void
test_refused(void **state)
{
	const struct tree *tree = *state;
	struct campaign c;
	char *before[2], *after[2];

	run(&c, tree, "typed", few);
	engine_destroy(c.engine);
	before[0] = tree_read(tree, "out/journal.jsonl", NULL);
	before[1] = tree_read(tree, "out/stats.json", NULL);
	run(&c, tree, "plain", few);
	assert_int_equal(c.status, EXIT_SETUP);
	assert_non_null(
		strstr(c.err.text, "takes ([]uint8, int8), not (bytes)"));
	engine_destroy(c.engine);
	after[0] = tree_read(tree, "out/journal.jsonl", NULL);
	after[1] = tree_read(tree, "out/stats.json", NULL);
	for (int i = 0; i < 2; i++) {
		assert_string_equal(before[i], after[i]);
		free(before[i]);
		free(after[i]);
	}
}

/* ---- the past ------------------------------------------------------------ */

/* clang-format off */
static const struct past_row {
	const char *name, *stats, *function, *sanitizer;
	const char *info[2]; /* crash.json of findings */
} PASTS[] = {
	{ "both", "{\"function\": \"ns::f_1\", \"sanitizer\": \"address\"}", "ns::f_1", "address", { NULL } },
	{ "no name in C", "{\"function\": \"f(); g\", \"sanitizer\": \"a\\u001b\"}", "", "a\\x1b", { NULL } },
	{ "other values", "{\"function\": 1, \"sanitizer\": []}", "", "", { NULL } },
	{ "nothing", "{}", "", "", { NULL } },
	{ "of before the name was there", "{}", "ns::f_1", "", { "{}", "{\"call\": \"ns::f_1(\\\"(a\\\", 1)\"}" } },
	{ "of no name was known", "{}", "f", "", { "{\"call\": \"function(1)\"}", "{\"call\": \"f(1)\"}" } },
	{ "no call", "{}", "", "", { "{\"call\": \"(1)\"}", "{\"call\": \"f; g(1)\"}" } },
	{ "not even that", "{}", "", "", { "{\"call\": 1}", "{\"call\": \"f\"}" } },
};
/* clang-format on */

/* What the last run knew of the target holds until a worker tells. */
static void
test_past(void **state)
{
	const struct tree *tree = *state;
	const struct past_row *row;
	struct campaign c;
	struct engine *e;

	run(&c, tree, "typed", few);
	engine_destroy(c.engine);
	tree_folder(tree, "out/crashes/a");
	tree_folder(tree, "out/crashes/b");
	for (row = PASTS; row < PASTS + ROWS(PASTS); row++) {
		tree_text(tree, "out/stats.json", row->stats);
		tree_text(tree, "out/crashes/a/crash.json",
			row->info[0] != NULL ? row->info[0] : "{}");
		tree_text(tree, "out/crashes/b/crash.json",
			row->info[1] != NULL ? row->info[1] : "{}");
		e = whole_engine_open(tree, "typed", few, -1, NULL, NULL);
		row_check(program_types(e)->n == 2, "%s", row->name);
		row_check(strcmp(program_function(e), row->function) == 0,
			"%s: %s", row->name, program_function(e));
		row_check(strcmp(program_sanitizer(e), row->sanitizer) == 0,
			"%s: %s", row->name, program_sanitizer(e));
		engine_destroy(e);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_seeds),
		TEST(test_finding),
		TEST(test_lies),
		TEST(test_apart),
		TEST(test_refused),
		TEST(test_past),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
