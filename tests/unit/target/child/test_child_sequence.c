/*
 * CALL_SEQUENCE and the execution log, with a fork server: many inputs in one
 * child, and the log after its death.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "lib/engine_double.h"
#include "lib/rows.h"

static void
start(struct engine_double *d, const char *name)
{
	const char *path = double_target(name);

	if (path == NULL)
		skip();
	double_start(d, path, NULL);
}

/* Inputs of one byte each; '.' is an empty input. */
static bool
call_sequence(struct engine_double *d, const char *values, uint32_t n)
{
	uint8_t *at = d->worker.map + d->layout.ring_offset;
	uint32_t len;

	for (; *values != '\0'; values++) {
		len = *values != '.';
		memcpy(at, &len, sizeof(len));
		at += sizeof(len);
		if (len > 0)
			*at++ = (uint8_t)*values;
	}
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.fresh = true,
		.parent = MEMORY_NO_ENTRY,
		.limit = n,
		.sequence_n = n };
	return double_call(d);
}

/* clang-format off */
static const struct sequence_row {
	const char *name, *values;
	enum call_end end;
	uint64_t count;
	enum failure_kind failure;
} ROWS[] = {
	{ "fine ones", "1.2345", CALL_DONE, 6, FAILURE_NONE },
	{ "one that is refused", "1-2", CALL_DONE, 3, FAILURE_NONE },
	{ "the last dies", "123a", CALL_RUNNING, 4, FAILURE_SIGNAL },
	{ "one of them dies", "12a34", CALL_RUNNING, 3, FAILURE_SIGNAL },
	{ "one fails, and lives", "12e3", CALL_FAILED, 3, FAILURE_ERROR },
};
/* clang-format on */

static void
test_row(void **state)
{
	const struct sequence_row *row = *state;
	uint32_t n = (uint32_t)strlen(row->values);
	struct engine_double d;

	start(&d, "faults");
	/* Earlier executions have no influence ... */
	assert_true(double_run(&d, "1", 1));
	assert_true(call_sequence(&d, row->values, n));
	assert_int_equal(d.reply.end, row->end);
	assert_int_equal(d.reply.count, row->count);
	assert_int_equal(d.reply.failure.kind, row->failure);
	/* ... nor has the sequence on later ones. */
	assert_true(double_run(&d, "1", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(d.head->log.used[0], 56);
	assert_int_equal(double_stop(&d), 0);
}

/* Lengths that lead out of the area with the inputs. */
static void
test_refused(void **state)
{
	static const uint32_t LENGTHS[] = { UINT32_MAX, 1u << 30, 1u << 24 };
	struct engine_double d;

	start(&d, "empty");
	for (size_t i = 0; i < sizeof(LENGTHS) / sizeof(*LENGTHS); i++) {
		memcpy(d.worker.map + d.layout.ring_offset + 5, &LENGTHS[i],
			sizeof(LENGTHS[i]));
		assert_true(call_sequence(&d, "1", 2));
		assert_int_equal(d.reply.end, CALL_REFUSED);
		assert_int_equal(d.reply.count, 1);
	}
	/* As many inputs as fit. */
	memset(d.worker.map + d.layout.ring_offset, 0, d.layout.ring_size);
	assert_true(call_sequence(&d, "", MEMORY_SEQUENCE_MAX));
	assert_int_equal(d.reply.count, MEMORY_SEQUENCE_MAX);
	assert_int_equal(double_stop(&d), 0);
}

/* The log continues from call to call ... */
static void
test_log(void **state)
{
	const struct exec_log *log;
	struct engine_double d;
	uint32_t used;

	start(&d, "empty");
	log = &d.head->log;
	assert_true(double_run(&d, "1", 1));
	assert_true(double_run(&d, "2", 1));
	assert_int_equal(log->used[0], 2 * 56);
	/* A call with its own start, and mutation stacks without a parent. */
	assert_true(double_fuzz(&d, "", 0, 100));
	used = log->used[0];
	assert_true(used > 2 * 56 + 48);
	assert_true(double_fuzz(&d, "", 0, 100));
	assert_true(log->used[0] > used);
	assert_int_equal(log->turns, 0);
	assert_true(double_fuzz(&d, "", 0, 100000));
	assert_true(log->turns > 1);
	assert_int_equal(double_stop(&d), 0);
}

/* ... until a new child starts. */
static void
test_log_ends(void **state)
{
	struct engine_double d;

	start(&d, "faults");
	assert_true(double_run(&d, "1", 1));
	assert_true(double_run(&d, "2", 1));
	assert_true(double_run(&d, "a", 1));
	assert_true(d.reply.died);
	assert_int_equal(d.head->log.used[0], 2 * 56);
	assert_true(double_run(&d, "1", 1));
	assert_int_equal(d.head->log.used[0], 56);
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_log_ends),
	};

	return rows_run_with("sequence", ROWS_OF(ROWS, name, test_row), others,
		ROWS(others), NULL, NULL);
}
