/* corpus_tables: which worker is asked about a module that an input loads. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/corpus_tables.h"

#define COUNTERS 4u /* of each module */

static void
add_module(struct campaign_head *head, uint64_t key)
{
	head->modules[head->modules_n] = (struct counter_module){
		.key = key,
		.n = COUNTERS,
		.base = head->modules_n * COUNTERS,
	};
	head->modules_n++;
}

/* A worker answers the question; does it know the module? */
static void
answer(struct corpus_tables *t, uint32_t slot, const struct job *job,
	bool knows)
{
	static const struct pc_table_head head = { .n = COUNTERS };
	static const uint64_t pcs[COUNTERS] = { 16, 32, 48, 64 };
	struct worker_result r = { .job = *job };

	if (knows) {
		r.table = &head;
		r.pcs = pcs;
	}
	corpus_tables_take(t, slot, &r);
}

/* The only worker that knows a module waits while another one is asked. */
static void
test_another_is_asked(void **state)
{
	static struct campaign_head head;
	static const struct engine_config config;
	static struct runner runner = { .config = &config,
		.workers_n = 2,
		.memory.head = &head };
	static struct corpus_tables t = { .runner = &runner };
	struct job first, second;

	add_module(&head, 1); /* the program */
	add_module(&head, 2); /* loaded by the worker 0 */
	corpus_tables_note_late(&t, 0);
	assert_true(corpus_tables_next_of(&t, 0, &first));
	assert_int_equal(first.module.key, 1);
	add_module(&head, 3); /* loaded by the worker 1 */
	corpus_tables_note_late(&t, 1);
	assert_true(corpus_tables_next_of(&t, 1, &second));
	assert_int_equal(second.module.key, 2);

	answer(&t, 0, &first, true);
	assert_false(corpus_tables_next_of(&t, 0, &first));
	assert_true(corpus_tables_is_held(&t, 0));
	answer(&t, 1, &second, false);
	assert_true(corpus_tables_next_of(&t, 0, &first));
	assert_int_equal(first.module.key, 2);
	assert_true(corpus_tables_next_of(&t, 1, &second));
	assert_int_equal(second.module.key, 3);
	answer(&t, 0, &first, true);
	answer(&t, 1, &second, true);
	for (uint32_t slot = 0; slot < 2; slot++) {
		assert_false(corpus_tables_next_of(&t, slot, &first));
		assert_false(corpus_tables_is_held(&t, slot));
	}
	assert_false(corpus_tables_await(&t));
	pc_table_clear(&t.table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_another_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
