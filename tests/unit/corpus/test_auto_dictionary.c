/*
 * test_auto_dictionary: which words of new inputs enter the dictionary.
 */
#include "corpus/auto_dictionary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/own_memory.h"
#include "lib/rows.h"

#define ROOM 4u
#define KNOWN "known"
#define LONG_16 "0123456789abcdef"
#define LONG_128 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16 LONG_16

/* The mutations of a new input, a letter each: (c)ompare, custo(m), (x)or. */
/* clang-format off */
static const struct learned_row {
	const char *name;
	const char *steps;
	const char *literals; /* literal bytes of each mutation, separated by '|' */
	const char *words; /* words expected, each followed by '|' */
	uint32_t room;
} ROWS[] = {
	{ "one", "c", "word", "word|", ROOM },
	{ "none", "xx", "", "", ROOM },
	{ "no steps", "", "", "", ROOM },
	{ "between others", "xcx", "word", "word|", ROOM },
	{ "two", "cc", "word|other", "word|other|", ROOM },
	{ "behind what a mutator made", "mxc", "whole value|word", "word|", ROOM },
	{ "before what a mutator made", "cm", "word|whole value", "word|", ROOM },
	{ "one byte", "c", "w", "", ROOM },
	{ "nothing", "cc", "|word", "word|", ROOM },
	{ "two bytes", "c", "wo", "wo|", ROOM },
	{ "bytes alike", "cc", "\xff\xff\xff\xff|word", "word|", ROOM },
	{ "nearly alike", "c", "aaab", "aaab|", ROOM },
	{ "known", "cc", KNOWN "|word", "word|", ROOM },
	{ "a start of what is known", "c", "know", "know|", ROOM },
	{ "twice", "ccc", "word|word|wore", "word|wore|", ROOM },
	{ "as long as can be", "c", LONG_128, LONG_128 "|", ROOM },
	{ "too long", "cc", LONG_128 "0|word", "word|", ROOM },
	{ "no room", "cc", "word|other", "", 0 },
	{ "room for one", "cc", "word|other", "word|", 1 },
	{ "room is for what is new", "ccc", KNOWN "|word|other", "word|", 1 },
};
/* clang-format on */

struct made {
	struct ring_input find;
	struct mutation mutations[8];
	uint8_t literals[512];
};

static void
make_find(struct made *made, const char *steps, const char *pieces)
{
	const char *at = pieces;
	size_t n = 0, used = 0;

	memset(made, 0, sizeof(*made));
	/* Bytes beyond the end would be words if they were read. */
	for (size_t i = 0; i < sizeof(made->literals); i++)
		made->literals[i] = (uint8_t)('a' + i % 26);
	for (; steps[n] != '\0'; n++) {
		made->mutations[n].op = steps[n] == 'c' ? MUTATE_COMPARE
			: steps[n] == 'm'               ? MUTATE_CUSTOM
							: MUTATE_XOR;
		made->mutations[n].len = 3;
		if (steps[n] == 'x')
			continue;
		made->mutations[n].len = (uint32_t)strcspn(at, "|");
		memcpy(made->literals + used, at, made->mutations[n].len);
		used += made->mutations[n].len;
		at += made->mutations[n].len;
		at += *at == '|';
	}
	made->find.mutations = made->mutations;
	made->find.literals = made->literals;
	made->find.record.mutations_n = (uint32_t)n;
	made->find.record.literals_n = (uint32_t)used;
}

static void
tell(void *arg, const uint8_t *word, size_t len)
{
	char *told = arg;

	snprintf(told + strlen(told), 256, "%.*s|", (int)len,
		(const char *)word);
}

static size_t
count(const char *text, char c)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += *text == c;
	return n;
}

static int
set_up(void **state)
{
	own_memory_open(state);
	assert_true(
		campaign_memory_add_word(*state, (const uint8_t *)KNOWN, 5));
	return 0;
}

static void
test_row(void **state)
{
	const struct learned_row *row = *state;
	char told[512] = "";
	struct tokens words;
	struct made made;
	size_t at = 0;
	void *m;

	set_up(&m);
	make_find(&made, row->steps, row->literals);
	assert_int_equal(auto_dictionary_take(m, &made.find, row->room, tell,
				 told),
		count(row->words, '|'));
	assert_string_equal(told, row->words);
	/* Exactly the reported words are in the dictionary, after the older
	 * ones. */
	words = campaign_memory_words(m);
	assert_int_equal(words.n, 1 + count(row->words, '|'));
	for (uint32_t i = 1; i < words.n; i++) {
		assert_memory_equal(words.items[i].bytes, told + at,
			words.items[i].len);
		at += words.items[i].len + 1u;
	}
	own_memory_close(&m);
}

/* The literal bytes did not fit and are lost. */
static void
test_lost_literals(void **state)
{
	struct made made;
	char told[512] = "";

	make_find(&made, "c", "word");
	made.find.literals = NULL;
	made.find.record.literals_n = MEMORY_LITERALS_MAX + 1;
	assert_int_equal(auto_dictionary_take(*state, &made.find, ROOM, tell,
				 told),
		0);
	assert_string_equal(told, "");
}

/* A target can write lengths that do not fit the literal bytes. */
static void
test_hostile(void **state)
{
	static const uint32_t lens[] = { 9, 10, UINT32_MAX - 3, UINT32_MAX };
	struct made made;
	char told[512] = "";

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		make_find(&made, "cc", "word|other");
		made.mutations[i % 2].len = lens[i];
		made.mutations[1].len += i % 2 == 0 ? 1 : 0;
		(void)auto_dictionary_take(*state, &made.find, ROOM, tell,
			told);
	}
	assert_string_equal(told, "wordother|word|");
}

/* A full dictionary takes no word and reports none. */
static void
test_full(void **state)
{
	struct campaign_memory *m = *state;
	struct made made;
	char told[512] = "";
	uint16_t i;

	for (i = 1; i < MEMORY_WORDS_MAX - 1; i++)
		assert_true(campaign_memory_add_word(m, (uint8_t *)&i, 2));
	make_find(&made, "cc", "word|other");
	assert_int_equal(auto_dictionary_take(m, &made.find, ROOM, tell, told),
		1);
	assert_string_equal(told, "word|");
	assert_int_equal(campaign_memory_words(m).n, MEMORY_WORDS_MAX);
}

#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, set_up, own_memory_close)

int
main(void)
{
	const struct CMUnitTest others[] = {
		CASE(test_lost_literals),
		CASE(test_hostile),
		CASE(test_full),
	};

	return rows_run_with("auto_dictionary", ROWS_OF(ROWS, name, test_row),
		others, ROWS(others), NULL, NULL);
}
