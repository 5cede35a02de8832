/*
 * Replays of a finding: which of two inputs is kept.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/triage/triage.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"

#define REPLAYS 2 /* as --verify says */

static const char *const options[] = { "verify", "2", "minimizetime", "0x",
	NULL };

/* All replays of a finding end in the same way. */
static void
replay(struct idle *idle, struct finding *f, enum failure_kind kind)
{
	struct worker_result r =
		*idle_result(idle, kind, SIGSEGV, 0x123, "any");
	int i;

	for (i = 0; i < REPLAYS; i++) {
		assert_int_equal(f->state, FINDING_VERIFYING);
		triage_on_replay(idle->engine, f, &r);
	}
}

/* The input that failed stays, even if it does not fail later. */
static void
test_swapped(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	struct finding *f;
	struct idle idle;
	char name[300], *text;

	idle_open(&idle, tree, options);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
	f = idle.engine->findings.list[0];
	f->other = xmemdup("second", 6);
	f->other_len = 6;
	idle_settle(&idle);
	replay(&idle, f, FAILURE_NONE);
	replay(&idle, f, FAILURE_SIGNAL);
	assert_int_equal(f->state, FINDING_DONE);
	assert_int_equal(f->verdict, VERDICT_CONFIRMED);
	assert_int_equal(triage_replay(idle.engine, f, REPLAYS, &err), OK);
	replay(&idle, f, FAILURE_NONE);
	assert_int_equal(f->state, FINDING_DONE);
	assert_int_equal(f->len, 6);
	assert_memory_equal(f->input, "second", 6);
	snprintf(name, sizeof(name), "out/%s/input", f->folder);
	idle_close(&idle);
	text = tree_read(tree, name, NULL);
	assert_string_equal(text, "second");
	free(text);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_swapped, tree_open,
			tree_close),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("triage_verify", tests, NULL, NULL);
}
