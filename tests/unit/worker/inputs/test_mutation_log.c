/*
 * test_mutation_log: changes of mutations, logs of replays, and the memory
 * limit.
 */
#include "worker/inputs/mutation_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"

#define CHAINS 3000u

/* ---- one step ----------------------------------------------------------- */

static void
test_parts(void **state)
{
	static const struct {
		const char *before, *after;
		uint32_t offset;
		const char *removed, *added;
	} rows[] = {
		{ "", "", 0, "", "" },
		{ "", "abc", 0, "", "abc" },
		{ "abc", "", 0, "abc", "" },
		{ "abc", "abc", 3, "", "" },
		{ "abc", "aXc", 1, "b", "X" },
		{ "abc", "abcd", 3, "", "d" },
		{ "abc", "xabc", 0, "", "x" },
		{ "aa", "aaa", 2, "", "a" },
		{ "aaa", "aa", 2, "a", "" },
		{ "abab", "ababab", 4, "", "ab" },
		{ "hello world", "hello cruel world", 6, "", "cruel " },
		{ "swap the ends", "ends the swap", 0, "swap the ends",
			"ends the swap" },
	};
	struct mutation_log_step step;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		mutation_log_compare(7, (const uint8_t *)rows[i].before,
			strlen(rows[i].before), (const uint8_t *)rows[i].after,
			strlen(rows[i].after), &step);
		assert_int_equal(step.op, 7);
		assert_int_equal(step.offset, rows[i].offset);
		assert_int_equal(step.part_before, strlen(rows[i].removed));
		assert_int_equal(step.part_after, strlen(rows[i].added));
		assert_int_equal(step.before_n, step.part_before);
		assert_int_equal(step.after_n, step.part_after);
		assert_memory_equal(step.before, rows[i].removed,
			step.before_n);
		assert_memory_equal(step.after, rows[i].added, step.after_n);
	}
}

/* Changes at any place of long inputs; only their first bytes are kept. */
static void
test_long_parts(void **state)
{
	uint8_t before[1000], after[1000];
	struct mutation_log_step step;

	memset(before, 'x', sizeof(before));
	for (uint32_t from = 0; from < 1000; from += 13)
		for (uint32_t to = from + 1; to < 1000; to += 97) {
			memcpy(after, before, sizeof(after));
			after[from] = 'a';
			after[to - 1] = 'b';
			mutation_log_compare(0, before, 1000, after, 1000,
				&step);
			assert_int_equal(step.offset, from);
			assert_int_equal(step.part_before, to - from);
			assert_int_equal(step.before_n,
				to - from < MUTATION_LOG_BYTES
					? to - from
					: MUTATION_LOG_BYTES);
		}
}

/* ---- replays ------------------------------------------------------------ */

static const struct memory_word WORDS[] = { { 4, "word" }, { 2, "\r\n" } };

struct made {
	struct mutation mutations[MEMORY_MUTATIONS_MAX];
	uint32_t n;
	uint8_t literals[64];
	uint32_t literals_n;
	uint8_t *data;
	size_t len;
	struct mutation_sources sources;
};

/* Applies random mutations, like a worker. */
static void
make_chain(struct made *made, struct prng *prng, const uint8_t *parent,
	size_t len)
{
	struct mutable m = { .len = len, .cap = 256 };
	struct mutation done;

	*made = (struct made){ .n = 0 };
	made->sources.words = (struct tokens){ WORDS, 2 };
	made->sources.partner = (const uint8_t *)"[partner, 12]\nline";
	made->sources.partner_len = 18;
	m.data = xmalloc(65536);
	memcpy(m.data, parent, len);
	for (uint32_t i = prng_u32n(prng, 6); i > 0; i--)
		if (mutation_apply(prng_u32n(prng, MUTATE_N), prng_u32(prng),
			    &made->sources, &m, &done))
			made->mutations[made->n++] = done;
	if (prng_u32n(prng, 4) == 0 &&
		mutate_replace(&m, 0, 0, (const uint8_t *)"cmp", 3)) {
		made->mutations[made->n++] =
			(struct mutation){ .op = MUTATE_COMPARE, .len = 3 };
		memcpy(made->literals, "cmp", 3);
		made->literals_n = 3;
	}
	made->data = m.data;
	made->len = m.len;
}

/* Repeats the log: replaces the bytes that each mutation removed. */
static void
check_log(const struct mutation_log *log, const uint8_t *parent, size_t len,
	const struct made *made)
{
	uint8_t data[65536];
	struct mutation_log_step step;
	bool known = true;

	memcpy(data, parent, len);
	for (uint32_t i = 0; i < log->n; i++) {
		mutation_log_get(log, i, &step);
		assert_int_equal(step.op, made->mutations[i].op);
		assert_int_equal(step.len_before, len);
		known = known && step.part_after == step.after_n;
		memmove(data + step.offset + step.part_after,
			data + step.offset + step.part_before,
			len - step.offset - step.part_before);
		memcpy(data + step.offset, step.after, step.after_n);
		len = len - step.part_before + step.part_after;
		assert_int_equal(step.len_after, len);
	}
	assert_int_equal(len, made->len);
	if (known)
		assert_memory_equal(data, made->data, len);
}

static void
test_replays(void **state)
{
	struct prng prng;
	struct made made;
	struct mutation_log *log;
	uint8_t parent[40];

	prng_init(&prng, 5, 0);
	for (uint32_t i = 0; i < CHAINS; i++) {
		size_t len = prng_u32n(&prng, sizeof(parent));

		for (size_t j = 0; j < len; j++)
			parent[j] = (uint8_t)prng_u32n(&prng, 128);
		make_chain(&made, &prng, parent, len);
		struct replay replay = {
			.mutations = made.mutations,
			.n = made.n,
			.literals = made.literals,
			.literals_n = made.literals_n,
			.parent = parent,
			.parent_len = len,
			.cap = 256,
			.sources = made.sources,
		};

		log = mutation_log_make(&replay, made.data, made.len);
		assert_true(log->whole);
		assert_int_equal(log->n, made.n);
		check_log(log, parent, len, &made);
		free(log);
		/* A replay that gives other bytes makes no log. */
		made.data[made.len] = 'x';
		log = mutation_log_make(&replay, made.data, made.len + 1);
		assert_false(log->whole);
		assert_int_equal(log->n, 0);
		free(log);
		replay.literals_n = MEMORY_LITERALS_MAX + 1;
		log = mutation_log_make(&replay, made.data, made.len);
		assert_false(log->whole);
		free(log);
		free(made.data);
	}
}

/* ---- logs of the corpus ------------------------------------------------- */

static struct mutation_log *
one_step(void)
{
	static const struct mutation flip = { .op = MUTATE_COMPARE,
		.len = 0,
		.arg = 1 };
	struct replay replay = {
		.mutations = &flip,
		.n = 1,
		.parent = (const uint8_t *)"ab",
		.parent_len = 2,
		.cap = 10,
	};

	return mutation_log_make(&replay, (const uint8_t *)"b", 1);
}

static void
test_room(void **state)
{
	struct mutation_logs *logs = mutation_logs_create(10000);
	struct mutation_log_step step;
	uint32_t first = 0;

	assert_null(mutation_logs_find(logs, 0));
	for (uint32_t i = 0; i < 5000; i += 1 + i % 3)
		mutation_logs_put(logs, i, one_step());
	assert_null(mutation_logs_find(logs, 0));
	assert_true(mutation_logs_dropped(logs, 0));
	assert_non_null(mutation_logs_find(logs, 4998 - 4998 % 3));
	while (mutation_logs_dropped(logs, first))
		first++;
	assert_true(first > 3000);
	assert_false(mutation_logs_dropped(logs, 4999));
	assert_null(mutation_logs_find(logs, UINT32_MAX));
	/* A dropped log does not come back when a mutation is added. */
	mutation_log_compare(MUTATION_LOG_MINIMIZED, (const uint8_t *)"ab", 2,
		(const uint8_t *)"a", 1, &step);
	mutation_logs_add_step(logs, 0, &step);
	assert_null(mutation_logs_find(logs, 0));
	mutation_logs_destroy(logs);
}

static void
test_step_more(void **state)
{
	struct mutation_logs *logs = mutation_logs_create(10000);
	const struct mutation_log *log;
	struct mutation_log_step step;

	mutation_logs_put(logs, 3, one_step());
	mutation_log_compare(MUTATION_LOG_MINIMIZED, (const uint8_t *)"b", 1,
		(const uint8_t *)"", 0, &step);
	mutation_logs_add_step(logs, 3, &step);
	mutation_logs_add_step(logs, 4, &step);
	log = mutation_logs_find(logs, 3);
	assert_int_equal(log->n, 2);
	mutation_log_get(log, 0, &step);
	assert_int_equal(step.op, MUTATE_COMPARE);
	assert_memory_equal(step.before, "a", 1);
	mutation_log_get(log, 1, &step);
	assert_int_equal(step.op, MUTATION_LOG_MINIMIZED);
	assert_int_equal(step.len_after, 0);
	/* Another log for the same entry. */
	mutation_logs_put(logs, 3, mutation_log_unknown());
	assert_int_equal(mutation_logs_find(logs, 3)->n, 0);
	mutation_logs_destroy(logs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_long_parts),
		cmocka_unit_test(test_replays),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_step_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
