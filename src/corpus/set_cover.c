/* set_cover: see set_cover.h. */
#include "corpus/set_cover.h"

#include <stdlib.h>

#include "base/xmalloc.h"

struct set_cover_place {
	uint32_t inputs; /* inputs that reach it; 0: none */
	uint32_t set;    /* set of the smallest such input */
};

/* The features of an input that is the smallest one for at least one of
 * them. */
struct set_cover_set {
	uint32_t input;
	size_t n;
	uint32_t *places;
};

struct set_cover {
	struct set_cover_place *places;
	size_t places_n; /* capacity */
	uint64_t reached;
	struct set_cover_set *sets; /* in the order of the inputs */
	size_t sets_n;
};

struct set_cover *
set_cover_create(void)
{
	return xcalloc(1, sizeof(struct set_cover));
}

void
set_cover_destroy(struct set_cover *cover)
{
	size_t i;

	if (cover == NULL)
		return;
	for (i = 0; i < cover->sets_n; i++)
		free(cover->sets[i].places);
	free(cover->sets);
	free(cover->places);
	free(cover);
}

uint64_t
set_cover_places(const struct set_cover *cover)
{
	return cover->reached;
}

bool
set_cover_has(const struct set_cover *cover, uint32_t place)
{
	return place < cover->places_n && cover->places[place].inputs > 0;
}

static void
set_cover_make_room(struct set_cover *cover, uint32_t place)
{
	size_t i, n = cover->places_n > 0 ? cover->places_n : 1024;

	while (n <= place)
		n *= 2;
	if (n <= cover->places_n)
		return;
	cover->places = xreallocarray(cover->places, n, sizeof(*cover->places));
	for (i = cover->places_n; i < n; i++)
		cover->places[i] = (struct set_cover_place){ 0 };
	cover->places_n = n;
}

static void
set_cover_keep(struct set_cover *cover, uint32_t input, const uint32_t *places,
	size_t n)
{
	cover->sets =
		xgrow(cover->sets, cover->sets_n, 1, sizeof(*cover->sets));
	cover->sets[cover->sets_n++] = (struct set_cover_set){
		.input = input,
		.n = n,
		.places = xmemdup(places, n * sizeof(*places)),
	};
}

void
set_cover_add(struct set_cover *cover, uint32_t input, const uint32_t *places,
	size_t n)
{
	struct set_cover_place *place;
	bool is_first = false;
	size_t i;

	for (i = 0; i < n; i++) {
		set_cover_make_room(cover, places[i]);
		place = &cover->places[places[i]];
		if (place->inputs++ > 0)
			continue;
		place->set = (uint32_t)cover->sets_n;
		cover->reached++;
		is_first = true;
	}
	if (is_first)
		set_cover_keep(cover, input, places, n);
}

/* ---- solution ----------------------------------------------------------- */

struct rarity {
	uint32_t inputs, place;
};

static int
cover_compare_rarity(const void *a, const void *b)
{
	const struct rarity *x = a, *y = b;

	if (x->inputs != y->inputs)
		return x->inputs < y->inputs ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static struct rarity *
set_cover_by_rarity(const struct set_cover *cover)
{
	struct rarity *list = xcalloc(cover->reached + 1, sizeof(*list));
	size_t i, n = 0;

	for (i = 0; i < cover->places_n; i++)
		if (cover->places[i].inputs > 0)
			list[n++] = (struct rarity){
				.inputs = cover->places[i].inputs,
				.place = (uint32_t)i,
			};
	if (n > 0)
		qsort(list, n, sizeof(*list), cover_compare_rarity);
	return list;
}

/* times: how many of the chosen sets reach each feature. */
static void
set_cover_choose(const struct set_cover *cover, bool *chosen, uint32_t *times)
{
	struct rarity *list = set_cover_by_rarity(cover);
	const struct set_cover_set *set;
	size_t i, k;

	for (i = 0; i < cover->reached; i++) {
		if (times[list[i].place] > 0)
			continue;
		set = &cover->sets[cover->places[list[i].place].set];
		chosen[set - cover->sets] = true;
		for (k = 0; k < set->n; k++)
			times[set->places[k]]++;
	}
	free(list);
}

static void
set_cover_prune(const struct set_cover *cover, bool *chosen, uint32_t *times)
{
	const struct set_cover_set *set;
	size_t i, k;

	for (i = cover->sets_n; i > 0; i--) {
		set = &cover->sets[i - 1];
		for (k = 0; k < set->n && times[set->places[k]] > 1; k++)
			;
		if (!chosen[i - 1] || k < set->n)
			continue;
		chosen[i - 1] = false;
		for (k = 0; k < set->n; k++)
			times[set->places[k]]--;
	}
}

size_t
set_cover_solve(const struct set_cover *cover, uint32_t **inputs)
{
	bool *chosen = xcalloc(cover->sets_n, sizeof(*chosen));
	uint32_t *times = xcalloc(cover->places_n, sizeof(*times));
	size_t i, n = 0;

	set_cover_choose(cover, chosen, times);
	set_cover_prune(cover, chosen, times);
	*inputs = xcalloc(cover->sets_n, sizeof(**inputs));
	for (i = 0; i < cover->sets_n; i++)
		if (chosen[i])
			(*inputs)[n++] = cover->sets[i].input;
	free(chosen);
	free(times);
	return n;
}
