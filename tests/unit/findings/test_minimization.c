#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "findings/minimization.h"
#include "shared/prng.h"
#include "shared/wire/memory.h"

#define TRIES_MAX 100000

typedef bool predicate_fn(const uint8_t *data, size_t len);

static bool
has_marks(const uint8_t *data, size_t len)
{
	const uint8_t *a = memchr(data, '<', len);

	return a != NULL && memchr(a, '>', len - (size_t)(a - data)) != NULL;
}

static bool
is_odd(const uint8_t *data, size_t len)
{
	unsigned sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += data[i];
	return sum % 2 == 1 && len > 2;
}

static bool
is_anything(const uint8_t *data, size_t len)
{
	return len > 0;
}

static bool
is_whole(const uint8_t *data, size_t len)
{
	return len >= 300;
}

static const struct {
	const char *name;
	predicate_fn *holds;
} PREDICATES[] = {
	{ "marks", has_marks },
	{ "odd", is_odd },
	{ "anything", is_anything },
	{ "whole", is_whole },
};
#define PREDICATES_N (sizeof(PREDICATES) / sizeof(PREDICATES[0]))

/* The best bytes after each try. */
struct course {
	size_t len[TRIES_MAX + 1];
	uint64_t n;
};

static struct course course;
static uint8_t start[300];

static struct minimization *
begin(const struct minimization_options *options)
{
	struct prng rand = { .state = 1, .inc = 3 };

	for (size_t i = 0; i < sizeof(start); i++)
		start[i] = (uint8_t)('a' + prng_u32n(&rand, 26));
	start[40] = '<';
	start[200] = '>';
	start[201] = (uint8_t)(is_odd(start, sizeof(start)) ? start[201]
							    : start[201] + 1);
	return minimization_create(start, sizeof(start), options);
}

static void
note(const struct minimization *s)
{
	assert_true(course.n < TRIES_MAX);
	(void)minimization_best(s, &course.len[course.n++]);
}

static bool
step(struct minimization *s, predicate_fn *holds)
{
	size_t len;
	const uint8_t *data = minimization_next(s, &len);

	if (data == NULL)
		return false;
	minimization_judge(s, holds(data, len) ? TRY_SAME : TRY_NOTHING, 0,
		NULL);
	note(s);
	return true;
}

/* Runs so many tries at once, like a worker. */
static bool
call(struct minimization *s, predicate_fn *holds, size_t tries)
{
	uint8_t room[4][sizeof(start)], marks[256];
	struct minimizer_state state = *minimization_state(s);
	struct minimization_call result = { .state = &state, .marks = marks };
	size_t best_len, other_len, n;
	const uint8_t *best = minimization_best(s, &best_len);
	const uint8_t *other = minimization_other(s, &other_len);
	struct minimizer m;

	memcpy(room[0], best, best_len);
	if (other != NULL)
		memcpy(room[2], other, other_len);
	assert_true(minimizer_load(&m, room[0], room[1],
		other != NULL ? room[2] : NULL, sizeof(start), &state));
	for (n = 0; n < tries && minimizer_next(&m); n++) {
		bool same = holds(m.candidate, m.candidate_len);

		minimizer_verdict(&m, same);
		marks[n] = same ? CANDIDATE_SAME : CANDIDATE_NOTHING;
		course.len[course.n++] = m.s.best_len;
	}
	state = m.s;
	result.best = m.best;
	result.best_len = m.s.best_len;
	result.other = m.other;
	result.other_len = m.s.other_len;
	result.marks_n = n;
	assert_true(minimization_take(s, &result));
	return n == tries;
}

/* Every state can be reproduced, and the rows match it. */
static unsigned again_n; /* rows of MINIMIZE_AGAIN with an accepted try */

/* The lengths are those of the input that is cut. */
static void
check_lengths(const struct reply_minimization *r)
{
	const struct reply_try *last = &r->tries[r->tries_n - 1];

	for (const struct reply_try *t = r->tries; t <= last; t++) {
		bool cut = t->verdict == TRY_SAME && !t->replaced;

		assert_int_equal(t->len_after + (cut ? t->len : 0),
			t->len_before);
		assert_in_range(t->offset + t->len, 0, t->len_before);
		again_n += cut && t->phase == MINIMIZE_AGAIN;
	}
	if (last->phase != MINIMIZE_AGAIN)
		assert_int_equal(last->len_after, r->best_len);
}

static void
check_history(struct minimization *s, predicate_fn *holds)
{
	uint64_t last = minimization_state(s)->tries, at;
	uint64_t stride = last > 400 ? last / 400 : 1;

	assert_int_equal(last, course.n);
	for (at = minimization_oldest(s) + 1; at <= last; at += stride) {
		struct reply_minimization r = { 0 };

		minimization_answer(s, at, 0, UINT32_MAX, &r);
		assert_int_equal(r.at, at);
		assert_int_equal(r.last, last);
		assert_int_equal(r.best_len, course.len[at - 1]);
		assert_int_equal(r.best.len, r.best_len);
		assert_true(holds(r.best.data, r.best.len));
		assert_in_range(r.position, 0, r.phase_len);
		assert_in_range(r.cut_offset + r.cut_len, 0, r.best_len);
		assert_true(r.tries_n > 0);
		assert_int_equal(r.tries[r.tries_n - 1].number, at);
		for (size_t i = 1; i < r.tries_n; i++)
			assert_int_equal(r.tries[i].number,
				r.tries[i - 1].number + 1);
		check_lengths(&r);
		assert_true(r.sizes_n > 0);
		free(r.best.data);
		free(r.tries);
		free(r.sizes);
	}
}

/* Steps, calls or both in turns: the same tries and the same result. */
static void
test_ways(void **state)
{
	for (size_t i = 0; i < PREDICATES_N; i++) {
		predicate_fn *holds = PREDICATES[i].holds;
		uint8_t ends[3][sizeof(start)];
		size_t lens[3];

		for (unsigned way = 0; way < 3; way++) {
			struct minimization *s =
				begin(&(struct minimization_options){ 0 });
			const uint8_t *best;
			bool more = true;

			course.n = 0;
			for (unsigned turn = 0; more; turn++)
				more = way == 0 || (way == 2 && turn % 2 == 0)
					? step(s, holds)
					: call(s, holds, 1 + turn % 200);
			assert_true(minimization_is_done(s));
			best = minimization_best(s, &lens[way]);
			memcpy(ends[way], best, lens[way]);
			check_history(s, holds);
			minimization_destroy(s);
			if (lens[way] != lens[0] ||
				memcmp(ends[way], ends[0], lens[0]) != 0)
				fail_msg("%s: way %u ends otherwise",
					PREDICATES[i].name, way);
		}
	}
	assert_true(again_n > 0);
}

static void
test_undo(void **state)
{
	struct minimization *s = begin(&(struct minimization_options){ 0 });
	struct reply_minimization r = { 0 };
	uint64_t tries;
	size_t before, len;

	assert_false(minimization_undo(s, 0));
	course.n = 0;
	do {
		(void)minimization_best(s, &before);
		assert_true(step(s, has_marks));
		(void)minimization_best(s, &len);
	} while (len == before);
	tries = minimization_state(s)->tries;
	assert_true(call(s, has_marks, 3));
	assert_true(minimization_undo(s, tries));
	(void)minimization_best(s, &len);
	assert_int_equal(len, before);
	assert_int_equal(minimization_state(s)->tries, tries);
	minimization_answer(s, 0, 0, 10, &r);
	assert_int_equal(r.tries[r.tries_n - 1].verdict, TRY_UNDONE);
	assert_int_equal(r.best.len, 10);
	free(r.best.data);
	free(r.tries);
	free(r.sizes);
	/* The minimization ends, and its result still fails. */
	while (step(s, has_marks))
		;
	assert_true(has_marks(minimization_best(s, &len), 300));
	minimization_destroy(s);
}

static void
test_skip(void **state)
{
	struct minimization *s = begin(&(struct minimization_options){ 0 });
	struct reply_minimization r = { 0 };
	unsigned n = 0;

	course.n = 0;
	assert_true(step(s, has_marks));
	while (minimization_skip(s))
		n++;
	assert_true(n >= 4 && n < MINIMIZE_PHASES);
	assert_true(minimization_is_done(s));
	minimization_answer(s, 0, 0, 10, &r);
	assert_int_equal(r.phase, MINIMIZE_DONE);
	assert_true(r.skipped & 1u << MINIMIZE_BLOCKS);
	assert_int_equal(r.last, 1);
	free(r.best.data);
	free(r.tries);
	free(r.sizes);
	minimization_destroy(s);
}

/* The oldest part of the history is dropped; the rest stays readable. */
static void
test_memory(void **state)
{
	size_t len = 1u << 20;
	uint8_t *data = xcalloc(1, len), *marks = xcalloc(1, 20000);
	struct minimization *s = minimization_create(data, len,
		&(struct minimization_options){ .coverage = true });

	memset(marks, CANDIDATE_NOTHING, 20000);
	for (unsigned i = 0; i < 40; i++)
		minimization_replay(s, marks, 100);
	assert_int_equal(minimization_state(s)->tries, 4000);
	assert_true(minimization_oldest(s) > 2000);
	minimization_destroy(s);
	free(marks);
	free(data);
}

/* A false report from a worker is refused and does no harm. */
static void
test_lies(void **state)
{
	struct prng rand = { .state = 5, .inc = 7 };
	struct minimization *s = begin(&(struct minimization_options){ 0 });
	uint8_t bytes[2 * sizeof(start)] = { 0 }, marks[64];
	struct minimizer_state told;
	uint64_t *numbers = (void *)&told;
	size_t len;

	for (unsigned i = 0; i < 20000; i++) {
		struct minimization_call lie = {
			.state = &told,
			.best = bytes,
			.best_len = prng_u32n(&rand, sizeof(bytes)),
			.other = i % 2 ? bytes : NULL,
			.other_len = prng_u32n(&rand, sizeof(bytes)),
			.marks = marks,
			.marks_n = prng_u32n(&rand, sizeof(marks)),
		};
		struct reply_minimization r = { 0 };

		told = *minimization_state(s);
		for (unsigned k = prng_u32n(&rand, 4); k > 0; k--)
			numbers[prng_u32n(&rand,
				sizeof(told) / sizeof(*numbers))] =
				prng_u32n(&rand, 2)
				? prng_u32n(&rand, 400)
				: UINT64_MAX - prng_u32n(&rand, 3);
		if (i % 3 == 0)
			lie.best_len = told.best_len;
		if (lie.best_len > sizeof(bytes))
			lie.best_len = sizeof(bytes);
		for (unsigned k = 0; k < sizeof(marks); k++)
			marks[k] = (uint8_t)prng_u32n(&rand, 256);
		(void)minimization_take(s, &lie);
		(void)minimization_best(s, &len);
		assert_true(len <= sizeof(start));
		if (i % 100 != 0)
			continue;
		minimization_replay(s, marks, sizeof(marks));
		minimization_answer(s, prng_u32n(&rand, 100), 0, 1000, &r);
		assert_true(r.best.len <= sizeof(start));
		free(r.best.data);
		free(r.tries);
		free(r.sizes);
	}
	minimization_destroy(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_lies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
