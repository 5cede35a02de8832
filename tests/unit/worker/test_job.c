/*
 * test_job: the owner of a job is read as the kind that was set; a job asks for
 * the part of a PC table that is missing.
 */
#include "worker/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/pc_table.h"

/* The address of an owner; no owner is ever read here. */
static void *
address(struct job *job)
{
	return job;
}

/* The number of kinds as which the owner can be read. */
static int
readings(const struct job *job)
{
	return (job_owner_entry(job) != NULL) +
		(job_owner_finding(job) != NULL) +
		(job_owner_trim(job) != NULL) +
		(job_owner_module(job) != NULL) +
		(job_owner_cmin_input(job) != NULL) +
		(job_owner_check_item(job) != NULL);
}

static void
test_none(void **state)
{
	struct job job = { .kind = JOB_FUZZ };

	assert_int_equal(readings(&job), 0);
}

static void
test_kinds(void **state)
{
	struct job job = { .kind = JOB_FUZZ };

	job_set_entry(&job, address(&job));
	assert_ptr_equal(job_owner_entry(&job), &job);
	assert_int_equal(readings(&job), 1);
	job_set_finding(&job, address(&job));
	assert_ptr_equal(job_owner_finding(&job), &job);
	assert_int_equal(readings(&job), 1);
	job_set_trim(&job, address(&job));
	assert_ptr_equal(job_owner_trim(&job), &job);
	assert_int_equal(readings(&job), 1);
	job_set_module(&job, address(&job));
	assert_ptr_equal(job_owner_module(&job), &job);
	assert_int_equal(readings(&job), 1);
	job_set_cmin_input(&job, address(&job));
	assert_ptr_equal(job_owner_cmin_input(&job), &job);
	assert_int_equal(readings(&job), 1);
	job_set_check_item(&job, address(&job));
	assert_ptr_equal(job_owner_check_item(&job), &job);
	assert_int_equal(readings(&job), 1);
}

/* What is asked for is what is not known yet. */
static void
test_table(void **state)
{
	struct pc_table_module module = {
		.key = 7,
		.n = 100,
		.base = 40,
		.known = 32,
	};
	struct job job = { .kind = JOB_FUZZ };

	job_ask_table(&job, &module);
	assert_int_equal(job.kind, JOB_PC_TABLE);
	assert_int_equal(job.module.key, 7);
	assert_int_equal(job.module.n, 100);
	assert_int_equal(job.module.base, 40);
	assert_int_equal(job.first, 32);
	assert_ptr_equal(job_owner_module(&job), &module);
	assert_int_equal(readings(&job), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
