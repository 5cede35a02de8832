/*
 * test_mutate_rules: rules for each mutation of texts, blocks and lengths, for
 * any bytes. The value stays within its room and its capacity, a mutation that
 * declines leaves the value unchanged, and the same seed gives the same result.
 */

#include <stdlib.h>
#include <string.h>

#include "lib/reach.h"

#define RULES_FIRST MUTATE_NUMBER_STEP
#define RULES_LAST MUTATE_PART_COUNT
#define RULES_BIG 65536
#define RULES_CANARY 64

/* The characters of the values. */
static const char *const ALPHABETS[] = {
	"",                    /* any byte */
	"\1\2\3\4\5\6\7\10\0", /* small numbers; with the final zero */
	"0123456789-.exX",
	"()[]{}<>\"'`\\/ab ",
	"ab \n\n1,",
	"<a></a>/<b>",
	"{\"k\": [12, -3.5e7], \"l\": \"x\\n\"}\n",
	"z",
};

#define ALPHABETS_N (sizeof(ALPHABETS) / sizeof(ALPHABETS[0]))

/* One mutation of a value, in memory between two canaries. */
struct rules_case {
	enum mutate_op op;
	size_t len, cap, alphabet;
	uint64_t seed;
};

static void
rules_fill(uint8_t *data, size_t len, const char *alphabet, struct prng *prng)
{
	size_t n = strlen(alphabet), from = n > 0 ? prng_intn(prng, n) : 0;

	/* Pieces of the alphabet in order, so that brackets and tags match. */
	for (size_t i = 0; i < len; i++) {
		if (n == 0) {
			data[i] = (uint8_t)prng_intn(prng, 256);
			continue;
		}
		if (prng_intn(prng, 8) == 0)
			from = prng_intn(prng, n + (alphabet[0] == 1));
		data[i] = (uint8_t)alphabet[from++ % n];
		if (alphabet[0] == 1 && from % 2 == 0)
			data[i] = 0;
	}
}

static void
rules_check_done(const struct rules_case *c, const struct mutable *m,
	const struct mutation *done)
{
	bool removal = c->op == MUTATE_TOKEN_REMOVE ||
		c->op == MUTATE_LINE_REMOVE || c->op == MUTATE_GROUP_REMOVE ||
		c->op == MUTATE_LENGTH_SHRINK;

	row_check(done->op == c->op &&
			done->arg ==
				(c->op == MUTATE_PART_COUNT ? REACH_TIMES : 0),
		"op %d", c->op);
	row_check(done->len > 0, "op %d", c->op);
	row_check(done->offset <= m->len, "op %d", c->op);
	row_check(removal || done->offset + done->len <= m->len,
		"op %d: %u and %u of %zu, seed %llu", c->op, done->offset,
		done->len, m->len, (unsigned long long)c->seed);
	row_check(!removal || m->len + done->len <= c->len + 1, "op %d: %u",
		c->op, done->len);
}

static void
rules_check_len(const struct rules_case *c, size_t len)
{
	row_check(len >= 1, "op %d", c->op);
	row_check(len < c->cap || len <= c->len, "op %d: %zu of %zu", c->op,
		len, c->cap);
	row_check(len <= mutate_room(c->len, c->cap), "op %d", c->op);
	row_check(len <= c->len + 4096, "op %d", c->op);
}

/* One mutation in memory of exactly the room that it may use. */
static bool
rules_step(const struct rules_case *c, const uint8_t *before,
	const uint8_t *partner, size_t partner_len, uint8_t *memory,
	struct mutable *m, struct mutation *done)
{
	size_t room = mutate_room(c->len, c->cap);
	struct prng prng;
	bool taken;

	memset(memory, 0xc5, RULES_CANARY);
	memset(memory + RULES_CANARY + c->len, 0xc5, room - c->len);
	memset(memory + RULES_CANARY + room, 0xc5, RULES_CANARY);
	*m = (struct mutable){ memory + RULES_CANARY, c->len, c->cap };
	memcpy(m->data, before, c->len);
	prng_init(&prng, c->seed, 0);
	taken = reach_apply(c->op, partner, partner_len, m, &prng, done);
	for (size_t i = 0; i < RULES_CANARY; i++)
		row_check(memory[i] == 0xc5 &&
				memory[RULES_CANARY + room + i] == 0xc5,
			"op %d, seed %llu", c->op, (unsigned long long)c->seed);
	return taken;
}

static bool
rules_check(const struct rules_case *c, const uint8_t *before,
	const uint8_t *partner, size_t partner_len)
{
	size_t size = mutate_room(c->len, c->cap) + 2 * (size_t)RULES_CANARY;
	uint8_t *first = malloc(size), *second = malloc(size);
	struct mutable m, again;
	struct mutation done, repeated;
	bool taken;

	taken = rules_step(c, before, partner, partner_len, first, &m, &done);
	row_check(rules_step(c, before, partner, partner_len, second, &again,
			  &repeated) == taken,
		"op %d", c->op);
	row_check(m.len == again.len && memcmp(m.data, again.data, m.len) == 0,
		"op %d", c->op);
	if (taken) {
		rules_check_len(c, m.len);
		rules_check_done(c, &m, &done);
		row_check(done.offset == repeated.offset &&
				done.len == repeated.len,
			"op %d", c->op);
	} else {
		row_check(m.len == c->len &&
				memcmp(m.data, before, c->len) == 0,
			"op %d, seed %llu", c->op, (unsigned long long)c->seed);
	}
	free(first);
	free(second);
	return taken;
}

/* Each mutation on each alphabet; each must be taken somewhere. */
static void
rules_run(const size_t *lens, size_t lens_n, uint64_t rounds)
{
	static uint8_t before[RULES_BIG], partner[RULES_BIG];
	unsigned taken[RULES_LAST + 1] = { 0 };
	struct prng prng;

	prng_init(&prng, 77, 1);
	for (uint64_t i = 0; i < rounds; i++) {
		size_t len = lens[i % lens_n];
		size_t partner_len = lens[prng_intn(&prng, lens_n)];
		size_t caps[] = { len + 1, len + 2, len, len / 2, len + 9,
			len + 300, 1 << 20 };
		struct rules_case c = { .len = len,
			.cap = caps[prng_intn(&prng, 7)],
			.alphabet = prng_intn(&prng, ALPHABETS_N),
			.seed = i };

		rules_fill(before, len, ALPHABETS[c.alphabet], &prng);
		rules_fill(partner, partner_len,
			ALPHABETS[prng_intn(&prng, ALPHABETS_N)], &prng);
		for (unsigned op = RULES_FIRST; op <= RULES_LAST; op++) {
			c.op = (enum mutate_op)op;
			taken[op] +=
				rules_check(&c, before, partner, partner_len);
		}
	}
	for (unsigned op = RULES_FIRST; op <= RULES_LAST; op++)
		row_check(taken[op] > 0, "never: %s", mutate_name(op));
}

static void
test_small_values(void **state)
{
	static const size_t lens[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 20, 33,
		64 };

	rules_run(lens, sizeof(lens) / sizeof(lens[0]), 26000);
}

static void
test_values(void **state)
{
	static const size_t lens[] = { 200, 513, 1000, 3000 };

	rules_run(lens, sizeof(lens) / sizeof(lens[0]), 1200);
}

static void
test_large_values(void **state)
{
	static const size_t lens[] = { RULES_BIG - 5000, RULES_BIG };

	rules_run(lens, 2, 60);
}

static void
test_other_steps_are_declined(void **state)
{
	uint8_t data[64] = "1 [2] 3\n4";
	struct mutable m = { data, 9, sizeof(data) };
	struct mutation done;
	struct prng prng;

	prng_init(&prng, 1, 1);
	for (unsigned op = 0; op <= MUTATE_N; op++)
		if (op < RULES_FIRST || op > RULES_LAST)
			assert_false(reach_apply((enum mutate_op)op, data, 3,
				&m, &prng, &done));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_values),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_large_values),
		cmocka_unit_test(test_other_steps_are_declined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
