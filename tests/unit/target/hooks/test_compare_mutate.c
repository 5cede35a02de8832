/*
 * compare_mutate: the results of a pair and a value.
 *
 * The random draws are not fixed, only the possible results. Each case is tried
 * with many seeds until its result comes, or to show that it never comes.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "target/hooks/compare_mutate.h"
#include "target/hooks/hooks_cmp.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define V(text) text, sizeof(text) - 1
#define C COMPARE_CONSTANT
#define SEEDS 3000
#define CAP 64

/* clang-format off */
static const struct mutate_case {
	const char *name;
	const char *value;
	size_t len;
	unsigned shape; /* for numbers, with width */
	uint64_t a, b;
	const char *text[2]; /* for bytes */
	const char *out;
	size_t out_len;
	bool never;
} cases[] = {
	{ "1 byte", V("xay"), 1 | C, 'B', 'a', { 0 }, V("xBy"), false },
	{ "2 bytes, low first", V("xaby"), 2 | C, 0x4241, 0x6261, { 0 }, V("xABy"), false },
	{ "2 bytes, high first", V("xaby"), 2 | C, 0x4142, 0x6162, { 0 }, V("xABy"), false },
	{ "4 bytes, low first", V("xabcdy"), 4 | C, 0x44434241, 0x64636261, { 0 }, V("xABCDy"), false },
	{ "4 bytes, high first", V("xabcdy"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("xABCDy"), false },
	{ "8 bytes, low first", V("abcdefgh"), 8 | C, 0x4847464544434241, 0x6867666564636261, { 0 }, V("ABCDEFGH"), false },
	{ "8 bytes, high first", V("abcdefgh"), 8 | C, 0x4142434445464748, 0x6162636465666768, { 0 }, V("ABCDEFGH"), false },
	{ "the same in both orders, low first", V("\0\0\0\0"), 4 | C, 0x41424344, 0, { 0 }, V("DCBA"), false },
	{ "the same in both orders, high first", V("\0\0\0\0"), 4 | C, 0x41424344, 0, { 0 }, V("ABCD"), false },
	{ "one more", V("xabcdy"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("xABCEy"), false },
	{ "one less", V("xabcdy"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("xABCCy"), false },
	{ "not two more", V("xabcdy"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("xABCFy"), true },
	{ "no constant, one way", V("xabcdy"), 4, 0x41424344, 0x61626364, { 0 }, V("xABCDy"), false },
	{ "no constant, the other way", V("xABCDy"), 4, 0x41424344, 0x61626364, { 0 }, V("xabcdy"), false },
	{ "a constant that is there", V("xABCDy"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("xabcdy"), false },
	{ "a field of 1 byte, compared as 4", V("x\x05y"), 4 | C, 'A', 5, { 0 }, V("xAy"), false },
	{ "a field of 2 bytes, compared as 8", V("xab"), 8 | C, 0x4142, 0x6162, { 0 }, V("xAB"), false },
	{ "a signed field of 1 byte", V("x\xfby"), 4 | C, 0xfffffff9, 0xfffffffb, { 0 }, V("x\xf9y"), false },
	{ "a signed field that becomes large", V("x\xfb\xffy"), 4 | C, 0xffff8002, 0xfffffffb, { 0 }, V("x\x02\x80y"), false },
	{ "too large for the field", V("x\x05y"), 4 | C, 0x12345, 5, { 0 }, V("x\x45y"), true },
	{ "what was read and 4", V("xabcdy"), 4 | C, 0x41424348, 0x61626368, { 0 }, V("xABCDy"), false },
	{ "what was read less 3", V("xabcdy"), 4 | C, 0x44434240, 0x6463625e, { 0 }, V("xCBCDy"), false },
	{ "decimal digits", V("a=17;"), 4 | C, 1000, 17, { 0 }, V("a=1000;"), false },
	{ "decimal digits, fewer", V("a=1000;"), 4 | C, 7, 1000, { 0 }, V("a=7;"), false },
	{ "decimal digits, minus", V("a=-17;"), 4 | C, (uint32_t)-200, (uint32_t)-17, { 0 }, V("a=-200;"), false },
	{ "decimal digits become minus", V("a=17;"), 8 | C, (uint64_t)-2, 17, { 0 }, V("a=-2;"), false },
	{ "hex digits", V("0xbeef"), 4 | C, 0xc0de, 0xbeef, { 0 }, V("0xc0de"), false },
	{ "hex digits, upper case", V("0xBEEF"), 4 | C, 0xc0de, 0xbeef, { 0 }, V("0xC0DE"), false },
	{ "digits of a byte", V("a=17;"), 1 | C, 99, 17, { 0 }, V("a=99;"), true },
	{ "the largest number", V("18446744073709551615"), 8 | C, 5, UINT64_MAX, { 0 }, V("18446744073709551615"), true },
	{ "float", V("x\0\0\x80\x3f"), 4 | COMPARE_FLOAT, 0x3f800000, 0x40490fdb, { 0 }, V("x\xdb\x0f\x49\x40"), false },
	{ "float, never beside", V("x\0\0\x80\x3f"), 4 | COMPARE_FLOAT, 0x3f800000, 0x40490fdb, { 0 }, V("x\xdc\x0f\x49\x40"), true },
	{ "put anywhere", V("xyz"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("xDCBAyz"), false },
	{ "put over", V("uvwxyz"), 4 | C, 0x41424344, 0x61626364, { 0 }, V("uABCDz"), false },
	{ "no constant is put anywhere", V("xyz"), 4, 0x41424344, 0x61626364, { 0 }, V("xABCDyz"), true },
	{ "bytes of the same length", V("xabcdy"), C, 0, 0, { "WXYZ", "abcd" }, V("xWXYZy"), false },
	{ "longer bytes", V("xaby"), C, 0, 0, { "WXYZ", "ab" }, V("xWXYZy"), false },
	{ "longer bytes, over", V("xabcdefg"), C, 0, 0, { "WXYZ", "ab" }, V("xWXYZefg"), false },
	{ "longer bytes, over the end", V("xab"), C, 0, 0, { "WXYZ", "ab" }, V("xWXYZ"), false },
	{ "shorter bytes", V("xabcdy"), C, 0, 0, { "WX", "abcd" }, V("xWXy"), false },
	{ "shorter bytes, over", V("xabcdy"), C, 0, 0, { "WX", "abcd" }, V("xWXcdy"), false },
	{ "shorter text, over", V("xabcdy"), C | COMPARE_TEXT, 0, 0, { "WX", "abcd" }, V("xWX\0dy"), false },
	{ "shorter bytes get no zero", V("xabcdy"), C, 0, 0, { "WX", "abcd" }, V("xWX\0dy"), true },
	{ "the beginning of an operand", V("xabcy"), C, 0, 0, { "WXYZ", "abcd" }, V("xWXYZ"), false },
	{ "behind a common beginning", V("xcdy"), C, 0, 0, { "abWX", "abcd" }, V("xWXy"), false },
	{ "no constant, one way, bytes", V("xaby"), 0, 0, 0, { "WX", "ab" }, V("xWXy"), false },
	{ "no constant, the other way, bytes", V("xWXy"), 0, 0, 0, { "WX", "ab" }, V("xaby"), false },
	{ "a constant stays", V("xWXy"), C, 0, 0, { "WX", "ab" }, V("xaby"), true },
	{ "another case of letters", V("xABy"), C | COMPARE_TEXT | COMPARE_FOLD, 0, 0, { "wx", "ab" }, V("xwxy"), false },
	{ "removed", V("xaby"), 0, 0, 0, { "", "ab" }, V("xy"), false },
	{ "never empty", V("ab"), 0, 0, 0, { "", "ab" }, V(""), true },
	{ "a word anywhere", V("xy"), C | COMPARE_TEXT, 0, 0, { "word", "abc" }, V("xwordy"), false },
	{ "a word in nothing", V(""), C | COMPARE_TEXT, 0, 0, { "word", "" }, V("word"), false },
	{ "a word over", V("uvwxyz"), C | COMPARE_TEXT, 0, 0, { "word", "abc" }, V("uwordz"), false },
};
/* clang-format on */

static void
record(unsigned shape, uint64_t a, uint64_t b, const char *const text[2])
{
	struct compare_pair pair = { .shape = (uint16_t)shape };

	hooks_cmp_begin();
	if ((shape & COMPARE_WIDTH) != 0) {
		compare_number(1, a, b, shape);
	} else {
		for (int k = 0; k < 2; k++) {
			pair.len[k] = (uint8_t)strlen(text[k]);
			memcpy(pair.bytes[k], text[k], pair.len[k]);
		}
		compare_bytes(1, &pair, false);
	}
	assert_int_equal(hooks_cmp_end(), 1);
}

/* One mutation; its record must reproduce the same bytes. */
static bool
step(struct mutable *m, struct prng *prng)
{
	uint8_t before[1024], bytes[COMPARE_WRITE_MAX];
	struct mutable again = { before, m->len, m->cap };
	struct mutation done = { .op = UINT16_MAX };

	assert_true(m->len <= sizeof(before) - COMPARE_WRITE_MAX);
	memcpy(before, m->data, m->len);
	if (!compare_mutate(m, prng, &done, bytes)) {
		assert_int_equal(m->len, again.len);
		assert_memory_equal(m->data, before, m->len);
		return false;
	}
	assert_int_equal(done.op, MUTATE_COMPARE);
	assert_in_range(done.len, 0, COMPARE_WRITE_MAX);
	assert_in_range(m->len, 1, m->cap);
	assert_true(m->len < m->cap || m->len <= again.len);
	assert_true(
		m->len != again.len || memcmp(m->data, before, m->len) != 0);
	assert_true(
		mutate_replace(&again, done.offset, done.arg, bytes, done.len));
	assert_int_equal(m->len, again.len);
	assert_memory_equal(m->data, before, m->len);
	return true;
}

static void
test_case(void **state)
{
	const struct mutate_case *row = *state;
	uint8_t data[CAP];
	bool came = false;

	record(row->shape, row->a, row->b, row->text);
	for (uint32_t seed = 0; seed < SEEDS && (!came || row->never); seed++) {
		struct mutable m = { data, row->len, CAP };
		struct prng prng;

		prng_init(&prng, seed, 1);
		memcpy(data, row->value, row->len);
		if (step(&m, &prng) && m.len == row->out_len)
			came = came ||
				memcmp(data, row->out, row->out_len) == 0;
	}
	assert_int_equal(came, !row->never);
}

/* clang-format off */
static const struct lacks_case {
	const char *name;
	unsigned shape;
	uint64_t a, b;
	uint16_t lacks;
	bool never;
} lacks_cases[] = {
	{ "what is missing", 4 | C, 20, 17, 3, false },
	{ "one more than that", 4 | C, 20, 17, 4, false },
	{ "one less", 4 | C, 20, 17, 2, false },
	{ "two more", 4 | C, 20, 17, 5, true },
	{ "of 8 bytes", 8 | C, 1000, 1, 999, false },
	{ "from below zero", 4 | C, 1, UINT32_MAX, 2, false },
	{ "enough is there", 4 | C, 17, 20, 0, false },
	{ "enough is there, of 2 bytes", 2 | C, 17, 20, 0, false },
	{ "the most", 4 | C, 5096, 1000, 4096, false },
	{ "too much", 4 | C, 5097, 1000, 4097, true },
	{ "bytes are letters", 1 | C, 20, 17, 3, true },
	{ "no constant", 4, 20, 17, 3, true },
	{ "no number", 4 | C | COMPARE_FLOAT, 20, 17, 3, true },
};
/* clang-format on */

static void
test_lacks(void **state)
{
	const struct lacks_case *row = *state;
	bool came = false;

	record(row->shape, row->a, row->b, NULL);
	for (uint32_t seed = 0; seed < SEEDS && (!came || row->never); seed++) {
		struct prng prng;

		prng_init(&prng, seed, 1);
		came = came || compare_lacks(&prng) == row->lacks;
	}
	assert_int_equal(came, !row->never);
}

/* Without pairs, nothing changes. */
static void
test_nothing(void **state)
{
	uint8_t data[CAP] = "abcdefgh";
	struct mutable m = { data, 8, CAP };
	struct prng prng;

	hooks_cmp_begin();
	(void)hooks_cmp_end();
	prng_init(&prng, 1, 1);
	for (int i = 0; i < 100; i++) {
		assert_false(step(&m, &prng));
		assert_int_equal(compare_lacks(&prng), 0);
	}
}

static void
put(uint8_t *at, uint64_t number, unsigned width, bool big)
{
	for (unsigned i = 0; i < width; i++)
		at[i] = (uint8_t)(number >> 8 * (big ? width - 1 - i : i));
}

static uint64_t
draw_word(struct prng *prng)
{
	uint64_t high = prng_u32(prng);

	return high << 32 | prng_u32(prng);
}

/* A planted number is found anywhere and replaced by the other operand. */
static void
test_planted_number(void **state)
{
	uint8_t data[300];
	struct prng prng;

	prng_init(&prng, 7, 7);
	for (int round = 0; round < 20000; round++) {
		size_t len = 8 + prng_intn(&prng, 200);
		unsigned width = 4u << prng_u32n(&prng, 2);
		uint64_t mask = UINT64_MAX >> (64 - 8 * width), a, b, off;
		bool big = prng_bool(&prng);
		size_t at = prng_intn(&prng, len - width + 1);
		struct mutable m = { data, len, len + 1 };
		uint8_t want[8];

		for (size_t i = 0; i < len; i++)
			data[i] = (uint8_t)prng_u32n(&prng, 16);
		a = draw_word(&prng) | 0x8080808080808080u;
		b = draw_word(&prng) | 0x8080808080808080u;
		put(data + at, b, width, big);
		record(width | C, a & mask, b & mask, NULL);
		if (!step(&m, &prng))
			continue; /* it searched for the constant */
		/* b may be the same in both orders. */
		for (off = UINT64_MAX; off != 2; off++) {
			put(want, a + off, width, big);
			if (memcmp(want, data + at, width) == 0)
				break;
			put(want, a + off, width, !big);
			if (memcmp(want, data + at, width) == 0)
				break;
		}
		/* Now and then the operand is written elsewhere. */
		if (off == 2) {
			put(want, a, width, true);
			if (memmem(data, len, want, width) == NULL)
				put(want, a, width, false);
			assert_non_null(memmem(data, len, want, width));
		}
		assert_int_equal(m.len, len);
	}
}

static void
test_planted_bytes(void **state)
{
	uint8_t data[400];
	struct prng prng;

	prng_init(&prng, 8, 8);
	for (int round = 0; round < 20000; round++) {
		size_t len = 64 + prng_intn(&prng, 200), at;
		size_t room = prng_intn(&prng, 80);
		char a[65] = "", b[65] = "";
		const char *const text[2] = { a, b };
		struct mutable m = { data, len, len + 1 + room };

		for (size_t i = 0; i < len; i++)
			data[i] = (uint8_t)prng_u32n(&prng, 16);
		for (uint32_t i = 0, n = 1 + prng_u32n(&prng, 64); i < n; i++)
			a[i] = (char)('a' + prng_u32n(&prng, 26));
		for (uint32_t i = 0, n = 1 + prng_u32n(&prng, 64); i < n; i++)
			b[i] = (char)('A' + prng_u32n(&prng, 26));
		at = prng_intn(&prng, len - strlen(b) + 1);
		memcpy(data + at, b, strlen(b));
		record(C | (prng_bool(&prng) ? COMPARE_TEXT : 0), 0, 0, text);
		if (step(&m, &prng))
			assert_non_null(memmem(data, m.len, a, strlen(a)));
		else
			assert_true(at + strlen(a) >= m.cap);
	}
}

/* Any pairs and values: all accesses stay within bounds. */
static void
test_any(void **state)
{
	uint8_t data[400];
	struct prng prng;
	uint32_t taken = 0;

	prng_init(&prng, 9, 9);
	for (int round = 0; round < 20000; round++) {
		struct mutable m = { data, prng_intn(&prng, 300), 0 };
		uint32_t n = prng_u32n(&prng, 20);

		m.cap = m.len + prng_intn(&prng, 80);
		if (m.cap < 2)
			continue;
		for (size_t i = 0; i < m.len; i++)
			data[i] = (uint8_t)prng_u32n(&prng, 3);
		hooks_cmp_begin();
		for (uint32_t i = 0; i < n; i++) {
			struct compare_pair pair = {
				.shape = (uint16_t)(prng_u32(&prng) & 0x1f0)
			};

			compare_number(i, draw_word(&prng) & 0x10003,
				draw_word(&prng) & 0xffff000000000002,
				(1u << prng_u32n(&prng, 4)) |
					(prng_u32(&prng) & 0x30));
			for (int k = 0; k < 2; k++) {
				pair.len[k] = (uint8_t)prng_u32n(&prng, 65);
				for (int j = 0; j < pair.len[k]; j++)
					pair.bytes[k][j] =
						(uint8_t)prng_u32n(&prng, 3);
			}
			compare_bytes(i, &pair, false);
		}
		(void)hooks_cmp_end();
		taken += step(&m, &prng);
	}
	assert_in_range(taken, 5000, 20000);
}

int
main(void)
{
	struct CMUnitTest tests[N(cases) + N(lacks_cases) + 4];
	size_t n = 0;

	for (size_t i = 0; i < N(cases); i++)
		tests[n++] = (struct CMUnitTest){ cases[i].name, test_case,
			NULL, NULL, (void *)&cases[i] };
	for (size_t i = 0; i < N(lacks_cases); i++)
		tests[n++] = (struct CMUnitTest){ lacks_cases[i].name,
			test_lacks, NULL, NULL, (void *)&lacks_cases[i] };
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_nothing);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_planted_number);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_planted_bytes);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_any);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
