/*
 * test_corpus_list: compares every order with a plain sort; tests filters and
 * when a list is renewed.
 */
#include "corpus/corpus_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "shared/prng.h"

#define ENTRIES 500u
#define SECOND 1000000000u

struct fixture {
	struct campaign_memory memory;
	struct corpus *corpus;
	struct energy *energy;
	struct corpus_list *list;
	uint64_t now;
};

static void
add(struct fixture *f, struct prng *prng)
{
	uint32_t n = (uint32_t)corpus_len(f->corpus);
	struct corpus_entry *entry;
	bool is_new;

	entry = corpus_add(f->corpus, &n, 4,
		n > 0 && prng_u32n(prng, 4) > 0 ? prng_u32n(prng, n)
						: CORPUS_NONE,
		&is_new);
	assert_true(is_new);
	entry->is_seed = entry->parent == CORPUS_NONE;
	entry->len = entry->file_len = prng_u32n(prng, 50); /* many are alike */
	entry->new_bits = prng_u32n(prng, 3);
	entry->exec_ns = prng_u32(prng);
	/* Earlier runs found it at a negative time. */
	entry->found_at_s = ((double)prng_u32(prng) - 2e9) / 7;
	entry->executions = (double)prng_u32(prng) * 1e6 - 1;
	entry->finds = prng_u32n(prng, 9);
	entry->favoured = prng_u32n(prng, 3) == 0;
	entry->unstable = prng_u32n(prng, 20) == 0;
	entry->of_value_profile = prng_u32n(prng, 20) == 0;
}

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct prng prng;

	assert_int_equal(campaign_memory_open(&f->memory, 64, 4096, NULL), OK);
	f->corpus = corpus_create(SIZE_MAX, NULL, NULL);
	f->energy = energy_create(&f->memory, f->corpus);
	f->list = corpus_list_create(f->corpus, f->energy);
	f->now = SECOND;
	prng_init(&prng, 3, 0);
	for (uint32_t i = 0; i < ENTRIES; i++)
		add(f, &prng);
	energy_publish(f->energy, ENERGY_FULL, true);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	corpus_list_destroy(f->list);
	energy_destroy(f->energy);
	/* The lengths in the entries are invented. */
	corpus_destroy(f->corpus);
	campaign_memory_close(&f->memory);
	free(f);
	return 0;
}

static size_t
choose(struct fixture *f, const char *sort, bool falling, const char *filter,
	uint64_t revision)
{
	const struct corpus_order order = { sort, falling, filter };
	struct error err = { 0 };
	size_t n = 0;

	if (corpus_list_choose(f->list, &order, f->now, revision, &n, &err) !=
		OK)
		fail_msg("%s", err.text);
	return n;
}

/* ---- orders ------------------------------------------------------------- */

static int
by_name(const struct fixture *f, const struct corpus_entry *a,
	const struct corpus_entry *b)
{
	return strcmp(a->name, b->name);
}

static const char *
parent_name(const struct fixture *f, const struct corpus_entry *entry)
{
	const struct corpus_entry *parent =
		corpus_get(f->corpus, entry->parent);

	return parent != NULL ? parent->name : "";
}

static int
by_parent(const struct fixture *f, const struct corpus_entry *a,
	const struct corpus_entry *b)
{
	return strcmp(parent_name(f, a), parent_name(f, b));
}

static int
by_energy(const struct fixture *f, const struct corpus_entry *a,
	const struct corpus_entry *b)
{
	double x = energy_share(f->energy, a), y = energy_share(f->energy, b);

	return x < y ? -1 : x > y;
}

#define BY(name, member) \
	static int by_##name(const struct fixture *f, \
		const struct corpus_entry *a, const struct corpus_entry *b) \
	{ \
		(void)f; \
		return a->member < b->member ? -1 : a->member > b->member; \
	}

BY(index, index)
BY(generation, generation)
BY(len, len)
BY(new_bits, new_bits)
BY(exec_us, exec_ns)
BY(found_at_s, found_at_s)
BY(finds, finds)
BY(executions, executions)
BY(seed, is_seed)
BY(favoured, favoured)
BY(unstable, unstable)
BY(value_profile, of_value_profile)

/* clang-format off */
static const struct {
	const char *sort;
	int (*compare)(const struct fixture *f, const struct corpus_entry *a,
		const struct corpus_entry *b);
} orders[] = {
	{ "", by_index },
	{ "index", by_index },
	{ "name", by_name },
	{ "parent", by_parent },
	{ "generation", by_generation },
	{ "len", by_len },
	{ "new_bits", by_new_bits },
	{ "exec_us", by_exec_us },
	{ "found_at_s", by_found_at_s },
	{ "energy", by_energy },
	{ "finds", by_finds },
	{ "executions", by_executions },
	{ "seed", by_seed },
	{ "favoured", by_favoured },
	{ "unstable", by_unstable },
	{ "progress", by_value_profile },
};
/* clang-format on */

/*
 * Rows are in order, each entry once; equal ones in order of arrival. Falling
 * is the reverse: of inputs that were found in one millisecond, which is all
 * that the journal of a past campaign tells, the last one comes first, too.
 */
static void
check_rows(const struct fixture *f, size_t order, bool falling,
	const struct corpus_entry *const *rows, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		int sign = orders[order].compare(f, rows[i - 1], rows[i]);

		if (sign == 0)
			sign = rows[i - 1]->index < rows[i]->index ? -1 : 1;
		if (falling)
			sign = -sign;
		if (sign > 0 || rows[i - 1] == rows[i])
			fail_msg("%s%s: row %zu", orders[order].sort,
				falling ? ", falling" : "", i);
	}
}

static void
test_orders(void **state)
{
	const struct corpus_entry *whole[ENTRIES], *page[ENTRIES];
	struct fixture *f = *state;

	for (size_t i = 0; i < 2 * (sizeof(orders) / sizeof(orders[0])); i++) {
		bool falling = i % 2 == 1;

		/* Pages before the whole list must not change it. */
		assert_int_equal(choose(f, orders[i / 2].sort, falling, "", 1),
			ENTRIES);
		corpus_list_rows(f->list, 100, 50, page);
		check_rows(f, i / 2, falling, page, 50);
		corpus_list_rows(f->list, 0, ENTRIES, whole);
		check_rows(f, i / 2, falling, whole, ENTRIES);
		assert_memory_equal(page, whole + 100, 50 * sizeof(page[0]));
		for (size_t first = 0; first < ENTRIES; first += 37) {
			size_t n = first + 40 < ENTRIES ? 40 : ENTRIES - first;

			corpus_list_rows(f->list, first, n, page);
			assert_memory_equal(page, whole + first,
				n * sizeof(page[0]));
		}
		for (size_t at = 0; at < ENTRIES; at += 61)
			assert_int_equal(corpus_list_place(f->list, whole[at]),
				at + 1);
	}
}

static void
test_unknown_order(void **state)
{
	static const char *const sorts[] = { "beauty", "Len", "len ", "rows",
		"parent_n" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++) {
		const struct corpus_order order = { sorts[i], false, "" };
		struct error err = { 0 };
		size_t n;

		assert_int_equal(corpus_list_choose(f->list, &order, 1, 1, &n,
					 &err),
			E_NOT_FOUND);
		assert_non_null(strstr(err.text, sorts[i]));
	}
}

/* ---- filters ------------------------------------------------------------ */

static bool
wanted(const struct fixture *f, const struct corpus_entry *entry,
	const char *word)
{
	size_t n = strlen(word);

	return strncmp(entry->name, word, n) == 0 ||
		strncmp(parent_name(f, entry), word, n) == 0 ||
		(entry->is_seed && strstr("seed", word) != NULL) ||
		(entry->favoured && strstr("favoured", word) != NULL) ||
		(entry->unstable && strstr("unstable", word) != NULL) ||
		(entry->of_value_profile &&
			(strstr("progress", word) != NULL ||
				strstr("profile", word) != NULL));
}

static void
test_filters(void **state)
{
	static const char *const words[][2] = { { "seed", "" },
		{ "favoured", "" }, { "unstable", "favoured" }, { "prog", "" },
		{ "e", "" }, { "a", "fav" }, { "ab", "" }, { "zzz", "" },
		{ "seed", "progress" }, { "profile", "" }, { "d", "a" } };
	const struct corpus_entry *rows[ENTRIES], *entry;
	struct fixture *f = *state;
	char filter[64];
	size_t n, seen;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		snprintf(filter, sizeof(filter), " %s %s", words[i][0],
			words[i][1]);
		n = choose(f, "len", true, filter, 1);
		corpus_list_rows(f->list, 0, n, rows);
		check_rows(f, 5, true, rows, n);
		seen = 0;
		for (uint32_t j = 0; j < ENTRIES; j++) {
			entry = corpus_get(f->corpus, j);
			if (wanted(f, entry, words[i][0]) &&
				wanted(f, entry, words[i][1]))
				seen++;
			else
				assert_int_equal(corpus_list_place(f->list,
							 entry),
					0);
		}
		assert_int_equal(n, seen);
	}
}

/* ---- time --------------------------------------------------------------- */

/* A list is renewed at most once a second, and only after a change; each order
 * by itself. */
static void
test_made_anew(void **state)
{
	struct fixture *f = *state;
	struct prng prng;

	prng_init(&prng, 4, 0);
	assert_int_equal(choose(f, "len", false, "", 1), ENTRIES);
	add(f, &prng);
	f->now += SECOND - 1;
	assert_int_equal(choose(f, "len", false, "", 2), ENTRIES);
	assert_int_equal(choose(f, "len", true, "", 2), ENTRIES + 1);
	f->now += 1;
	assert_int_equal(choose(f, "len", false, "", 1), ENTRIES);
	assert_int_equal(choose(f, "len", false, "", 2), ENTRIES + 1);
	/* Two orders are cached; any other one is made anew. */
	add(f, &prng);
	assert_int_equal(choose(f, "name", false, "", 2), ENTRIES + 2);
	assert_int_equal(choose(f, "len", false, "", 2), ENTRIES + 1);
	assert_int_equal(choose(f, "len", true, "", 2), ENTRIES + 2);
}

static void
test_empty(void **state)
{
	struct fixture *f = *state;
	struct corpus *corpus = corpus_create(SIZE_MAX, NULL, NULL);
	struct corpus_list *list = corpus_list_create(corpus, f->energy);
	const struct corpus_order order = { "energy", true, "seed" };
	size_t n = 1;

	assert_int_equal(corpus_list_choose(list, &order, 1, 1, &n, NULL), OK);
	assert_int_equal(n, 0);
	corpus_list_rows(list, 0, 0, NULL);
	corpus_list_destroy(list);
	corpus_destroy(corpus);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_orders, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unknown_order, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_filters, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_made_anew, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
