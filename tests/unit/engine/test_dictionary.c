#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/dictionary.h"

struct row {
	const char *line;
	const char *word; /* NULL: an error at `number` */
	size_t number;    /* column, or level */
};

/* clang-format off */
static const struct row rows[] = {
	{ "", "", 0 },
	{ "   # a comment", "", 0 },
	{ "\"word\"", "word", 0 },
	{ "  name = \"word\"  \r", "word", 0 },
	{ "name@12=\"w\"", "w", 12 },
	{ "\"\\x41\\\\\\\"\\xfF\"", "A\\\"\xff", 0 },
	{ "a-b.c_1=\"#\"", "#", 0 },
	{ "word", NULL, 5 },
	{ "name@=\"w\"", NULL, 6 },
	{ "\"word", NULL, 6 },
	{ "\"\"", NULL, 2 },
	{ "\"a\" b", NULL, 5 },
	{ "\"\\n\"", NULL, 2 },
	{ "\"\\x4\"", NULL, 2 },
	{ "\"\\x4g\"", NULL, 2 },
	{ "\"tab\t\"", NULL, 5 },
	{ "\"\xc3\xa9\"", NULL, 2 },
	{ "name=word", NULL, 6 },
};
/* clang-format on */

static void
test_line(void **state)
{
	const struct row *row = *state;
	uint8_t word[MEMORY_WORD_LEN_MAX];
	size_t len, column = 0;
	struct error err = { 0 };
	unsigned level;
	enum status status = dictionary_parse_line(row->line, strlen(row->line),
		word, &len, &level, &column, &err);

	if (row->word == NULL) {
		assert_int_equal(status, E_FORMAT);
		assert_int_equal(column, row->number);
		assert_true(err.text[0] != '\0');
		return;
	}
	assert_int_equal(status, OK);
	assert_int_equal(level, row->number);
	assert_int_equal(len, strlen(row->word));
	assert_memory_equal(word, row->word, len);
}

static void
test_longest(void **state)
{
	char line[2 + MEMORY_WORD_LEN_MAX + 2];
	uint8_t word[MEMORY_WORD_LEN_MAX];
	size_t len, column;
	unsigned level;
	int extra;

	(void)state;
	for (extra = 0; extra < 2; extra++) {
		memset(line, 'a', sizeof(line));
		line[0] = line[1 + MEMORY_WORD_LEN_MAX + extra] = '"';
		assert_int_equal(dictionary_parse_line(line,
					 2u + MEMORY_WORD_LEN_MAX +
						 (size_t)extra,
					 word, &len, &level, &column, NULL),
			extra ? E_FORMAT : OK);
	}
}

static void
test_load(void **state)
{
	static const char text[] = "# words\n\"one\"\nkey@2=\"two\"\n\"three\"";
	char path[] = "/tmp/test_dictionary.XXXXXX", with_level[64];
	int fd = mkstemp(path);
	struct campaign_memory m;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	assert_int_equal(dictionary_load(path, &m, NULL), OK);
	assert_int_equal(campaign_memory_words(&m).n, 2);
	assert_memory_equal(campaign_memory_words(&m).items[1].bytes, "three",
		5);
	snprintf(with_level, sizeof(with_level), "%s@2", path);
	assert_int_equal(dictionary_load(with_level, &m, NULL), OK);
	assert_int_equal(campaign_memory_words(&m).n, 5);
	assert_int_equal(write(fd, "\n\"bad", 5), 5);
	assert_int_equal(dictionary_load(path, &m, &err), E_USAGE);
	assert_non_null(strstr(err.text, "line 5, column 5"));
	error_clear(&err);
	assert_int_not_equal(dictionary_load("/nowhere/x", &m, &err), OK);
	assert_non_null(strstr(err.text, "/nowhere/x"));
	campaign_memory_close(&m);
	close(fd);
	unlink(path);
}

/* With words both sides make the same bytes; without, none is drawn. */
static void
test_mutate(void **state)
{
	struct campaign_memory m;
	uint8_t buf[1024];
	struct mutable value = { buf, 0, 512 };
	struct mutation step;
	struct prng prng;
	struct words words;
	int i, inserted = 0, overwritten = 0;

	(void)state;
	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	assert_true(campaign_memory_add_word(&m, (const uint8_t *)"WORD", 4));
	words = campaign_memory_words(&m);
	prng_init(&prng, 1, 1);
	for (i = 0; i < 1000; i++) {
		if (value.len > 256)
			value.len = 0;
		assert_true(words_mutate(&words, &value, &prng, &step));
		if (step.op != MUTATE_INSERT_WORD &&
			step.op != MUTATE_OVERWRITE_WORD)
			continue;
		inserted += step.op == MUTATE_INSERT_WORD;
		overwritten += step.op == MUTATE_OVERWRITE_WORD;
		assert_true(step.offset + step.len <= value.len);
		assert_memory_equal(buf + step.offset, "WORD", 4);
	}
	assert_true(inserted > 50 && overwritten > 50);
	campaign_memory_close(&m);
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N + 3];
	size_t i;

	for (i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].line,
			.test_func = test_line,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	tests[N] = (struct CMUnitTest)cmocka_unit_test(test_longest);
	tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_load);
	tests[N + 2] = (struct CMUnitTest)cmocka_unit_test(test_mutate);
	return _cmocka_run_group_tests("dictionary", tests, N + 3, NULL, NULL);
}
