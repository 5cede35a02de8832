/*
 * test_answer_finding: what is told of a finding, and the folder that is
 * made of it, by an engine without workers.
 */
#include "engine/engine_private.h"
#include "engine/front/answers.h"
#include "engine/triage/export.h"
#include "engine/triage/triage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xmalloc.h"
#include "engine/triage/findings_list.h"
#include "lib/tree.h"
#include "store/store_finding.h"

#define FOLDER "crashes/x-1"

struct fixture {
	struct tree *tree;
	struct engine *e;
	struct finding *f;
	struct reply reply;
	struct error err;
};

static const struct target_info target = { .fd = -1,
	.path = "/bin/a target",
	.name = "a target",
	.build = "aa11" };

static struct campaign_head memory = { .max_len = 4096 };

static void
open_store(struct fixture *f)
{
	struct store_config config = {
		.path = tree_path(f->tree, "out"),
		.target = &target,
		.seed = 7,
		.base = f->tree->base,
	};

	f->e->output_path = xstrdup(config.path);
	assert_int_equal(store_open(&f->e->store, &config, &f->err), OK);
}

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct failure failure = { .kind = FAILURE_SIGNAL,
		.what = "SIGSEGV",
		.text = "it */ broke \x1b[31m" };

	tree_open(state);
	f->tree = *state;
	f->e = xcalloc(1, sizeof(*f->e));
	settings_init(&f->e->settings);
	f->e->target.info = target;
	f->e->target.path = xstrdup("./a target");
	f->e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	f->e->campaign.memory.head = &memory;
	open_store(f);
	f->f = finding_create(&failure, 0x1234);
	snprintf(f->f->folder, sizeof(f->f->folder), FOLDER);
	f->f->input = xmemdup("abc", 3);
	f->f->len = 3;
	findings_add(f->e, f->f);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;
	void *tree = f->tree;

	reply_clear(&f->reply);
	store_finish(f->e->store, TREE_DISK_MS, NULL, NULL);
	store_close(f->e->store);
	triage_clear(f->e);
	corpus_destroy(f->e->campaign.corpus);
	settings_clear(&f->e->settings);
	free(f->e->output_path);
	free(f->e->target.path);
	free(f->e);
	free(f);
	return tree_close(&tree);
}

static const struct reply_finding *
ask(struct fixture *f, uint64_t first, uint32_t count)
{
	struct query query = { .kind = QUERY_FINDING,
		.first = first,
		.count = count };

	snprintf(query.name, sizeof(query.name), "%s", f->f->id);
	reply_clear(&f->reply);
	f->reply.kind = QUERY_FINDING;
	assert_int_equal(answer_finding(f->e, 1, &query, &f->reply, &f->err),
		OK);
	return &f->reply.finding;
}

static void
put_report(struct fixture *f, const char *text)
{
	tree_folder(f->tree, "out/" FOLDER);
	tree_text(f->tree, "out/" FOLDER "/report.txt", text);
}

/* ---- answers ------------------------------------------------------------- */

static void
test_report(void **state)
{
	static const struct {
		const char *title, *disk, *memory;
		uint64_t first;
		uint32_t count;
		const char *piece;
		uint64_t len, at;
	} rows[] = {
		{ "whole", "0123456789", NULL, 0, 99, "0123456789", 10, 0 },
		{ "piece", "0123456789", NULL, 3, 4, "3456", 10, 3 },
		{ "end", "0123456789", NULL, 8, 99, "89", 10, 8 },
		{ "beyond", "0123456789", NULL, 1u << 30, 9, "", 10, 10 },
		{ "far beyond", "0123456789", NULL, UINT64_MAX, 9, "", 10, 10 },
		{ "nothing asked", "0123456789", NULL, 0, 0, "", 10, 0 },
		{ "not there yet", NULL, NULL, 0, 99, "", 0, 0 },
		{ "in memory", NULL, "abcdef", 0, 99, "abcdef", 6, 0 },
		{ "newer in memory", "0123456789", "abc", 1, 9, "bc", 3, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct reply_finding *r;
		struct fixture *f;

		set_up(state);
		f = *state;
		if (rows[i].disk != NULL)
			put_report(f, rows[i].disk);
		if (rows[i].memory != NULL) {
			f->f->report = xstrdup(rows[i].memory);
			f->f->report_len = strlen(rows[i].memory);
		}
		r = ask(f, rows[i].first, rows[i].count);
		row_check(r->report_len == rows[i].len, "%s", rows[i].title);
		row_check(r->first == rows[i].at, "%s", rows[i].title);
		row_check(r->report.len == strlen(rows[i].piece), "%s",
			rows[i].title);
		row_check(r->report.len == 0 ||
				memcmp(r->report.data, rows[i].piece,
					r->report.len) == 0,
			"%s", rows[i].title);
		tear_down(state);
	}
}

/* A command that does not fit is left out, as a cut one runs something else. */
static void
test_long_command(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(strncmp(ask(f, 0, 0)->command, "cfuzz repro ", 12), 0);
	memset(f->e->target.info.path, 'x', 1200);
	assert_string_equal(ask(f, 0, 0)->command, "");
}

static void
set_frames(struct finding *f)
{
	static const char *const modules[] = { "a target", "libc.so.6" };
	static const struct symbol symbols[2] = {
		{ .function = "inner\x1b",
			.file = "a.c",
			.path = "/src/a.c",
			.line = 7 },
		{ .function = "outer", .file = "a.c", .line = 9 },
	};

	f->failure.frames_n = 2;
	for (int i = 0; i < 2; i++) {
		snprintf(f->failure.frames[i].module,
			sizeof(f->failure.frames[i].module), "%s", modules[i]);
		f->failure.frames[i].offset = 0x10u + (unsigned)i;
	}
	f->names = xcalloc(1, sizeof(*f->names));
	f->names->n = 2;
	f->names->at[0].n = 2;
	f->names->at[0].symbols = xmemdup(symbols, sizeof(symbols));
}

static void
test_frames(void **state)
{
	struct fixture *f = *state;
	const struct reply_finding *r;

	set_frames(f->f);
	r = ask(f, 0, 0);
	assert_int_equal(r->frames_n, 3);
	assert_string_equal(r->frames[0].function, "inner\\x1b");
	assert_string_equal(r->frames[0].file, "/src/a.c");
	assert_string_equal(r->frames[1].file, "a.c");
	assert_int_equal(r->frames[0].line, 7);
	assert_int_equal(r->frames[1].depth, 0);
	assert_string_equal(r->frames[1].function, "outer");
	assert_int_equal(r->frames[2].depth, 1);
	assert_string_equal(r->frames[2].function, "");
	assert_int_equal(r->frames[2].offset, 0x11);
	assert_false(r->frames[0].library);
	assert_true(r->frames[2].library);
}

static void
test_facts(void **state)
{
	struct fixture *f = *state;
	const struct reply_finding *r;

	snprintf(f->f->note, sizeof(f->f->note), "mine");
	f->f->parent =
		corpus_add(f->e->campaign.corpus, "p", 1, CORPUS_NONE, NULL)
			->index;
	store_put(f->e->store, FOLDER, "input", "abc", 3, NULL, NULL);
	assert_true(store_put_more(f->e->store, FOLDER, "d", 1));
	r = ask(f, 0, 0);
	assert_string_equal(r->note, "mine");
	assert_int_equal(r->inputs, 1);
	assert_int_equal(strlen(r->parent), 16);
	assert_non_null(strstr(r->path, "/out/" FOLDER));
	assert_non_null(
		strstr(r->command, "cfuzz repro '/bin/a target' /tmp/"));
}

static void
test_unknown(void **state)
{
	struct fixture *f = *state;
	struct query query = { .kind = QUERY_FINDING, .name = "no\x1b" };

	assert_int_equal(answer_finding(f->e, 1, &query, &f->reply, &f->err),
		E_NOT_FOUND);
	assert_string_equal(f->err.text, "there is no finding no\\x1b");
}

/* ---- folders ------------------------------------------------------------- */

static enum status
write_out(struct fixture *f, const char *folder, char path[1024])
{
	struct export *x;

	f->err = (struct error){ 0 };
	x = export_create(f->e, f->f, folder, &f->err);
	if (x == NULL)
		return f->err.code;
	assert_string_equal(export_path(x), ""); /* nothing is written yet */
	while (export_step(x))
		continue;
	snprintf(path, 1024, "%s", export_path(x));
	f->err = *export_error(x);
	export_destroy(x);
	return f->err.code;
}

/* An exported file has these words. */
static void
check_export(const struct fixture *f, const char *name, const char *words)
{
	char path[256], *text;

	snprintf(path, sizeof(path), "out/export/%s", name);
	text = tree_read(f->tree, path, NULL);
	assert_non_null(text);
	assert_non_null(strstr(text, words));
	free(text);
}

static void
test_export(void **state)
{
	struct fixture *f = *state;
	char path[1024];
	struct stat st;

	assert_int_equal(write_out(f, NULL, path), OK);
	assert_string_equal(path, tree_path(f->tree, "out/export/x-1"));
	assert_int_equal(tree_count(f->tree, "out/export/x-1"), 5);
	assert_true(tree_holds(f->tree, "out/export/x-1/input", "abc"));
	assert_int_equal(stat(tree_path(f->tree, "out/export/x-1/reproduce.sh"),
				 &st),
		0);
	assert_int_equal(st.st_mode & 0777, 0700);
	check_export(f, "x-1/input.c", "0x61, 0x62, 0x63,");
	f->f->minimized = xmemdup("b", 1);
	f->f->minimized_len = 1;
	strcpy(f->f->minimized_build, target.build);
	put_report(f, "it broke");
	assert_int_equal(write_out(f, NULL, path), OK);
	assert_string_equal(path, tree_path(f->tree, "out/export/x-1-2"));
	assert_int_equal(tree_count(f->tree, "out/export/x-1-2"), 7);
	check_export(f, "x-1-2/input.c", "\t{ input_1, 1 },\n");
	/* What another build has minimized need not fail now. */
	strcpy(f->f->minimized_build, "another");
	assert_int_equal(write_out(f, NULL, path), OK);
	check_export(f, "x-1-3/reproduce.sh", "$here/input");
	check_export(f, "x-1-3/input.c", "\t{ input_1, 3 },\n");
}

/* Inputs that have to run in a row are all there, in that order. */
static void
test_export_sequence(void **state)
{
	struct fixture *f = *state;
	char path[1024];

	tree_folder(f->tree, "out/" FOLDER);
	tree_folder(f->tree, "out/" FOLDER "/sequence");
	tree_text(f->tree, "out/" FOLDER "/sequence/000001", "one");
	f->f->sequence_n = 2;
	assert_int_equal(write_out(f, NULL, path), E_NOT_FOUND);
	tree_text(f->tree, "out/" FOLDER "/sequence/000002", "two");
	assert_int_equal(write_out(f, NULL, path), OK);
	assert_int_equal(tree_count(f->tree, "out/export/x-1-2/sequence"), 2);
	assert_true(
		tree_holds(f->tree, "out/export/x-1-2/sequence/000002", "two"));
	check_export(f, "x-1-2/reproduce.sh", "cfuzz repro --sequence ");
	check_export(f, "x-1-2/input.c", "input_2, 3 },\n");
}

/* What a report says ends no comment. */
static void
test_comment(void **state)
{
	struct fixture *f = *state;
	char path[1024], *text;

	snprintf(f->f->failure.what, sizeof(f->f->failure.what),
		"*/ int x; /**/");
	assert_int_equal(write_out(f, NULL, path), OK);
	text = tree_read(f->tree, "out/export/x-1/input.c", NULL);
	assert_non_null(strstr(text, "\n * cc -g "));
	assert_true(strstr(text, "*/") > strstr(text, "\n * cc -g "));
	free(text);
}

static void
test_export_refused(void **state)
{
	struct fixture *f = *state;
	char path[1024], where[128];

	tree_folder(f->tree, "full");
	tree_text(f->tree, "full/mine", "mine");
	snprintf(where, sizeof(where), "%s", tree_path(f->tree, "full"));
	assert_int_equal(write_out(f, where, path), E_EXISTS);
	assert_non_null(strstr(f->err.text, "not empty"));
	assert_int_equal(tree_count(f->tree, "full"), 1);
	snprintf(where, sizeof(where), "%s", tree_path(f->tree, "full/mine"));
	assert_int_equal(write_out(f, where, path), E_EXISTS);
	snprintf(where, sizeof(where), "%s", tree_path(f->tree, "no/where"));
	assert_int_equal(write_out(f, where, path), E_NOT_FOUND);
	tree_folder(f->tree, "empty");
	snprintf(where, sizeof(where), "%s", tree_path(f->tree, "empty"));
	assert_int_equal(write_out(f, where, path), OK);
	assert_string_equal(path, where);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test_setup_teardown(test_long_command, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_facts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unknown, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_export, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_export_sequence, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_comment, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_export_refused, set_up,
			tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
