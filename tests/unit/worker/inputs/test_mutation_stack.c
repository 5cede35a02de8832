/*
 * test_mutation_stack: the bytes of an input, made again from its parent.
 */
#include "worker/inputs/mutation_stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "lib/rows.h"
#include "shared/mutate/mutation_part.h"

#define CHAINS 3000u
#define CAPS 5u
#define ROOM (1u << 20)

static const struct memory_word WORDS[] = { { 4, "word" }, { 2, "\r\n" } };

static const struct mutation_sources SOURCES = {
	.words = { WORDS, 2 },
	.partner = (const uint8_t *)"[partner, 12, \"text\"]\nlast line",
	.partner_len = 31,
};

/* ---- mutations of a worker ----------------------------------------------- */

struct maker {
	struct prng prng;
	struct mutation_stack stack;
	struct mutable m;
};

static void
record(struct maker *k, const struct mutation *done)
{
	k->stack.mutations[k->stack.n++] = *done;
}

/* Bytes of a comparison, which only the child knows. */
static void
put_compare(struct maker *k)
{
	uint8_t bytes[64];
	size_t at = prng_intn(&k->prng, k->m.len + 1);
	struct mutation done = { .op = MUTATE_COMPARE,
		.arg = (uint16_t)prng_intn(&k->prng, k->m.len - at + 1),
		.offset = (uint32_t)at,
		.len = prng_u32n(&k->prng, sizeof(bytes)) };

	for (uint32_t i = 0; i < done.len; i++)
		bytes[i] = (uint8_t)prng_u32(&k->prng);
	if (k->stack.literals_n + done.len > MEMORY_LITERALS_MAX ||
		!mutate_replace(&k->m, done.offset, done.arg, bytes, done.len))
		return;
	memcpy(k->stack.literals + k->stack.literals_n, bytes, done.len);
	k->stack.literals_n += done.len;
	record(k, &done);
}

/* Bytes of the target's own mutator: they replace the whole input. */
static void
put_custom(struct maker *k)
{
	struct mutation done = { .op = MUTATE_CUSTOM,
		.len = 1 + prng_u32n(&k->prng, 300) };

	for (uint32_t i = 0; i < done.len; i++)
		k->m.data[i] = (uint8_t)prng_u32(&k->prng);
	k->m.len = done.len;
	memcpy(k->stack.literals, k->m.data, done.len);
	k->stack.literals_n = done.len;
	k->stack.n = 0;
	record(k, &done);
}

static void
put_step(struct maker *k)
{
	struct mutation done;

	if (mutation_apply(prng_u32n(&k->prng, MUTATE_N), prng_u32(&k->prng),
		    &SOURCES, &k->m, &done))
		record(k, &done);
}

static void
make_chain(struct maker *k, uint32_t steps, bool custom)
{
	for (uint32_t i = 0; i < steps; i++) {
		if (custom && prng_u32n(&k->prng, 10) == 0)
			put_custom(k);
		else if (prng_u32n(&k->prng, 8) == 0)
			put_compare(k);
		else
			put_step(k);
	}
}

/*
 * The parent has any length and may exceed the capacity. The engine uses only
 * as much memory as it asks for.
 */
static void
check_chain(struct maker *k, uint64_t seed, bool custom)
{
	static const size_t caps[CAPS] = { 2, 65, 300, 5000, 100000 };
	uint8_t *parent, *made;
	size_t parent_len, cap = caps[seed % CAPS], len = 0;

	prng_init(&k->prng, seed, 1);
	parent_len = prng_intn(&k->prng, 200);
	parent = xmalloc(parent_len + 1);
	for (size_t i = 0; i < parent_len; i++)
		parent[i] = seed % 2 ? (uint8_t)prng_u32(&k->prng)
				     : (uint8_t) "(12, [a]) \n"[i % 11];
	k->stack.n = k->stack.literals_n = 0;
	k->m.len = parent_len;
	k->m.cap = cap;
	memcpy(k->m.data, parent, parent_len);
	mutation_cut(&k->m, false);
	make_chain(k, prng_u32n(&k->prng, MEMORY_MUTATIONS_MAX + 1), custom);
	made = mutation_stack_rebuild(&k->stack, parent, parent_len, cap,
		&SOURCES, &len);
	assert_non_null(made);
	assert_int_equal(len, k->m.len);
	assert_memory_equal(made, k->m.data, len);
	free(made);
	free(parent);
}

static void
test_random(void **state)
{
	struct maker *k = xcalloc(1, sizeof(*k));
	uint32_t steps = 0;

	k->m.data = xmalloc(ROOM);
	for (uint32_t i = 0; i < CHAINS; i++) {
		check_chain(k, i, i % 3 == 0);
		steps += k->stack.n;
	}
	assert_true(steps > 10 * CHAINS);
	free(k->m.data);
	free(k);
}

/* ---- by hand ------------------------------------------------------------- */

#define COMPARE(arg, at, n) \
	{ \
		MUTATE_COMPARE, arg, at, n, 0 \
	}
#define CUSTOM(n) \
	{ \
		MUTATE_CUSTOM, 0, 0, n, 0 \
	}

/* clang-format off */
static const struct chain_row {
	const char *name;
	const char *parent;
	uint32_t n;
	struct mutation mutations[3];
	const char *literals;
	uint32_t lost; /* missing literal bytes */
	const char *made; /* NULL: invalid */
} ROWS[] = {
	{ "no steps", "parent", 0, { { 0 } }, "", 0, "parent" },
	{ "nothing of nothing", "", 0, { { 0 } }, "", 0, "" },
	{ "a mutation with literals", "parent", 1, { COMPARE(2, 0, 3) }, "XYZ",
		0, "XYZrent" },
	{ "the literals are read on", "parent", 2,
		{ COMPARE(2, 0, 3), COMPARE(0, 7, 1) }, "XYZ!", 0,
		"XYZrent!" },
	{ "of nothing", "", 1, { COMPARE(0, 0, 3) }, "XYZ", 0, "XYZ" },
	{ "the second does not fit", "parent", 2,
		{ COMPARE(2, 0, 3), COMPARE(0, 8, 1) }, "XYZ!", 0, NULL },
	{ "the literals are short", "parent", 2,
		{ COMPARE(2, 0, 3), COMPARE(0, 7, 2) }, "XYZ!", 0, NULL },
	{ "a mutator's own, and on", "parent", 2,
		{ CUSTOM(5), COMPARE(1, 4, 1) }, "VALUE!", 0, "VALU!" },
	{ "of a parent longer than the capacity", "0123456789abcdefghijklmn", 0,
		{ { 0 } }, "", 0, "0123456789abcdefghi" },
	{ "longer than the capacity", "parent", 1, { CUSTOM(40) },
		"0123456789012345678901234567890123456789", 0,
		"0123456789012345678901234567890123456789" },
	{ "the literals are lost", "parent", 1, { CUSTOM(5) }, "VALUE",
		MEMORY_LITERALS_MAX + 1 - 5, NULL },
	{ "the length of the literals is a lie", "parent", 1, { CUSTOM(5) },
		"VALUE", UINT32_MAX - 5, NULL },
	{ "no such step", "parent", 1, { { MUTATE_N, 0, 0, 1, 0 } }, "", 0,
		NULL },
	{ "a step of a number", "parent", 1, { { MUTATE_ADD, 0, 0, 1, 0 } },
		"", 0, NULL },
	{ "a word, and there are none", "parent", 1,
		{ { MUTATE_INSERT_WORD, 0, 0, 4, 1 } }, "", 0, NULL },
	{ "a partner, and there is none", "parent", 1,
		{ { MUTATE_SPLICE_INSERT, 0, 0, 4, 1 } }, "", 0, NULL },
	{ "of another value", "parent", 1,
		{ { MUTATE_REMOVE, 0, 100, 4, 1 } }, "", 0, NULL },
};
/* clang-format on */

static void
test_row(void **state)
{
	const struct mutation_sources none = { 0 };
	const struct chain_row *row = *state;
	struct mutation_stack *stack = xcalloc(1, sizeof(*stack));
	size_t literals_n = strlen(row->literals), len = 0;
	uint8_t *made;

	stack->n = row->n;
	memcpy(stack->mutations, row->mutations, sizeof(row->mutations));
	memcpy(stack->literals, row->literals, literals_n);
	stack->literals_n = (uint32_t)literals_n + row->lost;
	made = mutation_stack_rebuild(stack, (const uint8_t *)row->parent,
		strlen(row->parent), 20, &none, &len);
	assert_int_equal(made != NULL, row->made != NULL);
	if (made != NULL) {
		assert_int_equal(len, strlen(row->made));
		assert_memory_equal(made, row->made, len);
	}
	free(made);
	free(stack);
}

/* Counts written by a target are bounded by the size of the arrays. */
static void
test_too_many(void **state)
{
	static const uint32_t ns[] = { MEMORY_MUTATIONS_MAX,
		MEMORY_MUTATIONS_MAX + 1, UINT32_MAX };
	struct mutation_stack *stack = xcalloc(1, sizeof(*stack));
	const struct mutation_sources none = { 0 };
	uint8_t *made;
	size_t len;

	stack->literals_n = MEMORY_MUTATIONS_MAX + 1;
	memset(stack->literals, 'x', MEMORY_MUTATIONS_MAX);
	for (uint32_t i = 0; i < MEMORY_MUTATIONS_MAX; i++)
		stack->mutations[i] = (struct mutation)COMPARE(0, 0, 1);
	/* There would be bytes for one more mutation. */
	memcpy(stack->literals, stack->mutations, sizeof(stack->mutations[0]));
	for (size_t i = 0; i < 3; i++) {
		stack->n = ns[i];
		made = mutation_stack_rebuild(stack, NULL, 0, 100, &none, &len);
		assert_int_equal(made != NULL, i == 0);
		if (made != NULL)
			assert_int_equal(len, MEMORY_MUTATIONS_MAX);
		free(made);
	}
	free(stack);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_too_many),
	};

	return rows_run_with("stack", ROWS_OF(ROWS, name, test_row), others,
		ROWS(others), NULL, NULL);
}
