/* coverage_map_sums: see coverage_map_sums.h. */
#include "coverage/coverage_map_sums.h"

#include <stdlib.h>

#include "base/xmalloc.h"

static void
sums_add(struct coverage_sum *sum, float at_s)
{
	sum->hit++;
	if (at_s < 0)
		return;
	/* If an earlier hit has no time, the first hit's time is unknown. */
	if (sum->hit == 1 || at_s < sum->first_s)
		sum->first_s = at_s;
	if (at_s > sum->last_s)
		sum->last_s = at_s;
}

/* The file of the counter, or of its function; SOURCE_NONE: unknown. */
static uint32_t
sums_file(const struct coverage_module *module,
	const struct source_location *place)
{
	if (place->file != SOURCE_NONE || place->function == SOURCE_NONE)
		return place->file;
	return module->table.functions[place->function].file;
}

/* The counter belongs to the totals. */
static void
sums_expect(struct coverage_module *module, const struct source_location *place)
{
	const uint32_t file = sums_file(module, place);

	if (place->check != 0)
		return;
	if (place->function != SOURCE_NONE)
		module->functions[place->function].total++;
	if (file != SOURCE_NONE)
		module->files[file].total++;
}

/* From now on the sums have the counters of the copy. */
static void
sums_add_copy(struct coverage_module *module, uint32_t copy)
{
	const struct source_table *t = &module->table;

	module->copies[copy] = 1;
	for (uint32_t i = 0; i < t->locations_n; i++)
		if (t->locations[i].copy == copy)
			sums_expect(module, &t->locations[i]);
}

void
coverage_map_sums_add(struct coverage_module *module, uint32_t counter,
	float at_s)
{
	const struct source_location *place = &module->table.locations[counter];
	const uint32_t file = sums_file(module, place);

	if (place->check != 0) {
		module->checks_hit++;
		return;
	}
	if (coverage_is_unused_copy(module, place->copy))
		sums_add_copy(module, place->copy);
	if (place->function != SOURCE_NONE)
		sums_add(&module->functions[place->function], at_s);
	if (file != SOURCE_NONE)
		sums_add(&module->files[file], at_s);
}

/* Finds the copies that were hit, before anything is summed up. */
static void
sums_find_copies(const struct coverage_map *map, struct coverage_module *module)
{
	const struct source_table *t = &module->table;

	free(module->copies);
	module->copies = xcalloc((size_t)t->locations_n + 1, 1);
	for (uint32_t i = 0; i < t->locations_n; i++) {
		if (t->locations[i].check == 0 &&
			coverage_is_hit(map, (uint64_t)module->base + i))
			module->copies[t->locations[i].copy] = 1;
	}
}

static void
sums_empty(struct coverage_sum *sums, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sums[i] = (struct coverage_sum){ .first_s = COVERAGE_NEVER,
			.last_s = COVERAGE_NEVER };
}

void
coverage_map_sums_renew(const struct coverage_map *map,
	struct coverage_module *module)
{
	const struct source_table *t = &module->table;

	sums_empty(module->functions, t->functions_n);
	sums_empty(module->files, t->files_n);
	sums_find_copies(map, module);
	module->checks = module->checks_hit = 0;
	for (uint32_t i = 0; i < t->locations_n; i++) {
		uint64_t counter = (uint64_t)module->base + i;

		module->checks += t->locations[i].check != 0;
		if (!coverage_is_unused_copy(module, t->locations[i].copy))
			sums_expect(module, &t->locations[i]);
		if (coverage_is_hit(map, counter))
			coverage_map_sums_add(module, i, map->first_s[counter]);
	}
}

void
coverage_map_sums_make(const struct coverage_map *map,
	struct coverage_module *module)
{
	const struct source_table *t = &module->table;

	free(module->functions);
	free(module->files);
	module->functions =
		xcalloc((size_t)t->functions_n + 1, sizeof(*module->functions));
	module->files = xcalloc((size_t)t->files_n + 1, sizeof(*module->files));
	coverage_map_sums_renew(map, module);
}
