/*
 * test_corpus: no duplicates, stable names, bytes that are dropped and read
 * again.
 */
#include "corpus/corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define MANY 10000u

/* A fake disk: the content of any entry's file. */
struct disk {
	unsigned reads;
	bool changed;
	enum status refuses; /* OK: it reads */
	char text[64];       /* the content of every file */
};

static enum status
disk_read(void *arg, const struct corpus_entry *entry, uint8_t **data,
	size_t *len, struct error *err)
{
	struct disk *disk = arg;

	disk->reads++;
	assert_true(entry->on_disk || entry->is_copied);
	if (disk->refuses != OK)
		return error_set(err, disk->refuses, "%s is not what it was",
			entry->name);
	snprintf(disk->text, sizeof(disk->text), "input %05u", entry->index);
	if (disk->changed)
		disk->text[0] = 'X';
	*len = strlen(disk->text);
	*data = xmemdup(disk->text, *len);
	return OK;
}

static struct corpus_entry *
add(struct corpus *corpus, const char *text, uint32_t parent, bool *is_new)
{
	return corpus_add(corpus, text, strlen(text), parent, is_new);
}

/* For a typed target: entries are named by their text and read from it. */
static enum status
text_read(void *arg, const struct corpus_entry *entry, uint8_t **data,
	size_t *len, struct error *err)
{
	*len = strlen(arg);
	assert_int_equal(entry->file_len, *len);
	*data = xmemdup(arg, *len);
	return OK;
}

static void
test_typed(void **state)
{
	static char text[] = "go test fuzz v1\nstring(\"a\")\nbool(true)\n";
	static const uint8_t input[] = { VALUE_STRING, 1, 0, 0, 0, 'a',
		VALUE_BOOL, 1, 0, 0, 0, 0, 0, 0, 0 };
	const struct tuple_types types = { .n = 2,
		.types = { VALUE_STRING, VALUE_BOOL } };
	struct corpus *corpus = corpus_create(0, text_read, text);
	struct corpus_entry *entry;
	char name[SHA256_HEX_SIZE], full[SHA256_HEX_SIZE];
	const uint8_t *data;

	corpus_set_types(corpus, &types);
	entry = corpus_add(corpus, input, sizeof(input), CORPUS_NONE, NULL);
	sha256_name(text, strlen(text), name);
	corpus_full_name(entry, full);
	assert_string_equal(full, name);
	assert_memory_equal(entry->name, name, 16);
	assert_int_equal(entry->len, sizeof(input));
	assert_int_equal(entry->file_len, strlen(text));
	assert_ptr_equal(corpus_find(corpus, input, sizeof(input)), entry);
	corpus_add(corpus, input + 6, 9, CORPUS_NONE, NULL);
	corpus_set_on_disk(corpus, entry);
	assert_null(entry->data);
	assert_int_equal(corpus_load(corpus, entry, &data, NULL), OK);
	assert_memory_equal(data, input, sizeof(input));
	corpus_destroy(corpus);
}

static void
test_entries(void **state)
{
	struct corpus *corpus = corpus_create(1 << 20, NULL, NULL);
	struct corpus_entry *a, *b;
	bool is_new;

	assert_int_equal(corpus_len(corpus), 0);
	assert_null(corpus_get(corpus, 0));
	a = add(corpus, "abc", CORPUS_NONE, &is_new);
	assert_true(is_new);
	assert_string_equal(a->name, "ba7816bf8f01cfea");
	assert_int_equal(a->index, 0);
	assert_int_equal(a->generation, 0);
	assert_int_equal(a->parent, CORPUS_NONE);
	assert_int_equal(a->arena, CORPUS_NONE);
	assert_int_equal(a->len, 3);
	assert_memory_equal(a->data, "abc", 3);
	b = add(corpus, "", a->index, &is_new);
	assert_true(is_new);
	assert_string_equal(b->name, "e3b0c44298fc1c14");
	assert_int_equal(b->generation, 1);
	assert_int_equal(b->parent, 0);
	assert_ptr_equal(corpus_get(corpus, 1), b);
	assert_null(corpus_get(corpus, 2));
	assert_null(corpus_get(corpus, CORPUS_NONE));
	corpus_destroy(corpus);
	corpus_destroy(NULL);
}

/* Ten inputs, six of them equal: five entries, the first one stays. */
static void
test_duplicates(void **state)
{
	static const char *const texts[] = { "0", "6", "0", "0", "7", "0", "8",
		"0", "9", "0" };
	struct corpus *corpus = corpus_create(1 << 20, NULL, NULL);
	struct corpus_entry *entry, *first = NULL;
	bool is_new;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		entry = add(corpus, texts[i], CORPUS_NONE, &is_new);
		if (i == 0)
			first = entry;
		assert_int_equal(is_new, i == 0 || texts[i][0] != '0');
		if (texts[i][0] == '0')
			assert_ptr_equal(entry, first);
	}
	assert_int_equal(corpus_len(corpus), 5);
	assert_ptr_equal(add(corpus, "0", 3, NULL), first);
	assert_int_equal(first->parent, CORPUS_NONE);
	corpus_destroy(corpus);
}

static void
test_find(void **state)
{
	struct corpus *corpus = corpus_create(1 << 20, NULL, NULL);
	struct corpus_entry *entry, *found;
	char text[32], prefix[5];
	unsigned i, unique = 0;

	for (i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "input %05u", i);
		entry = add(corpus, text, CORPUS_NONE, NULL);
		assert_int_equal(entry->index, i);
	}
	for (i = 0; i < MANY; i += 7) {
		snprintf(text, sizeof(text), "input %05u", i);
		entry = corpus_get(corpus, i);
		assert_ptr_equal(corpus_find(corpus, text, strlen(text)),
			entry);
		assert_ptr_equal(corpus_find_name(corpus, entry->name), entry);
		memcpy(prefix, entry->name, 4);
		prefix[4] = 0;
		found = corpus_find_name(corpus, prefix);
		assert_true(found == entry || !found);
		unique += found != NULL;
	}
	assert_true(unique > 0);
	assert_null(corpus_find(corpus, "nope", 4));
	assert_null(corpus_find_name(corpus, "nope"));
	assert_null(corpus_find_name(corpus, "abc")); /* too short */
	assert_null(corpus_find_name(corpus, ""));
	corpus_destroy(corpus);
}

/* Bytes of inputs in memory. */
static size_t
resident(const struct corpus *corpus)
{
	const struct corpus_entry *entry;
	size_t n = 0, i;

	for (i = 0; i < corpus_len(corpus); i++) {
		entry = corpus_get(corpus, (uint32_t)i);
		n += entry->data != NULL ? entry->len : 0;
	}
	return n;
}

/* Only bytes that are on the disk are dropped; they are read again
 * unchanged. */
static void
test_budget(void **state)
{
	struct disk disk = { 0 };
	struct corpus *corpus = corpus_create(200, disk_read, &disk);
	struct corpus_entry *entry;
	const uint8_t *data;
	char text[32];
	unsigned i;

	for (i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "input %05u", i);
		add(corpus, text, CORPUS_NONE, NULL);
	}
	assert_int_equal(resident(corpus), 1100);
	for (i = 0; i < 50; i++)
		corpus_set_on_disk(corpus, corpus_get(corpus, i));
	assert_int_equal(resident(corpus), 550);
	for (i = 50; i < 100; i++)
		assert_non_null(corpus_get(corpus, i)->data);
	for (i = 50; i < 100; i++)
		corpus_set_on_disk(corpus, corpus_get(corpus, i));
	assert_true(resident(corpus) <= 200);
	for (i = 0; i < 300; i++) {
		entry = corpus_get(corpus, i * 37 % 100);
		snprintf(text, sizeof(text), "input %05u", entry->index);
		assert_int_equal(corpus_load(corpus, entry, &data, NULL), OK);
		assert_memory_equal(data, text, entry->len);
		assert_true(resident(corpus) <= 200);
	}
	assert_true(disk.reads > 100);
	corpus_destroy(corpus);
}

/*
 * Bytes are dropped in the order in which they came to be there as well as
 * elsewhere: a queue, so that those that are not elsewhere cost nothing.
 */
static void
test_drop_order(void **state)
{
	static const uint32_t order[] = { 70, 3, 41, 99, 0 };
	struct disk disk = { 0 };
	struct corpus *corpus = corpus_create(1100 + 33, disk_read, &disk);
	const uint8_t *data;
	char text[32];
	uint32_t i;

	for (i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "input %05u", i);
		add(corpus, text, CORPUS_NONE, NULL);
	}
	for (i = 0; i < 5; i++)
		(i % 2 ? corpus_set_on_disk : corpus_set_copied)(corpus,
			corpus_get(corpus, order[i]));
	/* Nowhere else any more, so not to be dropped. */
	assert_true(
		corpus_replace(corpus, corpus_get(corpus, 3), "smaller", 7));
	for (i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "other %05u", i);
		add(corpus, text, CORPUS_NONE, NULL);
	}
	assert_int_equal(resident(corpus), 1100 + 33 - 4);
	add(corpus, "other 00003", CORPUS_NONE, NULL);
	assert_null(corpus_get(corpus, 70)->data);
	assert_int_equal(resident(corpus), 1100 + 33 - 4);
	add(corpus, "other 00004", CORPUS_NONE, NULL);
	assert_non_null(corpus_get(corpus, 3)->data);
	assert_null(corpus_get(corpus, 41)->data);
	corpus_set_on_disk(corpus, corpus_get(corpus, 3));
	/* What is read again is the last one in the queue. */
	assert_int_equal(corpus_load(corpus, corpus_get(corpus, 70), &data,
				 NULL),
		OK);
	assert_null(corpus_get(corpus, 99)->data);
	add(corpus, "other 00005", CORPUS_NONE, NULL);
	assert_null(corpus_get(corpus, 0)->data);
	add(corpus, "other 00006", CORPUS_NONE, NULL);
	assert_null(corpus_get(corpus, 3)->data);
	add(corpus, "other 00007", CORPUS_NONE, NULL);
	assert_null(corpus_get(corpus, 70)->data);
	corpus_destroy(corpus);
}

static void
test_file_is_not_what_it_was(void **state)
{
	/* It is longer; a link or a folder has its name. */
	static const enum status others[] = { E_RANGE, E_FORMAT };
	struct disk disk = { 0 };
	struct corpus *corpus = corpus_create(0, disk_read, &disk);
	struct corpus_entry *a = add(corpus, "input 00000", CORPUS_NONE, NULL);
	struct corpus_entry *b = add(corpus, "input 00001", CORPUS_NONE, NULL);
	struct error err = { 0 };
	const uint8_t *data;

	corpus_set_on_disk(corpus, a);
	corpus_set_on_disk(corpus, b);
	assert_null(a->data);
	disk.refuses = E_NOT_FOUND;
	assert_int_equal(corpus_load(corpus, a, &data, &err), E_NOT_FOUND);
	assert_null(strstr(err.text, "changed"));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		disk.refuses = others[i];
		error_clear(&err);
		assert_int_equal(corpus_load(corpus, a, &data, &err),
			E_NOT_FOUND);
		assert_non_null(strstr(err.text, "changed"));
	}
	/* The disk has trouble: another time. */
	disk.refuses = E_IO;
	error_clear(&err);
	assert_int_equal(corpus_load(corpus, a, &data, &err), E_IO);
	disk.refuses = OK;
	disk.changed = true;
	error_clear(&err);
	assert_int_equal(corpus_load(corpus, a, &data, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.text, "changed"));
	disk.changed = false;
	assert_int_equal(corpus_load(corpus, a, &data, NULL), OK);
	/* With budget 0, bytes that are lent out stay. */
	assert_memory_equal(data, "input 00000", 11);
	assert_int_equal(corpus_load(corpus, b, &data, NULL), OK);
	assert_memory_equal(data, "input 00001", 11);
	assert_null(a->data);
	corpus_destroy(corpus);
}

/* A name that a user has seen finds its entry after the entry was trimmed, unless
 * a new entry has that name now. */
static void
check_old_names(struct corpus *corpus)
{
	struct corpus_entry *entry = corpus_get(corpus, 1), *new;
	char old[SHA256_HEX_SIZE], prefix[9];

	snprintf(old, sizeof(old), "%s", entry->name);
	assert_true(corpus_replace(corpus, entry, "smaller", 7));
	assert_ptr_equal(corpus_find_name(corpus, old), entry);
	snprintf(prefix, sizeof(prefix), "%.8s", old);
	assert_ptr_equal(corpus_find_name(corpus, prefix), entry);
	assert_null(corpus_find_exact(corpus, old));
	assert_null(corpus_find_name(corpus, "00000000"));
	new = add(corpus, "input 00001", CORPUS_NONE, NULL);
	assert_ptr_equal(corpus_find_name(corpus, old), new);
	assert_ptr_equal(corpus_find_name(corpus, prefix), new);
}

/* A trimmed entry keeps its index; its old bytes are unknown again. */
static void
test_replace(void **state)
{
	struct corpus *corpus = corpus_create(1 << 20, NULL, NULL);
	struct corpus_entry *entry;
	const uint8_t *data;
	char text[32];
	unsigned i;
	bool is_new;

	for (i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "input %05u", i);
		entry = add(corpus, text, CORPUS_NONE, NULL);
		corpus_set_on_disk(corpus, entry);
	}
	for (i = 0; i < 1000; i += 2) {
		snprintf(text, sizeof(text), "%u", i);
		entry = corpus_get(corpus, i);
		assert_true(corpus_replace(corpus, entry, text, strlen(text)));
		assert_false(entry->on_disk);
		assert_int_equal(entry->index, i);
		assert_int_equal(corpus_load(corpus, entry, &data, NULL), OK);
		assert_memory_equal(data, text, entry->len);
		assert_ptr_equal(corpus_find(corpus, text, strlen(text)),
			entry);
	}
	assert_false(corpus_replace(corpus, corpus_get(corpus, 1), "4", 1));
	for (i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "input %05u", i);
		entry = corpus_find(corpus, text, strlen(text));
		assert_ptr_equal(entry, i % 2 ? corpus_get(corpus, i) : NULL);
	}
	check_old_names(corpus);
	add(corpus, "input 00000", CORPUS_NONE, &is_new);
	assert_true(is_new);
	corpus_destroy(corpus);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_typed),
		cmocka_unit_test(test_duplicates),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_drop_order),
		cmocka_unit_test(test_file_is_not_what_it_was),
		cmocka_unit_test(test_replace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
