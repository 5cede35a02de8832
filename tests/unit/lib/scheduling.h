/*
 * scheduling: an engine with one entry and one worker, without processes, that
 * is asked for jobs. A failure ends the test.
 */
#ifndef CFUZZ_TESTS_SCHEDULING_H
#define CFUZZ_TESTS_SCHEDULING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine_private.h"

#define SCHEDULING_MAX_LEN 4096u
#define SCHEDULING_COUNTERS 100u

struct scheduling {
	struct engine *e;
	struct slot *slot;
	struct corpus_entry *entry; /* of 100 bytes */
};

#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, scheduling_open, scheduling_close)

/* Set-up and tear-down; *state is a struct scheduling. */
int scheduling_open(void **state);
int scheduling_close(void **state);

/* Adds an entry with new bytes. */
struct corpus_entry *scheduling_add(struct scheduling *f, size_t len);
/* Changes a setting, as an option does. */
void scheduling_set(struct scheduling *f, const char *name, const char *value);
/* Takes the next job, which must be of this kind. */
struct job scheduling_take(struct scheduling *f, enum job_kind kind);

/* A test for a row of a table: its *state is the row. */
struct CMUnitTest scheduling_row(const char *name, CMUnitTestFunction function,
	const void *row);

#endif
