/*
 * Which finding a failure belongs to: before its names are known, with them, in
 * a later run, and when there is no room for more findings.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/coordinator.h"
#include "engine/triage/dedup.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"

#define FOLDER_SIZE 256

/* Nothing is replayed or minimized: the tests have no workers. */
static const char *const plain[] = { "parallel", "1", "verify", "0",
	"minimizetime", "0x", NULL };
static const char *const replaying[] = { "parallel", "1", "verify", "1",
	"minimizetime", "0x", NULL };
static const char *const stopping_replays[] = { "parallel", "1", "verify", "1",
	"minimizetime", "0x", "stop-on-crash", "on", NULL };
static const char *const minimizing[] = { "parallel", "1", "verify", "0",
	"stop-on-crash", "on", NULL };
static const char *const stopping[] = { "parallel", "1", "verify", "0",
	"minimizetime", "0x", "stop-on-crash", "on", NULL };

/* ---- two failures -------------------------------------------------------- */

/* clang-format off */
static const struct pair_row {
	const char *name;
	enum failure_kind kind;
	int signo;
	uint64_t offset; /* of the second; the first is SIGSEGV at 0x123 */
	size_t findings;
	bool merged;
} PAIRS[] = {
	{ "the same address", FAILURE_SIGNAL, SIGSEGV, 0x123, 1, false },
	{ "other code of the same line", FAILURE_SIGNAL, SIGSEGV, 0x143, 1, true },
	{ "another line", FAILURE_SIGNAL, SIGSEGV, 0x124, 2, false },
	{ "another function", FAILURE_SIGNAL, SIGSEGV, 0x223, 2, false },
	{ "another signal", FAILURE_SIGNAL, SIGFPE, 0x123, 2, false },
	{ "another kind", FAILURE_OOM, 0, 0x123, 2, false },
	{ "an address without a name", FAILURE_SIGNAL, SIGSEGV, 0x23, 2, false },
	{ "no stack", FAILURE_SIGNAL, SIGSEGV, 0, 2, false },
};
/* clang-format on */

static void
check_pair(const struct tree *tree, struct idle *idle,
	const struct pair_row *row)
{
	const struct finding *first = idle->engine->findings.list[0];
	char more[300];

	row_check(idle->engine->findings.n == row->findings, "%s", row->name);
	row_check(first->count == 3 - row->findings, "%s", row->name);
	row_check(idle_events(idle, "merged") == row->merged, "%s", row->name);
	row_check(idle->findings == row->findings, "%s", row->name);
	snprintf(more, sizeof(more), "out/%s/more", first->folder);
	idle_close(idle);
	row_check(tree_count(tree, "out/crashes") ==
			row->findings - (row->kind == FAILURE_OOM),
		"%s", row->name);
	row_check(tree_count(tree, more) == (row->findings == 1), "%s",
		row->name);
}

static void
test_pairs(void **state)
{
	const struct pair_row *row;
	struct tree *tree;
	struct idle idle;
	void *made;

	for (row = PAIRS; row < PAIRS + ROWS(PAIRS); row++) {
		assert_int_equal(tree_open(&made), 0);
		tree = made;
		idle_open(&idle, tree, plain);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
		idle_fail(&idle, row->kind, row->signo, row->offset, "other");
		idle_settle(&idle);
		check_pair(tree, &idle, row);
		tree_close(&made);
	}
}

/* ---- merging ------------------------------------------------------------- */

/* A merged finding is gone from the list and is found by its old names. */
static void
test_merged(void **state)
{
	const struct tree *tree = *state;
	char id[17], folder[256], name[300];
	const struct finding *first;
	struct engine *e;
	struct idle idle;

	idle_open(&idle, tree, plain);
	e = idle.engine;
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "two");
	assert_int_equal(e->findings.n, 2);
	first = e->findings.list[0];
	memcpy(id, e->findings.list[1]->id, sizeof(id));
	snprintf(folder, sizeof(folder), "%s", e->findings.list[1]->folder);
	idle_settle(&idle);
	assert_int_equal(e->findings.n, 1);
	assert_ptr_equal(triage_find(e, id), first);
	assert_ptr_equal(triage_find(e, folder), first);
	assert_ptr_equal(triage_find(e, first->folder), first);
	assert_null(triage_find(e, "0123456789abcdef"));
	assert_string_equal(idle_event_text(&idle, "merged", "finding"), id);
	assert_string_equal(idle_event_text(&idle, "merged", "into"),
		first->id);
	/* Both stack hashes now lead to the first finding. */
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "three");
	assert_int_equal(e->findings.n, 1);
	assert_int_equal(first->count, 3);
	snprintf(name, sizeof(name), "out/%s", folder);
	idle_close(&idle);
	assert_false(tree_has(tree, name));
}

/* Names of several findings may lead to a finding that was merged itself. */
static void
test_times(void **state)
{
	struct finding *first;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "two");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x163, "three");
	first = idle.engine->findings.list[0];
	first->first_s = 5;
	first->last_s = 6;
	idle.engine->findings.list[1]->first_s = 4;
	strcpy(idle.engine->findings.list[1]->first_at, "earlier");
	idle.engine->findings.list[2]->first_s = 8;
	idle.engine->findings.list[2]->last_s = 9;
	strcpy(idle.engine->findings.list[2]->last_at, "later");
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(first->count, 3);
	assert_true(first->first_s == 4);
	assert_string_equal(first->first_at, "earlier");
	assert_true(first->last_s == 9);
	assert_string_equal(first->last_at, "later");
	idle_close(&idle);
}

/* clang-format off */
static const struct word_row {
	const char *name;
	const char *into, *merged; /* notes of the user */
	enum finding_verdict into_is, merged_is;
	bool merged_fixed, merged_old; /* old: of an earlier run */
	bool into_back, merged_back;   /* it was fixed, and fails again */
	const char *note;
	enum finding_verdict is;
	bool is_news; /* what fails cfuzz ci */
} WORDS[] = {
	{ "none", "", "", VERDICT_NEW, VERDICT_NEW, false, false, false, false, "", VERDICT_NEW, true },
	{ "of the merged one", "", "a note", VERDICT_NEW, VERDICT_ACCEPTED, false, false, false, false, "a note", VERDICT_ACCEPTED, false },
	{ "of the first one", "mine", "", VERDICT_ACCEPTED, VERDICT_NEW, false, false, false, false, "mine", VERDICT_ACCEPTED, false },
	{ "of both", "mine", "a note", VERDICT_ACCEPTED, VERDICT_ACCEPTED, false, false, false, false, "mine", VERDICT_ACCEPTED, false },
	{ "the merged one is known", "", "", VERDICT_NEW, VERDICT_KNOWN, false, false, false, false, "", VERDICT_KNOWN, false },
	{ "accepted and known", "", "", VERDICT_ACCEPTED, VERDICT_KNOWN, false, false, false, false, "", VERDICT_ACCEPTED, false },
	{ "the merged one is known as fixed", "", "", VERDICT_NEW, VERDICT_KNOWN, true, true, false, false, "", VERDICT_NEW, true },
	{ "the merged one was flaky before", "", "", VERDICT_NEW, VERDICT_FLAKY, false, true, false, false, "", VERDICT_NEW, false },
	{ "the merged one is known, the first is back", "", "", VERDICT_NEW, VERDICT_KNOWN, false, true, true, false, "", VERDICT_NEW, true },
	{ "the merged one is back", "", "", VERDICT_NEW, VERDICT_NEW, false, false, false, true, "", VERDICT_NEW, true },
};
/* clang-format on */

/* What the user said of a finding is not lost; crash.json has it, too. */
static void
test_users_word(void **state)
{
	const struct word_row *row;
	struct finding *into, *f;
	struct idle idle;
	void *tree;

	for (row = WORDS; row < WORDS + ROWS(WORDS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, plain);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "two");
		into = findings_at(idle.engine, 0);
		f = findings_at(idle.engine, 1);
		strcpy(into->note, row->into);
		strcpy(f->note, row->merged);
		triage_mark(idle.engine, into, row->into_is);
		triage_mark(idle.engine, f, row->merged_is);
		f->fixed = row->merged_fixed;
		f->is_new = !row->merged_old;
		into->is_back = row->into_back;
		f->is_back = row->merged_back;
		idle.engine->settings.ci = true;
		idle_settle(&idle);
		row_check(findings_count(idle.engine) == 1, "%s", row->name);
		row_check(into->verdict == row->is, "%s", row->name);
		row_check(into->is_back ==
				(row->into_back || row->merged_back ||
					row->merged_fixed),
			"%s", row->name);
		row_check(idle_close(&idle) ==
				(row->is_news ? EXIT_FOUND : EXIT_NOTHING),
			"%s", row->name);
		idle_open(&idle, tree, plain);
		into = findings_at(idle.engine, 0);
		row_check(strcmp(into->note, row->note) == 0, "%s: %s",
			row->name, into->note);
		row_check((into->verdict == VERDICT_ACCEPTED) ==
				(row->is == VERDICT_ACCEPTED),
			"%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

static bool
has_answers(const struct idle *idle)
{
	return idle->engine->naming.queries_n == 0;
}

/* Names that come after the end wait for the next work: another run may own
 * the directory. */
static void
test_at_rest(void **state)
{
	struct error err = { 0 };
	struct engine *e;
	struct idle idle;

	idle_open(&idle, *state, plain);
	e = idle.engine;
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "two");
	assert_int_equal(store_finish(e->store, TREE_DISK_MS, NULL, NULL), 0);
	store_rest(e->store);
	idle_until(&idle, has_answers);
	triage_tick(e);
	assert_int_equal(e->findings.n, 2);
	assert_int_equal(store_wake(e->store, &err), OK);
	triage_tick(e);
	assert_int_equal(e->findings.n, 1);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/crashes"), 1);
}

/* ---- no room ------------------------------------------------------------- */

static void
fill(struct engine *e)
{
	uint64_t i;

	for (i = 1; !stack_hashes_full(&e->dedup.hashes); i++)
		assert_true(stack_hashes_put(&e->dedup.hashes, i, i));
}

/* All further failures of a kind are one finding; known ones are not. */
static void
test_full(void **state)
{
	const struct tree *tree = *state;
	const struct finding *others;
	struct engine *e;
	struct idle idle;
	char folder[FOLDER_SIZE];

	idle_open(&idle, tree, plain);
	e = idle.engine;
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	fill(e);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x223, "two");
	idle_fail(&idle, FAILURE_SIGNAL, SIGFPE, 0x323, "three");
	idle_fail(&idle, FAILURE_OOM, 0, 0x423, "four");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	assert_int_equal(e->findings.n, 3);
	assert_int_equal(e->findings.list[0]->count, 2);
	others = e->findings.list[1];
	assert_true(finding_is_overflow(others));
	assert_int_equal(others->count, 2);
	assert_memory_equal(others->folder, "crashes/others-signal-", 22);
	assert_memory_equal(e->findings.list[2]->folder, "ooms/others-oom-",
		16);
	assert_int_equal(idle_events(&idle, "findings"), 1);
	snprintf(folder, sizeof(folder), "%s", others->folder);
	idle_close(&idle);
	/* The next run goes on with the same one. */
	idle_open(&idle, tree, plain);
	others = triage_find(idle.engine, folder);
	assert_non_null(others);
	assert_true(finding_is_overflow(others));
	assert_int_equal(others->count, 2);
	fill(idle.engine);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x523, "five");
	assert_int_equal(others->count, 3);
	idle_close(&idle);
}

/* So is a hang that was a suspect before there was no room, as soon as it has hung
 * again: otherwise each further one would be a suspect, and a second finding. */
static void
test_full_meanwhile(void **state)
{
	static const struct {
		const char *name;
		uint64_t first, again; /* the stack, 0: none */
	} rows[] = {
		{ "the same stack", 0x123, 0x123 },
		{ "no stack at first", 0, 0x123 },
		{ "no stack at all", 0, 0 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct finding *f;
		struct idle idle;
		struct engine *e;
		void *tree;

		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replaying);
		e = idle.engine;
		idle_fail(&idle, FAILURE_HANG, 0, rows[i].first, "slow");
		fill(e);
		triage_on_replay(e, e->suspects.waiting[0],
			idle_result(&idle, FAILURE_HANG, 0, rows[i].again,
				"slow"));
		row_check(e->findings.n == 1, "%s", rows[i].name);
		idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
		row_check(e->suspects.waiting_n == 0, "%s: a suspect",
			rows[i].name);
		f = e->findings.list[0];
		row_check(f->count == 2, "%s", rows[i].name);
		row_check(finding_is_overflow(f), "%s", rows[i].name);
		row_check(strncmp(f->folder, "hangs/others-hang-", 18) == 0,
			"%s: %s", rows[i].name, f->folder);
		idle_settle(&idle);
		row_check(idle_events(&idle, "findings") == 1, "%s",
			rows[i].name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* ---- later runs ---------------------------------------------------------- */

/* A finding of an earlier run is known; its failure counts there. */
static void
test_known(void **state)
{
	const struct tree *tree = *state;
	struct finding *f;
	struct idle idle;
	char id[17];

	idle_open(&idle, tree, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "two");
	idle_settle(&idle);
	memcpy(id, idle.engine->findings.list[0]->id, sizeof(id));
	assert_int_equal(idle_close(&idle), EXIT_FOUND);
	/* Nothing fails in this run. */
	idle_open(&idle, tree, plain);
	assert_int_equal(idle.engine->findings.n, 1);
	f = idle.engine->findings.list[0];
	assert_string_equal(f->id, id);
	assert_int_equal(f->verdict, VERDICT_KNOWN);
	assert_int_equal(f->count, 2);
	assert_memory_equal(f->input, "one", f->len);
	assert_int_equal(idle_close(&idle), EXIT_NOTHING);
	/* In this run it fails, by a stack hash that had been merged. */
	idle_open(&idle, tree, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "three");
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(idle.engine->findings.list[0]->count, 3);
	assert_int_equal(idle.findings, 1);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "four");
	assert_int_equal(idle.findings, 1);
	/* And by code of the same line that is new. */
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x163, "five");
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(idle.engine->findings.list[0]->count, 5);
	assert_int_equal(idle_close(&idle), EXIT_FOUND);
}

/* Two bugs of a function without file and line are two in the next run, too. */
static void
test_known_places(void **state)
{
	struct engine *e;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0xe12, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0xe34, "two");
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 2);
	idle_close(&idle);
	idle_open(&idle, *state, plain);
	e = idle.engine;
	assert_int_equal(e->findings.n, 2);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0xe12, "three");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0xe34, "four");
	idle_settle(&idle);
	assert_int_equal(e->findings.n, 2);
	assert_int_equal(e->findings.list[0]->count, 2);
	assert_int_equal(e->findings.list[1]->count, 2);
	idle_close(&idle);
}

/* Changes the crash.json of a finding as an earlier version had written it. */
static void
change(const struct tree *tree, const char *folder, const char *member,
	json_t *take_value)
{
	char name[300], *text;
	json_t *info;

	snprintf(name, sizeof(name), "out/%s/crash.json", folder);
	text = tree_read(tree, name, NULL);
	assert_non_null(text);
	info = json_loads(text, 0, NULL);
	json_object_set_new(info, member, take_value);
	free(text);
	text = json_dumps(info, 0);
	tree_text(tree, name, text);
	free(text);
	json_decref(info);
}

/* Makes a finding in a run that ends. */
static void
leave_finding(const struct tree *tree, char folder[FOLDER_SIZE])
{
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	snprintf(folder, FOLDER_SIZE, "%s",
		idle.engine->findings.list[0]->folder);
	idle_close(&idle);
}

/* The same in a run that ends before the names come. */
static void
leave_unnamed(const struct tree *tree, char folder[FOLDER_SIZE])
{
	leave_finding(tree, folder);
	change(tree, folder, "named", json_false());
	change(tree, folder, "frames",
		json_pack("[{s:s, s:i}]", "module", "test_dedup", "offset",
			0x123));
}

/* clang-format off */
static const struct older_row {
	const char *name;
	enum failure_kind kind;
	uint64_t before, now; /* offsets of the frame; 0: none */
	int format;
	size_t findings;
} OLDER[] = {
	{ "an exit had no frames", FAILURE_EXIT, 0, 0x123, 1, 1 },
	{ "an exit had a frame", FAILURE_EXIT, 0x223, 0x123, 1, 2 },
	{ "an error had the address after the call", FAILURE_ERROR, 0x124, 0x123, 1, 1 },
	{ "an error had the line after the call", FAILURE_ERROR, 0x144, 0x123, 1, 1 },
	{ "an error of another function", FAILURE_ERROR, 0x224, 0x123, 1, 2 },
	{ "an error without frames", FAILURE_ERROR, 0, 0x123, 1, 2 },
	{ "a leak", FAILURE_LEAK, 0x124, 0x123, 1, 2 },
	{ "an exit of this version", FAILURE_EXIT, 0, 0x123, 2, 2 },
};
/* clang-format on */

/* A finding of an older version gets the frames of the same failure today. */
static void
test_older(void **state)
{
	const struct older_row *row;
	struct finding *f;
	struct idle idle;
	void *tree;
	char folder[FOLDER_SIZE];

	for (row = OLDER; row < OLDER + ROWS(OLDER); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, plain);
		idle_fail(&idle, row->kind, 0, row->before, "one");
		idle_settle(&idle);
		f = idle.engine->findings.list[0];
		snprintf(folder, sizeof(folder), "%s", f->folder);
		idle_close(&idle);
		change(tree, folder, "format", json_integer(row->format));
		idle_open(&idle, tree, plain);
		f = idle.engine->findings.list[0];
		idle_fail(&idle, row->kind, 0, row->now, "two");
		idle_settle(&idle);
		row_check(idle.engine->findings.n == row->findings, "%s",
			row->name);
		row_check(f->count == 3 - row->findings, "%s", row->name);
		row_check(row->findings == 2 ||
				f->failure.frames[0].offset == row->now,
			"%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* A run that ended before the names came leaves the question to the next. */
static void
test_unnamed(void **state)
{
	const struct tree *tree = *state;
	struct finding *f;
	struct idle idle;
	char folder[FOLDER_SIZE];

	leave_unnamed(tree, folder);
	idle_open(&idle, tree, plain);
	f = idle.engine->findings.list[0];
	assert_int_equal(f->naming, NAMING_WANTED);
	assert_null(f->names);
	assert_false(finding_is_named(f));
	naming_next(idle.engine);
	idle_settle(&idle);
	assert_true(finding_is_named(f));
	assert_string_equal(f->where, "f1 f1.c:3");
	idle_close(&idle);
}

/* crash.json says so as soon as the names are there. */
static void
test_named_on_disk(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	char name[300], *text;
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	snprintf(name, sizeof(name), "out/%s/crash.json",
		idle.engine->findings.list[0]->folder);
	assert_int_equal(store_finish(idle.engine->store, TREE_DISK_MS, NULL,
				 NULL),
		0);
	text = tree_read(tree, name, NULL);
	assert_non_null(strstr(text, "\"named\": true"));
	free(text);
	store_rest(idle.engine->store);
	assert_int_equal(store_wake(idle.engine->store, &err), OK);
	idle_close(&idle);
}

/* A worker replays the finding, which fails with its build as well. */
static void
replay(struct idle *idle, struct finding *f, uint64_t offset)
{
	struct worker_result r =
		*idle_result(idle, FAILURE_SIGNAL, SIGSEGV, offset, "one");

	r.job.kind = JOB_REPLAY;
	job_set_finding(&r.job, f);
	coordinator_on_result(idle->engine, idle->engine->pool.slots[0].worker,
		&r);
	idle_settle(idle);
}

/* clang-format off */
static const struct rebuilt_row {
	const char *name;
	uint64_t offset;      /* where this build fails */
	bool replayed;        /* its own input fails, too */
	bool saved;           /* by a run with this build that does not replay it */
	size_t findings;
	const char *where;    /* of the finding of the earlier build */
} REBUILT[] = {
	{ "other code at its address fails", 0x123, false, false, 2, "test_dedup+0x123" },
	{ "its own input fails", 0, true, false, 1, "f3 f3.c:3" },
	{ "its own input fails where another does", 0x343, true, false, 1, "f3 f3.c:3" },
	{ "its own input fails in a later run", 0, true, true, 1, "f3 f3.c:3" },
};
/* clang-format on */

/* This build does not name the code of another one: a replay does. */
static void
test_unnamed_rebuilt(void **state)
{
	const struct rebuilt_row *row;
	struct finding *f;
	struct idle idle;
	char folder[FOLDER_SIZE];
	void *tree;

	for (row = REBUILT; row < REBUILT + ROWS(REBUILT); row++) {
		assert_int_equal(tree_open(&tree), 0);
		leave_unnamed(tree, folder);
		change(tree, folder, "where", json_string("test_dedup+0x123"));
		change(tree, folder, "build_id", json_string("0badc0de"));
		if (row->saved) {
			idle_open(&idle, tree, plain);
			triage_finish(idle.engine);
			idle_close(&idle);
		}
		idle_open(&idle, tree, replaying);
		f = idle.engine->findings.list[0];
		row_check(f->naming == NAMING_DONE, "%s", row->name);
		if (row->offset > 0)
			idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, row->offset,
				"two");
		idle_settle(&idle);
		if (row->replayed) {
			assert_int_equal(triage_replay(idle.engine, f, 1, NULL),
				OK);
			replay(&idle, f, 0x323);
		}
		row_check(idle.engine->findings.n == row->findings, "%s",
			row->name);
		f = idle.engine->findings.list[0];
		row_check(strcmp(f->where, row->where) == 0, "%s: %s",
			row->name, f->where);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Stack hashes of another build say nothing: there is other code. */
static void
test_another_build(void **state)
{
	const struct tree *tree = *state;
	const struct finding *f;
	struct idle idle;
	char folder[FOLDER_SIZE];

	leave_finding(tree, folder);
	change(tree, folder, "build_id", json_string("0badc0de"));
	idle_open(&idle, tree, plain);
	f = idle.engine->findings.list[0];
	idle.engine->findings.list[0]->fixed = true;
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "two");
	assert_int_equal(idle.engine->findings.n, 2);
	/* The names say that it is the same. */
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(f->count, 2);
	assert_string_equal(f->build, idle.engine->target.info.build);
	/* It was fixed: that it fails again is reported once. */
	assert_false(f->fixed);
	assert_int_equal(f->seen, SEEN_NOW);
	assert_int_equal(idle.findings, 1);
	idle_close(&idle);
}

/* ---- --stop-on-crash ----------------------------------------------------- */

/* A known finding that occurs again ends the campaign, also by its names. */
static void
test_stop(void **state)
{
	static const uint64_t offsets[] = { 0x123, 0x143 };
	const struct tree *tree = *state;
	struct idle idle;
	size_t i;

	idle_open(&idle, tree, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	idle_close(&idle);
	for (i = 0; i < ROWS(offsets); i++) {
		idle_open(&idle, tree, stopping);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, offsets[i], "two");
		idle_settle(&idle);
		assert_int_equal(idle.engine->findings.n, 1);
		assert_true(idle.engine->end.stopping);
		assert_int_equal(idle.engine->end.why, END_CRASH);
		assert_int_equal(idle_close(&idle), EXIT_FOUND);
	}
}

/* The first one ends the campaign, though a suspect becomes a finding since. */
static void
test_stop_first(void **state)
{
	const struct finding *first;
	struct idle idle;
	struct engine *e;

	idle_open(&idle, *state, stopping_replays);
	e = idle.engine;
	idle_fail(&idle, FAILURE_HANG, 0, 0x223, "slow");
	assert_int_equal(e->suspects.waiting_n, 1);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	first = findings_at(e, 0);
	assert_ptr_equal(findings_crash(e), first);
	triage_on_replay(e, e->suspects.waiting[0],
		idle_result(&idle, FAILURE_HANG, 0, 0x223, "slow"));
	assert_int_equal(findings_count(e), 2);
	assert_ptr_equal(findings_crash(e), first);
	assert_false(e->end.stopping);
	idle_close(&idle);
}

static void
set_option(const struct idle *idle, const char *option, const char *value)
{
	struct error err = { 0 };
	char line[64], answer[256];

	snprintf(line, sizeof(line), "set %s %s", option, value);
	if (whole_engine_command(idle->engine, line, answer, sizeof(answer),
		    &err) != OK)
		fail_msg("%s: %s", line, err.text);
}

/* clang-format off */
static const struct into_known_row {
	const char *name;
	bool accepted, ci; /* why the known one does not end the run */
	bool minimizes, other; /* a suspect becomes a finding before the merge */
	bool stops;
} INTO_KNOWN[] = {
	{ "it was accepted", true, false, false, true, true },
	{ "cfuzz ci knows it", false, true, false, true, true },
	{ "the other one is minimized first", true, false, true, true, false },
	{ "there is no other one", true, false, false, false, false },
	{ "it ends the run", false, false, true, true, true },
};
/* clang-format on */

/* The finding that was to end the run is the same as one that does not: the next
 * one takes its place. */
static void
test_stop_merged(void **state)
{
	const struct into_known_row *row;
	char folder[FOLDER_SIZE];
	struct idle idle;
	struct engine *e;
	bool next;
	void *tree;

	for (row = INTO_KNOWN; row < INTO_KNOWN + ROWS(INTO_KNOWN); row++) {
		assert_int_equal(tree_open(&tree), 0);
		leave_finding(tree, folder);
		idle_open(&idle, tree, stopping_replays);
		e = idle.engine;
		if (row->minimizes)
			set_option(&idle, "minimizetime", "60s");
		e->settings.ci = row->ci;
		if (row->accepted)
			triage_mark(e, findings_at(e, 0), VERDICT_ACCEPTED);
		if (row->other)
			idle_fail(&idle, FAILURE_HANG, 0, 0x223, "slow");
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143, "two");
		if (row->other)
			triage_on_replay(e, e->suspects.waiting[0],
				idle_result(&idle, FAILURE_HANG, 0, 0x223,
					"slow"));
		row_check(!e->end.stopping, "%s", row->name);
		idle_settle(&idle);
		row_check(findings_count(e) == 1u + row->other, "%s",
			row->name);
		row_check(e->end.stopping == row->stops, "%s", row->name);
		row_check(!row->stops || e->end.why == END_CRASH, "%s",
			row->name);
		next = row->other && !row->stops;
		row_check(row->stops ||
				findings_crash(e) ==
					(next ? findings_at(e, 1) : NULL),
			"%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* The finding that is to end the run is accepted, by a merge or by the user: the
 * run goes on, or ends with the next one. */
static void
test_stop_accepted(void **state)
{
	static const struct {
		const char *name;
		bool merged, other, off; /* off: the user has turned it off */
	} rows[] = {
		{ "by a merge", true, false, false },
		{ "by a merge, and there is another one", true, true, false },
		{ "by the user", false, false, false },
		{ "by the user, and there is another one", false, true, false },
		{ "with another one, after the option", false, true, true },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char folder[FOLDER_SIZE];
		struct finding *f, *crash;
		struct engine *e;
		struct idle idle;
		void *tree;
		bool stops;

		assert_int_equal(tree_open(&tree), 0);
		leave_unnamed(tree, folder);
		change(tree, folder, "build_id", json_string("0badc0de"));
		idle_open(&idle, tree, stopping_replays);
		e = idle.engine;
		f = findings_at(e, 0);
		triage_mark(e, f, VERDICT_ACCEPTED);
		if (rows[i].other)
			idle_fail(&idle, FAILURE_HANG, 0, 0x223, "slow");
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x323, "two");
		if (rows[i].other)
			triage_on_replay(e, e->suspects.waiting[0],
				idle_result(&idle, FAILURE_HANG, 0, 0x223,
					"slow"));
		idle_settle(&idle);
		crash = findings_at(e, 1);
		row_check(findings_crash(e) == crash, "%s", rows[i].name);
		e->settings.stop_on_crash = !rows[i].off;
		if (rows[i].merged) {
			triage_rerun_next(e, UINT64_MAX);
			replay(&idle, f, 0x343);
			row_check(f->state == FINDING_MERGED, "%s",
				rows[i].name);
		} else {
			triage_mark(e, crash, VERDICT_ACCEPTED);
		}
		stops = rows[i].other && !rows[i].off;
		row_check(e->end.stopping == stops, "%s", rows[i].name);
		row_check(stops || findings_crash(e) == NULL, "%s",
			rows[i].name);
		if (!rows[i].other) {
			triage_on_replay(e, crash,
				idle_result(&idle, FAILURE_SIGNAL, SIGSEGV,
					0x323, "two"));
			row_check(!e->end.stopping, "%s", rows[i].name);
		}
		idle_close(&idle);
		tree_close(&tree);
	}
}

enum again {
	REBUILT_SINCE, /* the finding is of another build */
	FIXED_SINCE,   /* and the replays of one more build did not fail */
	LEFT_THERE,    /* by a run that ended before its replays */
	ASKED_FOR,     /* nothing has changed; the user has it replayed */
};

/* clang-format off */
static const struct again_row {
	const char *name;
	enum again again;
	enum failure_kind kind; /* of the replay */
	bool accepted, ci;
	bool stops;
} AGAIN[] = {
	{ "the target was rebuilt", REBUILT_SINCE, FAILURE_SIGNAL, false, false, true },
	{ "it was fixed", FIXED_SINCE, FAILURE_SIGNAL, false, false, true },
	{ "its replays were left", LEFT_THERE, FAILURE_SIGNAL, false, false, true },
	{ "it does not fail", REBUILT_SINCE, FAILURE_NONE, false, false, false },
	{ "its left replays do not fail", LEFT_THERE, FAILURE_NONE, false, false, false },
	{ "it was accepted", REBUILT_SINCE, FAILURE_SIGNAL, true, false, false },
	{ "cfuzz ci knows it", REBUILT_SINCE, FAILURE_SIGNAL, false, true, false },
	{ "it was fixed, for cfuzz ci", FIXED_SINCE, FAILURE_SIGNAL, false, true, true },
	{ "it is the same as ever", ASKED_FOR, FAILURE_SIGNAL, false, false, false },
};
/* clang-format on */

/* The replay that a run with --stop-on-crash makes of it. */
static void
replay_again(struct idle *idle, const struct again_row *row, struct finding *f)
{
	struct engine *e = idle->engine;

	e->settings.ci = row->ci;
	f->fixed = row->again == FIXED_SINCE;
	if (row->accepted)
		f->verdict = VERDICT_ACCEPTED;
	if (row->again == ASKED_FOR)
		assert_int_equal(triage_replay(e, f, 1, NULL), OK);
	triage_rerun_next(e, UINT64_MAX);
	row_check(f->state == FINDING_VERIFYING, "%s", row->name);
	row_check(!e->end.stopping, "%s: before its replay", row->name);
	triage_on_replay(e, f,
		idle_result(idle, row->kind, SIGSEGV, 0x123, "one"));
	idle_settle(idle);
}

/* A finding of an earlier run that fails again in its replays is minimized, and
 * ends the run, as a new one does. */
static void
test_stop_again(void **state)
{
	const struct again_row *row;
	bool minimizes = false;
	struct finding *f;
	char folder[FOLDER_SIZE];
	struct idle idle;
	void *tree;

	for (row = AGAIN; row < AGAIN + ROWS(AGAIN);
		row += minimizes, minimizes = !minimizes) {
		assert_int_equal(tree_open(&tree), 0);
		leave_finding(tree, folder);
		if (row->again == LEFT_THERE)
			change(tree, folder, "left", json_string("verify"));
		else if (row->again != ASKED_FOR)
			change(tree, folder, "build_id",
				json_string("0badc0de"));
		idle_open(&idle, tree, stopping_replays);
		if (minimizes)
			set_option(&idle, "minimizetime", "60s");
		f = idle.engine->findings.list[0];
		replay_again(&idle, row, f);
		row_check(idle.engine->end.stopping ==
				(row->stops && !minimizes),
			"%s", row->name);
		row_check((findings_crash(idle.engine) == f) == row->stops,
			"%s", row->name);
		if (row->stops && minimizes) {
			row_check(f->state == FINDING_QUEUED, "%s", row->name);
			triage_move_on(idle.engine, f, FINDING_DONE);
			row_check(idle.engine->end.why == END_CRASH, "%s",
				row->name);
		}
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Without replays it keeps waiting for its turn, as in the runs before. */
static void
test_no_replays(void **state)
{
	const struct finding *f;
	char folder[FOLDER_SIZE];
	struct idle idle;

	leave_finding(*state, folder);
	change(*state, folder, "build_id", json_string("0badc0de"));
	idle_open(&idle, *state, stopping_replays);
	f = idle.engine->findings.list[0];
	set_option(&idle, "verify", "0");
	triage_rerun_next(idle.engine, UINT64_MAX);
	assert_int_equal(f->state, FINDING_RERUN);
	assert_int_equal(f->seen, SEEN_BEFORE);
	set_option(&idle, "verify", "1");
	triage_rerun_next(idle.engine, UINT64_MAX);
	assert_int_equal(f->state, FINDING_VERIFYING);
	idle_close(&idle);
}

/* Minimizing that is turned off ends the run, too, at each of its steps. */
static void
test_stop_unminimized(void **state)
{
	static const struct {
		const char *name;
		bool begun;   /* a worker had it */
		bool stopped; /* else the user wants it minimized */
	} rows[] = {
		{ "it waits for a worker", false, true },
		{ "it waits for its next call", true, true },
		{ "the user asked for it", true, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct finding *f;
		struct idle idle;
		void *tree;

		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, minimizing);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
		idle_settle(&idle);
		f = idle.engine->findings.list[0];
		row_check(f->state == FINDING_QUEUED, "%s", rows[i].name);
		if (rows[i].begun)
			minimize_tasks_of_finding(idle.engine,
				idle.engine->findings.list[0])
				->asked = !rows[i].stopped;
		set_option(&idle, "minimizetime", "0");
		row_check(idle.engine->end.stopping == rows[i].stopped, "%s",
			rows[i].name);
		row_check((f->state == FINDING_DONE) == rows[i].stopped, "%s",
			rows[i].name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Without --stop-on-crash it goes on when it is allowed again. */
static void
test_minimized_later(void **state)
{
	const struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, plain);
	set_option(&idle, "minimizetime", "60s");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	f = idle.engine->findings.list[0];
	set_option(&idle, "minimizetime", "0");
	assert_int_equal(f->state, FINDING_DONE);
	assert_string_equal(triage_left(idle.engine, f), "minimize");
	set_option(&idle, "minimizetime", "10x");
	assert_int_equal(f->state, FINDING_QUEUED);
	assert_int_equal(f->later, FINDING_NEW);
	idle_close(&idle);
}

/* ---- the last replay of a minimized input --------------------------------- */

/* Other code of the same line may be the same failure: its names tell. */
static void
test_final(void **state)
{
	static const struct {
		const char *name;
		uint64_t offset; /* of another failure, and of the replay */
		bool settled, minimized;
	} rows[] = {
		{ "names are not known yet", 0x143, false, true },
		{ "the same line", 0x143, true, true },
		{ "another function", 0x223, true, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct worker_result *r;
		struct finding *f;
		struct idle idle;
		void *tree;

		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, plain);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
		idle_settle(&idle);
		f = idle.engine->findings.list[0];
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, rows[i].offset,
			"other");
		if (rows[i].settled)
			idle_settle(&idle);
		f->state = FINDING_FINAL;
		f->trial = xmemdup("on", 2);
		f->trial_len = 2;
		r = idle_result(&idle, FAILURE_SIGNAL, SIGSEGV, rows[i].offset,
			"on");
		f->state = triage_judge_final(idle.engine, f, r);
		row_check(f->state == FINDING_DONE, "%s", rows[i].name);
		row_check((f->minimized_len == 2) == rows[i].minimized, "%s",
			rows[i].name);
		idle_settle(&idle);
		idle_close(&idle);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		ROW(test_merged),
		ROW(test_times),
		cmocka_unit_test(test_users_word),
		ROW(test_at_rest),
		ROW(test_full),
		cmocka_unit_test(test_full_meanwhile),
		ROW(test_known),
		ROW(test_known_places),
		cmocka_unit_test(test_older),
		ROW(test_unnamed),
		ROW(test_named_on_disk),
		cmocka_unit_test(test_unnamed_rebuilt),
		ROW(test_another_build),
		ROW(test_stop),
		ROW(test_stop_first),
		cmocka_unit_test(test_stop_merged),
		cmocka_unit_test(test_stop_accepted),
		cmocka_unit_test(test_stop_again),
		ROW(test_no_replays),
		cmocka_unit_test(test_stop_unminimized),
		ROW(test_minimized_later),
		cmocka_unit_test(test_final),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("dedup", tests, NULL, NULL);
}
