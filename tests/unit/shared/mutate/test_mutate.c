/*
 * test_mutate: the byte mutators against the reference's results; they touch no
 * more than necessary.
 */

#include "shared/mutate/mutate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/vectors.h"

#define LOGICAL_CAP ((size_t)100 << 20)

static void
check_case(size_t i, const json_t *row)
{
	uint8_t data[16384], want[16384];
	const char *out = json_string_value(json_object_get(row, "out"));
	struct prng p, after = vectors_prng(json_object_get(row, "after"));
	enum mutate_op op = (enum mutate_op)vectors_number(row, "index");
	struct mutable m = { .data = data, .cap = vectors_number(row, "cap") };
	struct mutation done = { 0 };
	size_t before, len;
	bool accepted;

	m.len = before =
		vectors_hex(vectors_text(row, "in"), data, sizeof(data));
	prng_init(&p, vectors_number(row, "seed"), 1);
	accepted = mutate_apply(op, &m, &p, &done);
	row_check(accepted == (out != NULL), "case %zu", i);
	row_check(p.state == after.state, "case %zu", i);
	len = vectors_hex(out ? out : vectors_text(row, "in"), want,
		sizeof(want));
	row_check(m.len == len && memcmp(data, want, len) == 0, "case %zu", i);
	row_check(m.len <= mutate_room(before, m.cap), "case %zu", i);
	if (!accepted)
		return;
	row_check(done.op == op && done.arg == 0, "case %zu", i);
	row_check(done.len > 0, "case %zu", i);
	row_check(op == MUTATE_REMOVE || done.offset + done.len <= m.len,
		"case %zu", i);
}

static void
test_each_mutator(void **state)
{
	size_t i;
	json_t *row;

	assert_int_equal(json_array_size(vectors_get("byte_mutators")), 972);
	json_array_foreach((json_t *)vectors_get("byte_mutators"), i, row)
		check_case(i, row);
}

static void
test_names(void **state)
{
	for (unsigned op = 0; op < MUTATE_N; op++)
		assert_true(strlen(mutate_name(op)) > 1);
	assert_string_equal(mutate_name(MUTATE_REMOVE), "remove bytes");
	assert_string_equal(mutate_name(MUTATE_N), "?");
}

static void
test_nothing_to_mutate(void **state)
{
	uint8_t byte;
	struct mutable m = { .data = &byte, .len = 0, .cap = 1 };
	struct prng p, before;
	struct mutation done;

	prng_init(&p, 1, 1);
	before = p;
	assert_false(mutate_bytes(&m, &p, &done));
	assert_memory_equal(&p, &before, sizeof(p));
	m.cap = 2;
	assert_true(mutate_bytes(&m, &p, &done));
	assert_int_equal(m.len, 1);
	assert_int_equal(done.op, MUTATE_INSERT_RANDOM);
	assert_false(mutate_apply(MUTATE_N, &m, &p, &done));
}

static void
test_room(void **state)
{
	static const struct {
		size_t len, cap, room;
	} rows[] = {
		{ 0, 0, 0 },
		{ 0, 100, 100 },
		{ 10, 5, 10 },
		{ 10, LOGICAL_CAP, 4106 },
		{ 10000, LOGICAL_CAP, 20000 },
		{ 10000, 15000, 15000 },
		{ SIZE_MAX / 2 + 9, SIZE_MAX, SIZE_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(mutate_room(rows[i].len, rows[i].cap) == rows[i].room,
			"row %zu", i);
}

/* A buffer whose room ends at a page that must not be touched. */
static uint8_t *
guarded_room(size_t room, size_t *size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *map;

	*size = (room + page - 1) / page * page;
	map = mmap(NULL, *size + page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(map != MAP_FAILED);
	assert_int_equal(mprotect(map + *size, page, PROT_NONE), 0);
	*size += page;
	return map;
}

/* A capacity of 100 MiB costs no more memory than mutate_room(). */
static void
test_large_capacity_is_free(void **state)
{
	static const size_t lens[] = { 0, 1, 2, 10, 100, 1000, 10000 };
	struct prng p;

	prng_init(&p, 123, 1);
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		size_t room = mutate_room(lens[i], LOGICAL_CAP), size;
		uint8_t *map = guarded_room(room, &size);
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		uint8_t *data = map + size - page - room;

		for (int round = 0; round < 2000; round++) {
			struct mutable m = { data, lens[i], LOGICAL_CAP };
			struct mutation done;

			assert_true(mutate_bytes(&m, &p, &done));
			row_check(m.len <= room, "length %zu", lens[i]);
		}
		munmap(map, size);
	}
}

/* The bytes stay within the capacity for any random numbers. */
static void
test_small_capacities(void **state)
{
	struct prng p;

	prng_init(&p, 5, 1);
	for (size_t cap = 2; cap < 40; cap++) {
		uint8_t *data = malloc(cap);
		struct mutable m = { data, 0, cap };
		struct mutation done;

		for (int round = 0; round < 5000; round++) {
			assert_true(mutate_bytes(&m, &p, &done));
			assert_true(m.len < cap);
		}
		free(data);
	}
}

/* Content at least as long as its capacity changes, but does not grow. */
static void
test_full_buffer(void **state)
{
	uint8_t data[] = "abcdefgh";
	struct prng p;

	prng_init(&p, 11, 1);
	for (int round = 0; round < 2000; round++) {
		struct mutable m = { data, 8, 3 };
		struct mutation done;

		assert_true(mutate_bytes(&m, &p, &done));
		assert_true(m.len <= 8);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_mutator),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_nothing_to_mutate),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_large_capacity_is_free),
		cmocka_unit_test(test_small_capacities),
		cmocka_unit_test(test_full_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
