/*
 * What the start of a worker costs the work that it did last: only a start that
 * this work made necessary has a price. No process runs here.
 */
#include "lib/tree.h"

#include <string.h>

#include "base/clock.h"
#include "engine/engine_end.h"
#include "engine/pool/pool.h"
#include "engine/pool/pool_workers.h"
#include "engine/schedule/finding_budget.h"
#include "engine/triage/minimize_tasks.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"
#include "worker/worker_private.h"

#define LONG_NS (7200 * 1000000000ull)

static const char *const three[] = { "parallel", "3", NULL };

/* Worker i has run a replay, and died of a minimization, long ago. It is down;
 * the others wait for their start. */
static void
set_past(struct engine *e, uint32_t i, struct minimize_task *m)
{
	struct slot *slot = pool_at(e, i);

	e->pool.any_ready = true;
	slot->restart_ns = 0;
	slot->was_finding = true;
	slot->result_ns = m->lost_ns = clock_now_ns() - LONG_NS;
	m->lost = slot;
}

/* clang-format off */
static const struct price_row {
	const char *name; /* worker 2 goes down, two hours later … */
	uint32_t vain;    /* its starts in a row without a result */
	bool wanted, needs_limit, needs_process;
	const char *lines[3]; /* … these come, and it starts */
	bool paid; /* by what worker 2 did last, a replay */
} PRICES[] = {
	{ "it died", 0, false, false, false, { NULL }, true },
	{ "it is to be fresh", 0, true, false, true, { NULL }, true },
	{ "stopped by hand", 0, true, false, false, { NULL }, false },
	{ "another limit", 0, true, true, false, { NULL }, false },
	{ "one less, one more", 0, true, false, false, { "workers 2", "workers 3" }, false },
	{ "the same with one that died", 0, false, false, false, { "workers 2", "workers 3" }, false },
	{ "or was to be fresh", 0, true, false, true, { "workers 2", "workers 3" }, false },
	{ "it was given up", 6, false, false, false, { "stop 2" }, false },
	{ "and is replaced", 6, false, false, false, { "workers 2", "workers 3" }, false },
};
/* clang-format on */

/* It starts: does the work pay for the time since then? */
static void
check_price(struct engine *e, uint32_t i, const struct minimize_task *m,
	const char *name, bool paid)
{
	struct slot *slot = pool_at(e, i);

	row_check(slot->restart_ns != 0, "%s: it does not start", name);
	finding_budget_charge_start(e, slot);
	row_check((slot->finding_ns >= LONG_NS) == paid, "%s", name);
	row_check((slot->owed > 0) == paid, "%s", name);
	row_check((m->used_ns >= LONG_NS) == paid, "%s", name);
	row_check(m->lost == NULL && slot->result_ns == 0, "%s", name);
}

/* Only a start that work made necessary has a price. */
static void
test_price_of_starts(void **state)
{
	const struct price_row *row;
	struct minimize_task *m;
	struct engine *e;
	struct slot *slot;
	char answer[256];
	size_t i;

	for (row = PRICES; row < PRICES + ROWS(PRICES); row++) {
		e = whole_engine_open(*state, "good", three, -1, NULL, NULL);
		slot = pool_at(e, 2);
		m = whole_engine_add_replay(e);
		slot->vain_starts = row->vain;
		slot->needs_limit = row->needs_limit;
		slot->needs_process = row->needs_process;
		set_past(e, 2, m);
		e->pool.handlers.on_down(e, slot->worker, row->wanted,
			"exit status 0");
		for (i = 0; i < 3 && row->lines[i] != NULL; i++)
			assert_int_equal(whole_engine_command(e, row->lines[i],
						 answer, sizeof(answer), NULL),
				OK);
		check_price(e, 2, m, row->name, row->paid);
		engine_destroy(e);
	}
}

/* Nor do replays long after the end pay for the time in between. */
static void
test_price_after_the_end(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, NULL, NULL);
	struct minimize_task *m = whole_engine_add_replay(e);

	set_past(e, 0, m);
	/* It dies of that, and none starts again. */
	engine_stop(e, END_USER);
	e->pool.handlers.on_down(e, pool_worker(e, 0), false, "killed");
	assert_int_equal(pool_start_one(e, NULL), OK);
	check_price(e, 0, m, "after the end", false);
	engine_destroy(e);
}

/* Nor does the replay that waited for its fresh process during a pause. */
static void
test_price_after_a_pause(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, NULL, NULL);
	struct minimize_task *m = whole_engine_add_replay(e);
	struct slot *slot = pool_at(e, 2);

	set_past(e, 2, m);
	finding_move(m->finding, FINDING_VERIFYING);
	slot->worker->state = WORKER_IDLE;
	slot->worker->max_len = sizeof("bad");
	slot->worker->no_fork = slot->worker->ran = true;
	e->pool.handlers.on_idle(e, slot->worker);
	assert_true(slot->needs_process);
	slot->worker->state = WORKER_DOWN;
	e->pool.handlers.on_down(e, slot->worker, true, "exit status 0");
	assert_non_null(slot->renewed_for);
	finding_budget_charge_start(e, slot);
	assert_true(slot->finding_ns > 0);
	assert_true(slot->finding_ns < LONG_NS);
	engine_destroy(e);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_price_of_starts),
		ROW(test_price_after_the_end),
		ROW(test_price_after_a_pause),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("engine/pool_prices", tests, NULL,
		NULL);
}
