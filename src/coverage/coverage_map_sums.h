/*
 * coverage_map_sums: the sums of functions and files of a coverage map.
 *
 * The modules have names.
 */
#ifndef CFUZZ_COVERAGE_COVERAGE_MAP_SUMS_H
#define CFUZZ_COVERAGE_COVERAGE_MAP_SUMS_H

#include "coverage/coverage_map.h"

/* Makes the sums of the module's new table. */
void coverage_map_sums_make(const struct coverage_map *map,
	struct coverage_module *module);

/* Sums up once more; the sums stay where they are. */
void coverage_map_sums_renew(const struct coverage_map *map,
	struct coverage_module *module);

/* Adds the first hit of a counter, counted from the module's first. at_s: see
 * struct coverage_sum. */
void coverage_map_sums_add(struct coverage_module *module, uint32_t counter,
	float at_s);

#endif
