/* set_cover: see set_cover.h. */
#include "corpus/set_cover.h"

#include <stdlib.h>

#include "base/xmalloc.h"

struct set_cover_feature {
	uint32_t inputs; /* inputs that reach it; 0: none */
	uint32_t set;    /* set of the smallest such input */
};

/* The features of an input that is the smallest one for at least one of
 * them. */
struct set_cover_set {
	uint32_t input;
	size_t n;
	uint32_t *features;
};

struct set_cover {
	struct set_cover_feature *features;
	size_t features_n; /* capacity */
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
		free(cover->sets[i].features);
	free(cover->sets);
	free(cover->features);
	free(cover);
}

uint64_t
set_cover_features(const struct set_cover *cover)
{
	return cover->reached;
}

bool
set_cover_has(const struct set_cover *cover, uint32_t feature)
{
	return feature < cover->features_n &&
		cover->features[feature].inputs > 0;
}

static void
set_cover_make_room(struct set_cover *cover, uint32_t feature)
{
	size_t i, n = cover->features_n > 0 ? cover->features_n : 1024;

	while (n <= feature)
		n *= 2;
	if (n <= cover->features_n)
		return;
	cover->features =
		xreallocarray(cover->features, n, sizeof(*cover->features));
	for (i = cover->features_n; i < n; i++)
		cover->features[i] = (struct set_cover_feature){ 0 };
	cover->features_n = n;
}

static void
set_cover_keep(struct set_cover *cover, uint32_t input,
	const uint32_t *features, size_t n)
{
	cover->sets =
		xgrow(cover->sets, cover->sets_n, 1, sizeof(*cover->sets));
	cover->sets[cover->sets_n++] = (struct set_cover_set){
		.input = input,
		.n = n,
		.features = xmemdup(features, n * sizeof(*features)),
	};
}

void
set_cover_add(struct set_cover *cover, uint32_t input, const uint32_t *features,
	size_t n)
{
	struct set_cover_feature *feature;
	bool is_first = false;
	size_t i;

	for (i = 0; i < n; i++) {
		set_cover_make_room(cover, features[i]);
		feature = &cover->features[features[i]];
		if (feature->inputs++ > 0)
			continue;
		feature->set = (uint32_t)cover->sets_n;
		cover->reached++;
		is_first = true;
	}
	if (is_first)
		set_cover_keep(cover, input, features, n);
}

/* ---- solution ----------------------------------------------------------- */

struct rarity {
	uint32_t inputs, feature;
};

static int
cover_compare_rarity(const void *a, const void *b)
{
	const struct rarity *x = a, *y = b;

	if (x->inputs != y->inputs)
		return x->inputs < y->inputs ? -1 : 1;
	return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static struct rarity *
set_cover_by_rarity(const struct set_cover *cover)
{
	struct rarity *list = xcalloc(cover->reached + 1, sizeof(*list));
	size_t i, n = 0;

	for (i = 0; i < cover->features_n; i++)
		if (cover->features[i].inputs > 0)
			list[n++] = (struct rarity){
				.inputs = cover->features[i].inputs,
				.feature = (uint32_t)i,
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
		if (times[list[i].feature] > 0)
			continue;
		set = &cover->sets[cover->features[list[i].feature].set];
		chosen[set - cover->sets] = true;
		for (k = 0; k < set->n; k++)
			times[set->features[k]]++;
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
		for (k = 0; k < set->n && times[set->features[k]] > 1; k++)
			;
		if (!chosen[i - 1] || k < set->n)
			continue;
		chosen[i - 1] = false;
		for (k = 0; k < set->n; k++)
			times[set->features[k]]--;
	}
}

size_t
set_cover_solve(const struct set_cover *cover, uint32_t **inputs)
{
	bool *chosen = xcalloc(cover->sets_n, sizeof(*chosen));
	uint32_t *times = xcalloc(cover->features_n, sizeof(*times));
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
