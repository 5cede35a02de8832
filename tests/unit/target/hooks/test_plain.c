/* plain: the same results as the C library, without reading too many bytes. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/hooks/plain.h"

#define LEN_MAX 100u

static int
sign(int value)
{
	return (value > 0) - (value < 0);
}

/* Room for n bytes in front of an inaccessible page. */
static uint8_t *
at_page_end(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(map != MAP_FAILED);
	assert_int_equal(mprotect(map + page, page, PROT_NONE), 0);
	return map + page - n;
}

/* All lengths, and all positions of a difference, in both directions. */
static void
test_memory(void **state)
{
	uint8_t *a = at_page_end(LEN_MAX), *b = at_page_end(LEN_MAX + 1);

	for (size_t n = 0; n <= LEN_MAX; n++) {
		uint8_t *x = a + LEN_MAX - n, *y = b + LEN_MAX + 1 - n;

		memset(x, 0x7f, n);
		memset(y, 0x7f, n);
		assert_int_equal(plain_memcmp(x, y, n), 0);
		assert_int_equal(plain_bcmp(x, y, n), 0);
		for (size_t i = 0; i < n; i++) {
			y[i] = 0x80;
			if (i + 1 < n)
				y[i + 1] = 0;
			assert_true(plain_memcmp(x, y, n) < 0);
			assert_true(plain_memcmp(y, x, n) > 0);
			assert_int_not_equal(plain_bcmp(x, y, n), 0);
			assert_int_equal(plain_memcmp(x, y, i), 0);
			memset(y, 0x7f, n);
		}
	}
}

static const struct text_case {
	const char *name;
	const char *a, *b;
} TEXT_CASES[] = {
	{ "both empty", "", "" },
	{ "one empty", "", "a" },
	{ "the other empty", "a", "" },
	{ "same", "comparison", "comparison" },
	{ "first letter", "comparison", "domparison" },
	{ "last letter", "comparison", "comparisoN" },
	{ "prefix", "comp", "comparison" },
	{ "longer", "comparison", "comp" },
	{ "case", "CoMpArIsOn", "cOmPaRiSoN" },
	{ "case and last letter", "COMPARISOM", "comparison" },
	{ "between the cases", "a_b", "A^B" },
	{ "before the letters", "@", "`" },
	{ "after the letters", "[", "{" },
	{ "high bytes", "\x80", "\x7f" },
	{ "high bytes have no case", "\xc4", "\xe4" },
};

/* Texts end at the end of a page: no byte after the NUL is read. */
static void
test_text(void **state)
{
	const struct text_case *row = *state;
	size_t a_size = strlen(row->a) + 1, b_size = strlen(row->b) + 1;
	char *a = (char *)at_page_end(a_size), *b = (char *)at_page_end(b_size);

	memcpy(a, row->a, a_size);
	memcpy(b, row->b, b_size);
	assert_int_equal(sign(plain_strcmp(a, b)), sign(strcmp(a, b)));
	assert_int_equal(sign(plain_strcasecmp(a, b)), sign(strcasecmp(a, b)));
	for (size_t n = 0; n <= 12; n++) {
		assert_int_equal(sign(plain_strncmp(a, b, n)),
			sign(strncmp(a, b, n)));
		assert_int_equal(sign(plain_strncasecmp(a, b, n)),
			sign(strncasecmp(a, b, n)));
	}
}

static const struct search_case {
	const char *name;
	const char *text, *word;
	int at, at_any_case; /* -1: none */
} SEARCH_CASES[] = {
	{ "nothing in nothing", "", "", 0, 0 },
	{ "nothing in something", "text", "", 0, 0 },
	{ "something in nothing", "", "x", -1, -1 },
	{ "at the start", "needle in hay", "needle", 0, 0 },
	{ "at the end", "hay and needle", "needle", 8, 8 },
	{ "all of it", "needle", "needle", 0, 0 },
	{ "the first of two", "a needle, a needle", "needle", 2, 2 },
	{ "its start comes twice", "neneedle", "needle", 2, 2 },
	{ "cut off", "needl", "needle", -1, -1 },
	{ "other case", "a NeeDle", "nEEdLE", -1, 2 },
	{ "other case first", "NEEDLE needle", "needle", 7, 0 },
	{ "longer than the text", "ab", "abc", -1, -1 },
};

static void
test_search(void **state)
{
	const struct search_case *row = *state;
	size_t text_size = strlen(row->text) + 1;
	size_t word_size = strlen(row->word) + 1;
	char *text = (char *)at_page_end(text_size);
	char *word = (char *)at_page_end(word_size);

	memcpy(text, row->text, text_size);
	memcpy(word, row->word, word_size);
	assert_ptr_equal(plain_strstr(text, word),
		row->at < 0 ? NULL : text + row->at);
	assert_ptr_equal(plain_strcasestr(text, word),
		row->at_any_case < 0 ? NULL : text + row->at_any_case);
	/* The same without the NULs, again at the end of a page. */
	memmove(text + 1, text, text_size - 1);
	memmove(word + 1, word, word_size - 1);
	assert_ptr_equal(plain_memmem(text + 1, text_size - 1, word + 1,
				 word_size - 1),
		row->at < 0 ? NULL : text + 1 + row->at);
}

/* Exactly these bytes, at any alignment, up to the end of a page. */
static void
test_copy(void **state)
{
	uint8_t to[80], from[64];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i + 1);
	for (size_t n = 0; n <= 40; n++) {
		uint8_t *end = (uint8_t *)at_page_end(n);

		memset(to, 0, sizeof(to));
		memcpy(end, from + 3, n);
		plain_copy(to + 5, end, n);
		assert_memory_equal(to + 5, from + 3, n);
		assert_int_equal(to[4], 0);
		assert_int_equal(to[5 + n], 0);
		memset(end, 0, n);
		plain_copy(end, from, n);
		assert_memory_equal(end, from, n);
	}
}

int
main(void)
{
	enum {
		TEXTS = sizeof(TEXT_CASES) / sizeof(TEXT_CASES[0]),
		SEARCHES = sizeof(SEARCH_CASES) / sizeof(SEARCH_CASES[0]),
	};
	struct CMUnitTest tests[TEXTS + SEARCHES + 2];
	size_t n = 0;

	for (size_t i = 0; i < TEXTS; i++)
		tests[n++] = (struct CMUnitTest){ TEXT_CASES[i].name, test_text,
			NULL, NULL, (void *)(uintptr_t)&TEXT_CASES[i] };
	for (size_t i = 0; i < SEARCHES; i++)
		tests[n++] = (struct CMUnitTest){ SEARCH_CASES[i].name,
			test_search, NULL, NULL,
			(void *)(uintptr_t)&SEARCH_CASES[i] };
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_memory);
	tests[n] = (struct CMUnitTest)cmocka_unit_test(test_copy);
	return cmocka_run_group_tests_name("target/plain", tests, NULL, NULL);
}
