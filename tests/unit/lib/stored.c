/*
 * stored: see stored.h.
 */
#include "lib/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/journal.h"

const struct target_info stored_a = { .fd = -1,
	.path = "/bin/a",
	.name = "a",
	.build = "aa11" };
const struct target_info stored_a_rebuilt = { .fd = -1,
	.path = "/bin/a",
	.name = "a",
	.build = "aa22" };
const struct target_info stored_a_moved = { .fd = -1,
	.path = "/usr/bin/a",
	.name = "a",
	.build = "aa11" };
const struct target_info stored_b = { .fd = -1,
	.path = "/bin/b",
	.name = "b",
	.build = "bb11" };

enum status
stored_try(const struct tree *tree, const char *name,
	const struct target_info *target, struct store **store,
	struct error *err)
{
	struct store_config config = {
		.path = tree_path(tree, name),
		.target = target,
		.seed = 7,
		.base = tree->base,
	};

	if (err)
		error_clear(err);
	return store_open(store, &config, err);
}

struct store *
stored_open(const struct tree *tree, const char *name,
	const struct target_info *target)
{
	struct error err = { 0 };
	struct store *store;

	if (stored_try(tree, name, target, &store, &err) != OK) {
		print_error("%s\n", err.text);
		fail();
	}
	return store;
}

void
stored_finish(struct store *store)
{
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	store_close(store);
}

void
stored_refused(const struct tree *tree, const char *name,
	const struct target_info *target, enum status want, const char *words)
{
	struct store *store;
	struct error err;
	enum status status = stored_try(tree, name, target, &store, &err);

	if (status != want || !strstr(err.text, words))
		print_error("%s: %d: %s\n", words, (int)status, err.text);
	row_check(status == want, "%s", words);
	row_check(store == NULL, "%s", words);
	row_check(strstr(err.text, words), "%s", words);
	row_check(strstr(err.text, name), "%s", words);
}

/* All names below a folder with type, size and inode, to detect changes. */
char *
stored_listing(const struct tree *tree, const char *name)
{
	char command[512], *text = calloc(1, 65536);
	FILE *pipe;

	snprintf(command, sizeof(command),
		"cd %s && find . -printf '%%p %%y %%s %%i %%T@\\n' | sort",
		tree_path(tree, name));
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_true(fread(text, 1, 65535, pipe) > 0);
	pclose(pipe);
	return text;
}

void
stored_make(const struct tree *tree, const char *name)
{
	struct store *store = stored_open(tree, name, &stored_a);
	json_t *info = json_pack("{s:s, s:i}", "signature", "0123", "count", 3);
	json_t *stats = json_pack("{s:f, s:i}", "elapsed_s", 12.5, "execs", 9);
	json_t *event = journal_event("find", 11);

	store_put(store, "crashes/a", "input", "in", 2, NULL, NULL);
	store_put(store, "crashes/a", "minimized", "i", 1, NULL, NULL);
	store_put_json(store, "crashes/a", "crash.json", info);
	store_put_more(store, "crashes/a", "more", 4);
	store_put(store, "hangs/b", "input", "loop", 4, NULL, NULL);
	store_add_suspect(store, "s", 1);
	store_add_entry(store, "", "ba7816bf8f01cfea", NULL, "abc", 3, NULL,
		NULL);
	store_write_stats(store, stats);
	store_log(store, event, false);
	stored_finish(store);
	json_decref(info);
	json_decref(stats);
	json_decref(event);
}

void
stored_check(const struct store *store)
{
	const struct store_past *past = store_past(store);
	const struct store_bucket *a = &past->buckets[0];

	assert_int_equal(past->buckets_n, 2);
	assert_string_equal(a->folder, "crashes/a");
	assert_true(a->has_input && a->has_minimized);
	assert_int_equal(a->input_len, 2);
	assert_int_equal(a->minimized_len, 1);
	assert_int_equal(a->more, 1);
	assert_string_equal(past->buckets[1].folder, "hangs/b");
	assert_false(past->buckets[1].has_minimized);
	assert_null(past->buckets[1].info);
	assert_int_equal(past->suspects, 1);
}
