/*
 * Minimizations under way: how long ended ones are kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/triage/minimize_tasks.h"
#include "lib/whole_engine.h"

#define N (MINIMIZE_TASKS_ENDED + 2u)

static struct engine *
open_engine(void)
{
	struct engine *e = xcalloc(1, sizeof(*e));

	settings_init(&e->settings);
	e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	return e;
}

static void
close_engine(struct engine *e)
{
	minimize_tasks_clear(e);
	corpus_destroy(e->campaign.corpus);
	settings_clear(&e->settings);
	free(e);
}

static struct minimize_task *
begin(struct engine *e, uint8_t number)
{
	const uint8_t data[] = { number, 1, 2, 3 };

	return minimize_tasks_of_entry(e,
		corpus_add(e->campaign.corpus, data, sizeof(data), CORPUS_NONE,
			NULL));
}

/*
 * Code that ends a task goes on to read it, even when others ended later. Old
 * tasks are freed by the tick.
 */
static void
test_end_of_an_old_one(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *m[N];
	unsigned i;

	(void)state;
	for (i = 0; i < N; i++)
		m[i] = begin(e, (uint8_t)i);
	for (i = N; i-- > 0;) {
		minimize_tasks_finish(e, m[i], "no time was left");
		assert_true(whole_engine_has(e, m[i]));
		assert_true(m[i]->ended);
	}
	minimize_tasks_tick(e, 0);
	assert_int_equal(e->minimize.n, MINIMIZE_TASKS_ENDED);
	for (i = 0; i < N; i++)
		assert_int_equal(whole_engine_has(e, m[i]),
			i >= N - MINIMIZE_TASKS_ENDED);
	close_engine(e);
}

/* A task that goes on is never freed. */
static void
test_one_that_goes_on(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *first = begin(e, 0);
	unsigned i;

	(void)state;
	for (i = 1; i < N + 2; i++)
		minimize_tasks_finish(e, begin(e, (uint8_t)i), "it was enough");
	minimize_tasks_tick(e, 0);
	assert_int_equal(e->minimize.n, MINIMIZE_TASKS_ENDED + 1);
	assert_true(whole_engine_has(e, first));
	assert_true(minimize_tasks_any(e));
	close_engine(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end_of_an_old_one),
		cmocka_unit_test(test_one_that_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
