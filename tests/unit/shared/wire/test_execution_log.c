/* test_execution_log: valid records, and records that a target may write. */

#include "shared/wire/execution_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct size_row {
	const char *name;
	uint32_t n, literals_n, raw_n;
	size_t size;
	bool fits; /* is such a record valid? */
} SIZES[] = {
	{ "nothing", 0, 0, 0, 48, true },
	{ "a step", 1, 0, 0, 64, true },
	{ "a literal byte", 1, 1, 0, 72, true },
	{ "bytes", 0, 0, 9, 64, true },
	{ "all steps", EXEC_LOG_MUTATIONS_MAX, 0, 0, 48 + 1024, true },
	{ "too many steps", EXEC_LOG_MUTATIONS_MAX + 1, 0, 0, 48 + 1040, false },
	{ "the largest bytes", 0, 0, EXEC_LOG_RAW_MAX, 48 + EXEC_LOG_RAW_MAX, true },
	{ "larger bytes", 0, 0, EXEC_LOG_RAW_MAX + 1, 56 + EXEC_LOG_RAW_MAX, false },
	{ "too many literals", 0, EXEC_LOG_HALF + 1, 0, 56 + EXEC_LOG_HALF, false },
	{ "great numbers", UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, false },
};
/* clang-format on */

static void
test_sizes(void **state)
{
	size_t room = 2 * EXEC_LOG_HALF;
	uint8_t *records = calloc(1, room);

	assert_non_null(records);
	for (size_t i = 0; i < sizeof(SIZES) / sizeof(*SIZES); i++) {
		const struct size_row *row = &SIZES[i];
		const struct exec_log_record record = {
			.n = row->n,
			.literals_n = row->literals_n,
			.raw_n = row->raw_n,
		};
		struct exec_log_item item;
		size_t offset = 0;

		memcpy(records, &record, sizeof(record));
		assert_int_equal(exec_log_next(records, room, &offset, &item),
			row->fits);
		assert_int_equal(offset, row->fits ? row->size : 0);
		if (row->size > 0)
			assert_int_equal(exec_log_record_size(&record),
				row->size);
		if (!row->fits)
			continue;
		assert_ptr_equal(item.mutations, records + 48);
		assert_ptr_equal(item.literals, records + 48 + row->n * 16);
		assert_ptr_equal(item.raw, item.literals + row->literals_n);
		/* One byte less than the record takes. */
		offset = 0;
		assert_false(
			exec_log_next(records, row->size - 1, &offset, &item));
		assert_int_equal(offset, 0);
	}
	free(records);
}

static void
test_rows(void **state)
{
	struct exec_log_record records[3] = { { .origin.parent = 1 },
		{ .origin.parent = 2 }, { .origin.parent = 3 } };
	struct exec_log_item item;
	size_t offset = 0;

	for (uint32_t i = 1; i <= 3; i++) {
		assert_true(exec_log_next((const uint8_t *)records,
			sizeof(records), &offset, &item));
		assert_int_equal(item.record.origin.parent, i);
	}
	assert_false(exec_log_next((const uint8_t *)records, sizeof(records),
		&offset, &item));
	/* Behind the end there is no record either. */
	offset = sizeof(records) + 8;
	assert_false(exec_log_next((const uint8_t *)records, sizeof(records),
		&offset, &item));
}

static void
test_bits(void **state)
{
	assert_true(exec_log_has(1, 3, 0));
	assert_false(exec_log_has(1, 3, 1));
	assert_true(exec_log_has(8, 3, 3));
	/* Bit 0 also stands for the maximum of mutations. */
	assert_false(exec_log_has(1, EXEC_LOG_MUTATIONS_MAX, 0));
	assert_true(exec_log_has(1, EXEC_LOG_MUTATIONS_MAX,
		EXEC_LOG_MUTATIONS_MAX));
	assert_false(exec_log_has(2, EXEC_LOG_MUTATIONS_MAX,
		EXEC_LOG_MUTATIONS_MAX));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
