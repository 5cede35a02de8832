/*
 * test_mutation_part: mutations in the arguments of a tuple. Each leaves a
 * tuple of the same types, within its capacity, and is repeated from its log
 * entry.
 */

#include "shared/mutate/mutation_part.h"

#include "lib/tuples.h"

#define SEEDS 40u
#define SMALL_CAP 120u

static const struct memory_word WORDS[] = { { 4, "word" } };

/* clang-format off */
static const char *const VALUES[] = {
	"[]byte(\"abc (def) 12\")\nint32(-5)\nstring(\"{x}\")",
	"[]byte(\"\")\nstring(\"\")",
	"bool(false)\nbool(true)",
	"int8(127)\nuint8(255)\nint16(-32768)\nuint64(0)",
	"float32(1.5)\nfloat64(NaN)\nfloat64(0)",
	"int64(0)",
};
/* clang-format on */

#define VALUES_N (sizeof(VALUES) / sizeof(VALUES[0]))

struct part_case {
	unsigned op;
	uint32_t seed;
	const uint8_t *before;
	size_t len, cap;
	struct mutation_sources sources;
};

static struct mutable part_copy(const struct part_case *c)
{
	struct mutable m = { malloc(c->sources.room), c->len, c->cap };

	assert_non_null(m.data);
	memcpy(m.data, c->before, c->len);
	return m;
}

static void
part_check_types(const struct part_case *c, const struct mutable *m)
{
	struct tuple before, after;

	assert_true(tuple_parse(c->before, c->len, &before));
	row_check(tuple_parse(m->data, m->len, &after) && after.n == before.n,
		"op %u, seed %u: no such tuple", c->op, c->seed);
	for (uint32_t i = 0; i < after.n; i++)
		row_check(after.fields[i].type == before.fields[i].type,
			"op %u, seed %u: type of %u", c->op, c->seed, i);
	row_check(m->len <= c->len || m->len < c->cap,
		"op %u, seed %u: %zu bytes", c->op, c->seed, m->len);
}

/* The other arguments are unchanged: they share no memory with it. */
static void
part_check_others(const struct part_case *c, const struct mutable *m)
{
	struct tuple before, after;
	unsigned changed = 0;

	assert_true(tuple_parse(c->before, c->len, &before));
	assert_true(tuple_parse(m->data, m->len, &after));
	for (uint32_t i = 0; i < after.n; i++) {
		const struct tuple_field *a = &before.fields[i];
		const struct tuple_field *b = &after.fields[i];

		changed += a->len != b->len ||
			memcmp(c->before + a->offset, m->data + b->offset,
				a->len) != 0;
	}
	row_check(changed <= 1, "op %u, seed %u changes %u arguments", c->op,
		c->seed, changed);
}

static bool
part_check(const struct part_case *c)
{
	struct mutable m = part_copy(c), again = part_copy(c);
	struct literals literals = { 0 };
	struct mutation done, lie;
	bool taken = mutation_apply(c->op, c->seed, &c->sources, &m, &done);

	if (!taken) {
		row_check(m.len == c->len &&
				memcmp(m.data, c->before, c->len) == 0,
			"op %u, seed %u declines with changes", c->op, c->seed);
	} else {
		part_check_types(c, &m);
		part_check_others(c, &m);
		lie = done;
		lie.offset++;
		row_check(mutation_repeat(&done, &c->sources, &again,
				  &literals) &&
				again.len == m.len &&
				memcmp(again.data, m.data, m.len) == 0,
			"op %u, seed %u is not repeated", c->op, c->seed);
		memcpy(again.data, c->before, c->len);
		again.len = c->len;
		row_check(!mutation_repeat(&lie, &c->sources, &again,
				  &literals),
			"op %u, seed %u: a lie", c->op, c->seed);
	}
	free(m.data);
	free(again.data);
	return taken;
}

/* The number of mutations of all kinds that are taken. */
static unsigned
part_try_all(const char *lines, size_t spare)
{
	unsigned taken = 0;
	size_t len, partner_len;
	uint8_t *before = tuple_of(lines, &len);
	uint8_t *partner = tuple_of(VALUES[0], &partner_len);
	struct part_case c = { .before = before,
		.len = len,
		.cap = len + spare,
		.sources = { .words = { WORDS, 1 },
			.partner = partner,
			.partner_len = partner_len,
			.count = 2,
			.tuples = true,
			.room = mutation_part_room(len, len + spare) } };

	for (c.op = 0; c.op < MUTATE_N; c.op++)
		for (c.seed = 0; c.seed < SEEDS; c.seed++)
			taken += part_check(&c);
	free(before);
	free(partner);
	return taken;
}

static void
test_all(void **state)
{
	for (size_t i = 0; i < VALUES_N; i++)
		for (size_t spare = 0; spare < SMALL_CAP; spare += 1 + spare)
			row_check(part_try_all(VALUES[i], spare) > 0 ||
					(i == 1 && spare < 2),
				"%zu, %zu to spare: nothing fits", i, spare);
}

/* Each of several arguments is changed. */
static void
test_every_argument(void **state)
{
	size_t len;
	uint8_t *before = tuple_of(VALUES[0], &len);
	struct part_case c = { .op = MUTATE_BIT_FLIP,
		.before = before,
		.len = len,
		.cap = len + 50,
		.sources = { .tuples = true,
			.room = mutation_part_room(len, len + 50) } };
	unsigned changed[3] = { 0, 0, 0 };
	struct tuple tuple;

	assert_true(tuple_parse(before, len, &tuple));
	for (c.seed = 0; c.seed < 300; c.seed++) {
		struct mutable m = part_copy(&c);
		struct mutation done;

		assert_true(
			mutation_apply(c.op, c.seed, &c.sources, &m, &done));
		for (unsigned i = 0; i < 3; i++)
			changed[i] += memcmp(m.data + tuple.fields[i].offset,
					      before + tuple.fields[i].offset,
					      tuple.fields[i].len) != 0;
		free(m.data);
	}
	assert_int_equal(changed[0] + changed[1] + changed[2], 300);
	for (unsigned i = 0; i < 3; i++)
		assert_true(changed[i] > 50);
	free(before);
}

/* Too little room, no tuple, and a mutation that tuples do not have. */
static void
test_declined(void **state)
{
	size_t len;
	uint8_t *before = tuple_of(VALUES[0], &len);
	struct mutation_sources sources = { .tuples = true };
	struct mutable m = { malloc(4 * len), len, len + 10 };
	struct mutation_part part;
	struct mutation done;

	assert_non_null(m.data);
	memcpy(m.data, before, len);
	for (size_t room = 0; room < mutation_part_room(len, m.cap); room++) {
		/* The first argument is the longest. */
		bool fits = mutation_part_open(&m, room, 0, &part);

		assert_true(!fits || room >= m.cap + part.m.cap);
	}
	assert_true(mutation_part_open(&m, mutation_part_room(len, m.cap), 0,
		&part));
	sources.room = mutation_part_room(len, m.cap);
	assert_false(mutation_apply(MUTATE_CUSTOM, 1, &sources, &m, &done));
	assert_false(mutation_apply(MUTATE_COMPARE, 1, &sources, &m, &done));
	m.data[0] = VALUE_TYPE_N;
	assert_false(mutation_apply(MUTATE_BIT_FLIP, 1, &sources, &m, &done));
	free(m.data);
	free(before);
}

/* The bytes that the child put there are literal bytes. */
static void
test_literals(void **state)
{
	size_t len;
	uint8_t *small = tuple_of("string(\"abc\")\nuint16(1)", &len);
	struct mutable m = { realloc(small, len + 2), len, 0 };
	struct mutation_sources sources = { .tuples = true };
	struct literals literals = { (const uint8_t *)"12345\x34\x12", 7, 0 };
	struct mutation step = { .op = MUTATE_COMPARE,
		.arg = 3,
		.offset = 5,
		.len = 5 };
	char *text;

	assert_true(mutation_repeat(&step, &sources, &m, &literals));
	step = (struct mutation){ .op = MUTATE_COMPARE,
		.arg = 2,
		.offset = 11,
		.len = 2 };
	assert_true(mutation_repeat(&step, &sources, &m, &literals));
	text = tuple_text(m.data, m.len);
	assert_string_equal(text, "string(\"12345\")\nuint16(4660)");
	literals.at = 0;
	step.arg = 1; /* that would make a scalar of nine bytes */
	assert_false(mutation_repeat(&step, &sources, &m, &literals));
	step.arg = 2;
	step.op = MUTATE_CUSTOM;
	assert_false(mutation_repeat(&step, &sources, &m, &literals));
	free(text);
	free(m.data);
}

/* ---- parents that are too long ------------------------------------------- */

/* clang-format off */
static const struct {
	const char *name, *before, *after; /* arguments */
	size_t less; /* by so many bytes the capacity is too small */
} CUTS[] = {
	{ "it fits", "[]byte(\"abc\")\nstring(\"def\")",
	  "[]byte(\"abc\")\nstring(\"def\")", 0 },
	{ "the last loses bytes", "[]byte(\"abc\")\nstring(\"def\")",
	  "[]byte(\"abc\")\nstring(\"d\")", 2 },
	{ "and the one before it", "[]byte(\"abc\")\nint8(5)\nstring(\"def\")",
	  "[]byte(\"ab\")\nint8(5)\nstring(\"\")", 4 },
	{ "scalars stay", "[]byte(\"abc\")\nint8(5)",
	  "[]byte(\"\")\nint8(5)", 6 },
};
/* clang-format on */

static void
test_cut(void **state)
{
	for (size_t i = 0; i < sizeof(CUTS) / sizeof(CUTS[0]); i++) {
		struct mutable m;
		char *text;

		m.data = tuple_of(CUTS[i].before, &m.len);
		m.cap = m.len + 1 - CUTS[i].less;
		mutation_cut(&m, true);
		text = tuple_text(m.data, m.len);
		row_check(strcmp(text, CUTS[i].after) == 0, "%s: %s",
			CUTS[i].name, text);
		free(text);
		free(m.data);
	}
}

/* A target may have written over the capacity that a log has. */
static void
test_cut_bytes(void **state)
{
	uint8_t bytes[] = "abc";
	struct mutable m = { bytes, 3, 3 };

	mutation_cut(&m, false);
	assert_int_equal(m.len, 2);
	m.cap = 0;
	mutation_cut(&m, false);
	assert_int_equal(m.len, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_every_argument),
		cmocka_unit_test(test_declined),
		cmocka_unit_test(test_literals),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
