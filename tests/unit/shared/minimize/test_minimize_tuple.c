/*
 * test_minimize_tuple: the minimizer on the arguments of a typed target. The
 * predicates are failures of a function with those arguments.
 */

#include "shared/minimize/minimize.h"

#include "lib/tuples.h"

struct arguments {
	struct tuple tuple;
	struct value v[TUPLE_MAX];
};

typedef bool fails_fn(const struct arguments *a);

static bool
has(const struct value *v, const char *word)
{
	return memmem(v->data, v->len, word, strlen(word)) != NULL;
}

static bool
fails_by_word(const struct arguments *a)
{
	return has(&a->v[0], "{x}");
}

static bool
fails_by_both(const struct arguments *a)
{
	return has(&a->v[0], "ab") && has(&a->v[2], "yz") && a->v[1].i < -3;
}

/* The length of one argument bounds the other. */
static bool
fails_beyond(const struct arguments *a)
{
	return a->v[1].i > (int64_t)a->v[0].len;
}

static bool
fails_always(const struct arguments *a)
{
	return true;
}

static bool
fails_for_numbers(const struct arguments *a)
{
	return a->v[0].u >= 1000 && a->v[1].b && a->v[2].i <= -7 &&
		a->v[3].f64 >= 2.5 && a->v[4].f32 != 0 && a->v[5].u == 200;
}

static bool
fails_for_ends(const struct arguments *a)
{
	return a->v[0].i < 0 && a->v[1].i < -100 && a->v[2].u > UINT64_MAX / 2;
}

static bool
fails_for_nan(const struct arguments *a)
{
	return a->v[0].f64 != a->v[0].f64;
}

/* clang-format off */
static const struct {
	const char *name;
	fails_fn *fails;
	const char *start, *end;
} ROWS[] = {
	{ "one argument matters", fails_by_word,
	  "[]byte(\"0123456789 some {x} text that is long enough for blocks\")\nint32(77)\nstring(\"more\")",
	  "[]byte(\"{x}\")\nint32(0)\nstring(\"\")" },
	{ "all matter", fails_by_both,
	  "[]byte(\"..........ab.............\")\nint32(-123456)\nstring(\"wxyz\")",
	  "[]byte(\"ab\")\nint32(-4)\nstring(\"yz\")" },
	{ "one hangs on the other", fails_beyond, "string(\"hello\")\nint16(300)",
	  "string(\"\")\nint16(1)" },
	{ "nothing matters", fails_always, "string(\"hello\")\nbool(true)\nfloat64(NaN)\n[]byte(\"\")",
	  "string(\"\")\nbool(false)\nfloat64(0)\n[]byte(\"\")" },
	{ "numbers", fails_for_numbers,
	  "uint64(18446744073709551615)\nbool(true)\nint64(-9000000000)\nfloat64(1234.75)\nfloat32(-0.5)\nbyte('\\u00c8')",
	  "uint64(1000)\nbool(true)\nint64(-7)\nfloat64(3)\nfloat32(1)\nbyte('\\u00c8')" },
	{ "ends of types", fails_for_ends,
	  "int8(-128)\nint64(-9223372036854775808)\nuint64(18446744073709551615)",
	  "int8(-1)\nint64(-101)\nuint64(9223372036854775808)" },
	{ "no number", fails_for_nan, "float64(NaN)", "float64(NaN)" },
};
/* clang-format on */

#define ROWS_N (sizeof(ROWS) / sizeof(ROWS[0]))

static bool
try(fails_fn *fails, const uint8_t *data, size_t len)
{
	struct arguments a;

	assert_true(tuple_parse(data, len, &a.tuple));
	for (uint32_t i = 0; i < a.tuple.n; i++)
		a.v[i] = tuple_value(data, &a.tuple.fields[i]);
	return fails(&a);
}

struct bench {
	struct minimizer m;
	uint8_t *best, *candidate, *other;
	size_t len;
};

static void
bench_open(struct bench *b, const char *lines)
{
	b->best = tuple_of(lines, &b->len);
	b->candidate = malloc(b->len);
	b->other = malloc(b->len);
	assert_true(b->candidate != NULL && b->other != NULL);
	minimizer_init(&b->m, b->best, b->len, b->candidate, MINIMIZE_BLOCKS);
	assert_true(minimizer_tuples(&b->m));
	minimizer_again(&b->m, b->other);
}

static void
bench_close(struct bench *b)
{
	free(b->best);
	free(b->candidate);
	free(b->other);
}

static void
bench_check_end(const struct bench *b, size_t row)
{
	size_t len;
	uint8_t *end = tuple_of(ROWS[row].end, &len);
	char *text = tuple_text(b->m.best, b->m.s.best_len);

	row_check(len == b->m.s.best_len && memcmp(end, b->m.best, len) == 0,
		"%s: %s", ROWS[row].name, text);
	free(text);
	free(end);
}

static void
test_results(void **state)
{
	for (size_t i = 0; i < ROWS_N; i++) {
		struct bench b;

		bench_open(&b, ROWS[i].start);
		assert_true(try(ROWS[i].fails, b.best, b.len));
		while (minimizer_next(&b.m))
			minimizer_verdict(&b.m,
				try(ROWS[i].fails, b.m.candidate,
					b.m.candidate_len));
		bench_check_end(&b, i);
		row_check(b.m.s.tries < 2000, "%s: %llu tries", ROWS[i].name,
			(unsigned long long)b.m.s.tries);
		bench_close(&b);
	}
}

/* Saved and loaded before each try, the result is the same. */
static void
test_state(void **state)
{
	for (size_t i = 0; i < ROWS_N; i++) {
		struct minimizer_state saved;
		struct bench b;

		bench_open(&b, ROWS[i].start);
		for (;;) {
			saved = b.m.s;
			row_check(minimizer_load(&b.m, b.best, b.candidate,
					  b.other, b.len, &saved),
				"%s, try %llu", ROWS[i].name,
				(unsigned long long)b.m.s.tries);
			if (!minimizer_next(&b.m))
				break;
			minimizer_verdict(&b.m,
				try(ROWS[i].fails, b.m.candidate,
					b.m.candidate_len));
		}
		bench_check_end(&b, i);
		bench_close(&b);
	}
}

/* Wrong numbers are refused, or stay inside the buffers. */
static void
test_damaged(void **state)
{
	struct prng prng;

	prng_init(&prng, 5, 5);
	for (unsigned round = 0; round < 3000; round++) {
		struct minimizer_state saved;
		uint64_t *numbers = (void *)&saved;
		struct bench b;
		unsigned n = 0;

		bench_open(&b, ROWS[1].start);
		while (n++ < round % 60 && minimizer_next(&b.m))
			minimizer_verdict(&b.m,
				try(ROWS[1].fails, b.m.candidate,
					b.m.candidate_len));
		saved = b.m.s;
		numbers[prng_u32n(&prng, sizeof(saved) / sizeof(*numbers))] =
			prng_u32n(&prng, 2) == 0 ? prng_u32n(&prng, 20)
						 : prng_u32n(&prng, 1 << 20);
		if (minimizer_load(&b.m, b.best, b.candidate, b.other, b.len,
			    &saved))
			for (n = 0; n < 200 && minimizer_next(&b.m); n++) {
				assert_true(b.m.candidate_len <= b.len);
				minimizer_verdict(&b.m, prng_bool(&prng));
			}
		bench_close(&b);
	}
}

/* Undo and skip: a part refused by hand is not tried again. */
static void
test_by_hand(void **state)
{
	struct bench b;
	char *text;

	bench_open(&b, "int8(5)\nstring(\"abc\")\nint16(7)");
	assert_true(minimizer_next(&b.m));
	assert_int_equal(b.m.s.phase, MINIMIZE_VALUE);
	assert_true(minimizer_replaces(&b.m));
	minimizer_refuse(&b.m);
	assert_true(minimizer_next(&b.m));
	assert_int_equal(b.m.s.argument, 1);
	while (b.m.s.argument == 1) {
		minimizer_skip_phase(&b.m);
		assert_true(b.m.s.phase != MINIMIZE_AGAIN);
	}
	while (minimizer_next(&b.m))
		minimizer_verdict(&b.m, true);
	text = tuple_text(b.m.best, b.m.s.best_len);
	assert_string_equal(text, "int8(5)\nstring(\"abc\")\nint16(0)");
	free(text);
	bench_close(&b);
}

/* Plain bytes are left as they are. */
static void
test_no_tuple(void **state)
{
	uint8_t best[] = "\xff no tuple", candidate[sizeof(best)];
	struct minimizer m;

	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_BLOCKS);
	assert_false(minimizer_tuples(&m));
	while (minimizer_next(&m)) {
		assert_true(m.s.phase != MINIMIZE_VALUE);
		minimizer_verdict(&m, true);
	}
	assert_int_equal(m.s.best_len, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_no_tuple),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
