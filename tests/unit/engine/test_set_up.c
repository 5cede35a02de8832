/*
 * test_set_up: what is refused before a campaign begins, and what is warned of.
 * A campaign that is refused leaves no output directory.
 *
 * FLAGS: -Wl,--wrap=rlimits_free_address_space,--wrap=memory_limit
 */
#include "lib/whole_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_limit.h"
#include "base/rlimits.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"

#define MB (1ull << 20)

static uint64_t free_space = UINT64_MAX;

uint64_t __wrap_rlimits_free_address_space(void);

uint64_t
__wrap_rlimits_free_address_space(void)
{
	return free_space;
}

static uint64_t given_memory = UINT64_MAX;

uint64_t __wrap_memory_limit(void);

uint64_t
__wrap_memory_limit(void)
{
	return given_memory;
}

/* clang-format off */
static const struct refusal_row {
	const char *name;
	const char *options[6];
	const char *says; /* NULL: it is not refused */
} REFUSALS[] = {
	{ "one file for two workers", { "input-file", "in.txt", "parallel", "2" }, "--input-file names one file, so there can be only one worker" },
	{ "one file for one worker", { "input-file", "in.txt", "parallel", "1" }, NULL },
	{ "one file", { "input-file", "in.txt" }, NULL },
	{ "a second program for a target of ours", { "cmplog", "/bin/true" }, "--cmplog is only for programs that AFL++ has built" },
	{ "no such dictionary", { "dict", "/nowhere/words.dict" }, "/nowhere/words.dict" },
	{ "no such group", { "share-group", "no such group" }, "there is no group no such group" },
	{ "no such seeds", { "seeds", "/nowhere/seeds" }, "/nowhere/seeds" },
	{ "no such port", { "http", "0" }, "a port from 1 to 65535, not 0" },
	{ "no such interface", { "http", "192.0.2.1:8080" }, "--http: 192.0.2.1:8080: Cannot assign" },
	{ "no command", { "on-end", "'x" }, "a quote is not closed" },
	{ "no place for the log", { "debug", "/nowhere/log" }, "/nowhere/log" },
};
/* clang-format on */

static void
test_refusals(void **state)
{
	const struct refusal_row *row;
	struct error err;
	struct engine *e;
	void *tree;

	for (row = REFUSALS; row < REFUSALS + ROWS(REFUSALS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		error_clear(&err);
		e = whole_engine_try(tree, row->options, &err);
		row_check((e == NULL) == (row->says != NULL), "%s: %s",
			row->name, err.text);
		row_check(row->says == NULL ||
				strstr(err.text, row->says) != NULL,
			"%s: %s", row->name, err.text);
		row_check(tree_has(tree, "out") == (row->says == NULL), "%s",
			row->name);
		row_check(e == NULL || e->settings.input_file[0] == '\0' ||
				e->settings.parallel == 1,
			"%s", row->name);
		engine_destroy(e);
		tree_close(&tree);
	}
}

/* ---- the address space -----------------------------------------------------
 */

/* clang-format off */
static const struct space_row {
	const char *name;
	uint64_t free_mb; /* 0: no limit */
	const char *wanted_mb;
	uint64_t least_mb, most_mb; /* that the corpus gets */
} SPACES[] = {
	{ "no limit", 0, "256", 256, 256 },
	{ "enough for all", 16384, "256", 256, 256 },
	{ "half of what is left", 500, "256", 100, 200 },
	{ "nearly nothing", 50, "256", 1, 1 },
};
/* clang-format on */

static bool
is_warned_of(const struct engine *e, const char *what)
{
	size_t i;

	for (i = 0; i < e->messages.warnings_n; i++)
		if (strstr(e->messages.warnings[i].text, what) != NULL)
			return true;
	return false;
}

/* Under a limit all targets map the corpus, too. */
static void
test_spaces(void **state)
{
	const struct space_row *row;
	void *tree;

	for (row = SPACES; row < SPACES + ROWS(SPACES); row++) {
		const char *const options[] = { "parallel", "1", "corpus-mem",
			row->wanted_mb, NULL };
		struct error err = { 0 };
		struct engine *e;
		assert_int_equal(tree_open(&tree), 0);
		free_space = row->free_mb > 0 ? row->free_mb * MB : UINT64_MAX;
		e = whole_engine_try(tree, options, &err);
		free_space = UINT64_MAX;
		row_check(e != NULL, "%s: %s", row->name, err.text);
		row_check(e->settings.corpus_mem_mb >= row->least_mb &&
				e->settings.corpus_mem_mb <= row->most_mb,
			"%s: %llu", row->name,
			(unsigned long long)e->settings.corpus_mem_mb);
		row_check(is_warned_of(e, "not the 256 of --corpus-mem") ==
				(row->most_mb < 256),
			"%s", row->name);
		engine_destroy(e);
		tree_close(&tree);
	}
}

/* ---- the memory --------------------------------------------------------------
 */

/* clang-format off */
static const struct memory_row {
	const char *name;
	uint64_t given_mb;
	const char *wanted_mb; /* by --rss-limit */
	bool warned;
} MEMORIES[] = {
	{ "more than is wanted", 4096, "2048", false },
	{ "as much", 2048, "2048", false },
	{ "less", 2047, "2048", true },
	{ "a small container, and a limit that fits", 512, "256", false },
	{ "no limit is wanted", 512, "0", false },
};
/* clang-format on */

static void
test_memories(void **state)
{
	const struct memory_row *row;
	void *tree;

	for (row = MEMORIES; row < MEMORIES + ROWS(MEMORIES); row++) {
		const char *const options[] = { "rss-limit", row->wanted_mb,
			NULL };
		struct error err = { 0 };
		struct engine *e;

		assert_int_equal(tree_open(&tree), 0);
		given_memory = row->given_mb * MB;
		e = whole_engine_try(tree, options, &err);
		given_memory = UINT64_MAX;
		row_check(e != NULL, "%s: %s", row->name, err.text);
		row_check(is_warned_of(e, "lower --rss-limit") == row->warned,
			"%s", row->name);
		engine_destroy(e);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_spaces),
		cmocka_unit_test(test_memories),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("set_up", tests, NULL, NULL);
}
