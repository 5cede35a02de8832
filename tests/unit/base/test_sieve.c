/*
 * test_sieve: the words of a filter, and the texts that match.
 */
#include "base/sieve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
test_words(void **state)
{
	static const struct {
		const char *filter, *text;
		uint32_t n; /* words */
		bool all;
	} rows[] = {
		{ "", "anything", 0, true },
		{ "  \t ", "anything", 0, true },
		{ "heap", "Heap-buffer-overflow", 1, true },
		{ "HEAP read", "read of the heap", 2, true },
		{ "heap stack", "heap alone", 2, false },
		{ " heap  heap ", "heap", 2, true },
		{ "longer than the text", "longer", 4, false },
		{ "\xff", "bytes \xff of no character", 1, true },
	};
	struct sieve sieve;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sieve_parse(&sieve, rows[i].filter);
		assert_int_equal(sieve.n, rows[i].n);
		assert_int_equal(sieve_all(&sieve,
					 sieve_seen(&sieve, rows[i].text)),
			rows[i].all);
	}
}

/* The words of a line of several texts add up. */
static void
test_texts(void **state)
{
	struct sieve sieve;
	uint32_t one, two;

	sieve_parse(&sieve, "crash tile");
	one = sieve_seen(&sieve, "crash");
	two = sieve_seen(&sieve, "read_tile");
	assert_false(sieve_all(&sieve, one));
	assert_false(sieve_all(&sieve, two));
	assert_true(sieve_all(&sieve, one | two));
}

/* A filter that is too long is cut, without other effects. */
static void
test_long(void **state)
{
	char text[4 * SIEVE_SIZE];
	struct sieve sieve;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 == 0 ? 'a' : ' ';
	text[sizeof(text) - 1] = '\0';
	sieve_parse(&sieve, text);
	assert_int_equal(sieve.n, SIEVE_WORDS_MAX);
	assert_true(sieve_all(&sieve, sieve_seen(&sieve, "an a")));
	assert_false(sieve_all(&sieve, sieve_seen(&sieve, "")));
	memset(text, 'a', sizeof(text) - 1);
	sieve_parse(&sieve, text);
	assert_int_equal(sieve.n, 1);
	assert_int_equal(strlen(sieve.words[0]), SIEVE_SIZE - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
