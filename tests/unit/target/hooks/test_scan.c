/* scan: reads counters, compared with a simple scan. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "shared/prng.h"
#include "target/hooks/counters.h"
#include "target/hooks/scan.h"
#include "target/hooks/scan_skip.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

/* Regions of odd lengths at odd addresses. */
static const uint32_t LENS[] = { 1, 7, 8, 9, 63, 64, 65, 1000, 4099 };
static uint8_t room[8192];
static struct counter_region *regions[N(LENS)];
static struct campaign_head campaign;
static uint32_t total;

static int
set_up(void **state)
{
	uint8_t *at = room + 1;

	for (size_t i = 0; i < N(LENS); i++) {
		__sanitizer_cov_8bit_counters_init(at, at + LENS[i]);
		/* Constructors register more than once. */
		__sanitizer_cov_8bit_counters_init(at, at + LENS[i]);
		at += LENS[i] + 1;
	}
	__sanitizer_cov_8bit_counters_init(at, at);
	assert_int_equal(counters_get()->n, N(LENS));
	for (size_t i = 0; i < N(LENS); i++)
		regions[i] = &counters_get()->regions[i];
	return 0;
}

static void
test_late(void **state)
{
	struct counter_module late[N(LENS)];

	/* The campaign does not know them; each is listed until it is
	 * reported. */
	for (int i = 0; i < 2; i++)
		assert_int_equal(counters_assign(&campaign, late, 3), 3);
	counters_report();
	assert_int_equal(counters_assign(&campaign, late, N(LENS)),
		N(LENS) - 3);
	counters_report();
	assert_int_equal(counters_assign(&campaign, late, N(LENS)), 0);
	assert_false(regions[0]->assigned);
}

static void
test_place(void **state)
{
	struct counter_module late[N(LENS)];
	uint32_t n = counters_list(campaign.modules, MEMORY_MODULES_MAX);

	assert_int_equal(n, N(LENS));
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(campaign.modules[i].n, LENS[i]);
		/* Past the end of the coverage map by one. */
		campaign.modules[i].base = MEMORY_COUNTERS_MAX - LENS[i] + 1;
	}
	campaign.modules_n = n;
	assert_int_equal(counters_assign(&campaign, late, N(LENS)), 0);
	for (uint32_t i = 0; i < n; i++)
		assert_false(regions[i]->assigned);
	for (uint32_t i = 0; i < n; i++) {
		campaign.modules[i].base = total;
		total += LENS[i];
	}
	assert_int_equal(counters_assign(&campaign, late, N(LENS)), 0);
	for (uint32_t i = 0; i < n; i++)
		assert_true(regions[i]->assigned);
}

static bool
all_clear(void)
{
	for (size_t i = 0; i < N(LENS); i++) {
		for (uint32_t k = 0; k < LENS[i]; k++) {
			if (regions[i]->start[k] != 0)
				return false;
		}
	}
	return true;
}

/* The highest set bit of a counter. */
static uint8_t
bucket_of(uint8_t counter)
{
	uint8_t bit = 0x80;

	while (bit != 0 && !(counter & bit))
		bit >>= 1;
	return bit;
}

/* Compares with the features of a simple scan. */
static void
assert_pairs(const struct scan *scan, const uint8_t *counters,
	const uint8_t *map)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < total; i++) {
		uint8_t fresh = bucket_of(counters[i]) & (uint8_t)~map[i];

		if (fresh == 0)
			continue;
		assert_true(n < scan->n);
		assert_int_equal(scan->features[n].counter, i);
		assert_int_equal(scan->features[n].buckets, fresh);
		n++;
	}
	assert_int_equal(scan->n, n);
}

static void
fill(uint8_t *counters, uint32_t dense, struct prng *prng)
{
	uint32_t k = 0;

	for (size_t i = 0; i < N(LENS); i++) {
		for (uint32_t j = 0; j < LENS[i]; j++) {
			uint8_t c = prng_u32n(prng, 100) < dense
				? (uint8_t)prng_u32(prng)
				: 0;

			regions[i]->start[j] = counters[k++] = c;
		}
	}
}

static void
test_collect(void **state)
{
	static uint8_t counters[8192], map[8192];
	struct scan scan;
	struct prng prng;

	prng_init(&prng, 1, 1);
	assert_true(scan_init(&scan));
	for (int round = 0; round < 300; round++) {
		fill(counters, prng_u32n(&prng, 101), &prng);
		for (uint32_t i = 0; i < total; i++)
			map[i] = (uint8_t)prng_u32(&prng);
		scan_collect(&scan, map);
		assert_pairs(&scan, counters, map);
		assert_true(all_clear());
		/* Merged features are not new. */
		scan_merge(&scan, map);
		scan_filter(&scan, map);
		assert_int_equal(scan.n, 0);
	}
	/* Bytes between the regions are not touched. */
	assert_int_equal(room[0], 0);
}

#define WAY_PAGES ((size_t)5 * 4096)

static const struct {
	enum scan_way way;
	const char *name;
} WAYS[] = {
	{ SCAN_PLAIN, "plain" },
	{ SCAN_VECTORS, "vectors" },
	{ SCAN_AVX2, "avx2" },
	{ SCAN_AVX512, "avx512" },
};

/* Bytes between two inaccessible pages. */
static uint8_t *
fenced(void)
{
	uint8_t *map = mmap(NULL, WAY_PAGES + 2 * 4096, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mprotect(map + 4096, WAY_PAGES,
				 PROT_READ | PROT_WRITE),
		0);
	return map + 4096;
}

/* Fills n counters; the map knows most of them. */
static void
way_fill(uint8_t *counters, uint8_t *map, size_t n, struct prng *prng)
{
	uint32_t dense = prng_u32n(prng, 4) * prng_u32n(prng, 34);
	uint32_t fresh = prng_u32n(prng, 3) * prng_u32n(prng, 51);

	for (size_t i = 0; i < n; i++) {
		counters[i] = prng_u32n(prng, 100) < dense
			? (uint8_t)prng_u32(prng)
			: 0;
		map[i] = (uint8_t)prng_u32(prng);
		if (prng_u32n(prng, 100) >= fresh)
			map[i] |= bucket_of(counters[i]);
	}
}

/* The expected result of a scan of one region, counter by counter. */
static void
way_expect(struct scan *scan, const struct counter_region *region,
	const uint8_t *map)
{
	scan->n = 0;
	for (uint32_t i = 0; i < region->n; i++) {
		uint8_t bits = bucket_of(region->start[i]) &
			(uint8_t)~map[region->base + i];

		region->start[i] = 0;
		if (bits == 0)
			continue;
		scan->features[scan->n].counter = region->base + i;
		scan->features[scan->n].buckets = bits;
		scan->n++;
	}
}

/* Scans n counters at an offset, as the only region. */
static void
way_compare(scan_skip *way, const char *name, uint32_t n, size_t offset,
	struct prng *prng)
{
	static uint8_t copy[WAY_PAGES], *bytes, *map;
	static struct scan scan, plain;
	struct counter_region *region = &counters_get()->regions[0];

	if (bytes == NULL) {
		assert_true(scan_init(&scan) && scan_init(&plain));
		bytes = fenced();
		map = fenced();
	}
	region->n = n;
	region->base = prng_u32n(prng, (uint32_t)WAY_PAGES - n + 1);
	if (offset + n == WAY_PAGES)
		region->base = (uint32_t)WAY_PAGES - n;
	memset(bytes, 0x55, WAY_PAGES);
	way_fill(bytes + offset, map + region->base, n, prng);
	memcpy(copy, bytes, WAY_PAGES);
	region->start = bytes + offset;
	scan.skip = way;
	scan_collect(&scan, map);
	region->start = copy + offset;
	way_expect(&plain, region, map);
	if (memcmp(copy, bytes, WAY_PAGES) != 0 || scan.n != plain.n ||
		memcmp(scan.features, plain.features,
			scan.n * sizeof(*scan.features)) != 0)
		fail_msg("%s is wrong on %u counters at %zu", name, n, offset);
	for (uint32_t i = 0; i < scan.n; i++)
		assert_ptr_equal(scan.counters[i],
			bytes + offset + scan.features[i].counter -
				region->base);
}

/* All variants that this processor has give the same result. */
static void
test_ways(void **state)
{
	struct counters saved = *counters_get();
	struct prng prng;

	prng_init(&prng, 3, 1);
	counters_get()->n = 1;
	for (size_t i = 0; i < N(WAYS); i++) {
		scan_skip *way = scan_skip_get(WAYS[i].way);

		if (way == NULL) {
			print_message("no %s here\n", WAYS[i].name);
			continue;
		}
		for (uint32_t n = 0; n <= 700; n++) {
			way_compare(way, WAYS[i].name, n, n % 67, &prng);
			way_compare(way, WAYS[i].name, n, WAY_PAGES - n, &prng);
		}
		for (int round = 0; round < 200; round++) {
			uint32_t n = prng_u32n(&prng, (uint32_t)WAY_PAGES + 1);

			way_compare(way, WAYS[i].name, n, WAY_PAGES - n, &prng);
		}
	}
	*counters_get() = saved;
	assert_non_null(scan_skip_get(SCAN_PLAIN));
	assert_non_null(scan_skip_get(SCAN_VECTORS));
}

/* With more features than fit, the first ones count and all are cleared. */
static void
test_full(void **state)
{
	static uint8_t bytes[SCAN_FEATURES_MAX + 100];
	static uint8_t map[sizeof(bytes)], zeros[sizeof(bytes)];
	struct counters saved = *counters_get();
	struct scan scan;

	assert_true(scan_init(&scan));
	counters_get()->n = 1;
	counters_get()->regions[0].start = bytes;
	counters_get()->regions[0].n = sizeof(bytes);
	for (size_t i = 0; i < N(WAYS); i++) {
		scan.skip = scan_skip_get(WAYS[i].way);
		if (scan.skip == NULL)
			continue;
		memset(bytes, 1, sizeof(bytes));
		assert_int_equal(scan_collect(&scan, map), SCAN_FEATURES_MAX);
		for (uint32_t k = 0; k < SCAN_FEATURES_MAX; k++)
			assert_int_equal(scan.features[k].counter, k);
		assert_memory_equal(bytes, zeros, sizeof(bytes));
	}
	*counters_get() = saved;
}

static void
test_hits(void **state)
{
	static uint32_t edges[8192], expected[8192];
	static uint8_t counters[8192];
	struct prng prng;

	prng_init(&prng, 4, 1);
	for (int round = 0; round < 100; round++) {
		uint32_t n = 0, max = prng_u32n(&prng, 8192);

		fill(counters, prng_u32n(&prng, 101), &prng);
		for (uint32_t i = 0; i < total; i++) {
			if (counters[i] != 0)
				expected[n++] = i;
		}
		assert_int_equal(scan_edges_hit(edges, 8192), n);
		assert_memory_equal(edges, expected, n * sizeof(edges[0]));
		if (max > n)
			max = n;
		memset(edges, 0, sizeof(edges));
		assert_int_equal(scan_edges_hit(edges, max), max);
		assert_memory_equal(edges, expected, max * sizeof(edges[0]));
		assert_int_equal(edges[max], 0);
	}
	/* No counter was cleared. */
	assert_false(all_clear());
	scan_clear();
	assert_true(all_clear());
	assert_int_equal(scan_edges_hit(edges, 8192), 0);
}

/* A quiet region is neither read nor cleared. */
static void
test_quiet(void **state)
{
	static uint8_t map[8192];
	struct scan scan;
	uint32_t hit;

	assert_true(scan_init(&scan));
	regions[5]->quiet = true;
	regions[5]->start[3] = 1;
	regions[6]->start[3] = 1;
	assert_int_equal(scan_edges_hit(&hit, 1), 1);
	assert_int_equal(hit, regions[6]->base + 3);
	assert_int_equal(scan_collect(&scan, map), 1);
	assert_int_equal(scan.features[0].counter, regions[6]->base + 3);
	scan_clear();
	assert_int_equal(regions[5]->start[3], 1);
	regions[5]->quiet = false;
	assert_int_equal(scan_collect(&scan, map), 1);
	assert_int_equal(scan.features[0].counter, regions[5]->base + 3);
	assert_true(all_clear());
}

/*
 * In a region with marks, only marked blocks are read. The last one is a part
 * of a block, and what lies behind it is not the region's.
 */
static void
test_marks(void **state)
{
	enum {
		LEN = 128 * COUNTERS_BLOCK + 7
	};
	static uint8_t bytes[LEN + 1], zeros[LEN], map[LEN];
	uint64_t touched[3] = { 0 };
	struct counters saved = *counters_get();
	struct counter_region *region = &counters_get()->regions[0];
	struct scan scan;
	uint32_t edges[4];

	assert_true(scan_init(&scan));
	counters_get()->n = 1;
	region->start = bytes;
	region->n = LEN;
	region->touched = touched;
	bytes[LEN] = 2;
	for (int round = 0; round < 2; round++) {
		static const uint32_t AT[] = { 5, 63, 64 * 64, LEN - 1 };

		for (size_t i = 0; i < N(AT); i++) {
			bytes[AT[i]] = 2;
			touched[AT[i] / 4096] |= 1ull << AT[i] / 64 % 64;
		}
		assert_int_equal(scan_edges_hit(edges, 4), 4);
		assert_memory_equal(edges, AT, sizeof(AT));
		if (round == 0) {
			assert_int_equal(scan_collect(&scan, map), 4);
			for (size_t i = 0; i < N(AT); i++)
				assert_int_equal(scan.features[i].counter,
					AT[i]);
		} else {
			scan_clear();
		}
		assert_memory_equal(bytes, zeros, LEN);
		assert_int_equal(bytes[LEN], 2);
		assert_int_equal(touched[0] | touched[1] | touched[2], 0);
	}
	bytes[7] = 1;
	assert_int_equal(scan_collect(&scan, map), 0);
	*counters_get() = saved;
}

static void
test_confirm(void **state)
{
	static uint8_t counters[8192], map[8192];
	struct scan scan;
	struct prng prng;
	uint32_t before;

	prng_init(&prng, 2, 1);
	memset(map, 0, sizeof(map));
	assert_true(scan_init(&scan));
	fill(counters, 50, &prng);
	before = scan_collect(&scan, map);
	assert_true(before > 100);
	/* The same counts again, except for one counter. */
	for (uint32_t i = 0; i < scan.n; i++)
		*scan.counters[i] = (uint8_t)scan.features[i].buckets;
	assert_true((scan_missing(&scan, 1) == 0));
	*scan.counters[5] = 0;
	assert_false((scan_missing(&scan, 1) == 0));
	assert_int_equal(scan_confirm(&scan), 1);
	assert_int_equal(scan.n, before - 1);
	assert_true(all_clear());
}

static void
test_load(void **state)
{
	struct feature features[2] = { { 0, 1 }, { 0, 4 } };
	struct scan scan;

	assert_true(scan_init(&scan));
	features[1].counter = total - 1;
	assert_true(scan_load(&scan, features, 2));
	assert_false((scan_missing(&scan, 1) == 0));
	*regions[0]->start = 1;
	regions[N(LENS) - 1]->start[LENS[N(LENS) - 1] - 1] = 5;
	assert_true((scan_missing(&scan, 1) == 0));
	scan_clear();
	assert_true(all_clear());
	features[1].counter = total;
	assert_false(scan_load(&scan, features, 2));
	features[1].counter = UINT32_MAX;
	assert_false(scan_load(&scan, features, 2));
}

static void
test_guards(void **state)
{
	static uint32_t guards[10];
	const struct counter_region *region;

	__sanitizer_cov_trace_pc_guard_init(guards, guards + 10);
	__sanitizer_cov_trace_pc_guard_init(guards, guards + 10);
	assert_int_equal(counters_get()->n, N(LENS) + 1);
	region = &counters_get()->regions[N(LENS)];
	assert_int_equal(region->n, 10);
	assert_int_equal(region->kind, COUNTERS_GUARD);
	for (int i = 0; i < 1000; i++)
		__sanitizer_cov_trace_pc_guard(&guards[9]);
	__sanitizer_cov_trace_pc_guard(&guards[0]);
	assert_int_equal(region->start[0], 1);
	assert_int_equal(region->start[9], 255);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_collect),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_hits),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_confirm),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_guards),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
