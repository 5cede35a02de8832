/*
 * test_mutation: a mutation and its repetition from the log, for every kind, on
 * values of all small sizes under all capacities around them.
 */

#include "shared/mutate/mutation.h"

#include <stdlib.h>
#include <string.h>

#include "lib/vectors.h"

#define STEPS_LEN_MAX 80u
#define STEPS_SEEDS 6u
#define STEPS_WORDS 3u

static const struct memory_word WORDS[STEPS_WORDS] = {
	{ 1, "<" },
	{ 4, "word" },
	{ 7, "longer\xff" },
};

/* The content of values and partners; NULL: any byte. */
static const char *const TEXTS[] = {
	NULL, "{\"k\": [12, -3.5e7], \"l\": \"x\\n\"}\n(a)\n",
	"line one\nline 2\r\n0x1f 77,(4) [b [c]] ",
	"\1\2\3\4\5\6\7\10", /* each may be a length */
};

#define TEXTS_N (sizeof(TEXTS) / sizeof(TEXTS[0]))

struct steps_case {
	unsigned op;
	uint32_t seed;
	size_t len, cap;
	const uint8_t *before;
	struct mutation_sources sources;
};

static void
steps_fill(uint8_t *data, size_t len, const char *text, uint32_t seed)
{
	struct prng prng;

	prng_init(&prng, seed, 7);
	for (size_t i = 0; i < len; i++)
		data[i] = (uint8_t)(text == NULL
				? prng_u32(&prng)
				: (uint8_t)text[(i + seed) % strlen(text)]);
}

/* A copy with as much room behind it as a mutation may use. */
static struct mutable steps_copy(const struct steps_case *c)
{
	struct mutable m = { malloc(mutations_room(c->len, c->cap)), c->len,
		c->cap };

	assert_non_null(m.data);
	if (c->len > 0)
		memcpy(m.data, c->before, c->len);
	return m;
}

static void
steps_check_record(const struct steps_case *c, const struct mutation *done)
{
	row_check(done->op == c->op && done->seed == c->seed &&
			done->arg == c->sources.count,
		"op %u of %u", done->op, c->op);
}

/* Only a removal may leave no bytes. */
static void
steps_check_len(const struct steps_case *c, size_t len)
{
	row_check(len > 0 || c->op == MUTATE_REMOVE,
		"%zu bytes under %zu, seed %u", c->len, c->cap, c->seed);
	row_check(len < c->cap || len <= c->len,
		"%zu bytes under %zu, seed %u: %zu", c->len, c->cap, c->seed,
		len);
}

/* The log entry leads from the same bytes to the same result. */
static void
steps_check_repeat(const struct steps_case *c, const struct mutation *done,
	const struct mutable *want)
{
	struct mutable m = steps_copy(c);
	struct literals literals = { 0 };

	row_check(mutation_repeat(done, &c->sources, &m, &literals),
		"%zu bytes under %zu, seed %u", c->len, c->cap, c->seed);
	row_check(m.len == want->len && memcmp(m.data, want->data, m.len) == 0,
		"%zu bytes under %zu, seed %u", c->len, c->cap, c->seed);
	free(m.data);
}

/* A wrong log entry is refused. */
static void
steps_check_lie(const struct steps_case *c, const struct mutation *done)
{
	struct mutation lies[] = { *done, *done, *done };
	struct literals literals = { 0 };

	lies[0].offset++;
	lies[1].len++;
	lies[2].arg++;
	for (size_t i = 0; i < (c->sources.count > 0 ? 3 : 2); i++) {
		struct mutable m = steps_copy(c);

		row_check(!mutation_repeat(&lies[i], &c->sources, &m,
				  &literals),
			"lie %zu, %zu bytes, seed %u", i, c->len, c->seed);
		free(m.data);
	}
}

/* Was the step taken? */
static bool
steps_check(const struct steps_case *c)
{
	struct mutable m = steps_copy(c);
	struct mutation done;
	bool taken = mutation_apply(c->op, c->seed, &c->sources, &m, &done);

	if (taken) {
		steps_check_record(c, &done);
		steps_check_len(c, m.len);
		steps_check_repeat(c, &done, &m);
		steps_check_lie(c, &done);
	} else {
		row_check(m.len == c->len, "%zu bytes under %zu, seed %u",
			c->len, c->cap, c->seed);
		if (c->len > 0)
			row_check(memcmp(m.data, c->before, c->len) == 0,
				"%zu bytes under %zu, seed %u", c->len, c->cap,
				c->seed);
	}
	free(m.data);
	return taken;
}

/* All capacities that matter for this size; returns the mutations taken. */
static unsigned
steps_check_size(unsigned op, size_t len, uint32_t seed)
{
	const size_t caps[] = { 0, 1, 2, len, len + 1, len + 2, len + 5,
		len + 300, SIZE_MAX };
	uint8_t before[STEPS_LEN_MAX], partner[STEPS_LEN_MAX];
	struct steps_case c = { .op = op,
		.seed = seed,
		.len = len,
		.before = before };
	unsigned taken = 0;

	steps_fill(before, len, TEXTS[seed % TEXTS_N], seed);
	steps_fill(partner, seed % STEPS_LEN_MAX, TEXTS[(seed / 4) % TEXTS_N],
		~seed);
	c.sources =
		(struct mutation_sources){ .words = { WORDS,
						   seed % (STEPS_WORDS + 1) },
			.partner = partner,
			.partner_len = seed % STEPS_LEN_MAX,
			.count = op == MUTATE_PART_COUNT ? 1 + seed % 5 : 0 };
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		c.cap = caps[i];
		taken += steps_check(&c);
	}
	return taken;
}

static void
test_kind(void **state)
{
	const unsigned op = *(const unsigned *)*state;
	unsigned taken = 0;

	for (size_t len = 0; len <= STEPS_LEN_MAX; len++)
		for (uint32_t i = 0; i < STEPS_SEEDS; i++)
			taken += steps_check_size(op, len,
				(uint32_t)len * 7919 + i * 104729);
	row_check(taken > 100, "%s: only %u were taken", mutate_name(op),
		taken);
}

/* Kinds that are made elsewhere, or do not exist, decline. */
static void
test_no_kind(void **state)
{
	static const unsigned OTHERS[] = { MUTATE_ADD, MUTATE_KEEP,
		MUTATE_COMPARE, MUTATE_CUSTOM, MUTATE_PART_COUNT, MUTATE_N,
		MEMORY_OPS_MAX, UINT16_MAX, UINT32_MAX };
	struct steps_case c = { .len = 5,
		.cap = 100,
		.before = (const uint8_t *)"value",
		.sources = { .words = { WORDS, STEPS_WORDS },
			.partner = c.before,
			.partner_len = 5 } };

	for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++) {
		c.op = OTHERS[i];
		for (c.seed = 0; c.seed < 100; c.seed++)
			row_check(!steps_check(&c), "%u", c.op);
	}
}

/* A kind has a weight if and only if it can be taken here. */
static void
test_weights(void **state)
{
	for (unsigned op = 0; op < MEMORY_OPS_MAX; op++) {
		bool scalar = op >= MUTATE_ADD && op <= MUTATE_KEEP;
		bool none = scalar || op == MUTATE_COMPARE ||
			op == MUTATE_CUSTOM || op == MUTATE_PART_COUNT ||
			op >= MUTATE_N;

		row_check((mutate_weight(op) == 0) == none, "%s",
			mutate_name(op));
	}
}

/* ---- literal bytes ------------------------------------------------------- */

/* clang-format off */
static const struct literals_row {
	const char *name;
	const char *in;
	struct mutation step;
	const char *literals; /* the unread part */
	const char *out;  /* NULL: the log is not of this value */
} LITERAL_ROWS[] = {
	{ "compare: as long", "value",
		{ MUTATE_COMPARE, 2, 1, 2, 0 }, "XY", "vXYue" },
	{ "compare: longer", "value",
		{ MUTATE_COMPARE, 1, 1, 3, 0 }, "XYZ", "vXYZlue" },
	{ "compare: shorter", "value",
		{ MUTATE_COMPARE, 3, 1, 1, 0 }, "X", "vXe" },
	{ "compare: inserted", "value",
		{ MUTATE_COMPARE, 0, 2, 2, 0 }, "XY", "vaXYlue" },
	{ "compare: at the end", "value",
		{ MUTATE_COMPARE, 0, 5, 2, 0 }, "XY", "valueXY" },
	{ "compare: into nothing", "",
		{ MUTATE_COMPARE, 0, 0, 2, 0 }, "XY", "XY" },
	{ "compare: nothing left", "value",
		{ MUTATE_COMPARE, 5, 0, 0, 0 }, "", NULL },
	{ "compare: behind the end", "value",
		{ MUTATE_COMPARE, 0, 6, 1, 0 }, "X", NULL },
	{ "compare: more than there is", "value",
		{ MUTATE_COMPARE, 3, 3, 1, 0 }, "X", NULL },
	{ "compare: far away", "value",
		{ MUTATE_COMPARE, UINT16_MAX, UINT32_MAX, 1, 0 }, "X", NULL },
	{ "compare: the literals end", "value",
		{ MUTATE_COMPARE, 1, 1, 3, 0 }, "XY", NULL },
	{ "compare: no such literals", "value",
		{ MUTATE_COMPARE, 1, 1, UINT32_MAX, 0 }, "XY", NULL },
	{ "custom: all of it", "value",
		{ MUTATE_CUSTOM, 0, 0, 3, 0 }, "XYZ", "XYZ" },
	{ "custom: longer", "v",
		{ MUTATE_CUSTOM, 0, 0, 6, 0 }, "XYZxyz", "XYZxyz" },
	{ "custom: of nothing", "",
		{ MUTATE_CUSTOM, 0, 0, 1, 0 }, "X", "X" },
	{ "custom: a part of the literals", "value",
		{ MUTATE_CUSTOM, 0, 0, 2, 0 }, "XYZ", "XY" },
	{ "custom: not at the start", "value",
		{ MUTATE_CUSTOM, 0, 1, 2, 0 }, "XY", NULL },
	{ "custom: nothing", "value",
		{ MUTATE_CUSTOM, 0, 0, 0, 0 }, "XY", NULL },
	{ "custom: the literals end", "value",
		{ MUTATE_CUSTOM, 0, 0, 3, 0 }, "XY", NULL },
};
/* clang-format on */

#define LITERAL_ROWS_N (sizeof(LITERAL_ROWS) / sizeof(LITERAL_ROWS[0]))

/* The maker of the mutation has checked the capacity. */
static void
test_literals(void **state)
{
	const struct literals_row *row = *state;
	struct mutation_sources sources = { 0 };
	size_t len = strlen(row->in), literals_n = strlen(row->literals);
	struct mutable m = { malloc(mutations_room(len, 2)), len, 2 };
	uint8_t bytes[16] = { 'r', 'e', 'a', 'd' };
	struct literals literals = { bytes, 4 + literals_n, 4 };
	bool done;

	memcpy(bytes + 4, row->literals, literals_n);
	memcpy(m.data, row->in, len);
	done = mutation_repeat(&row->step, &sources, &m, &literals);
	assert_int_equal(done, row->out != NULL);
	if (done) {
		assert_int_equal(m.len, strlen(row->out));
		assert_memory_equal(m.data, row->out, m.len);
		assert_int_equal(m.cap, 2);
		assert_int_equal(literals.at, 4 + row->step.len);
	}
	free(m.data);
}

/* The room is enough for any mutation. */
static void
test_room(void **state)
{
	static const struct {
		size_t len, cap, room;
	} ROWS[] = {
		{ 0, 0, MEMORY_LITERALS_MAX },
		{ 5, 2, 5 + MEMORY_LITERALS_MAX },
		{ 5, 100, 5 + MEMORY_LITERALS_MAX },
		{ 100000, 0, 100000 + MEMORY_LITERALS_MAX },
		{ 100000, 150000, 150000 },
		{ 100000, 1000000, 200000 },
	};

	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++)
		row_check(mutations_room(ROWS[i].len, ROWS[i].cap) ==
				ROWS[i].room,
			"%zu under %zu", ROWS[i].len, ROWS[i].cap);
}

int
main(void)
{
	static unsigned ops[MEMORY_OPS_MAX];
	struct CMUnitTest tests[MEMORY_OPS_MAX + LITERAL_ROWS_N + 3] = {
		cmocka_unit_test(test_no_kind),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_room),
	};
	size_t n = 3;

	for (unsigned op = 0; op < MEMORY_OPS_MAX; op++) {
		ops[op] = op;
		if (mutate_weight(op) > 0 || op == MUTATE_PART_COUNT)
			tests[n++] = (struct CMUnitTest){ mutate_name(op),
				test_kind, NULL, NULL, &ops[op] };
	}
	for (size_t i = 0; i < LITERAL_ROWS_N; i++)
		tests[n++] = (struct CMUnitTest){ LITERAL_ROWS[i].name,
			test_literals, NULL, NULL,
			(void *)(uintptr_t)&LITERAL_ROWS[i] };
	return _cmocka_run_group_tests("mutations", tests, n, NULL, NULL);
}
