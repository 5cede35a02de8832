/*
 * test_store_types: the output directory of a typed target: its files are text
 * and named by it, inputs come back as tuples, and a target of other types is
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/stored.h"
#include "store/journal.h"
#include "worker/inputs/input_text.h"

#define TEXT_A "go test fuzz v1\n[]byte(\"a\")\n[]byte(\"\")\n"
#define TEXT_B "go test fuzz v1\n[]byte(\"b\")\n[]byte(\"\")\n"

static const struct tuple_types PLAIN = { .n = 0 };
static const struct tuple_types TWO = { .n = 2,
	.types = { VALUE_BYTES, VALUE_BYTES } };
static const struct tuple_types ONE = { .n = 1, .types = { VALUE_STRING } };

static const uint8_t A[] = { VALUE_BYTES, 1, 0, 0, 0, 'a', VALUE_BYTES, 0, 0, 0,
	0 };
static const uint8_t B[] = { VALUE_BYTES, 1, 0, 0, 0, 'b', VALUE_BYTES, 0, 0, 0,
	0 };

static void
check_text(const struct tree *tree, const char *folder, const char *name,
	const char *text)
{
	char path[512];

	snprintf(path, sizeof(path), "o/%s/%s", folder, name);
	row_check(tree_holds(tree, path, text), "%s", path);
}

static void
check_named(const struct tree *tree, const char *folder, const char *text)
{
	char hex[SHA256_HEX_SIZE];

	sha256_name(text, strlen(text), hex);
	hex[16] = '\0';
	check_text(tree, folder, hex, text);
}

/* Writes an input to every place. */
static void
fill(struct store *store)
{
	struct error err = { 0 };
	char name[SHA256_HEX_SIZE];

	assert_int_equal(store_set_types(store, &TWO, 0, &err), OK);
	sha256_name(TEXT_A, strlen(TEXT_A), name);
	name[16] = '\0';
	store_add_entry(store, "", name, NULL, A, sizeof(A), NULL, NULL);
	store_put(store, "crashes/x", "input", A, sizeof(A), NULL, NULL);
	store_put(store, "crashes/x", "minimized", B, sizeof(B), NULL, NULL);
	store_put(store, "crashes/x", "report.txt", "words", 5, NULL, NULL);
	assert_true(store_put_more(store, "crashes/x", B, sizeof(B)));
	assert_false(store_put_more(store, "crashes/x", A, sizeof(A)));
	store_put_sequence(store, "crashes/x", 1, A, sizeof(A), true, NULL,
		NULL);
	store_put(store, "crashes/y", "input", B, sizeof(B), NULL, NULL);
	store_replace_input(store, "crashes/y", false, B, sizeof(B), A,
		sizeof(A));
	assert_true(store_add_suspect(store, B, sizeof(B)));
	assert_true(store_add_suspect(store, A, sizeof(A)));
	store_remove_suspect(store, A, sizeof(A));
}

static void
check_read(struct store *store)
{
	struct error err = { 0 };
	uint8_t *data;
	size_t len;

	assert_int_equal(store_read_input(store, "crashes/x", "input",
				 sizeof(A), &data, &len, &err),
		OK);
	assert_int_equal(len, sizeof(A));
	assert_memory_equal(data, A, len);
	free(data);
	assert_int_equal(store_read_sequence(store, "crashes/x", 1, sizeof(A),
				 &data, &len, &err),
		OK);
	assert_memory_equal(data, A, sizeof(A));
	free(data);
	assert_int_equal(store_read_input(store, "crashes/x", "input",
				 sizeof(A) - 1, &data, &len, NULL),
		E_RANGE);
	assert_int_equal(store_read_input(store, "crashes/x", "report.txt", 100,
				 &data, &len, &err),
		E_FORMAT);
	assert_null(data);
	assert_int_equal(len, 0);
	assert_non_null(strstr(err.text, "crashes/x/report.txt"));
}

static void
test_text(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);

	fill(store);
	stored_finish(store);
	check_named(tree, "corpus", TEXT_A);
	check_text(tree, "crashes/x", "input", TEXT_A);
	check_text(tree, "crashes/x", "minimized", TEXT_B);
	check_text(tree, "crashes/x", "report.txt", "words");
	check_named(tree, "crashes/x/more", TEXT_B);
	check_text(tree, "crashes/x/sequence", "000001", TEXT_A);
	check_text(tree, "crashes/y", "input", TEXT_A);
	check_named(tree, "crashes/y/more", TEXT_B);
	check_named(tree, "suspects", TEXT_B);
	assert_int_equal(tree_count(tree, "o/suspects"), 1);
	/* Before the target has started, the types of the past apply. */
	store = stored_open(tree, "o", &stored_a);
	assert_int_equal(store_past(store)->types.n, 2);
	assert_false(store_past(store)->empty);
	check_read(store);
	assert_int_equal(store_set_types(store, &TWO, 0, NULL), OK);
	check_read(store);
	store_merge(store, "crashes/y", "crashes/x", A, sizeof(A));
	stored_finish(store);
	assert_false(tree_has(tree, "o/crashes/y/input"));
}

/* A rebuilt target with other types: nothing is left of the attempt. */
static void
test_other_types(void **state)
{
	static const struct tuple_types *const others[] = { &PLAIN, &ONE };
	static const char *const words[] = {
		"a target that takes ([]uint8, []uint8), not (bytes)",
		"a target that takes ([]uint8, []uint8), not (string)"
	};
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	struct error err;
	char *before, *after;
	size_t i;

	fill(store);
	stored_finish(store);
	before = tree_read(tree, "o/journal.jsonl", NULL);
	for (i = 0; i < 2; i++) {
		store = stored_open(tree, "o", &stored_a);
		error_clear(&err);
		assert_int_equal(store_set_types(store, others[i], 0, &err),
			E_EXISTS);
		row_check(strstr(err.text, words[i]) != NULL, "%s", err.text);
		assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL),
			0);
		store_withdraw(store);
		store_close(store);
		after = tree_read(tree, "o/journal.jsonl", NULL);
		assert_string_equal(after, before);
		free(after);
	}
	free(before);
}

/* Without kept inputs the types of the target may change. */
static void
test_empty(void **state)
{
	static const struct tuple_types *const lives[] = { &PLAIN, &TWO, &ONE,
		&PLAIN, &ONE };
	const struct tree *tree = *state;
	struct store *store;
	size_t i;

	for (i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		store = stored_open(tree, "o", &stored_a);
		assert_true(store_past(store)->empty);
		assert_int_equal(store_past(store)->types.n,
			i > 0 ? lives[i - 1]->n : 0);
		assert_int_equal(store_set_types(store, lives[i], 0, NULL), OK);
		stored_finish(store);
	}
	/* Without a journal the types of the inputs are unknown. */
	store = stored_open(tree, "o", &stored_a);
	store_put(store, "crashes/x", "input", "x", 1, NULL, NULL);
	stored_finish(store);
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	store = stored_open(tree, "o", &stored_a);
	assert_int_equal(store_set_types(store, &TWO, 0, NULL), OK);
	stored_finish(store);
}

/* The journal of an untyped target has no types. */
static void
test_plain(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char *text;

	assert_int_equal(store_set_types(store, &PLAIN, 0, NULL), OK);
	store_put(store, "crashes/x", "input", "x", 1, NULL, NULL);
	stored_finish(store);
	text = tree_read(tree, "o/journal.jsonl", NULL);
	assert_null(strstr(text, "types"));
	free(text);
	check_text(tree, "crashes/x", "input", "x");
}

enum loss {
	LOSS_REMOVED,
	LOSS_EMPTIED,
	LOSS_COUNT
};

static void
lose(const struct tree *tree, enum loss loss)
{
	if (loss == LOSS_REMOVED)
		assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	else
		tree_write(tree, "o/journal.jsonl", "", 0);
}

/* Somebody loses the journal while it is written: the directory still belongs
 * to its target, and the inputs have their types. */
static void
test_lost_journal(void **state)
{
	const struct tree *tree = *state;
	struct store *store;
	unsigned loss;
	json_t *event;

	store = stored_open(tree, "o", &stored_a);
	fill(store);
	stored_finish(store);
	for (loss = 0; loss < LOSS_COUNT; loss++) {
		store = stored_open(tree, "o", &stored_a);
		lose(tree, loss);
		assert_int_equal(store_set_types(store, &TWO, 0, NULL), OK);
		event = journal_event("new", 1);
		store_log(store, event, false);
		json_decref(event);
		stored_finish(store);
		stored_refused(tree, "o", &stored_b, E_EXISTS,
			"belongs to another target");
		store = stored_open(tree, "o", &stored_a);
		row_check(store_warning(store, 0) == NULL, "%s",
			store_warning(store, 0));
		row_check(store_past(store)->types.n == 2, "%u", loss);
		stored_finish(store);
	}
}

/* The same in the first run, which learns the types after its first line. */
static void
test_lost_first_journal(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	json_t *event = journal_event("new", 1);

	fill(store);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	lose(tree, LOSS_EMPTIED);
	store_log(store, event, false);
	json_decref(event);
	stored_finish(store);
	store = stored_open(tree, "o", &stored_a);
	assert_null(store_warning(store, 0));
	assert_int_equal(store_past(store)->types.n, 2);
	stored_finish(store);
}

#define START \
	"{\"event\":\"campaign\",\"at_s\":0,\"target\":\"/bin/a\"," \
	"\"build_id\":\"aa11\"}\n"
#define NO_TYPES "{\"event\":\"types\",\"at_s\":0,\"types\":[]}\n"
#define STATS(second) "{\"types\":[\"[]uint8\",\"" second "\"]}"

/* A file that is lost when nothing runs: stats.json has the types, too. A journal
 * that says none counts more. */
static void
test_types_of_stats(void **state)
{
	static const struct {
		const char *journal; /* NULL: none */
		const char *stats;
		uint32_t n;
		enum status two; /* setting them */
	} rows[] = {
		{ NULL, STATS("[]uint8"), 2, OK },
		{ "", STATS("[]uint8"), 2, OK },
		{ "x\n", STATS("[]uint8"), 2, OK },
		{ START, STATS("[]uint8"), 2, OK },
		{ START NO_TYPES, STATS("[]uint8"), 0, E_EXISTS },
		{ NULL, STATS("word"), 0, OK },
		{ NULL, "{\"execs\":1}", 0, OK },
	};
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char *journal;
	size_t i;

	fill(store);
	stored_finish(store);
	for (i = 0; i < ROWS(rows); i++) {
		assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
		if (rows[i].journal != NULL)
			tree_text(tree, "o/journal.jsonl", rows[i].journal);
		tree_text(tree, "o/stats.json", rows[i].stats);
		store = stored_open(tree, "o", &stored_a_rebuilt);
		row_check(store_past(store)->types.n == rows[i].n, "%zu: %u", i,
			store_past(store)->types.n);
		if (rows[i].n > 0) {
			check_read(store);
			assert_int_equal(store_set_types(store, &ONE, 0, NULL),
				E_EXISTS);
		}
		assert_int_equal(store_set_types(store, &TWO, 0, NULL),
			rows[i].two);
		stored_finish(store);
		journal = tree_read(tree, "o/journal.jsonl", NULL);
		row_check(strstr(journal, "\"event\":\"types\"") != NULL,
			"%zu: %s", i, journal);
		free(journal);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_text),
		TEST(test_other_types),
		TEST(test_empty),
		TEST(test_plain),
		TEST(test_lost_journal),
		TEST(test_lost_first_journal),
		TEST(test_types_of_stats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
