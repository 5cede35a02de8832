/*
 * test_minimize_compare: results of our search beside those of the reference's
 * stages alone. `VERBOSE=1` prints each of them.
 */

#include "shared/minimize/minimize.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/predicates.h"
#include "lib/vectors.h"

#define MEMBERS 12 /* of each family */

struct outcome {
	size_t len;
	uint64_t tries, accepted;
};

/* The sum of all results. */
struct balance {
	struct outcome ours, theirs;
	size_t n, larger, much_larger, smaller;
};

static struct outcome
minimize(const struct predicate *p, const struct predicate_family *family,
	bool reference)
{
	static uint8_t best[PREDICATE_ROOM], candidate[PREDICATE_ROOM],
		other[PREDICATE_ROOM];
	struct minimizer m;

	memcpy(best, p->start, p->len);
	minimizer_init(&m, best, p->len, candidate,
		reference ? MINIMIZE_TAIL : MINIMIZE_BLOCKS);
	if (!reference)
		minimizer_again(&m, other);
	while (minimizer_next(&m))
		minimizer_verdict(&m,
			family->fails(p, m.candidate, m.candidate_len));
	assert_true(family->fails(p, m.best, m.s.best_len));
	return (struct outcome){ m.s.best_len, m.s.tries, m.s.accepted };
}

static void
add(struct outcome *sum, const struct outcome *one)
{
	sum->len += one->len;
	sum->tries += one->tries;
	sum->accepted += one->accepted;
}

static void
print(const char *name, size_t start, const struct outcome *ours,
	const struct outcome *theirs)
{
	print_message("%-24s %5zu -> %4zu (%4zu) bytes, %6" PRIu64 " (%6" PRIu64
		      ") tries, %5" PRIu64 " (%5" PRIu64 ") accepted%s\n",
		name, start, ours->len, theirs->len, ours->tries, theirs->tries,
		ours->accepted, theirs->accepted,
		ours->len > theirs->len ? ", larger" : "");
}

static void
compare(struct balance *all, const struct predicate_family *family,
	unsigned seed)
{
	static struct predicate p;
	struct outcome ours, theirs;

	predicate_draw(&p, family, seed);
	ours = minimize(&p, family, false);
	theirs = minimize(&p, family, true);
	all->n++;
	all->larger += ours.len > theirs.len;
	all->much_larger += 10 * ours.len > 11 * theirs.len;
	all->smaller += ours.len < theirs.len;
	add(&all->ours, &ours);
	add(&all->theirs, &theirs);
	if (getenv("VERBOSE"))
		print(family->name, p.len, &ours, &theirs);
}

static void
test_against_reference(void **state)
{
	struct balance all = { .n = 0 };

	for (size_t i = 0; predicate_family(i) != NULL; i++)
		for (unsigned seed = 0; seed < MEMBERS; seed++)
			compare(&all, predicate_family(i),
				100 * (unsigned)i + seed);
	print_message("%zu predicates, ours (the reference's): %zu (%zu) "
		      "bytes, %" PRIu64 " (%" PRIu64
		      ") tries, of which %" PRIu64 " (%" PRIu64
		      ") accepted; %zu larger, %zu by more than a "
		      "tenth, %zu smaller\n",
		all.n, all.ours.len, all.theirs.len, all.ours.tries,
		all.theirs.tries, all.ours.accepted, all.theirs.accepted,
		all.larger, all.much_larger, all.smaller);
	assert_true(all.n >= 200);
	assert_true(20 * all.larger <= all.n);
	assert_int_equal(all.much_larger, 0);
	assert_true(all.ours.tries < all.theirs.tries);
	assert_true(all.ours.accepted < all.theirs.accepted);
}

/* The same result each time, whatever the buffers held. */
static void
test_deterministic(void **state)
{
	static struct predicate p;

	for (size_t i = 0; predicate_family(i) != NULL; i++) {
		struct outcome one, two;

		predicate_draw(&p, predicate_family(i), 7);
		one = minimize(&p, predicate_family(i), false);
		two = minimize(&p, predicate_family(i), false);
		assert_int_equal(one.len, two.len);
		assert_int_equal(one.tries, two.tries);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_reference),
		cmocka_unit_test(test_deterministic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
