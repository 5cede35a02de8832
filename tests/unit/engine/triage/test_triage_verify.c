/*
 * Replays of a finding: which of two inputs is kept.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/coordinator.h"
#include "engine/program.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/triage_sequence.h"
#include "engine/triage/view_finding.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"
#include "lib/tuples.h"
#include "store/store_finding.h"

#define REPLAYS 2 /* as --verify says */

static const char *const options[] = { "verify", "2", "minimizetime", "0x",
	NULL };

static const char *const unverified[] = { "verify", "0", "minimizetime", "0x",
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

/* A finding that fails in no replay. */
static struct finding *
open_flaky(struct idle *idle, void *tree)
{
	struct finding *f;

	idle_open(idle, tree, options);
	idle_fail(idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
	idle_settle(idle);
	f = idle->engine->findings.list[0];
	replay(idle, f, FAILURE_NONE);
	return f;
}

/* clang-format off */
static const struct larger_row {
	const char *name;
	enum failure_kind other; /* how the other input ends */
	size_t minimized;
} LARGER[] = {
	{ "the other input fails", FAILURE_SIGNAL, 0 },
	{ "it does not fail", FAILURE_NONE, 4 },
};
/* clang-format on */

/* An input that is smaller than the minimized one was takes its place, also for
 * the next run. */
static void
test_larger(void **state)
{
	const struct larger_row *row;
	struct finding *f;
	struct idle idle;
	char name[300];
	void *tree;

	for (row = LARGER; row < LARGER + ROWS(LARGER); row++) {
		assert_int_equal(tree_open(&tree), 0);
		f = open_flaky(&idle, tree);
		f->trial = xmemdup("firs", 4);
		f->trial_len = 4;
		triage_end_trial(idle.engine, f);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "odd");
		replay(&idle, f, FAILURE_NONE);
		replay(&idle, f, row->other);
		row_check(f->minimized_len == row->minimized, "%s", row->name);
		snprintf(name, sizeof(name), "out/%s/minimized", f->folder);
		idle_close(&idle);
		row_check(tree_has(tree, name) == (row->minimized > 0), "%s",
			row->name);
		/* A crash of the machine may have kept the file. */
		tree_text(tree, name, "firs");
		idle_open(&idle, tree, options);
		f = idle.engine->findings.list[0];
		row_check(f->minimized_len == row->minimized, "%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct untold_row {
	const char *name;
	const char *minimized; /* what the file has */
	size_t kept;           /* bytes; 0: it is removed */
} UNTOLD[] = {
	{ "it was written, then the engine died", "fir", 3 },
	{ "it is larger than the input", "first one", 0 },
};
/* clang-format on */

/* crash.json tells of no minimized file, and there is one. */
static void
test_untold(void **state)
{
	const struct untold_row *row;
	char name[300], json[300], told[40], *text;
	struct finding *f;
	struct idle idle;
	void *tree;

	for (row = UNTOLD; row < UNTOLD + ROWS(UNTOLD); row++) {
		assert_int_equal(tree_open(&tree), 0);
		f = open_flaky(&idle, tree);
		snprintf(name, sizeof(name), "out/%s/minimized", f->folder);
		snprintf(json, sizeof(json), "out/%s/crash.json", f->folder);
		idle_close(&idle);
		tree_text(tree, name, row->minimized);
		idle_open(&idle, tree, options);
		f = idle.engine->findings.list[0];
		row_check(f->minimized_len == row->kept, "%s", row->name);
		row_check(!triage_is_minimized(idle.engine, f), "%s",
			row->name);
		triage_finish(idle.engine);
		idle_close(&idle);
		row_check(tree_has(tree, name) == (row->kept > 0), "%s",
			row->name);
		snprintf(told, sizeof(told), "\"minimized_len\": %zu,",
			row->kept);
		text = tree_read(tree, json, NULL);
		row_check(strstr(text, told) != NULL, "%s", row->name);
		free(text);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct unproven_row {
	const char *name;
	uint64_t offset; /* where the other input fails */
	bool late;       /* the other finding is verified before its names come */
} UNPROVEN[] = {
	{ "it fails there again", 0x123, false },
	{ "another finding turns out to be this one", 0x143, false },
	{ "the same, when it has a smaller input", 0x143, true },
};
/* clang-format on */

/* An input that fails each time makes a finding that was flaky confirmed. */
static void
test_unproven(void **state)
{
	const struct unproven_row *row;
	struct finding *f, *late;
	struct idle idle;
	void *tree;

	for (row = UNPROVEN; row < UNPROVEN + ROWS(UNPROVEN); row++) {
		assert_int_equal(tree_open(&tree), 0);
		f = open_flaky(&idle, tree);
		row_check(f->verdict == VERDICT_FLAKY, "%s", row->name);
		snprintf(f->tried, sizeof(f->tried), "0 of 2 alone");
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, row->offset,
			"second");
		if (row->late) {
			late = idle.engine->findings.list[1];
			late->minimized = xmemdup("s", 1);
			late->minimized_len = 1;
		}
		idle_settle(&idle);
		row_check(idle.engine->findings.n == 1, "%s", row->name);
		replay(&idle, f, FAILURE_NONE);
		replay(&idle, f, FAILURE_SIGNAL);
		row_check(f->verdict == VERDICT_CONFIRMED, "%s", row->name);
		row_check(f->len == 6, "%s", row->name);
		row_check(f->tried[0] == '\0', "%s", row->name);
		row_check(store_more(idle.engine->store, f->folder) ==
				(row->late ? 3 : 2),
			"%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* A flaky finding, and one whose sequence fails; names will show that they are
 * the same. */
static void
open_merging(struct idle *idle, void *tree, struct finding **f,
	struct finding **late)
{
	struct error err = { 0 };
	struct store *store;

	*f = open_flaky(idle, tree);
	idle_fail(idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "second");
	*late = idle->engine->findings.list[1];
	store = idle->engine->store;
	store_put_sequence(store, (*late)->folder, 1, "one", 3, false, NULL,
		NULL);
	store_put_sequence(store, (*late)->folder, 2, "second", 6, true, NULL,
		NULL);
	(*late)->state = FINDING_DONE;
	(*late)->replays = (*late)->reproduced = (*late)->sequence_n = 2;
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	store_rest(store);
	assert_int_equal(store_wake(store, &err), OK);
}

/* The sequence of a finding that is merged proves one that was flaky. */
static void
check_merged_sequence(void **state, enum finding_verdict verdict)
{
	struct finding *f, *late;
	struct idle idle;
	char name[300];

	open_merging(&idle, *state, &f, &late);
	late->verdict = verdict;
	/* The names come before the sequence is found. */
	late->state = FINDING_VERIFYING;
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 2);
	late->state = FINDING_DONE;
	triage_tick(idle.engine);
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(f->state, FINDING_SEQUENCE);
	assert_int_equal(f->sequence_n, 2);
	snprintf(name, sizeof(name), "out/%s/sequence/000002", f->folder);
	idle_close(&idle);
	assert_true(tree_holds(*state, name, "second"));
}

static void
test_merged_sequence(void **state)
{
	check_merged_sequence(state, VERDICT_NEW);
}

static void
test_merged_known_sequence(void **state)
{
	check_merged_sequence(state, VERDICT_KNOWN);
}

/* An engine that dies before the other folder is removed leaves the finding
 * with a crash.json that tells of the sequence. */
static void
test_taken_sequence(void **state)
{
	struct finding *f, *late;
	struct error err = { 0 };
	struct idle idle;
	char name[300], *text;

	open_merging(&idle, *state, &f, &late);
	triage_take_sequence(idle.engine, f, late);
	snprintf(name, sizeof(name), "out/%s/crash.json", f->folder);
	assert_int_equal(store_finish(idle.engine->store, TREE_DISK_MS, NULL,
				 NULL),
		0);
	text = tree_read(*state, name, NULL);
	assert_non_null(strstr(text, "\"sequence\": 2"));
	assert_non_null(strstr(text, "\"left\": \"verify\""));
	free(text);
	store_rest(idle.engine->store);
	assert_int_equal(store_wake(idle.engine->store, &err), OK);
	idle_close(&idle);
}

/* clang-format off */
static const struct cut_row {
	const char *name;
	uint32_t tries, failed; /* before the end: which one fails; 0: none */
	bool back;              /* it is no longer fixed */
} CUT[] = {
	{ "no try", 0, 0, false },
	{ "a try that does not fail", 1, 0, false },
	{ "a try that fails", 1, 1, true },
	{ "the first one failed", 2, 1, true },
	{ "the second one fails", 2, 2, true },
};
/* clang-format on */

/* Runs the sequence. */
static void
try_sequence(struct idle *idle, struct finding *f, enum failure_kind kind)
{
	struct worker_result r;
	struct job job;

	memset(&job, 0, sizeof(job));
	triage_fill_sequence(idle->engine, f, &job);
	r = *idle_result(idle, kind, SIGSEGV, 0x143, "second");
	r.count = f->sequence_n;
	triage_on_sequence(idle->engine, f, &r);
	assert_int_equal(f->state, FINDING_SEQUENCE);
}

/* A sequence that another build had fixed runs again, and the end comes before
 * its last replay. */
static void
test_cut_sequence(void **state)
{
	const struct cut_row *row;
	struct finding *f, *other;
	struct error err = { 0 };
	struct idle idle;
	void *tree;

	for (row = CUT; row < CUT + ROWS(CUT); row++) {
		assert_int_equal(tree_open(&tree), 0);
		open_merging(&idle, tree, &other, &f);
		f->reproduced = 0;
		f->fixed = true;
		f->is_new = false;
		strcpy(f->build, "it failed with this one");
		strcpy(f->replays_build, "and not with this one");
		assert_int_equal(triage_replay(idle.engine, f, 5, &err), OK);
		for (uint32_t i = 1; i <= row->tries; i++)
			try_sequence(&idle, f,
				i == row->failed ? FAILURE_SIGNAL
						 : FAILURE_NONE);
		triage_finish(idle.engine);
		row_check(f->fixed != row->back, "%s", row->name);
		row_check(f->is_new == row->back, "%s", row->name);
		row_check((strcmp(f->build, idle.engine->target.info.build) ==
				  0) == row->back,
			"%s", row->name);
		row_check(f->replays == (row->back ? 0 : 2), "%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct alone_row {
	const char *name;
	enum failure_kind again; /* how the input ends alone */
	bool alone;
} ALONE[] = {
	{ "the input fails alone", FAILURE_SIGNAL, true },
	{ "it does not", FAILURE_NONE, false },
};
/* clang-format on */

/* The run before had found a sequence, and had no time to replay it. */
static void
test_alone(void **state)
{
	const struct alone_row *row;
	struct finding *f;
	struct idle idle;
	char name[300];
	void *tree;

	for (row = ALONE; row < ALONE + ROWS(ALONE); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, options);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
		f = idle.engine->findings.list[0];
		idle_settle(&idle);
		store_put_sequence(idle.engine->store, f->folder, 1, "one", 3,
			false, NULL, NULL);
		store_put_sequence(idle.engine->store, f->folder, 2, "first", 5,
			true, NULL, NULL);
		f->sequence_n = 2;
		f->has_before = true;
		strcpy(f->tried, "0 of 5 alone");
		replay(&idle, f, row->again);
		row_check(f->state == FINDING_DONE, "%s", row->name);
		row_check(f->sequence_n == (row->alone ? 0 : 2), "%s",
			row->name);
		row_check((f->tried[0] == '\0') == row->alone, "%s", row->name);
		row_check(triage_can_minimize(idle.engine, f) == row->alone,
			"%s", row->name);
		snprintf(name, sizeof(name), "out/%s/sequence/000002",
			f->folder);
		idle_close(&idle);
		row_check(tree_has(tree, name) != row->alone, "%s", row->name);
		tree_close(&tree);
	}
}

/* Users see replays when all are done, and what was minimized with this build. */
static void
test_view(void **state)
{
	struct snapshot_finding view = { 0 };
	struct worker_result r;
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, options);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
	idle_settle(&idle);
	f = idle.engine->findings.list[0];
	r = *idle_result(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "any");
	triage_on_replay(idle.engine, f, &r);
	view_finding(idle.engine, f, &view);
	assert_int_equal(view.replays, 0);
	triage_on_replay(idle.engine, f, &r);
	f->trial = xmemdup("f", 1);
	f->trial_len = 1;
	triage_end_trial(idle.engine, f);
	view_finding(idle.engine, f, &view);
	assert_int_equal(view.replays, 2);
	assert_int_equal(view.reproduced, 2);
	assert_int_equal(view.minimized_len, 1);
	strcpy(f->minimized_build, "another");
	memset(&view, 0, sizeof(view));
	view_finding(idle.engine, f, &view);
	assert_int_equal(view.minimized_len, 0);
	idle_close(&idle);
}

/* clang-format off */
static const struct ended_row {
	const char *name;
	enum failure_kind kind;
	bool whole_limit;
	bool last;      /* the run ends at the last replay, not before it */
	bool minimized; /* else it is left to the next start */
} ENDED[] = {
	{ "a crash", FAILURE_SIGNAL, false, false, true },
	{ "a crash before its replay", FAILURE_SIGNAL, false, true, true },
	{ "a hang", FAILURE_HANG, false, false, false },
	{ "a hang before its replay", FAILURE_HANG, false, true, false },
	{ "a hang that had the whole limit", FAILURE_HANG, true, false, true },
	{ "the same before its replay", FAILURE_HANG, true, true, true },
};
/* clang-format on */

/* A run that ends has no time to replay a smaller input. */
static void
test_ended(void **state)
{
	const struct ended_row *row;
	struct finding *f;
	struct idle idle;
	void *tree;

	for (row = ENDED; row < ENDED + ROWS(ENDED); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, unverified);
		idle_fail(&idle, row->kind, SIGSEGV, 0x123, "first");
		idle_settle(&idle);
		f = idle.engine->findings.list[0];
		idle.engine->settings.verify = REPLAYS;
		idle.engine->end.stopping = !row->last;
		f->whole_limit = row->whole_limit;
		f->state = FINDING_MINIMIZING;
		triage_on_minimized(idle.engine, f, (const uint8_t *)"f", 1, 9,
			NULL);
		triage_finish(idle.engine);
		row_check(f->state == FINDING_DONE, "%s", row->name);
		row_check((f->minimized_len == 1) == row->minimized, "%s",
			row->name);
		row_check((triage_left(idle.engine, f) == NULL) ==
				row->minimized,
			"%s", row->name);
		idle.engine->end.stopping = false;
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Without replays a smaller input must hang for the whole limit. */
static void
test_whole_limit(void **state)
{
	struct finding *f;
	struct idle idle;
	struct job job;

	idle_open(&idle, *state, unverified);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "first");
	f = idle.engine->findings.list[0];
	memset(&job, 0, sizeof(job));
	assert_true(minimize_tasks_job(idle.engine,
		minimize_tasks_of_finding(idle.engine, f), &job));
	assert_int_equal(job.hang_ms, idle.engine->settings.timeout_ms);
	idle.engine->settings.verify = REPLAYS;
	assert_true(minimize_tasks_job(idle.engine, f->minimization, &job));
	assert_true(job.hang_ms < idle.engine->settings.timeout_ms);
	minimize_tasks_drop(f);
	idle_settle(&idle);
	idle_close(&idle);
}

/* The former smaller input is kept, however many inputs there are. */
static void
test_former(void **state)
{
	struct finding *f;
	struct idle idle;
	char input[8];
	unsigned i;

	idle_open(&idle, *state, unverified);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
	idle_settle(&idle);
	f = idle.engine->findings.list[0];
	for (i = 0; i < STORE_MORE_MAX; i++) {
		snprintf(input, sizeof(input), "%u", i);
		assert_true(store_put_more(idle.engine->store, f->folder, input,
			1));
	}
	f->minimized = xmemdup("fi", 2);
	f->minimized_len = 2;
	f->state = FINDING_MINIMIZING;
	triage_on_minimized(idle.engine, f, (const uint8_t *)"fir", 3, 9, NULL);
	assert_int_equal(f->minimized_len, 3);
	assert_int_equal(store_more(idle.engine->store, f->folder),
		STORE_MORE_MAX + 1);
	idle_close(&idle);
}

/* clang-format off */
static const struct again_row {
	const char *name;
	bool typed;
	const char *former, *later; /* minimized inputs, the later is kept if it
				       says so */
	bool kept;
	const char *build, *rule;   /* of the former; NULL: as now */
	unsigned more;              /* files that the finding has besides */
} AGAIN[] = {
	{ "as long and simpler", false, "q", "0", true, NULL, NULL, 0 },
	{ "as long, not as simple", false, "0", "q", false, NULL, NULL, 0 },
	{ "the same", false, "0", "0", true, NULL, NULL, 0 },
	{ "longer", false, "q", "00", false, NULL, NULL, 0 },
	{ "of another build, not as simple", false, "0", "q", true, "b", NULL,
	  1 },
	{ "of another build, simpler", false, "q", "0", true, "b", NULL, 0 },
	{ "by a stricter rule", false, "0", "q", true, NULL, "any-failure", 1 },
	{ "typed: simpler", true, "int16(9)", "int16(6)", true, NULL, NULL, 0 },
	{ "typed: as it was", true, "int16(6)", "int16(9)", false, NULL, NULL,
	  0 },
};
/* clang-format on */

static uint8_t *
again_input(const struct again_row *row, const char *text, size_t *len)
{
	if (row->typed)
		return tuple_of(text, len);
	*len = strlen(text);
	return xmemdup(text, *len);
}

/* Minimized once more: what was better stays, whatever length inputs have. */
static void
test_again(void **state)
{
	static const struct tuple_types TYPES = { 1, { VALUE_INT16 } };
	const struct again_row *row;
	struct finding *f;
	struct idle idle;
	size_t former_len, len;
	uint8_t *former, *later;
	void *tree;

	for (row = AGAIN; row < AGAIN + ROWS(AGAIN); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, unverified);
		if (row->typed)
			program_set_types(idle.engine, &TYPES, "f");
		former = again_input(row, row->former, &former_len);
		later = again_input(row, row->later, &len);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "the input");
		idle_settle(&idle);
		f = idle.engine->findings.list[0];
		f->minimized = former;
		f->minimized_len = former_len;
		f->minimized_rule = row->rule != NULL
			? minimize_rule_parse(row->rule)
			: triage_minimize_rule(idle.engine);
		snprintf(f->minimized_build, sizeof(f->minimized_build), "%s",
			row->build != NULL ? row->build
					   : program_info(idle.engine)->build);
		f->state = FINDING_MINIMIZING;
		triage_on_minimized(idle.engine, f, later, len, 9, NULL);
		row_check((f->minimized != former) == row->kept, "%s",
			row->name);
		row_check(store_more(idle.engine->store, f->folder) ==
				row->more,
			"%s", row->name);
		free(later);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct sanitizer_row {
	const char *name;
	enum failure_kind kind; /* of the replays with the other build */
	const char *sanitizer;  /* that crash.json has then */
} SANITIZER[] = {
	{ "it fails no more", FAILURE_NONE, "\"sanitizer\": \"address\"" },
	{ "it fails as well", FAILURE_SIGNAL, "\"sanitizer\": \"thread\"" },
};
/* clang-format on */

/* crash.json names the sanitizer of the build that failed, through all runs. */
static void
test_sanitizer(void **state)
{
	const struct sanitizer_row *row;
	struct finding *f;
	struct idle idle;
	char name[300], *info;
	void *tree;

	for (row = SANITIZER; row < SANITIZER + ROWS(SANITIZER); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, unverified);
		program_set_build(idle.engine, "address", true);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
		idle_settle(&idle);
		idle_close(&idle);
		idle_open(&idle, tree, options);
		program_set_build(idle.engine, "thread", true);
		f = idle.engine->findings.list[0];
		assert_string_equal(f->sanitizer, "address");
		strcpy(f->build, "another");
		assert_int_equal(triage_replay(idle.engine, f, REPLAYS, NULL),
			OK);
		replay(&idle, f, row->kind);
		snprintf(name, sizeof(name), "out/%s/crash.json", f->folder);
		idle_close(&idle);
		info = tree_read(tree, name, NULL);
		row_check(strstr(info, row->sanitizer) != NULL, "%s: %s",
			row->name, info);
		free(info);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct verdict_row {
	const char *name;
	enum failure_kind was, now; /* how it failed; how its replays end */
	bool here;          /* it failed with this build */
	uint32_t sequence;  /* its inputs; 0: it fails alone */
	uint64_t ran;       /* those that each replay runs */
	bool left, fixed;
	size_t findings;
	const char *limits; /* with which it failed; NULL: those of this run */
	uint64_t at;        /* where its replays fail */
} VERDICTS[] = {
	{ "mended", FAILURE_SIGNAL, FAILURE_NONE, false, 0, 1, false, true, 1, NULL, 0x173 },
	{ "nobody sees a report", FAILURE_SANITIZER, FAILURE_NONE, false, 0, 1, true, false, 1, NULL, 0x173 },
	{ "nobody sees a leak", FAILURE_LEAK, FAILURE_NONE, true, 0, 1, true, false, 1, NULL, 0x173 },
	{ "a leak that is seen", FAILURE_LEAK, FAILURE_LEAK, true, 0, 1, false, false, 1, NULL, 0x173 },
	{ "with another option", FAILURE_EXIT, FAILURE_NONE, false, 0, 1, true, false, 1, "{\"fail-on-exit\":\"on\"}", 0x173 },
	{ "with the same one", FAILURE_EXIT, FAILURE_NONE, false, 0, 1, false, true, 1, "{\"fail-on-exit\":\"off\"}", 0x173 },
	{ "in another way", FAILURE_ERROR, FAILURE_SIGNAL, false, 0, 1, true, false, 2, NULL, 0x173 },
	{ "in this build", FAILURE_ERROR, FAILURE_SIGNAL, true, 0, 1, false, false, 1, NULL, 0x173 },
	{ "another signal", FAILURE_SIGNAL, FAILURE_SIGNAL, false, 0, 1, true, false, 2, NULL, 0x173 },
	{ "another signal in this build", FAILURE_SIGNAL, FAILURE_SIGNAL, true, 0, 1, false, false, 1, NULL, 0x173 },
	{ "in the same function", FAILURE_ERROR, FAILURE_ERROR, false, 0, 1, false, false, 1, NULL, 0x173 },
	{ "in another function", FAILURE_ERROR, FAILURE_ERROR, false, 0, 1, true, false, 2, NULL, 0x273 },
	{ "in another function of this build", FAILURE_ERROR, FAILURE_ERROR, true, 0, 1, false, false, 1, NULL, 0x273 },
	{ "where code has no name", FAILURE_ERROR, FAILURE_ERROR, false, 0, 1, false, false, 1, NULL, 0x73 },
	{ "where only functions have names", FAILURE_ERROR, FAILURE_ERROR, false, 0, 1, false, false, 1, NULL, 0xe12 },
	{ "memory ends anywhere", FAILURE_OOM, FAILURE_OOM, false, 0, 1, false, false, 1, NULL, 0x273 },
	{ "a row in another function", FAILURE_ERROR, FAILURE_ERROR, false, 2, 2, true, false, 2, NULL, 0x273 },
	{ "in a row", FAILURE_SIGNAL, FAILURE_NONE, false, 2, 2, false, true, 1, NULL, 0x173 },
	{ "a row that nobody sees", FAILURE_SANITIZER, FAILURE_NONE, false, 2, 2, true, false, 1, NULL, 0x173 },
	{ "a row that fails in another way", FAILURE_ERROR, FAILURE_SIGNAL, false, 2, 1, true, false, 2, NULL, 0x173 },
	{ "a row that does not end", FAILURE_SIGNAL, FAILURE_NONE, false, 2, 1, true, false, 1, NULL, 0x173 },
	{ "the same in this build", FAILURE_SIGNAL, FAILURE_NONE, true, 2, 1, true, false, 1, NULL, 0x173 },
	{ "a row without an execution", FAILURE_SIGNAL, FAILURE_NONE, false, 2, 0, true, false, 1, NULL, 0x173 },
};
/* clang-format on */

static void
put_sequence(struct idle *idle, struct finding *f, uint32_t n)
{
	struct store *store = idle->engine->store;
	struct error err = { 0 };

	for (uint32_t i = 1; i <= n; i++)
		store_put_sequence(store, f->folder, i, "first", 5, i == n,
			NULL, NULL);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	store_rest(store);
	assert_int_equal(store_wake(store, &err), OK);
	f->sequence_n = n;
	f->state = FINDING_DONE;
	assert_int_equal(triage_replay(idle->engine, f, REPLAYS, &err), OK);
}

/* The result of a worker. */
static void
replay_as(struct idle *idle, struct finding *f, const struct verdict_row *row)
{
	struct worker_result r = *idle_result(idle, row->now,
		row->now == FAILURE_SIGNAL ? SIGBUS : 0, row->at, "first");

	r.job.kind = row->sequence > 0 ? JOB_SEQUENCE : JOB_REPLAY;
	if (row->sequence > 0)
		triage_fill_sequence(idle->engine, f, &r.job);
	job_set_finding(&r.job, f);
	r.count = row->ran;
	coordinator_on_result(idle->engine, idle->engine->pool.slots[0].worker,
		&r);
	if (f->newer != NULL)
		idle_settle(idle);
}

/* Replays that do not fail may tell nothing: the next start makes them again. */
static void
test_verdicts(void **state)
{
	const struct verdict_row *row;
	struct finding *f;
	struct idle idle;
	bool fails;
	void *tree;

	for (row = VERDICTS; row < VERDICTS + ROWS(VERDICTS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, options);
		program_set_leaks_unseen(idle.engine);
		program_set_build(idle.engine, "address", true);
		idle_fail(&idle, row->was, 0, 0x123, "first");
		idle_settle(&idle);
		program_set_build(idle.engine, "", true);
		f = idle.engine->findings.list[0];
		if (!row->here)
			strcpy(f->build, "an older one");
		if (row->limits != NULL) {
			json_decref(f->limits);
			f->limits = json_loads(row->limits, 0, NULL);
		}
		idle.engine->pool.any_ready = false; /* as at the start */
		if (row->sequence > 0)
			put_sequence(&idle, f, row->sequence);
		idle.engine->pool.any_ready = true;
		for (int i = 0; i < 9 && f->state != FINDING_DONE; i++)
			replay_as(&idle, f, row);
		fails = row->was == row->now && !row->left;
		row_check(f->state == FINDING_DONE, "%s: state", row->name);
		row_check(f->fixed == row->fixed, "%s: fixed", row->name);
		row_check((triage_left(idle.engine, f) != NULL) == row->left,
			"%s: left", row->name);
		row_check((strstr(idle.lines, "no verdict") != NULL) ==
				row->left,
			"%s: said", row->name);
		row_check((f->verdict == VERDICT_CONFIRMED) == fails &&
				(f->verdict == VERDICT_FLAKY) ==
					(!fails && !row->left && row->here),
			"%s: verdict %s", row->name,
			finding_verdict_name(f->verdict));
		row_check(row->left ==
				(*idle_event_text(&idle, "verified", "why") !=
					'\0'),
			"%s: the journal", row->name);
		row_check(idle.engine->findings.n == row->findings,
			"%s: findings", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Many findings of another build are not all asked about at the same time. */
static void
test_names_full(void **state)
{
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, options);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
	idle_settle(&idle);
	f = idle.engine->findings.list[0];
	assert_int_equal(f->state, FINDING_VERIFYING);
	idle.engine->naming.queries_n = 16;
	assert_ptr_equal(triage_next(idle.engine, f->state, UINT64_MAX), f);
	strcpy(f->build, "an older one");
	assert_null(triage_next(idle.engine, f->state, UINT64_MAX));
	idle.engine->naming.queries_n = 15;
	assert_ptr_equal(triage_next(idle.engine, f->state, UINT64_MAX), f);
	idle.engine->naming.queries_n = 0;
	idle_close(&idle);
}

/* clang-format off */
static const struct fixed_row {
	const char *name;
	uint32_t failed; /* replays with the build that failed */
	enum finding_verdict verdict;
} FIXED[] = {
	{ "it failed each time", REPLAYS, VERDICT_CONFIRMED },
	{ "it did not", 1, VERDICT_FLAKY },
	{ "never", 0, VERDICT_FLAKY },
};
/* clang-format on */

/* Of a fixed finding the replays of the build that failed tell if it is flaky. */
static void
test_fixed(void **state)
{
	const struct fixed_row *row;
	struct error err = { 0 };
	struct finding *f;
	struct idle idle;
	void *tree;

	for (row = FIXED; row < FIXED + ROWS(FIXED); row++) {
		assert_int_equal(tree_open(&tree), 0);
		f = open_flaky(&idle, tree);
		f->verdict = row->verdict;
		f->reproduced = row->failed;
		strcpy(f->build, "an older one");
		strcpy(f->replays_build, f->build);
		assert_int_equal(triage_replay(idle.engine, f, REPLAYS, &err),
			OK);
		replay(&idle, f, FAILURE_NONE);
		row_check(f->fixed, "%s: fixed", row->name);
		row_check(f->verdict == row->verdict, "%s: %s", row->name,
			finding_verdict_name(f->verdict));
		triage_mark(idle.engine, f, VERDICT_KNOWN);
		triage_mark(idle.engine, f, VERDICT_NEW);
		row_check(f->verdict ==
				(row->failed > 0 ? row->verdict : VERDICT_NEW),
			"%s, marked: %s", row->name,
			finding_verdict_name(f->verdict));
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* A finding that fails without a limit needs it no more. */
static void
test_limits(void **state)
{
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, options);
	idle_fail(&idle, FAILURE_EXIT, 0, 0x123, "first");
	idle_settle(&idle);
	f = idle.engine->findings.list[0];
	json_decref(f->limits);
	f->limits = json_loads("{\"fail-on-exit\":\"on\"}", 0, NULL);
	idle_fail(&idle, FAILURE_EXIT, 0, 0x123, "first");
	assert_string_equal(json_string_value(
				    json_object_get(f->limits, "fail-on-exit")),
		"off");
	idle_close(&idle);
}

/* clang-format off */
static const struct refused_row {
	const char *name;
	enum finding_seen seen, after;
	bool told;
} REFUSED[] = {
	{ "of an earlier run", SEEN_BEFORE, SEEN_LEFT, true },
	{ "that failed in this run", SEEN_NOW, SEEN_NOW, false },
};
/* clang-format on */

/* A finding whose replays would tell nothing is told once, and nothing is left. */
static void
test_refused(void **state)
{
	const struct refused_row *row;
	struct finding *f;
	struct idle idle;
	void *tree;

	for (row = REFUSED; row < REFUSED + ROWS(REFUSED); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, options);
		program_set_leaks_unseen(idle.engine);
		idle_fail(&idle, FAILURE_LEAK, 0, 0x123, "first");
		idle_settle(&idle);
		idle.engine->pool.any_ready = true;
		f = idle.engine->findings.list[0];
		strcpy(f->build, "an older one");
		f->state = FINDING_RERUN;
		f->seen = row->seen;
		triage_rerun_next(idle.engine, UINT64_MAX);
		row_check(f->state == FINDING_DONE, "%s: state", row->name);
		row_check(f->seen == row->after, "%s: seen", row->name);
		row_check((strstr(idle.lines, "no verdict") != NULL) ==
				row->told,
			"%s: %s", row->name, idle.lines);
		row_check(triage_left(idle.engine, f) == NULL, "%s: left",
			row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_swapped, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_view, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_merged_known_sequence,
			tree_open, tree_close),
		cmocka_unit_test_setup_teardown(test_merged_sequence, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_taken_sequence, tree_open,
			tree_close),
		cmocka_unit_test(test_cut_sequence),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test_setup_teardown(test_names_full, tree_open,
			tree_close),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_larger),
		cmocka_unit_test_setup_teardown(test_limits, tree_open,
			tree_close),
		cmocka_unit_test(test_untold),
		cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_sanitizer),
		cmocka_unit_test(test_refused),
		cmocka_unit_test_setup_teardown(test_former, tree_open,
			tree_close),
		cmocka_unit_test(test_again),
		cmocka_unit_test_setup_teardown(test_whole_limit, tree_open,
			tree_close),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("triage_verify", tests, NULL, NULL);
}
