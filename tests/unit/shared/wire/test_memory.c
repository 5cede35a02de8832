/* test_memory: the layout, and reading damaged rings of new inputs. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shared/prng.h"
#include "shared/wire/memory.h"

#define MAX_LEN 100u

static const uint32_t MAX_LENS[] = { 1, 2, 100, 4095, 4096, 4097, 1u << 20,
	1u << 30 };

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void
test_layout(void **state)
{
	for (size_t i = 0; i < N(MAX_LENS); i++) {
		struct worker_layout l;
		size_t largest;

		worker_layout_init(&l, MAX_LENS[i]);
		largest = ring_record_size(&(struct ring_record){
			.len = (uint32_t)l.value_size,
			.features_n = MEMORY_KEEP_MAX,
			.mutations_n = MEMORY_MUTATIONS_MAX,
			.edges_hit_n = MEMORY_EDGES_HIT_MAX,
			.unstable_n = MEMORY_KEEP_MAX,
			.literals_n = MEMORY_LITERALS_MAX,
		});
		assert_true(l.value_offset >= sizeof(struct worker_head));
		assert_true(l.value_size >= 2 * (size_t)MAX_LENS[i]);
		assert_true(l.best_offset == l.value_offset + l.value_size);
		assert_true(l.keep_offset == l.best_offset + l.best_size);
		assert_true(l.keep_size >=
			MEMORY_KEEP_MAX * sizeof(struct feature));
		assert_true(l.ring_offset == l.keep_offset + l.keep_size);
		assert_true(l.ring_size >= 2 * largest);
		assert_true(l.ring_size >= 256u << 10);
		assert_true(l.log_offset == l.ring_offset + l.ring_size);
		assert_int_equal(l.value_offset % 4096, 0);
		assert_int_equal(l.best_offset % 4096, 0);
		assert_int_equal(l.keep_offset % 4096, 0);
		assert_int_equal(l.ring_offset % 4096, 0);
	}
}

static void
test_record_size(void **state)
{
	static const struct {
		uint32_t len, features, mutations, edges_hit, literals;
		uint64_t size;
	} CASES[] = {
		{ 0, 0, 0, 0, 0, 56 },
		{ 1, 0, 0, 0, 0, 64 },
		{ 8, 0, 0, 0, 0, 64 },
		{ 0, 1, 0, 0, 0, 64 },
		{ 0, 0, 1, 0, 0, 72 },
		{ 8, 0, 1, 0, 0, 80 },
		{ 4, 0, 0, 1, 0, 64 },
		{ 1, 0, 0, 1, 3, 64 },
		{ 0, 0, 0, 0, MEMORY_LITERALS_MAX, 56 + MEMORY_LITERALS_MAX },
		{ 0, 0, 0, 0, MEMORY_LITERALS_MAX + 1, 56 },
		{ UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0,
			56 + 29ull * UINT32_MAX + 3 },
	};

	for (size_t i = 0; i < N(CASES); i++) {
		uint64_t size = ring_record_size(&(struct ring_record){
			.len = CASES[i].len,
			.features_n = CASES[i].features,
			.mutations_n = CASES[i].mutations,
			.edges_hit_n = CASES[i].edges_hit,
			.literals_n = CASES[i].literals,
		});

		assert_true(size >= CASES[i].size && size % 8 == 0);
		assert_true(size - CASES[i].size < 8);
	}
}

/* A ring of n new inputs; number k has k bytes, k + 1 features, k mutations, k
 * edges hit, and k literal bytes. */
static size_t
build_ring(uint8_t *ring, uint32_t n)
{
	size_t used = 0;

	for (uint32_t k = 0; k < n; k++) {
		struct ring_record record = {
			.len = k,
			.features_n = k + 1,
			.mutations_n = k,
			.edges_hit_n = k,
			.unstable_n = k,
			.literals_n = k,
		};
		uint8_t *at = ring + used;

		record.size = ring_record_size(&record);
		memset(at, 0, record.size);
		memcpy(at, &record, sizeof(record));
		at += sizeof(record);
		for (uint32_t i = 0; i <= k; i++) {
			struct feature feature = { i, k };

			memcpy(at, &feature, sizeof(feature));
			at += sizeof(feature);
		}
		for (uint32_t i = 0; i < k; i++) {
			struct mutation step = { .op = 1, .offset = i };

			memcpy(at, &step, sizeof(step));
			at += sizeof(step);
		}
		for (uint32_t i = 0; i < k; i++) {
			memcpy(at, &i, sizeof(i));
			at += sizeof(i);
		}
		for (uint32_t i = 0; i < k; i++) {
			uint32_t gone = 1000 + i;

			memcpy(at, &gone, sizeof(gone));
			at += sizeof(gone);
		}
		memset(at, 255 - (int)k, k);
		memset(at + k, (int)k, k);
		used += record.size;
	}
	return used;
}

static void
test_find_next(void **state)
{
	_Alignas(8) static uint8_t ring[65536];
	size_t used = build_ring(ring, 20), offset = 0;
	struct ring_input find;
	bool damaged;

	for (uint32_t k = 0; k < 20; k++) {
		assert_true(ring_next(ring, used, &offset, MAX_LEN, &find,
			&damaged));
		assert_int_equal(find.record.len, k);
		assert_int_equal(find.features[k].counter, k);
		assert_int_equal(find.features[k].buckets, k);
		if (k > 0) {
			assert_int_equal(find.mutations[k - 1].offset, k - 1);
			assert_int_equal(find.edges_hit[k - 1], k - 1);
			assert_int_equal(find.unstable[k - 1], 999 + k);
			assert_int_equal(find.literals[0], 255 - k);
			assert_int_equal(find.literals[k - 1], 255 - k);
			assert_int_equal(find.bytes[0], k);
			assert_int_equal(find.bytes[k - 1], k);
		}
	}
	assert_false(ring_next(ring, used, &offset, MAX_LEN, &find, &damaged));
	assert_false(damaged);
}

static void
test_find_next_cut(void **state)
{
	_Alignas(8) static uint8_t ring[65536];
	size_t used = build_ring(ring, 3);

	for (size_t cut = 0; cut < used; cut++) {
		struct ring_input find;
		size_t offset = 0, n = 0;
		bool damaged;

		while (ring_next(ring, cut, &offset, MAX_LEN, &find, &damaged))
			n++;
		assert_true(n < 3);
		assert_true(damaged == (offset != cut));
	}
}

/* Reads all that a find points to, for the sanitizer to check. */
static uint64_t
touch(const struct ring_input *find)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < find->record.features_n; i++)
		sum += find->features[i].counter + find->features[i].buckets;
	for (uint32_t i = 0; i < find->record.mutations_n; i++)
		sum += find->mutations[i].op + find->mutations[i].len;
	for (uint32_t i = 0; i < find->record.edges_hit_n; i++)
		sum += find->edges_hit[i];
	for (uint32_t i = 0; i < find->record.unstable_n; i++)
		sum += find->unstable[i];
	if (find->literals != NULL)
		for (uint32_t i = 0; i < find->record.literals_n; i++)
			sum += find->literals[i];
	for (uint32_t i = 0; i < find->record.len; i++)
		sum += find->bytes[i];
	return sum;
}

static void
test_find_next_damaged(void **state)
{
	static const uint64_t EDGES[] = { 0, 1, 7, 8, 80, 81, 65535, 65536,
		65537, INT32_MAX, UINT32_MAX, UINT32_MAX - 7, UINT64_MAX,
		UINT64_MAX - 71, 1ull << 63 };
	struct prng prng;
	volatile uint64_t sum = 0;

	prng_init(&prng, 1, 1);
	for (int round = 0; round < 200000; round++) {
		size_t room = 80 + prng_intn(&prng, 2000);
		/* Exactly this size, so that a sanitizer sees any excess. */
		uint8_t *ring = calloc(1, room + 4096);
		uint8_t *exact;
		size_t used, offset = 0, n = 0;
		struct ring_input find;
		bool damaged;

		assert_non_null(ring);
		used = build_ring(ring, 1 + prng_u32n(&prng, 4));
		if (used > room)
			used = room;
		exact = malloc(used);
		assert_non_null(exact);
		memcpy(exact, ring, used);
		free(ring);
		for (uint32_t i = prng_u32n(&prng, 6); i > 0; i--) {
			size_t at = prng_intn(&prng, used);

			if (prng_bool(&prng) && used >= 8) {
				at = prng_intn(&prng, used / 8) * 8;
				memcpy(exact + at,
					&EDGES[prng_intn(&prng, N(EDGES))],
					prng_bool(&prng) ? 8 : 4);
			} else {
				exact[at] = (uint8_t)prng_u32(&prng);
			}
		}
		while (n < 10000 &&
			ring_next(exact, used, &offset, MAX_LEN, &find,
				&damaged)) {
			sum += touch(&find);
			n++;
		}
		assert_true(offset <= used);
		assert_true(n < 10000);
		free(exact);
	}
	(void)sum;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_record_size),
		cmocka_unit_test(test_find_next),
		cmocka_unit_test(test_find_next_cut),
		cmocka_unit_test(test_find_next_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
