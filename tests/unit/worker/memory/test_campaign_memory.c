#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/own_memory.h"
#include "worker/memory/campaign_memory.h"

static void
test_modules(void **state)
{
	struct campaign_memory *m = *state;
	uint32_t i;

	assert_true(campaign_memory_add_module(m, 1, 100));
	assert_true(campaign_memory_add_module(m, 2, 50));
	/* Known modules keep their counters. */
	assert_true(campaign_memory_add_module(m, 1, 100));
	assert_int_equal(m->head->modules_n, 2);
	assert_int_equal(m->head->counters, 150);
	assert_int_equal(m->head->modules[1].base, 100);
	/* The same key with another size is another module. */
	assert_true(campaign_memory_add_module(m, 1, 101));
	assert_int_equal(m->head->modules[2].base, 150);
	/* No room: known, but without counters. */
	assert_false(campaign_memory_add_module(m, 9, MEMORY_COUNTERS_MAX));
	assert_int_equal(m->head->modules[3].base, UINT32_MAX);
	assert_false(campaign_memory_add_module(m, 9, MEMORY_COUNTERS_MAX));
	for (i = m->head->modules_n; i < MEMORY_MODULES_MAX; i++)
		assert_true(campaign_memory_add_module(m, 100 + i, 1));
	assert_false(campaign_memory_add_module(m, 7777, 1));
}

static void
test_merge(void **state)
{
	struct campaign_memory *m = *state;
	const struct feature first[] = { { 0, 1 }, { 5, 0x82 } };
	const struct feature again[] = { { 5, 0x83 }, { 150, 1 },
		{ UINT32_MAX, 0xff }, { 6, 0xffffff00 } };

	assert_true(campaign_memory_add_module(m, 1, 100));
	assert_int_equal(campaign_memory_merge(m, first, 2), 3);
	assert_int_equal(campaign_memory_merge(m, first, 2), 0);
	assert_int_equal(m->counters_hit, 2);
	/* Invalid counters and bits are ignored. */
	assert_int_equal(campaign_memory_merge(m, again, 4), 1);
	assert_int_equal(m->bits, 4);
	assert_int_equal(m->counters_hit, 2);
}

static void
test_arena(void **state)
{
	struct campaign_memory *m = *state;
	const struct campaign_entry *entries;
	uint8_t data[OWN_MEMORY_MAX_LEN + 1] = { 1, 2, 3 };
	uint32_t i, index;

	assert_int_equal(campaign_memory_add_entry(m, data, 3), 0);
	assert_int_equal(campaign_memory_add_entry(m, NULL, 0), 1);
	assert_int_equal(campaign_memory_add_entry(m, data,
				 OWN_MEMORY_MAX_LEN + 1),
		MEMORY_NO_ENTRY);
	entries = (const void *)(m->sealed.map + m->head->entries_offset);
	assert_int_equal(entries[0].len, 3);
	assert_memory_equal(m->sealed.map + entries[0].offset, data, 3);
	assert_int_equal(entries[1].len, 0);
	for (i = 0; i < OWN_MEMORY_ARENA / OWN_MEMORY_MAX_LEN + 2; i++)
		index = campaign_memory_add_entry(m, data, OWN_MEMORY_MAX_LEN);
	assert_int_equal(index, MEMORY_NO_ENTRY);
	assert_true(m->arena_used <= OWN_MEMORY_ARENA);
}

/* Others can only read through the descriptor. */
static void
test_seals(void **state)
{
	struct campaign_memory *m = *state;
	void *map;

	assert_int_equal(ftruncate(m->sealed.fd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(pwrite(m->sealed.fd, "x", 1, 0), -1);
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, m->sealed.fd,
		0);
	assert_ptr_equal(map, MAP_FAILED);
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, m->sealed.fd, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mprotect(map, 4096, PROT_READ | PROT_WRITE), -1);
	/* The owner's writes are visible there. */
	campaign_memory_end_call(m, 3, 42);
	campaign_memory_set_paused(m, 3, true);
	munmap(map, 4096);
	map = mmap(NULL, sizeof(struct campaign_head), PROT_READ, MAP_SHARED,
		m->sealed.fd, 0);
	assert_int_equal(((struct campaign_head *)map)->slots[3].end_seq, 42);
	assert_int_equal(((struct campaign_head *)map)->slots[3].paused, 1);
	munmap(map, sizeof(struct campaign_head));
}

/* An excluded counter keeps its bits; the log has each new bit once. */
static void
test_bits(void **state)
{
	struct campaign_memory *m = *state;
	const struct feature features[] = { { 3, 1 }, { 4, 6 }, { 3, 1 },
		{ 9, 0x1ff }, { 12, 1 }, { 3, 3 } };
	size_t n;

	assert_true(campaign_memory_add_module(m, 1, 10));
	assert_true(
		campaign_memory_add_module(m, MEMORY_VALUE_PROFILE_KEY, 10));
	m->log.now_s = 2.5;
	assert_int_equal(campaign_memory_merge(m, features, 6), 12);
	assert_int_equal(campaign_memory_bits(m, 3), 3);
	assert_int_equal(campaign_memory_bits(m, 4), 6);
	assert_int_equal(campaign_memory_bits(m, 9), 0xff);
	assert_int_equal(campaign_memory_bits(m, 12), 0);
	assert_int_equal(campaign_memory_bits(m, 20), 0);
	assert_true(coverage_log_since(&m->log, 1, &n));
	assert_int_equal(n, 4);
	assert_int_equal(coverage_log_get(&m->log, 2)->counter, 3);
	assert_true(coverage_log_get(&m->log, 2)->first);
	assert_int_equal(coverage_log_get(&m->log, 4)->bits, 0xff);
	assert_int_equal(coverage_log_get(&m->log, 5)->bits, 2);
	assert_false(coverage_log_get(&m->log, 5)->first);
	assert_true(coverage_log_get(&m->log, 5)->at_s == 2.5);
	for (int i = 0; i < 3; i++) {
		campaign_memory_mark_unstable(m, 4);
		campaign_memory_mark_unstable(m, 5);
		campaign_memory_mark_unstable(m, 12);
	}
	assert_int_equal(campaign_memory_bits(m, 4), 6);
	assert_int_equal(campaign_memory_bits(m, 5), 0);
	assert_int_equal(campaign_memory_bits(m, 12), 0);
	assert_int_equal(campaign_memory_merge(m, features + 1, 1), 0);
	assert_int_equal(coverage_log_revision(&m->log), 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_modules, own_memory_open,
			own_memory_close),
		cmocka_unit_test_setup_teardown(test_merge, own_memory_open,
			own_memory_close),
		cmocka_unit_test_setup_teardown(test_bits, own_memory_open,
			own_memory_close),
		cmocka_unit_test_setup_teardown(test_arena, own_memory_open,
			own_memory_close),
		cmocka_unit_test_setup_teardown(test_seals, own_memory_open,
			own_memory_close),
	};

	return cmocka_run_group_tests_name("campaign_memory", tests, NULL,
		NULL);
}
