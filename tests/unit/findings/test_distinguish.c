/*
 * test_distinguish: rows that look the same show the first frame that differs.
 */
#include "findings/distinguish.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PUT "sanitizer, heap-buffer-overflow, WRITE, put twelve.c +4"

static const char *
identity(const struct distinguish *item)
{
	return item->arg;
}

static void
test_twins(void **state)
{
	char texts[6][24] = { "" };
	struct distinguish items[] = {
		{ "hbo", "put twelve.c:9", NULL, texts[0], 24,
			(char *)PUT ", one twelve.c, main twelve.c" },
		{ "hbo", "put twelve.c:9", NULL, texts[1], 24,
			(char *)PUT ", two twelve.c, first twelve.c" },
		{ "hbo", "put twelve.c:9", NULL, texts[2], 24,
			(char *)PUT ", two twelve.c, other twelve.c" },
		{ "SIGSEGV", "put twelve.c:9", NULL, texts[3], 24,
			"signal, SIGSEGV, put twelve.c +4, one twelve.c" },
		{ "leak", "get twelve.c:3", NULL, texts[4], 24,
			(char *)"leak, get a.c, \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
				"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
				"\xc3\xa4\xc3\xa4\xc3\xa4" },
		{ "leak", "get twelve.c:3", NULL, texts[5], 24, NULL },
	};

	distinguish_tell(items, 6, identity);
	assert_string_equal(texts[0], "one");
	assert_string_equal(texts[1], "two < first");
	assert_string_equal(texts[2], "two < other");
	/* Unique, or without an identity. */
	assert_string_equal(texts[3], "");
	assert_string_equal(texts[4], "");
	assert_string_equal(texts[5], "");
}

/* A missing caller, another detail, two functions with the same name. */
static void
test_parts(void **state)
{
	char texts[4][96] = { "" };
	struct distinguish items[] = {
		{ "a", "f", NULL, texts[0], 96, (char *)"x, f a.c, one a.c" },
		{ "a", "f", NULL, texts[1], 96, (char *)"x, f a.c" },
		{ "b", "f", NULL, texts[2], 96, (char *)"x, f a.c, g a.c" },
		{ "b", "f", NULL, texts[3], 96, (char *)"x, f a.c, g b.c" },
	};

	distinguish_tell(items, 4, identity);
	assert_string_equal(texts[0], "one");
	assert_string_equal(texts[1], "");
	assert_string_equal(texts[2], "g a.c");
	assert_string_equal(texts[3], "g b.c");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twins),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
