/*
 * test_minimize_order: which of two inputs is simpler, and that minimizations go
 * from inputs to simpler ones.
 */

#include "shared/minimize/minimize_order.h"

#include <stdio.h>

#include "lib/predicates.h"
#include "lib/tuples.h"
#include "shared/minimize/minimize.h"

#define MEMBERS 12  /* of each family */
#define POINTS 4096 /* of a minimization */

static const struct tuple_types UNTYPED;

/* clang-format off */
static const struct {
	const char *name;
	const char *simpler, *other; /* bytes */
	bool blank;
} BYTES[] = {
	{ "characters by their order", "10", "1A", false },
	{ "the first difference counts", "00b", "0a0", false },
	{ "zero is worse than a character", "0", "\x00", false },
	{ "and better than others", "\x00", "q", false },
	{ "others by their number", "q", "\xff", false },
	{ "a blank is a character", "0", " ", false },
	{ "and the filler", " ", "0", true },
};

static const struct {
	const char *name;
	const char *simpler, *other; /* arguments */
} TUPLES[] = {
	{ "nearer to zero", "int64(6)\nint64(0)", "int64(1234)\nint64(-8)" },
	{ "the first argument counts", "int8(5)\nint8(9)", "int8(6)\nint8(0)" },
	{ "then the next", "int8(5)\nint8(0)", "int8(5)\nint8(9)" },
	{ "positive", "int8(5)", "int8(-5)" },
	{ "whole", "float64(3)", "float64(2.5)" },
	{ "a number", "float64(3)", "float64(NaN)" },
	{ "shorter bytes", "string(\"q\")\nstring(\"qq\")",
	  "string(\"00\")\nstring(\"0\")" },
	{ "bytes of the same length", "[]byte(\"0\")", "[]byte(\"q\")" },
};
/* clang-format on */

static void
test_bytes(void **state)
{
	for (size_t i = 0; i < ROWS(BYTES); i++) {
		const struct minimize_order order = { .types = &UNTYPED,
			.blank = BYTES[i].blank,
			.filler = ' ' };
		const uint8_t *a = (const uint8_t *)BYTES[i].simpler;
		const uint8_t *b = (const uint8_t *)BYTES[i].other;
		size_t len = strlen(BYTES[i].simpler);

		len = len > 0 ? len : 1;
		row_check(minimize_is_simpler(&order, a, b, len), "%s",
			BYTES[i].name);
		row_check(!minimize_is_simpler(&order, b, a, len), "%s",
			BYTES[i].name);
		row_check(!minimize_is_simpler(&order, a, a, len), "%s",
			BYTES[i].name);
	}
}

static struct tuple_types
types_of(const uint8_t *data, size_t len)
{
	struct tuple_types types = { 0 };
	struct tuple tuple;

	assert_true(tuple_parse(data, len, &tuple));
	for (uint32_t i = 0; i < tuple.n; i++)
		types.types[types.n++] = tuple.fields[i].type;
	return types;
}

static void
test_tuples(void **state)
{
	for (size_t i = 0; i < ROWS(TUPLES); i++) {
		size_t len, other_len;
		uint8_t *a = tuple_of(TUPLES[i].simpler, &len);
		uint8_t *b = tuple_of(TUPLES[i].other, &other_len);
		const struct tuple_types types = types_of(a, len);
		const struct minimize_order order = { .types = &types };

		assert_int_equal(len, other_len);
		row_check(minimize_is_simpler(&order, a, b, len), "%s",
			TUPLES[i].name);
		row_check(!minimize_is_simpler(&order, b, a, len), "%s",
			TUPLES[i].name);
		row_check(!minimize_is_simpler(&order, a, a, len), "%s",
			TUPLES[i].name);
		free(a);
		free(b);
	}
}

/* The start and what was accepted, while the length stays the same. */
struct points {
	uint8_t data[POINTS][PREDICATE_ROOM];
	size_t n, len;
};

static void
points_note(struct points *points, const struct minimizer *m)
{
	if (points->len != m->s.best_len)
		points->n = 0;
	points->len = m->s.best_len;
	assert_true(points->n < POINTS);
	memcpy(points->data[points->n++], m->best, points->len);
}

/* An end is never less simple than a point before it: accepted by hand too
 * early, that one does not replace it. */
static void
test_ends(void **state)
{
	static struct predicate p;
	static struct points points;
	static uint8_t best[PREDICATE_ROOM], candidate[PREDICATE_ROOM],
		other[PREDICATE_ROOM];
	const struct predicate_family *family;
	struct minimize_order order = { .types = &UNTYPED, .filler = ' ' };
	struct minimizer m;

	for (unsigned i = 0; (family = predicate_family(i / MEMBERS)) != NULL;
		i++) {
		predicate_draw(&p, family, 100 * (i / MEMBERS) + i % MEMBERS);
		memcpy(best, p.start, p.len);
		minimizer_init(&m, best, p.len, candidate, MINIMIZE_BLOCKS);
		minimizer_again(&m, other);
		order.blank = i % 2 == 1;
		if (order.blank)
			minimizer_blank(&m, order.filler);
		points.len = 0;
		points_note(&points, &m);
		while (minimizer_next(&m)) {
			bool fails =
				family->fails(&p, candidate, m.candidate_len);

			minimizer_verdict(&m, fails);
			if (fails)
				points_note(&points, &m);
		}
		for (size_t n = 0; n < points.n && points.len == m.s.best_len;
			n++)
			row_check(!minimize_is_simpler(&order, points.data[n],
					  best, points.len),
				"%s %u, point %zu", family->name, i % MEMBERS,
				n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_tuples),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
