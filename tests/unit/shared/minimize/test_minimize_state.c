/*
 * test_minimize_state: a minimization continues elsewhere, goes back, and obeys
 * a refusal; no numbers lead it out of its buffers.
 */

#include "shared/minimize/minimize.h"

#include <stdlib.h>
#include <string.h>

#include "lib/vectors.h"
#include "shared/prng.h"

#define ROOM 600
#define START 300

/* The buffers of a minimization, each allocated on its own. */
struct bench {
	struct minimizer m;
	uint8_t *best, *candidate, *other;
};

static void
bench_open(struct bench *b, size_t room)
{
	b->best = malloc(room);
	b->candidate = malloc(room);
	b->other = malloc(room);
	assert_true(b->best && b->candidate && b->other);
	memset(b->best, 0xa1, room);
	memset(b->candidate, 0xa2, room);
	memset(b->other, 0xa3, room);
}

static void
bench_close(struct bench *b)
{
	free(b->best);
	free(b->candidate);
	free(b->other);
}

static void
bench_start(struct bench *b, unsigned seed)
{
	struct prng p;

	prng_init(&p, seed, 1);
	bench_open(b, ROOM);
	for (size_t i = 0; i < START; i++)
		b->best[i] = (uint8_t)('a' + prng_intn(&p, 20));
	memcpy(b->best + 50, "{one}", 5);
	memcpy(b->best + 200, "[two]", 5);
	minimizer_init(&b->m, b->best, START, b->candidate, MINIMIZE_BLOCKS);
	minimizer_again(&b->m, b->other);
	minimizer_blank(&b->m, ' ');
}

/* Fails on two words in this order, if the length is a multiple of 3. */
static bool
fails(const uint8_t *data, size_t len)
{
	const uint8_t *one = memmem(data, len, "{o", 2);

	return one != NULL && len % 3 == 0 &&
		memmem(one, len - (size_t)(one - data), "w", 1) != NULL;
}

static bool
step(struct bench *b)
{
	if (!minimizer_next(&b->m))
		return false;
	minimizer_verdict(&b->m, fails(b->m.candidate, b->m.candidate_len));
	return true;
}

/* The same minimization in other buffers. */
static void
bench_copy(struct bench *to, const struct bench *from)
{
	assert_int_equal(minimize_state_other_len(&from->m.s),
		from->m.s.other_len);
	bench_open(to, ROOM);
	memcpy(to->best, from->best, from->m.s.best_len);
	memcpy(to->other, from->other, from->m.s.other_len);
	assert_true(minimizer_load(&to->m, to->best, to->candidate, to->other,
		ROOM, &from->m.s));
}

static void
assert_same(const struct bench *a, const struct bench *b)
{
	assert_int_equal(a->m.s.best_len, b->m.s.best_len);
	assert_memory_equal(a->best, b->best, a->m.s.best_len);
	assert_int_equal(a->m.s.tries, b->m.s.tries);
	assert_int_equal(a->m.s.accepted, b->m.s.accepted);
}

/* Saved and loaded before each try, the result is the same. */
static void
test_goes_on_elsewhere(void **state)
{
	struct bench a, b, next;
	unsigned phases = 0;

	bench_start(&a, 3);
	bench_start(&b, 3);
	while (minimizer_next(&a.m)) {
		phases |= 1u << a.m.s.phase;
		bench_copy(&next, &b);
		bench_close(&b);
		b = next;
		assert_true(minimizer_next(&b.m));
		assert_int_equal(a.m.candidate_len, b.m.candidate_len);
		assert_memory_equal(a.candidate, b.candidate,
			a.m.candidate_len);
		assert_int_equal(a.m.cut_offset, b.m.cut_offset);
		assert_int_equal(a.m.cut_len, b.m.cut_len);
		assert_true(step(&a) && step(&b));
	}
	assert_false(minimizer_next(&b.m));
	assert_same(&a, &b);
	/* All phases were there. */
	assert_int_equal(phases, 0x3ff & ~(1u << MINIMIZE_DONE));
	bench_close(&a);
	bench_close(&b);
}

/* Verdicts that are known need no candidates: nothing is built for them. */
static void
test_aims_only(void **state)
{
	struct bench a, b;
	bool accepted;

	bench_start(&a, 3);
	bench_start(&b, 3);
	memset(b.candidate, 0xaa, ROOM);
	while (minimizer_next(&a.m)) {
		assert_true(minimizer_aim(&b.m));
		assert_int_equal(a.m.s.phase, b.m.s.phase);
		assert_int_equal(a.m.cut_offset, b.m.cut_offset);
		assert_int_equal(a.m.cut_len, b.m.cut_len);
		accepted = fails(a.m.candidate, a.m.candidate_len);
		minimizer_verdict(&a.m, accepted);
		minimizer_verdict(&b.m, accepted);
	}
	assert_false(minimizer_aim(&b.m));
	assert_same(&a, &b);
	for (size_t i = 0; i < ROOM; i++)
		assert_int_equal(b.candidate[i], 0xaa);
	bench_close(&a);
	bench_close(&b);
}

/* A state with a pending candidate builds the same candidate again. */
static void
test_pending_is_built_again(void **state)
{
	struct bench a, b;

	bench_start(&a, 4);
	for (int i = 0; i < 20; i++)
		assert_true(step(&a));
	assert_true(minimizer_next(&a.m));
	bench_copy(&b, &a);
	assert_false(b.m.pending);
	assert_true(minimizer_next(&b.m));
	assert_int_equal(a.m.candidate_len, b.m.candidate_len);
	assert_memory_equal(a.candidate, b.candidate, a.m.candidate_len);
	bench_close(&a);
	bench_close(&b);
}

/* Without `other` it continues, but without MINIMIZE_AGAIN. */
static void
test_goes_on_without_other(void **state)
{
	bool seen = false;
	struct bench a, b;

	bench_start(&a, 3);
	while (a.m.s.phase != MINIMIZE_AGAIN)
		assert_true(step(&a));
	bench_open(&b, ROOM);
	memcpy(b.best, a.best, a.m.s.best_len);
	assert_true(
		minimizer_load(&b.m, b.best, b.candidate, NULL, ROOM, &a.m.s));
	while (step(&b))
		seen |= b.m.s.phase == MINIMIZE_AGAIN;
	assert_false(seen);
	assert_true(fails(b.best, b.m.s.best_len));
	bench_close(&a);
	bench_close(&b);
}

/* ---- undo ---- */

/* True if the candidate drops or replaces this part of the best. */
static bool
is_part(const struct minimizer *m, size_t offset, size_t len)
{
	return m->cut_offset == offset && m->cut_len == len;
}

/*
 * Goes back to before the n-th accepted candidate, and refuses it. The next
 * candidate is another one, the result fails, and the refused part is not tried
 * again as long as nothing else changes.
 */
static bool
undo(size_t n)
{
	size_t offset, len, accepted;
	struct bench a, before;
	bool is_cut, again;

	bench_start(&a, 3);
	do {
		bench_copy(&before, &a);
		if (!step(&a)) {
			bench_close(&a);
			bench_close(&before);
			return false;
		}
		accepted = a.m.s.accepted;
		if (accepted <= n)
			bench_close(&before);
	} while (accepted <= n);
	assert_true(minimizer_next(&before.m));
	assert_true(fails(before.m.candidate, before.m.candidate_len));
	offset = before.m.cut_offset;
	len = before.m.cut_len;
	again = before.m.s.phase == MINIMIZE_AGAIN;
	is_cut = before.m.candidate_len < before.m.s.best_len;
	minimizer_refuse(&before.m);
	assert_int_equal(before.m.s.accepted, n);
	assert_false(before.m.pending);
	while (minimizer_next(&before.m)) {
		assert_true(again || before.m.s.phase != MINIMIZE_AGAIN);
		if (!again && before.m.s.accepted == n &&
			is_cut ==
				(before.m.candidate_len < before.m.s.best_len))
			assert_false(is_part(&before.m, offset, len));
		assert_true(step(&before));
		assert_true(fails(before.best, before.m.s.best_len));
	}
	assert_int_equal(before.m.s.phase, MINIMIZE_DONE);
	bench_close(&a);
	bench_close(&before);
	return true;
}

static void
test_undo(void **state)
{
	size_t n = 0;

	while (undo(n))
		n++;
	assert_in_range(n, 10, 100);
}

/* More refusals than are remembered: the search ends. */
static void
test_refuse_all(void **state)
{
	struct bench a;

	bench_start(&a, 3);
	while (minimizer_next(&a.m))
		minimizer_refuse(&a.m);
	assert_int_equal(a.m.s.best_len, START);
	assert_int_equal(a.m.s.accepted, 0);
	assert_int_equal(a.m.s.refused_n, MINIMIZE_REFUSED);
	minimizer_refuse(&a.m); /* nothing is pending */
	assert_int_equal(a.m.s.refused_n, MINIMIZE_REFUSED);
	bench_close(&a);
}

/* A refused part stays refused when bytes before it are dropped. */
static void
test_refused_moves(void **state)
{
	uint8_t best[64], candidate[64];
	size_t at = 0;
	struct minimizer m;

	memset(best, 'x', sizeof(best));
	memcpy(best + 60, "keep", 4);
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_BLOCKS);
	while (minimizer_next(&m)) {
		at = m.cut_offset;
		if (m.s.phase >= MINIMIZE_READABLE)
			break;
		if (m.cut_offset + m.cut_len == m.s.best_len && m.cut_len == 4)
			minimizer_refuse(&m);
		else
			minimizer_verdict(&m,
				memmem(candidate, m.candidate_len, "keep", 4) &&
					at < 32);
	}
	assert_true(m.s.best_len < 64);
	assert_int_equal(m.s.refused_n, 1);
	assert_int_equal(m.s.refused[0].len, 4);
	assert_memory_equal(best + m.s.refused[0].offset, "keep", 4);
}

/* ---- hostile numbers ---- */

static const uint64_t NUMBERS[] = { 0, 1, 2, 7, 8, 255, 256, 299, 300, 301,
	ROOM, ROOM + 1, 65536, INT32_MAX, UINT32_MAX, INT64_MAX,
	(uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX };

#define STATE_N (sizeof(struct minimizer_state) / sizeof(uint64_t))
#define NUMBERS_N (sizeof(NUMBERS) / sizeof(NUMBERS[0]))

/* Loads the numbers if they are accepted, and continues for a while. */
static bool
survive(const struct minimizer_state *state, struct prng *p)
{
	struct bench b;
	bool loaded;

	/* Buffers of exactly the promised size, so that a sanitizer sees
	 * more. */
	bench_open(&b, START);
	loaded = minimizer_load(&b.m, b.best, b.candidate,
		prng_intn(p, 4) ? b.other : NULL, START, state);
	for (int i = 0; loaded && i < 200 && minimizer_next(&b.m); i++) {
		assert_true(b.m.s.best_len <= START);
		assert_true(b.m.candidate_len <= START);
		if (prng_intn(p, 8) == 0)
			minimizer_refuse(&b.m);
		else
			minimizer_verdict(&b.m, prng_intn(p, 4) == 0);
		if (prng_intn(p, 64) == 0)
			minimizer_skip_phase(&b.m);
	}
	bench_close(&b);
	return loaded;
}

static void
test_hostile_numbers(void **state)
{
	struct minimizer_state bad;
	uint64_t *numbers = (void *)&bad;
	size_t loaded = 0, refused = 0;
	struct bench a;
	struct prng p;

	prng_init(&p, 9, 1);
	bench_start(&a, 3);
	do {
		assert_true(survive(&a.m.s, &p));
		for (int i = 0; i < 30; i++) {
			size_t n = 1 + prng_intn(&p, 3);

			bad = a.m.s;
			while (n-- > 0)
				numbers[prng_intn(&p, STATE_N)] =
					NUMBERS[prng_intn(&p, NUMBERS_N)];
			if (survive(&bad, &p))
				loaded++;
			else
				refused++;
		}
	} while (step(&a));
	assert_true(loaded > 1000);
	assert_true(refused > 1000);
	bench_close(&a);
}

/* The bound of each number alone. */
static void
test_each_number_is_bounded(void **state)
{
	struct minimizer_state saved;
	uint64_t *numbers = (void *)&saved;
	struct minimizer m;
	struct bench a;

	bench_start(&a, 3);
	saved = a.m.s;
	for (size_t i = 0; i < STATE_N; i++) {
		uint64_t kept = numbers[i];

		numbers[i] = UINT64_MAX;
		row_check(!minimizer_load(&m, a.best, a.candidate, a.other,
				  ROOM, &saved),
			"number %zu", i);
		numbers[i] = kept;
	}
	assert_true(minimizer_load(&m, a.best, a.candidate, a.other, START,
		&saved));
	assert_false(minimizer_load(&m, a.best, a.candidate, a.other, START - 1,
		&saved));
	bench_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goes_on_elsewhere),
		cmocka_unit_test(test_aims_only),
		cmocka_unit_test(test_pending_is_built_again),
		cmocka_unit_test(test_goes_on_without_other),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_refuse_all),
		cmocka_unit_test(test_refused_moves),
		cmocka_unit_test(test_hostile_numbers),
		cmocka_unit_test(test_each_number_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
