/*
 * test_past: the engine for a campaign that is over: which directories it shows,
 * and with which target and limits.
 *
 * FLAGS: -Wl,--wrap=engine_serve
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "lib/own_note.h"
#include "lib/tree.h"
#include "store/store.h"

/* What the engine was started with. */
static struct {
	unsigned calls;
	bool past;
	char target[64], arg[64], output[128];
	uint64_t finish_time_ms;
	size_t dict_n;
	int control_fd, note_fd;
	enum option_origin timeout; /* whose it was */
} served;

int __wrap_engine_serve(const struct engine_config *config, int control_fd,
	int note_fd);

int
__wrap_engine_serve(const struct engine_config *config, int control_fd,
	int note_fd)
{
	served.calls++;
	served.past = config->past;
	served.control_fd = control_fd;
	served.note_fd = note_fd;
	snprintf(served.target, sizeof(served.target), "%s", config->target);
	snprintf(served.arg, sizeof(served.arg), "%s",
		config->args[0] != NULL ? config->args[0] : "");
	snprintf(served.output, sizeof(served.output), "%s",
		config->settings->output);
	served.finish_time_ms = config->settings->finish_time_ms;
	served.timeout = config->settings->origin[OPT_TIMEOUT];
	served.dict_n = config->settings->dict.n;
	return 7;
}

/* ---- target and limits -----------------------------------------------------
 */

#define CAMPAIGN(args) \
	"{\"event\": \"campaign\", \"target\": \"/t\", \"build_id\": \"\", " \
	"\"args\": [" args "]}\n"
#define LIMITS(text) "{\"limits\": {" text "}}"
#define LIMIT(name, value, origin) \
	"\"" name "\": {\"value\": \"" value "\", \"origin\": \"" origin "\"}"

/* clang-format off */
static const struct serve_row {
	const char *name;
	const char *campaign; /* line of the journal */
	const char *stats;    /* NULL: there are none */
	const char *target, *arg;
	uint64_t finish_time_ms; /* 0: the default */
} SERVES[] = {
	{ "a whole campaign", CAMPAIGN("\"a\""), LIMITS(LIMIT("finish-time", "123ms", "flag")), "/t", "a", 123 },
	{ "a default then, which may be another now", CAMPAIGN(""), LIMITS(LIMIT("finish-time", "123ms", "default")), "/t", "", 0 },
	{ "a limit that is invalid", CAMPAIGN(""), LIMITS(LIMIT("finish-time", "soon", "flag")), "/t", "", 0 },
	{ "a limit without origin", CAMPAIGN(""), LIMITS("\"finish-time\": {\"value\": \"123ms\"}"), "/t", "", 0 },
	{ "a limit that is no object", CAMPAIGN(""), LIMITS("\"finish-time\": 5"), "/t", "", 0 },
	{ "a limit that is unknown, and one more", CAMPAIGN(""), LIMITS(LIMIT("weather", "1", "flag") ", " LIMIT("finish-time", "123ms", "key")), "/t", "", 123 },
	{ "a dictionary that may be gone", CAMPAIGN(""), LIMITS(LIMIT("dict", "/nowhere/dict", "flag")), "/t", "", 0 },
	{ "no stats.json", CAMPAIGN(""), NULL, "/t", "", 0 },
	{ "no target", "{\"event\": \"other\"}\n", NULL, "?", "", 0 },
};
/* clang-format on */

static void
test_serve(void **state)
{
	const struct serve_row *row;
	struct settings settings;
	const struct engine_config config = { .settings = &settings,
		.target = "/mine",
		.control_fd = -1 };
	void *tree;
	int status;

	for (row = SERVES; row < SERVES + ROWS(SERVES); row++) {
		const struct tree *t;

		settings_init(&settings);
		assert_int_equal(tree_open(&tree), 0);
		t = tree;
		tree_text(t, "journal.jsonl", row->campaign);
		if (row->stats != NULL)
			tree_text(t, "stats.json", row->stats);
		memset(&served, 0, sizeof(served));
		status = engine_serve_past(&config, t->path, 5, 6);
		assert_int_equal(status, 7);
		row_check(served.calls == 1 && served.past, "%s", row->name);
		assert_int_equal(served.control_fd, 5);
		assert_int_equal(served.note_fd, 6);
		assert_string_equal(served.output, t->path);
		row_check(strcmp(served.target, row->target) == 0, "%s: %s",
			row->name, served.target);
		row_check(strcmp(served.arg, row->arg) == 0, "%s: %s",
			row->name, served.arg);
		row_check(served.finish_time_ms ==
				(row->finish_time_ms > 0
						? row->finish_time_ms
						: settings.finish_time_ms),
			"%s: %llu", row->name,
			(unsigned long long)served.finish_time_ms);
		row_check(served.dict_n == 0, "%s", row->name);
		tree_close(&tree);
		settings_clear(&settings);
	}
}

/* A limit is shown as what it was. */
static void
test_origins(void **state)
{
	static const struct {
		const char *name, *stats;
		enum option_origin origin;
	} rows[] = {
		{ "a default", LIMITS(LIMIT("timeout", "1s", "default")),
			ORIGIN_DEFAULT },
		{ "of the command line", LIMITS(LIMIT("timeout", "2s", "flag")),
			ORIGIN_FLAG },
		{ "by a key", LIMITS(LIMIT("timeout", "2s", "key")),
			ORIGIN_KEY },
	};
	const struct tree *tree = *state;
	struct settings settings;
	const struct engine_config config = { .settings = &settings,
		.control_fd = -1 };

	settings_init(&settings);
	tree_text(tree, "journal.jsonl", CAMPAIGN(""));
	for (size_t i = 0; i < ROWS(rows); i++) {
		tree_text(tree, "stats.json", rows[i].stats);
		engine_serve_past(&config, tree->path, 5, 6);
		row_check(served.timeout == rows[i].origin, "%s: %d",
			rows[i].name, (int)served.timeout);
	}
	settings_clear(&settings);
}

/* ---- directories -----------------------------------------------------------
 */

/* clang-format off */
static const struct folder_row {
	const char *name;
	const char *file; /* in the folder; NULL: none */
	const char *says; /* NULL: it can be shown */
} FOLDERS[] = {
	{ "a campaign", "journal.jsonl", NULL },
	{ "an empty folder", NULL, "is an empty folder: `cfuzz-tui -o " },
	{ "another folder", "file", "is a folder, but not the output directory" },
};
/* clang-format on */

static void
test_folders(void **state)
{
	const struct folder_row *row;
	void *tree;

	for (row = FOLDERS; row < FOLDERS + ROWS(FOLDERS); row++) {
		const struct tree *t;
		struct error err = { 0 };
		char name[64];

		assert_int_equal(tree_open(&tree), 0);
		t = tree;
		tree_folder(t, "out");
		snprintf(name, sizeof(name), "out/%s",
			row->file != NULL ? row->file : "");
		if (row->file != NULL)
			tree_text(t, name, "{\"event\": \"campaign\"}\n");
		row_check(engine_check_past(tree_path(t, "out"), &err) ==
				(row->says != NULL ? E_USAGE : OK),
			"%s: %s", row->name, err.text);
		row_check(row->says == NULL ||
				strstr(err.text, row->says) != NULL,
			"%s: %s", row->name, err.text);
		tree_close(&tree);
	}
}

/* The console cannot attach, or it would not ask; so somebody else works. Who
 * looks at a run that has ended is let in, but does not change what another may
 * be changing. */
static void
test_locked(void **state)
{
	static const struct {
		const char *name, *stats;
		enum status status;
	} rows[] = {
		{ "no stats.json", NULL, E_BUSY },
		{ "it may run", "{\"state\": \"fuzzing\"}", E_BUSY },
		{ "it has ended", "{\"state\": \"ended\"}", OK },
	};
	const struct tree *tree = *state;
	struct error err = { 0 };
	struct store *store, *look;

	tree_folder(tree, "out");
	tree_text(tree, "out/journal.jsonl", "{\"event\": \"campaign\"}\n");
	assert_int_equal(store_open_past(&store, tree_path(tree, "out"),
				 tree->base, &err),
		OK);
	assert_int_equal(engine_check_past(tree_path(tree, "out"), &err), OK);
	assert_int_equal(store_wake(store, &err), OK);
	for (size_t i = 0; i < ROWS(rows); i++) {
		error_clear(&err);
		if (rows[i].stats != NULL)
			tree_text(tree, "out/stats.json", rows[i].stats);
		row_check(engine_check_past(tree_path(tree, "out"), &err) ==
				rows[i].status,
			"%s: %s", rows[i].name, err.text);
		row_check((strstr(err.text, "another cfuzz is at work in") !=
				  NULL) == (rows[i].status != OK),
			"%s: %s", rows[i].name, err.text);
	}
	assert_int_equal(store_open_past(&look, tree_path(tree, "out"),
				 tree->base, &err),
		OK);
	assert_int_equal(store_wake(look, &err), E_BUSY);
	store_close(store);
	error_clear(&err);
	assert_int_equal(store_wake(look, &err), E_STATE);
	assert_non_null(strstr(err.text, "open it again"));
	store_close(look);
}

int
main(void)
{
#define ROW(fn) TREE_TEST(fn)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_serve),
		ROW(test_origins),
		cmocka_unit_test(test_folders),
		ROW(test_locked),
	};

	return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
