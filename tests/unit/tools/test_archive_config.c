/* The arguments, limits and target of a campaign, for the tools. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "engine/engine.h"
#include "lib/own_note.h"
#include "lib/tree.h"
#include "tools/archive_config.h"

/* The campaign's limits and arguments, except for those of the user. */
static void
test_config(void **state)
{
	const struct tree *tree = *state;
	struct settings settings;
	struct engine_config from = { .settings = &settings };
	struct archive_config a;
	char text[64];

	settings_init(&settings);
	tree_text(tree, "journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"a b\"]}\n");
	tree_text(tree, "stats.json",
		"{\"types\":[\"string\"],\"limits\":{\"timeout\":"
		"{\"value\":\"123ms\"},"
		"\"rss-limit\":{\"value\":\"much\"},\"verify\":{\"value\":\"9\""
		"}}}");
	archive_config_init(&a, &from, tree->path);
	assert_int_equal(a.config.settings->timeout_ms, 123);
	assert_int_equal(a.config.settings->rss_limit_mb, 2048);
	assert_int_equal(a.config.settings->verify, 5);
	assert_string_equal(a.config.target, "/t");
	assert_int_equal(a.start.types.n, 1);
	archive_config_tell(&a, text, sizeof(text));
	assert_string_equal(text, "with the campaign's arguments: 'a b'");
	archive_config_tell(&a, text, 10);
	assert_string_equal(text, "with the ");
	archive_config_clear(&a);

	assert_int_equal(settings_set(&settings, "timeout", "7ms", ORIGIN_FLAG,
				 NULL),
		OK);
	from.target = "mine";
	archive_config_init(&a, &from, tree->path);
	assert_int_equal(a.config.settings->timeout_ms, 7);
	assert_string_equal(a.config.target, "mine");
	archive_config_clear(&a);
	archive_config_init(&a, &from, NULL);
	archive_config_tell(&a, text, sizeof(text));
	assert_string_equal(text, "");
	archive_config_clear(&a);
	settings_clear(&settings);
}

/* clang-format off */
static const struct limits_row {
	const char *name, *stats, *user; /* user: a value for timeout */
	unsigned timeout_ms;
} LIMITS[] = {
	{ "of the campaign",
		"{\"limits\":{\"timeout\":{\"value\":\"123ms\"}}}", NULL, 123 },
	{ "of the user",
		"{\"limits\":{\"timeout\":{\"value\":\"123ms\"}}}", "7ms", 7 },
	{ "not valid",
		"{\"limits\":{\"timeout\":{\"value\":\"soon\"}}}", NULL, 1000 },
	{ "no text", "{\"limits\":{\"timeout\":{\"value\":5}}}", NULL, 1000 },
	{ "no JSON", "{{{", NULL, 1000 },
	{ "no file", NULL, NULL, 1000 },
};
/* clang-format on */

static void
test_limits(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	for (i = 0; i < ROWS(LIMITS); i++) {
		const struct limits_row *row = &LIMITS[i];
		struct settings settings;
		struct engine_config from = { .settings = &settings };
		struct archive_config a;

		settings_init(&settings);
		settings.timeout_ms = 1000;
		unlinkat(tree->fd, "stats.json", 0);
		if (row->stats != NULL)
			tree_text(tree, "stats.json", row->stats);
		if (row->user != NULL)
			row_check(settings_set(&settings, "timeout", row->user,
					  ORIGIN_FLAG, NULL) == OK,
				"%s", row->name);
		archive_config_init(&a, &from, tree->path);
		row_check(a.config.settings->timeout_ms == row->timeout_ms,
			"%s: %u", row->name,
			(unsigned)a.config.settings->timeout_ms);
		row_check(settings.timeout_ms == (row->user != NULL ? 7 : 1000),
			"%s", row->name);
		archive_config_clear(&a);
		settings_clear(&settings);
	}
}

/* A finding's run may have had other limits than the last one. */
static void
test_limits_of_finding(void **state)
{
	static const struct {
		const char *path, *user;
		unsigned timeout_ms;
	} rows[] = {
		{ "crashes/x", NULL, 70 }, { "crashes/x/input", NULL, 70 },
		{ "crashes/x/more/1", NULL, 70 },
		{ "crashes/x/input", "7ms", 7 },
		{ "crashes/y/input", NULL, 123 }, { "crashes/none", NULL, 123 },
		{ "../x", NULL, 123 }, /* beside the campaign */
	};
	const struct tree *tree = *state;
	char path[PATH_MAX], output[PATH_MAX];

	tree_text(tree, "crash.json", "{\"limits\":{\"timeout\":\"9ms\"}}");
	tree_text(tree, "x", "x");
	tree_folder(tree, "out");
	tree_folder(tree, "out/crashes");
	tree_folder(tree, "out/crashes/x");
	tree_folder(tree, "out/crashes/x/more");
	tree_folder(tree, "out/crashes/y");
	tree_text(tree, "out/journal.jsonl", "");
	tree_text(tree, "out/stats.json",
		"{\"limits\":{\"timeout\":{\"value\":\"123ms\"}}}");
	tree_text(tree, "out/crashes/x/crash.json",
		"{\"limits\":{\"timeout\":\"70ms\"}}");
	tree_text(tree, "out/crashes/x/input", "x");
	tree_text(tree, "out/crashes/x/more/1", "x");
	tree_text(tree, "out/crashes/y/crash.json", "{}");
	tree_text(tree, "out/crashes/y/input", "y");
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct settings settings;
		struct engine_config from = { .settings = &settings };
		struct archive_config a;

		settings_init(&settings);
		if (rows[i].user != NULL)
			row_check(settings_set(&settings, "timeout",
					  rows[i].user, ORIGIN_FLAG,
					  NULL) == OK,
				"%s", rows[i].path);
		snprintf(output, sizeof(output), "%s/out", tree->path);
		snprintf(path, sizeof(path), "%s/out/%s", tree->path,
			rows[i].path);
		archive_config_init(&a, &from, output);
		archive_config_take_finding(&a, &settings, path);
		row_check(a.settings.timeout_ms == rows[i].timeout_ms, "%s: %u",
			rows[i].path, (unsigned)a.settings.timeout_ms);
		archive_config_clear(&a);
		settings_clear(&settings);
	}
}

/* A value that is not the default. */
static const char *
other_value(const struct option *option)
{
	const char *last;

	if (option->type == OPTION_FLAG)
		return "on";
	if (option->type != OPTION_WORD)
		return "123";
	last = strrchr(option->words, '|');
	return last != NULL ? last + 1 : option->words;
}

/* A campaign brings along all that decides whether an input fails. */
static void
test_target_options(void **state)
{
	const struct tree *tree = *state;

	for (int id = 0; id < OPT_COUNT_; id++) {
		const struct option *option =
			settings_option((enum option_id)id);
		struct settings settings, want;
		struct archive_config a;
		char stats[256], text[64], wanted[64];

		if (!(option->flags & OPTION_TARGET))
			continue;
		settings_init(&settings);
		settings_init(&want);
		row_check(settings_set(&want, option->name, other_value(option),
				  ORIGIN_FLAG, NULL) == OK,
			"%s", option->name);
		settings_format(&want, option->id, wanted, sizeof(wanted));
		snprintf(stats, sizeof(stats),
			"{\"limits\":{\"%s\":{\"value\":\"%s\"}}}",
			option->name, wanted);
		tree_text(tree, "stats.json", stats);
		archive_config_init(&a,
			&(struct engine_config){ .settings = &settings },
			tree->path);
		settings_format(&a.settings, option->id, text, sizeof(text));
		row_check(strcmp(text, wanted) == 0, "%s: %s", option->name,
			text);
		archive_config_clear(&a);
		settings_clear(&want);
		settings_clear(&settings);
	}
}

/* clang-format off */
static const struct differs_row {
	const char *name, *one, *other; /* options of the user */
	bool isolate;                   /* both are isolated */
	const char *want;               /* NULL: they do not differ */
} DIFFERS[] = {
	{ "in nothing", NULL, NULL, false, NULL },
	{ "in a limit", "timeout=1s", "timeout=2s", false, "--timeout" },
	{ "not in how it is written", "timeout=1s", "timeout=1000", false,
		NULL },
	{ "in the input file", "input-file=a", "input-file=b", false,
		"--input-file" },
	{ "in the exit status", "fail-on-exit=true", NULL, false,
		"--fail-on-exit" },
	{ "in the environment", "clean-env=true", NULL, false, "--clean-env" },
	{ "in isolation", "isolate=true", NULL, false, "--isolate" },
	{ "in folders", "readable=/usr", "readable=/opt", true, "--readable" },
	{ "in the number of folders", "readable=/usr", NULL, true,
		"--readable" },
	{ "in folders without isolation", "readable=/usr", NULL, false, NULL },
	{ "in what no campaign brings", "verify=1", "verify=2", false, NULL },
};
/* clang-format on */

static void
set_option(struct settings *settings, const char *text, bool isolate)
{
	const char *equals = text != NULL ? strchr(text, '=') : NULL;
	char name[32];

	settings_init(settings);
	settings->isolate = isolate;
	if (equals == NULL)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(equals - text), text);
	assert_int_equal(settings_set(settings, name, equals + 1, ORIGIN_FLAG,
				 NULL),
		OK);
}

static void
test_differs(void **state)
{
	size_t i, j;

	for (i = 0; i < ROWS(DIFFERS); i++) {
		const struct differs_row *row = &DIFFERS[i];
		struct settings settings[2];
		struct archive_config a[2];
		char what[64] = "";
		bool differs;

		set_option(&settings[0], row->one, row->isolate);
		set_option(&settings[1], row->other, row->isolate);
		for (j = 0; j < 2; j++)
			archive_config_init(&a[j],
				&(struct engine_config){
					.settings = &settings[j] },
				NULL);
		differs = archive_config_differs(&a[0], &a[1], what,
			sizeof(what));
		row_check(differs == (row->want != NULL) &&
				strcmp(what, differs ? row->want : "") == 0,
			"%s: %s", row->name, what);
		for (j = 0; j < 2; j++) {
			archive_config_clear(&a[j]);
			settings_clear(&settings[j]);
		}
	}
}

/* clang-format off */
static const struct isolation_row {
	const char *name, *journal, *option, *value;
	bool isolate;
	size_t readable;
} ISOLATION[] = {
	{ "not isolated", "\"isolated\":false", NULL, NULL, false, 0 },
	{ "isolated", "\"isolated\":true", NULL, NULL, true, 0 },
	{ "with folders", "\"isolated\":true,\"readable\":[\"/usr\",\"/etc\"]",
		NULL, NULL, true, 2 },
	{ "folders of the user",
		"\"isolated\":true,\"readable\":[\"/usr\",\"/etc\"]",
		"readable", "/opt", true, 1 },
	{ "the user does not want it",
		"\"isolated\":true,\"readable\":[\"/usr\"]",
		"isolate", "false", false, 0 },
};
/* clang-format on */

/* A target that was isolated stays isolated, unless the user says no. */
static void
test_isolation(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	for (i = 0; i < ROWS(ISOLATION); i++) {
		const struct isolation_row *row = &ISOLATION[i];
		struct error err = { 0 };
		struct settings settings;
		struct engine_config from = { .settings = &settings };
		struct archive_config a;
		char journal[512];

		settings_init(&settings);
		snprintf(journal, sizeof(journal),
			"{\"event\":\"campaign\",\"target\":\"/t\","
			"\"build_id\":\"\",\"args\":[],%s}\n",
			row->journal);
		tree_text(tree, "journal.jsonl", journal);
		row_check(row->option == NULL ||
				settings_set(&settings, row->option, row->value,
					ORIGIN_FLAG, &err) == OK,
			"%s: %s", row->name, err.text);
		archive_config_init(&a, &from, tree->path);
		row_check(a.settings.isolate == row->isolate, "%s", row->name);
		row_check(a.settings.readable.n == row->readable, "%s: %zu",
			row->name, (size_t)a.settings.readable.n);
		archive_config_clear(&a);
		settings_clear(&settings);
	}
}

/* clang-format off */
static const struct follow_row {
	const char *name;
	const char *was;  /* target of the campaign, in the folder */
	const char *user; /* NULL: none */
	const char *want;
} FOLLOW[] = {
	{ "it is where it was", "copy/t", NULL, "copy/t" },
	{ "it was moved with the directory", "old/t", NULL, "copy/t" },
	{ "there is none of that name", "old/u", NULL, "old/u" },
	{ "another build is where it was", "here/t", NULL, "here/t" },
	{ "no target is beside it", "old/text", NULL, "old/text" },
	{ "the user says it", "old/t", "mine", "mine" },
};
/* clang-format on */

static void
make_targets(const struct tree *tree)
{
	char self[PATH_MAX] = "";

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	tree_folder(tree, "copy");
	tree_folder(tree, "copy/out");
	tree_folder(tree, "here");
	assert_int_equal(symlinkat(self, tree->fd, "copy/t"), 0);
	tree_text(tree, "copy/text", "no target");
	tree_text(tree, "here/t", "another build");
}

/* A directory that was moved together with its target. */
static void
test_follow(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	make_targets(tree);
	for (i = 0; i < ROWS(FOLLOW); i++) {
		const struct follow_row *row = &FOLLOW[i];
		struct settings settings;
		struct engine_config from = { .settings = &settings,
			.target = row->user };
		struct archive_config a;
		char journal[512];
		const char *want = row->user;

		settings_init(&settings);
		snprintf(journal, sizeof(journal),
			"{\"event\":\"campaign\",\"target\":\"%s\","
			"\"build_id\":\"1\",\"args\":[]}\n",
			tree_path(tree, row->was));
		tree_text(tree, "copy/out/journal.jsonl", journal);
		archive_config_init(&a, &from, tree_path(tree, "copy/out"));
		if (want == NULL)
			want = tree_path(tree, row->want);
		row_check(strcmp(a.config.target, want) == 0, "%s: %s",
			row->name, a.config.target);
		archive_config_clear(&a);
		settings_clear(&settings);
	}
}

/* clang-format off */
static const struct folder_row {
	const char *name, *cwd; /* below the tree; NULL: not in the journal */
	const char *out, *target; /* where they are now */
	bool args;                /* the user gives some */
	const char *want;         /* below the tree; NULL: ours */
	bool gone;
} FOLDERS[] = {
	{ "not known", NULL, "was/out", "was/t", false, NULL, false },
	{ "the same", "was", "was/out", "was/t", false, "was", false },
	{ "a target from elsewhere", "was", "was/out", "new/t", false, "was",
		false },
	{ "arguments of the user", "was", "was/out", "was/t", true, NULL,
		false },
	{ "moved with all", "gone", "new/out", "new/t", false, "new", false },
	{ "copied with all", "was", "new/out", "new/t", false, "new", false },
	{ "target in a folder of it", "gone", "new/out", "new/in/t", false,
		"new", false },
	{ "the output alone, beside another folder", "gone", "new/out",
		"new/in/t", false, NULL, true },
	{ "output in a folder of it", "gone", "new/in/out", "new/t", false,
		"new", false },
	{ "the output alone", "was", "new/out", "was/t", false, "was", false },
	{ "only a higher folder", "was/in", "was/out", "was/in/t", false,
		"was/in", false },
	{ "gone", "gone", "new/out", "was/t", false, NULL, true },
	{ "gone, but for arguments of the user", "gone", "new/out", "was/t",
		true, NULL, false },
	{ "gone, output from elsewhere", "gone", "was/out", "was/t", false,
		NULL, true },
	{ "a file", "was/t", "was/out", "new/t", false, NULL, true },
	{ "ours, output from elsewhere", "", "was/out", "was/t", false, NULL, false },
};
/* clang-format on */

/* Where the output directory was: below the working directory, unless the row
 * says that it came from elsewhere. */
static void
write_places(const struct tree *tree, const struct folder_row *row)
{
	const char *base = strrchr(row->out, '/');
	bool deep = strstr(row->out, "/in/") != NULL;
	const char *below =
		strncmp(row->name, "target in", 9) == 0 ? "in/t" : "t";
	char journal[2048], cwd[512] = "", output[600], file[64];

	if (row->cwd != NULL)
		snprintf(cwd, sizeof(cwd), "%s", tree_path(tree, row->cwd));
	if (row->cwd != NULL && row->cwd[0] == '\0')
		assert_non_null(getcwd(cwd, sizeof(cwd)));
	if (strstr(row->name, "elsewhere") != NULL)
		snprintf(output, sizeof(output), "/elsewhere%s", base);
	else
		snprintf(output, sizeof(output), "%s%s%s", cwd,
			deep ? "/in" : "", base);
	snprintf(journal, sizeof(journal),
		"{\"event\":\"campaign\",\"target\":\"%s/%s\",\"args\":[\"a\"],"
		"\"output\":\"%s\"%s%s%s}\n",
		cwd, below, output, row->cwd != NULL ? ",\"cwd\":\"" : "", cwd,
		row->cwd != NULL ? "\"" : "");
	snprintf(file, sizeof(file), "%s/journal.jsonl", row->out);
	tree_text(tree, file, journal);
	tree_text(tree, "stats.json", "");
}

/* The target works where it worked in the campaign, wherever that is now. */
static void
test_folder(void **state)
{
	static const char *const folders[] = { "was", "was/in", "was/out",
		"new", "new/in", "new/out", "new/in/out" };
	const struct tree *tree = *state;
	char other[] = "b", *args[] = { other, NULL };

	for (size_t i = 0; i < ROWS(folders); i++)
		tree_folder(tree, folders[i]);
	tree_text(tree, "was/t", "");
	tree_text(tree, "was/in/t", "");
	tree_text(tree, "new/t", "");
	tree_text(tree, "new/in/t", "");
	for (size_t i = 0; i < ROWS(FOLDERS); i++) {
		const struct folder_row *row = &FOLDERS[i];
		char *target = xstrdup(tree_path(tree, row->target));
		struct settings settings;
		struct engine_config from = { .settings = &settings,
			.target = target,
			.args = row->args ? args : NULL };
		struct archive_config a;
		char text[PATH_MAX + 16], want[PATH_MAX] = "";

		settings_init(&settings);
		assert_int_equal(settings_set(&settings, "input-file", "name",
					 ORIGIN_FLAG, NULL),
			OK);
		write_places(tree, row);
		archive_config_init(&a, &from, tree_path(tree, row->out));
		if (row->want != NULL)
			snprintf(want, sizeof(want), "%s",
				tree_path(tree, row->want));
		row_check(strcmp(a.config.folder != NULL ? a.config.folder : "",
				  want) == 0,
			"%s: %s", row->name, a.config.folder);
		row_check(a.folder_gone == row->gone, "%s", row->name);
		archive_config_tell(&a, text, sizeof(text));
		row_check((strstr(text, ", in its working directory /") !=
				  NULL) == (row->want != NULL),
			"%s: %s", row->name, text);
		row_check((strstr(text, " is gone: ") != NULL) == row->gone,
			"%s: %s", row->name, text);
		snprintf(text, sizeof(text), "%s%sname", want,
			row->want != NULL ? "/" : "");
		row_check(strcmp(a.settings.input_file, text) == 0, "%s: %s",
			row->name, a.settings.input_file);
		archive_config_clear(&a);
		settings_clear(&settings);
		free(target);
	}
}

/* An isolated target has a folder of its own. */
static void
test_folder_isolated(void **state)
{
	const struct tree *tree = *state;
	struct settings settings;
	struct engine_config from = { .settings = &settings };
	struct archive_config a;

	settings_init(&settings);
	settings.isolate = true;
	tree_text(tree, "journal.jsonl",
		"{\"event\":\"campaign\",\"cwd\":\"/\",\"args\":[]}\n");
	archive_config_init(&a, &from, tree->path);
	assert_null(a.config.folder);
	assert_false(a.folder_gone);
	archive_config_clear(&a);
	settings_clear(&settings);
}

/* A function without a relative argument does not need its working directory. */
static void
test_folder_missed(void **state)
{
	static const struct {
		const char *name, *args;
		bool missed;
	} rows[] = {
		{ "a function", "[]", false },
		{ "a program", "[\"@@\"]", true },
		{ "its input alone", "[\"-v\",\"@@\"]", false },
		{ "an absolute path", "[\"/etc/x\",\"@@\"]", false },
		{ "a relative one", "[\"x.conf\",\"@@\"]", true },
		{ "in an option", "[\"--c=x.conf\",\"@@\"]", true },
		{ "absolute in one", "[\"--c=/x.conf\",\"@@\"]", false },
	};
	const struct tree *tree = *state;
	char event[256];

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct settings settings;
		struct engine_config from = { .settings = &settings };
		struct archive_config a;

		settings_init(&settings);
		snprintf(event, sizeof(event),
			"{\"event\":\"campaign\",\"cwd\":\"/nowhere\","
			"\"args\":%s}\n",
			rows[i].args);
		tree_text(tree, "journal.jsonl", event);
		snprintf(event, sizeof(event), "{\"kind\":\"%s\"}",
			strcmp(rows[i].name, "a program") == 0 ? "program"
							       : "function");
		tree_text(tree, "stats.json", event);
		archive_config_init(&a, &from, tree->path);
		assert_true(a.folder_gone);
		row_check(archive_misses_folder(&a) == rows[i].missed, "%s",
			rows[i].name);
		archive_config_clear(&a);
		settings_clear(&settings);
	}
}

/* Two campaigns go together unless arguments depend on their folders. */
static void
test_folders_differ(void **state)
{
	static const struct {
		const char *arg, *cwd; /* of the second one */
		bool differ;
	} rows[] = {
		{ "conf", "/usr", true },
		{ "conf", "/", false },
		{ "conf", "/nowhere", true },
		{ "/conf", "/usr", false },
		{ "--conf", "/usr", false },
		{ "@@", "/usr", false },
		{ "conf", NULL, false },
	};
	const struct tree *tree = *state;
	struct settings settings;
	struct engine_config from = { .settings = &settings };
	struct archive_config a, b;
	char text[256], what[64];

	settings_init(&settings);
	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *cwd = rows[i].cwd != NULL ? rows[i].cwd : "";

		snprintf(text, sizeof(text),
			"{\"event\":\"campaign\",\"cwd\":\"/\","
			"\"args\":[\"%s\"]}\n",
			rows[i].arg);
		tree_text(tree, "journal.jsonl", text);
		archive_config_init(&a, &from, tree->path);
		snprintf(text, sizeof(text),
			"{\"event\":\"campaign\",\"%s\":\"%s\","
			"\"args\":[\"%s\"]}\n",
			rows[i].cwd != NULL ? "cwd" : "x", cwd, rows[i].arg);
		tree_text(tree, "journal.jsonl", text);
		archive_config_init(&b, &from, tree->path);
		row_check(archive_config_differs(&a, &b, what, sizeof(what)) ==
				rows[i].differ,
			"row %zu", i);
		row_check(!rows[i].differ ||
				strcmp(what, "working directory") == 0,
			"row %zu: %s", i, what);
		archive_config_clear(&a);
		archive_config_clear(&b);
	}
	settings_clear(&settings);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_limits),
		TREE_TEST(test_target_options),
		TREE_TEST(test_limits_of_finding),
		cmocka_unit_test(test_differs),
		TREE_TEST(test_isolation),
		TREE_TEST(test_follow),
		TREE_TEST(test_config),
		TREE_TEST(test_folder),
		TREE_TEST(test_folder_isolated),
		TREE_TEST(test_folder_missed),
		TREE_TEST(test_folders_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
