/*
 * test_heat_map: cells of few and of many counters.
 */
#include "ui/views/coverage/heat_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"

#include "lib/dump.h"

static void
make(struct coverage_map *map, uint32_t n)
{
	map->n = n;
	map->buckets = xcalloc(n + 1, 1);
	map->first_s = xcalloc(n + 1, sizeof(*map->first_s));
	for (uint32_t i = 0; i < n; i++)
		map->first_s[i] = COVERAGE_NEVER;
}

static void
hit(struct coverage_map *map, uint32_t counter, uint8_t bits, float at_s)
{
	map->buckets[counter] |= bits;
	map->first_s[counter] = at_s;
	if (at_s >= 0)
		map->recent[map->recent_n++ % COVERAGE_RECENT_MAX] = counter;
}

static void
check(const struct coverage_map *map, int w, int h, const char *want)
{
	struct grid *grid = grid_create(w, h);
	char *dump;

	heat_map_draw(map, 100, grid, (struct rect){ 0, 0, w, h });
	dump = grid_dump(grid);
	assert_string_equal(dump, want);
	free(dump);
	grid_destroy(grid);
}

static void
test_per_cell(void **state)
{
	static const struct {
		uint32_t n;
		int w, h;
		uint32_t want;
	} rows[] = {
		{ 0, 10, 2, 1 },
		{ 20, 10, 2, 1 },
		{ 21, 10, 2, 2 },
		{ 1u << 22, 10, 2, 209716 },
		{ 5, 0, 2, 5 },
		{ 5, -1, -1, 5 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct coverage_map map = { .n = rows[i].n };

		assert_int_equal(heat_map_per_cell(&map,
					 (struct rect){ 0, 0, rows[i].w,
						 rows[i].h }),
			rows[i].want);
	}
}

static void
test_shades(void **state)
{
	struct coverage_map map = { 0 };

	make(&map, 8);
	for (unsigned i = 0; i < 7; i++)
		hit(&map, i, (uint8_t)(1u << i), COVERAGE_NEVER);
	check(&map, 8, 1, "░░▒▒▓▓█·\n");
	/* A cell has its highest shade; a new hit comes before the shade. */
	hit(&map, 7, 1, 95);
	check(&map, 4, 1, "░▒▓◆\n");
	map.first_s[7] = 50;
	check(&map, 4, 1, "░▒▓◇\n");
	map.first_s[7] = 10;
	check(&map, 4, 1, "░▒▓█\n");
	free(map.buckets);
	free(map.first_s);
}

/* With room to spare, cells are wider, but never outside of it. */
static void
test_room(void **state)
{
	struct coverage_map map = { 0 };

	make(&map, 3);
	hit(&map, 1, 128, COVERAGE_NEVER);
	check(&map, 6, 1, "··██··\n");
	check(&map, 1, 1, "█\n");
	map.n = 0;
	check(&map, 2, 1, "\n");
	free(map.buckets);
	free(map.first_s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_per_cell),
		cmocka_unit_test(test_shades),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
