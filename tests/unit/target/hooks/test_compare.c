/* compare: comparisons that are recorded, and those that are not. */

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "target/hooks/compare.h"
#include "target/hooks/hooks_cmp.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define CALLER ((const void *)test_hooks)

/* clang-format off */
void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b);
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b);
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b);
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b);
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b);
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b);
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b);
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b);
void __sanitizer_cov_trace_cmpf(float a, float b);
void __sanitizer_cov_trace_cmpd(double a, double b);
void __sanitizer_cov_trace_switch(uint64_t value, void *cases);
void __sanitizer_weak_hook_memcmp(const void *caller, const void *a, const void *b, size_t n, int result);
void __sanitizer_weak_hook_strcmp(const void *caller, const char *a, const char *b, int result);
void __sanitizer_weak_hook_strncmp(const void *caller, const char *a, const char *b, size_t n, int result);
void __sanitizer_weak_hook_strcasecmp(const void *caller, const char *a, const char *b, int result);
void __sanitizer_weak_hook_strncasecmp(const void *caller, const char *a, const char *b, size_t n, int result);
void __sanitizer_weak_hook_strstr(const void *caller, const char *text, const char *wanted, const char *result);
void __sanitizer_weak_hook_strcasestr(const void *caller, const char *text, const char *wanted, const char *result);
void __sanitizer_weak_hook_memmem(const void *caller, const void *a, size_t a_len, const void *b, size_t b_len, const void *result);
/* clang-format on */

static void
call_cmp1(void)
{
	__sanitizer_cov_trace_cmp1(0xfe, 3);
}

static void
call_cmp2(void)
{
	__sanitizer_cov_trace_cmp2(0xfedc, 3);
}

static void
call_cmp4(void)
{
	__sanitizer_cov_trace_cmp4(0xfedcba98, 3);
}

static void
call_cmp8(void)
{
	__sanitizer_cov_trace_cmp8(0xfedcba9876543210, 3);
}

static void
call_const1(void)
{
	__sanitizer_cov_trace_const_cmp1('a', 'b');
}

static void
call_const2(void)
{
	__sanitizer_cov_trace_const_cmp2(0x4142, 0x4344);
}

static void
call_const4(void)
{
	__sanitizer_cov_trace_const_cmp4(0x41424344, 7);
}

static void
call_const8(void)
{
	__sanitizer_cov_trace_const_cmp8(0x4142434445464748, 7);
}

static void
call_float(void)
{
	__sanitizer_cov_trace_cmpf(1.0f, 0.0f);
}

static void
call_double(void)
{
	__sanitizer_cov_trace_cmpd(1.0, 0.0);
}

static void
call_equal(void)
{
	__sanitizer_cov_trace_cmp4(5, 5);
	__sanitizer_weak_hook_memcmp((const void *)call_equal, "abc", "abc", 3,
		0);
}

static void
call_addresses(void)
{
	__sanitizer_cov_trace_cmp8(0x7ffe12345678, 0x55aa00001000);
}

static void
call_one_address(void)
{
	__sanitizer_cov_trace_cmp8(0x7ffe12345678, 9);
}

static void
call_twice(void)
{
	/* One call in the code, because another would be another site. */
	for (volatile int i = 0; i < 2; i++)
		__sanitizer_cov_trace_cmp4(1, 2);
}

static void
call_nothing(void)
{
}

#define NUMBER(w, a, b) \
	{ \
		.shape = (w), .number = {(a), (b) } \
	}

/* clang-format off */
static const struct number_case {
	const char *name;
	void (*call)(void);
	uint32_t n;
	struct compare_pair first;
} numbers[] = {
	{ "nothing", call_nothing, 0, { 0 } },
	{ "1 byte", call_cmp1, 1, NUMBER(1, 0xfe, 3) },
	{ "2 bytes", call_cmp2, 1, NUMBER(2, 0xfedc, 3) },
	{ "4 bytes", call_cmp4, 1, NUMBER(4, 0xfedcba98, 3) },
	{ "8 bytes", call_cmp8, 1, NUMBER(8, 0xfedcba9876543210, 3) },
	{ "constant of 1 byte", call_const1, 1, NUMBER(1 | COMPARE_CONSTANT, 'a', 'b') },
	{ "constant of 2 bytes", call_const2, 1, NUMBER(2 | COMPARE_CONSTANT, 0x4142, 0x4344) },
	{ "constant of 4 bytes", call_const4, 1, NUMBER(4 | COMPARE_CONSTANT, 0x41424344, 7) },
	{ "constant of 8 bytes", call_const8, 1, NUMBER(8 | COMPARE_CONSTANT, 0x4142434445464748, 7) },
	{ "float", call_float, 1, NUMBER(4 | COMPARE_FLOAT, 0x3f800000, 0) },
	{ "double", call_double, 1, NUMBER(8 | COMPARE_FLOAT, 0x3ff0000000000000, 0) },
	{ "equal operands", call_equal, 0, { 0 } },
	{ "two addresses", call_addresses, 0, { 0 } },
	{ "an address and a number", call_one_address, 1, NUMBER(8, 0x7ffe12345678, 9) },
	{ "twice the same", call_twice, 1, NUMBER(4, 1, 2) },
};
/* clang-format on */

static void
test_number(void **state)
{
	const struct number_case *row = *state;
	struct compare_pair pair;

	row->call(); /* nothing is recorded */
	for (int round = 0; round < 3; round++) {
		hooks_cmp_begin();
		row->call();
		assert_int_equal(hooks_cmp_end(), row->n);
		row->call();
		assert_int_equal(compare_pairs_n(), row->n);
		assert_false(compare_get(row->n, &pair));
		if (row->n == 0)
			continue;
		assert_true(compare_get(0, &pair));
		assert_int_equal(pair.shape, row->first.shape);
		for (int k = 0; k < 2; k++)
			assert_true(pair.number[k] == row->first.number[k]);
	}
}

enum hook {
	MEMCMP,
	STRCMP,
	STRNCMP,
	STRCASECMP,
	STRNCASECMP,
	STRSTR,
	STRCASESTR,
	MEMMEM,
};

#define LONG "0123456789012345678901234567890123456789012345678901234567890123"

/* clang-format off */
static const struct hook_case {
	const char *name;
	enum hook hook;
	/* In this order; b is a program constant. */
	const char *a, *b;
	size_t n, b_n; /* passed to the hook */
	const char *want[2]; /* NULL: nothing is recorded */
	unsigned shape;
} hook_cases[] = {
	{ "memcmp", MEMCMP, "abcd", "wxyz", 4, 0, { "wxyz", "abcd" }, 0 },
	{ "memcmp of a part", MEMCMP, "abcd", "wxyz", 2, 0, { "wx", "ab" }, 0 },
	{ "memcmp of nothing", MEMCMP, "abcd", "wxyz", 0, 0, { NULL, NULL }, 0 },
	{ "memcmp of much", MEMCMP, "x" LONG, "y" LONG, 65, 0,
		{ "y012345678901234567890123456789012345678901234567890123456789012",
		  "x012345678901234567890123456789012345678901234567890123456789012" }, 0 },
	{ "memcmp, a late difference", MEMCMP, LONG "x", LONG "y", 65, 0, { NULL, NULL }, 0 },
	{ "strcmp", STRCMP, "ab", "wxyz", 0, 0, { "wxyz", "ab" }, COMPARE_TEXT },
	{ "strcmp with nothing", STRCMP, "", "wxyz", 0, 0, { "wxyz", "" }, COMPARE_TEXT },
	{ "strcmp, one begins the other", STRCMP, "wx", "wxyz", 0, 0, { "wxyz", "wx" }, COMPARE_TEXT },
	{ "strcmp, the other way", STRCMP, "wxyz", "wx", 0, 0, { "wx", "wxyz" }, COMPARE_TEXT },
	{ "strncmp", STRNCMP, "abcdef", "wxyz", 3, 0, { "wxy", "abc" }, COMPARE_TEXT },
	{ "strncmp, a long n", STRNCMP, "abcdef", "wxyz", 99, 0, { "wxyz", "abcdef" }, COMPARE_TEXT },
	{ "strcasecmp", STRCASECMP, "WXa", "wxyz", 0, 0, { "wxyz", "WXa" }, COMPARE_TEXT | COMPARE_FOLD },
	{ "strncasecmp", STRNCASECMP, "WXa", "wxyz", 3, 0, { "wxy", "WXa" }, COMPARE_TEXT | COMPARE_FOLD },
	{ "strstr", STRSTR, "abcdefgh", "xyz", 0, 0, { "xyz", "abc" }, COMPARE_TEXT | COMPARE_SEARCH },
	{ "strstr in little", STRSTR, "a", "xyz", 0, 0, { "xyz", "a" }, COMPARE_TEXT | COMPARE_SEARCH },
	{ "strcasestr", STRCASESTR, "abcdefgh", "xyz", 0, 0, { "xyz", "abc" },
		COMPARE_TEXT | COMPARE_SEARCH | COMPARE_FOLD },
	{ "memmem", MEMMEM, "abcdefgh", "xyz", 8, 2, { "xy", "ab" }, COMPARE_SEARCH },
	{ "memmem in nothing", MEMMEM, "abcdefgh", "xyz", 0, 3, { "xyz", "" }, COMPARE_SEARCH },
};
/* clang-format on */

static void test_hooks(void **state);

static void
call_hook(const struct hook_case *row, const char *a, const char *b,
	bool differ)
{
	int result = differ ? -1 : 0;
	const char *found = differ ? NULL : a;

	switch (row->hook) {
	case MEMCMP:
		__sanitizer_weak_hook_memcmp(CALLER, a, b, row->n, result);
		break;
	case STRCMP:
		__sanitizer_weak_hook_strcmp(CALLER, a, b, result);
		break;
	case STRNCMP:
		__sanitizer_weak_hook_strncmp(CALLER, a, b, row->n, result);
		break;
	case STRCASECMP:
		__sanitizer_weak_hook_strcasecmp(CALLER, a, b, result);
		break;
	case STRNCASECMP:
		__sanitizer_weak_hook_strncasecmp(CALLER, a, b, row->n, result);
		break;
	case STRSTR:
		__sanitizer_weak_hook_strstr(CALLER, a, b, found);
		break;
	case STRCASESTR:
		__sanitizer_weak_hook_strcasestr(CALLER, a, b, found);
		break;
	case MEMMEM:
		__sanitizer_weak_hook_memmem(CALLER, a, row->n, b, row->b_n,
			found);
		break;
	}
}

static void
assert_operand(const struct compare_pair *pair, int k, const char *want)
{
	assert_int_equal(pair->len[k], strlen(want));
	assert_memory_equal(pair->bytes[k], want, strlen(want));
}

static void
test_hooks(void **state)
{
	const struct hook_case *row = *state;
	char *a = strdup(row->a);
	struct compare_pair pair;

	assert_non_null(a);
	hooks_cmp_begin();
	call_hook(row, a, row->b, false);
	assert_int_equal(hooks_cmp_end(), 0);
	hooks_cmp_begin();
	call_hook(row, a, row->b, true);
	assert_int_equal(hooks_cmp_end(), row->want[0] != NULL);
	if (row->want[0] != NULL) {
		assert_true(compare_get(0, &pair));
		assert_operand(&pair, 0, row->want[0]);
		assert_operand(&pair, 1, row->want[1]);
		assert_int_equal(pair.shape, row->shape | COMPARE_CONSTANT);
	}
	free(a);
}

/* With no constant or two, the operands stay in order. */
static void
test_order(void **state)
{
	char a[] = "abc", b[] = "xyz";
	struct compare_pair pair;

	hooks_cmp_begin();
	__sanitizer_weak_hook_strcmp(CALLER, a, b, 1);
	__sanitizer_weak_hook_strcmp(CALLER, "one", "two", 1);
	assert_int_equal(hooks_cmp_end(), 2);
	assert_true(compare_get(0, &pair));
	assert_operand(&pair, 0, "abc");
	assert_int_equal(pair.shape, COMPARE_TEXT);
	assert_true(compare_get(1, &pair));
	assert_operand(&pair, 0, "one");
	assert_int_equal(pair.shape, COMPARE_TEXT);
}

/* Next to an inaccessible page, reads only the bytes that were compared. */
static void
test_page(void **state)
{
	uint8_t *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct compare_pair pair;

	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mprotect(map + 4096, 4096, PROT_NONE), 0);
	memcpy(map + 4093, "abX", 3);
	for (size_t at = 4093; at < 4096; at++) {
		const char *text = (const char *)map + at;
		const char *end = (const char *)map + 4096;

		hooks_cmp_begin();
		__sanitizer_weak_hook_strncmp(CALLER, text, "word", 4, 1);
		__sanitizer_weak_hook_memcmp(CALLER, text, "words", 5, 1);
		__sanitizer_weak_hook_strstr(CALLER, text, "w", NULL);
		/* An empty text is found everywhere: nothing is recorded. */
		__sanitizer_weak_hook_strstr(CALLER, end, "", end);
		__sanitizer_weak_hook_memmem(CALLER, end, 9, "", 0, end);
		assert_int_equal(hooks_cmp_end(), 3);
		for (uint32_t i = 0; i < 3; i++) {
			assert_true(compare_get(i, &pair));
			assert_int_equal(pair.len[1], i == 2 ? 1 : 4096 - at);
		}
	}
	assert_int_equal(munmap(map, 8192), 0);
}

static void
test_switch(void **state)
{
	static uint64_t small[] = { 3, 32, 10, 20, 30 };
	static uint64_t large[1002] = { 1000, 8 };
	struct compare_pair pair;
	uint32_t n;

	hooks_cmp_begin();
	__sanitizer_cov_trace_switch(20, small);
	assert_int_equal(hooks_cmp_end(), 2);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(compare_get(i, &pair));
		assert_int_equal(pair.shape, 4 | COMPARE_CONSTANT);
		assert_int_equal(pair.number[0], i == 0 ? 10 : 30);
		assert_int_equal(pair.number[1], 20);
	}
	for (uint64_t i = 0; i < 1000; i++)
		large[2 + i] = i;
	hooks_cmp_begin();
	__sanitizer_cov_trace_switch(995, large);
	n = hooks_cmp_end();
	assert_in_range(n, 16, 32);
	large[0] = UINT64_MAX;
	hooks_cmp_begin();
	__sanitizer_cov_trace_switch(995, large);
	large[0] = 0;
	__sanitizer_cov_trace_switch(995, large);
	assert_int_equal(hooks_cmp_end(), 0);
}

static bool
has_site_value(uint64_t value)
{
	struct compare_pair pair;

	for (uint32_t i = 0; compare_get(i, &pair); i++) {
		if (pair.number[0] == value)
			return true;
	}
	return false;
}

/* A hot loop does not displace rare comparisons. */
static void
test_hot(void **state)
{
	uint32_t kept = 0;

	hooks_cmp_begin();
	for (uint32_t i = 0; i < 40; i++)
		compare_number(1000 + i, 5000 + i, 7, 4);
	for (uint32_t i = 0; i < 100000; i++)
		compare_number(i % 3, 1u << 20, i, 4);
	assert_in_range(hooks_cmp_end(), 43, 40 + 3 * 4);
	for (uint32_t i = 0; i < 40; i++)
		kept += has_site_value(5000 + i);
	assert_in_range(kept, 38, 40);
}

static void
test_full(void **state)
{
	struct compare_pair pair;

	hooks_cmp_begin();
	for (uint32_t i = 0; i < 10000; i++)
		compare_number(i, i, ~i, 4);
	assert_int_equal(hooks_cmp_end(), COMPARE_PAIRS_MAX);
	for (uint32_t i = 0; i < COMPARE_PAIRS_MAX; i++)
		assert_true(compare_get(i, &pair));
	assert_false(compare_get(COMPARE_PAIRS_MAX, &pair));
	hooks_cmp_begin();
	assert_int_equal(hooks_cmp_end(), 0);
}

/*
 * Finds a site with a count of its own, because earlier tests have left counts.
 */
static uint32_t
fresh_site(uint32_t site, unsigned shape)
{
	for (;; site++) {
		hooks_cmp_begin();
		compare_number(site, 1, 3, 4 | shape);
		(void)hooks_cmp_end();
		if (compare_rank(0) == 1u >> (shape != 0 ? 2 : 0))
			return site;
	}
}

/* Rare, never equal and constant operands come first. */
static void
test_rank(void **state)
{
	uint32_t rare = fresh_site(77003, 0);
	uint32_t constant = fresh_site(rare + 1, COMPARE_CONSTANT);

	for (uint32_t i = 0; i < 300000; i++) {
		hooks_cmp_begin();
		compare_number(77001, 1, i, 4);
		compare_number(77002, i, i, 4);
		(void)hooks_cmp_end();
	}
	hooks_cmp_begin();
	compare_number(77001, 1, 999999, 4);
	compare_number(77002, 1, 2, 4);
	compare_number(rare, 1, 2, 4);
	compare_number(constant, 1, 2, 4 | COMPARE_CONSTANT);
	assert_int_equal(hooks_cmp_end(), 4);
	assert_true(compare_rank(0) > compare_rank(2));
	assert_true(compare_rank(1) > compare_rank(2));
	assert_true(compare_rank(2) > compare_rank(3));
	assert_int_equal(compare_rank(4), UINT32_MAX);
}

/*
 * A letter that was met once is recorded no more. This must not keep others
 * from being recorded whose site differs by the same bits as their letter.
 */
static void
test_neighbours(void **state)
{
	const uint32_t met = fresh_site(88064, COMPARE_CONSTANT);
	uint32_t missing = 0;

	hooks_cmp_begin();
	compare_number(met, 'a', 'a', 1 | COMPARE_CONSTANT);
	(void)hooks_cmp_end();
	for (uint32_t i = 1; i < 256; i++) {
		hooks_cmp_begin();
		compare_number(met ^ i, 'a' ^ i, (uint8_t) ~('a' ^ i),
			1 | COMPARE_CONSTANT);
		missing += hooks_cmp_end() == 0;
	}
	assert_int_equal(missing, 0);
}

/* Nor are two pairs the same because their sites differ as the values do. */
static void
test_neighbour_values(void **state)
{
	const uint32_t first = fresh_site(89088, 0);

	hooks_cmp_begin();
	for (uint32_t i = 0; i < 64; i++)
		compare_number(first + i, 1000, (first + i) ^ 0x12345678, 4);
	assert_in_range(hooks_cmp_end(), 60, 64);
}

/* However many comparisons were equal once, no other letter is hidden. */
static void
test_letters(void **state)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < 20000; i++) {
		hooks_cmp_begin();
		compare_number(400000 + i, 7, 7, 4 | COMPARE_CONSTANT);
		(void)hooks_cmp_end();
	}
	for (uint32_t i = 0; i < 1000; i++) {
		hooks_cmp_begin();
		compare_number(500000 + i, 'a', 'b', 1 | COMPARE_CONSTANT);
		missing += hooks_cmp_end() == 0;
	}
	assert_int_equal(missing, 0);
}

#define CALLS(name, wanted) \
	static __attribute__((noinline, aligned(4096))) void name(uint32_t n) \
	{ \
		for (volatile uint32_t i = 0; i < n; i++) \
			__sanitizer_cov_trace_cmp4(wanted, i); \
	}

CALLS(call_often, 7070706)
CALLS(call_rarely, 7070707)

/* Both calls are at the same place of a page, and share an entry of visits. */
static void
test_rare_call(void **state)
{
	/* The compiler must not make two functions that differ. */
	volatile uint32_t often = 1000, rarely = 1;

	for (int round = 0; round < 32; round++) {
		hooks_cmp_begin();
		call_often(often);
		call_rarely(rarely);
		(void)hooks_cmp_end();
		assert_true(has_site_value(7070707));
	}
}

static void *
hammer(void *arg)
{
	uint32_t salt = (uint32_t)(uintptr_t)arg;
	char text[8] = "abcdefg";

	for (uint32_t i = 0; i < 200000; i++) {
		compare_number(i % 1999 + salt, i, salt, 4);
		text[i % 7] = (char)('a' + i % 26);
		__sanitizer_weak_hook_strcmp(CALLER, text, "keyword", 1);
	}
	return NULL;
}

/* Threads may spoil pairs, but stay within bounds. */
static void
test_threads(void **state)
{
	pthread_t threads[3];
	struct compare_pair pair;

	for (uintptr_t i = 0; i < N(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hammer,
					 (void *)i),
			0);
	for (int round = 0; round < 500; round++) {
		uint32_t n;

		hooks_cmp_begin();
		compare_number(5, 6, 7, 4);
		n = hooks_cmp_end();
		assert_in_range(n, 0, COMPARE_PAIRS_MAX);
		for (uint32_t i = 0; i < n; i++) {
			if (!compare_get(i, &pair))
				continue;
			assert_in_range(pair.len[0], 0, COMPARE_BYTES_MAX);
			assert_in_range(pair.len[1], 0, COMPARE_BYTES_MAX);
		}
	}
	for (size_t i = 0; i < N(threads); i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/*
 * Callers in the program have sites of their own, others by their offset in a
 * page.
 */
static void
test_site(void **state)
{
	uintptr_t here = (uintptr_t)test_site;

	assert_int_equal(hooks_cmp_site(here + 1) - hooks_cmp_site(here), 1);
	assert_int_equal(hooks_cmp_site((uintptr_t)0x7f0000001234),
		hooks_cmp_site((uintptr_t)0x7f1110005234));
	assert_int_not_equal(hooks_cmp_site((uintptr_t)0x7f0000001234),
		hooks_cmp_site((uintptr_t)0x7f0000001235));
}

int
main(void)
{
	struct CMUnitTest tests[N(numbers) + N(hook_cases) + 12];
	size_t n = 0;

	for (size_t i = 0; i < N(numbers); i++)
		tests[n++] = (struct CMUnitTest){ numbers[i].name, test_number,
			NULL, NULL, (void *)&numbers[i] };
	for (size_t i = 0; i < N(hook_cases); i++)
		tests[n++] = (struct CMUnitTest){ hook_cases[i].name,
			test_hooks, NULL, NULL, (void *)&hook_cases[i] };
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_order);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_page);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_switch);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_hot);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_full);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_rank);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_neighbours);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_neighbour_values);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_letters);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_rare_call);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_threads);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_site);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
