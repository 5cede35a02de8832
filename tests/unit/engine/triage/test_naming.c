/*
 * The names of a finding's frames: in its place, its report and its source
 * lines; and findings that never get names.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/front/snapshot_view.h"
#include "engine/log/messages.h"
#include "engine/triage/mutator.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"

static const char *const plain[] = { "parallel", "1", "verify", "0",
	"minimizetime", "0x", NULL };
static const char *const fixed[] = { "parallel", "1", "verify", "0",
	"minimizetime", "0x", "seed", "7", "deterministic", "on", NULL };
static const char *const stopping[] = { "parallel", "1", "verify", "0",
	"minimizetime", "0x", "stop-on-crash", "on", NULL };

/* Does a file of the finding's folder have this text? */
static bool
file_has(const struct tree *tree, const char *folder, const char *file,
	const char *text)
{
	char name[300], *data;
	bool has;

	snprintf(name, sizeof(name), "out/%s/%s", folder, file);
	data = tree_read(tree, name, NULL);
	has = data != NULL && strstr(data, text) != NULL;
	free(data);
	return has;
}

/* ---- names and no names --------------------------------------------------- */

/* clang-format off */
static const struct named_row {
	const char *name;
	uint64_t offset;
	const char *module; /* NULL: the target */
	const char *where, *report;
} NAMED[] = {
	{ "a function with its line", 0x123, NULL, "f1 f1.c:3", "  >      3  code of line 3" },
	{ "a function without a line", 0x120, NULL, "f1 f1.c", "f1" },
	{ "no name", 0x23, NULL, "test_naming+0x23", "test_naming+0x23" },
	{ "no library to read names", 0xb23, NULL, "test_naming+0xb23", "test_naming+0xb23" },
	{ "a module that is not loaded", 0x123, "libnone.so", "libnone.so+0x123", "libnone.so+0x123" },
	{ "no stack", 0, NULL, "", "the text of SIGSEGV" },
};
/* clang-format on */

static void
test_named(void **state)
{
	const struct named_row *row;
	const struct finding *f;
	struct worker_result r;
	struct idle idle;
	char folder[256];
	void *tree;

	for (row = NAMED; row < NAMED + ROWS(NAMED); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, plain);
		r = *idle_result(&idle, FAILURE_SIGNAL, SIGSEGV, row->offset,
			"one");
		if (row->module != NULL)
			strcpy(r.failure.frames[0].module, row->module);
		triage_on_failure(idle.engine, &idle.engine->pool.slots[0], &r,
			NULL);
		f = idle.engine->findings.list[0];
		row_check(f->announcement != ANNOUNCE_DONE, "%s", row->name);
		idle_settle(&idle);
		row_check(strcmp(f->where, row->where) == 0, "%s: %s",
			row->name, f->where);
		row_check(strcmp(idle_event_text(&idle, "crash", "where"),
				  row->where) == 0,
			"%s", row->name);
		row_check(idle.findings == 1, "%s", row->name);
		row_check(f->report == NULL, "%s", row->name);
		snprintf(folder, sizeof(folder), "%s", f->folder);
		idle_close(&idle);
		row_check(file_has(tree, folder, "report.txt", row->report),
			"%s", row->name);
		row_check(file_has(tree, folder, "crash.json", row->where),
			"%s", row->name);
		tree_close(&tree);
	}
}

/* That names are impossible is said once. */
static void
test_blind(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0xb11, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0xb22, "two");
	idle_settle(&idle);
	assert_int_equal(idle_events(&idle, "names"), 1);
	assert_non_null(strstr(idle.lines, NAMES_BLIND));
	assert_int_equal(idle.engine->findings.n, 2);
	idle_close(&idle);
}

/* Many findings get their names, a few at a time. */
static void
test_many(void **state)
{
	struct idle idle;
	uint64_t i;

	idle_open(&idle, *state, plain);
	for (i = 0; i < 40; i++)
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, (i + 0x10) << 8 | 3,
			"one");
	assert_int_equal(idle.engine->naming.queries_n, 16);
	assert_int_equal(idle.engine->findings.list[16]->naming, NAMING_WANTED);
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 40);
	assert_int_equal(idle.findings, 40);
	for (i = 0; i < 40; i++)
		assert_non_null(idle.engine->findings.list[i]->names);
	assert_string_equal(idle.engine->findings.list[39]->where,
		"f37 f37.c:3");
	idle_close(&idle);
}

/* A finding is announced once: with its names, not when they are late. */
static void
test_late(void **state)
{
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	f = idle.engine->findings.list[0];
	assert_int_equal(f->state, FINDING_NEW);
	assert_true(naming_busy(idle.engine));
	f->names_until = 0; /* the wait is over */
	triage_step(idle.engine, f);
	assert_int_not_equal(f->state, FINDING_NEW);
	assert_true(naming_busy(idle.engine)); /* the end waits longer */
	idle_settle(&idle);
	assert_int_equal(idle_events(&idle, "crash"), 1);
	assert_int_equal(idle.findings, 1);
	assert_string_equal(f->where, "f1 f1.c:3");
	idle_close(&idle);
}

static bool
is_saved(const struct idle *idle)
{
	return idle->engine->findings.list[0]->announcement == ANNOUNCE_SAVED;
}

/* The end does not wait as long as the announcement: it still tells what was
 * found. */
static void
test_end(void **state)
{
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle.engine->naming.queries_n = 16; /* no answer comes */
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	f = idle.engine->findings.list[0];
	idle_until(&idle, is_saved);
	assert_int_equal(f->state, FINDING_NEW);
	triage_finish(idle.engine);
	assert_int_equal(idle_events(&idle, "crash"), 1);
	assert_int_equal(idle.findings, 1);
	idle_close(&idle);
}

/* clang-format off */
static const struct listed_row {
	const char *name;
	uint64_t offset; /* of the second failure; the first is at 0x123 */
	bool is_late; /* the wait for names is over before they come */
	uint64_t waiting, then; /* findings in the snapshot */
} LISTED[] = {
	{ "another line", 0x124, false, 1, 2 },
	{ "other code of the same line", 0x143, false, 1, 1 },
	{ "names that are late", 0x124, true, 2, 2 },
};
/* clang-format on */

static void
check_listed(struct idle *idle, uint64_t n, const char *name)
{
	struct snapshot s;

	view_make(idle->engine, &s);
	row_check(snapshot_findings(&s) == n, "%s: %llu counted", name,
		(unsigned long long)snapshot_findings(&s));
	row_check(s.findings_n == n, "%s: %zu listed", name, s.findings_n);
	row_check(s.findings_new == n, "%s", name);
	snapshot_clear(&s);
}

/* Front ends see a finding when it is decided that it is another one. */
static void
test_listed(void **state)
{
	const struct listed_row *row;
	struct finding *f;
	struct idle idle;
	void *tree;

	for (row = LISTED; row < LISTED + ROWS(LISTED); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, plain);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
		idle_settle(&idle);
		idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, row->offset, "two");
		f = idle.engine->findings.list[1];
		if (row->is_late) {
			f->names_until = 0;
			triage_step(idle.engine, f);
		}
		check_listed(&idle, row->waiting, row->name);
		idle_settle(&idle);
		check_listed(&idle, row->then, row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* A deterministic run waits for the names, and not for the disk. */
static void
test_deterministic(void **state)
{
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, fixed);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	f = idle.engine->findings.list[0];
	f->names_until = 0;
	assert_true(naming_busy(idle.engine));
	idle_settle(&idle);
	assert_int_equal(f->announcement, ANNOUNCE_DONE);
	assert_string_equal(idle_event_text(&idle, "crash", "where"),
		"f1 f1.c:3");
	idle_close(&idle);
}

/* ---- reports of sanitizers ------------------------------------------------ */

#define REPORT \
	"==1==ERROR: AddressSanitizer: bad %s\n" \
	"    #0 0x55d1 (/x/test_naming+0x%x)\n"

static void
save_report(struct idle *idle, struct finding *f, const char *word,
	unsigned offset)
{
	struct worker_result r =
		*idle_result(idle, FAILURE_SANITIZER, 0, 0x123, "one");
	char text[256];

	snprintf(text, sizeof(text), REPORT, word, offset);
	r.report = text;
	r.report_len = strlen(text);
	if (f != NULL) {
		record_save_report(idle->engine, f, &r);
		naming_renew_report(idle->engine, f);
		return;
	}
	triage_on_failure(idle->engine, &idle->engine->pool.slots[0], &r, NULL);
}

/* The places in a report get names. */
static void
test_report(void **state)
{
	struct idle idle;
	char folder[256];

	idle_open(&idle, *state, plain);
	save_report(&idle, NULL, "first", 0x323);
	idle_settle(&idle);
	snprintf(folder, sizeof(folder), "%s",
		idle.engine->findings.list[0]->folder);
	idle_close(&idle);
	assert_true(file_has(*state, folder, "report.txt", "bad first"));
	assert_true(file_has(*state, folder, "report.txt", "f3 f3.c:3"));
}

/* A newer report that comes while the names are asked for is the one kept. */
static void
test_newer_report(void **state)
{
	struct idle idle;
	char folder[256];

	idle_open(&idle, *state, plain);
	save_report(&idle, NULL, "first", 0x323);
	save_report(&idle, idle.engine->findings.list[0], "second", 0x423);
	idle_settle(&idle);
	save_report(&idle, idle.engine->findings.list[0], "third", 0x523);
	save_report(&idle, idle.engine->findings.list[0], "fourth", 0x623);
	idle_settle(&idle);
	snprintf(folder, sizeof(folder), "%s",
		idle.engine->findings.list[0]->folder);
	idle_close(&idle);
	assert_false(file_has(*state, folder, "report.txt", "first"));
	assert_true(file_has(*state, folder, "report.txt", "bad fourth"));
	assert_true(file_has(*state, folder, "report.txt", "f6 f6.c:3"));
}

/* ---- failures that make no finding ---------------------------------------- */

/* Faults of the target's mutator: one line, and fewer and fewer events. */
static void
test_mutator(void **state)
{
	struct idle idle;
	unsigned i;

	idle_open(&idle, *state, plain);
	for (i = 0; i < 5; i++)
		idle_fail(&idle, FAILURE_MUTATOR, 0, 0x123, "one");
	assert_int_equal(idle.engine->findings.n, 0);
	assert_int_equal(idle_events(&idle, "mutator"), 3); /* of 1, 2, 4 */
	assert_int_equal(json_integer_value(
				 json_object_get(idle_event(&idle, "mutator"),
					 "failures")),
		4);
	assert_non_null(strstr(idle.lines,
		"warning: the text of mutator; no crash will be recorded"));
	mutator_on_length(idle.engine);
	mutator_on_length(idle.engine);
	assert_int_equal(idle_events(&idle, "mutator"), 4);
	assert_non_null(strstr(idle.lines, "more bytes than the maximum"));
	assert_int_equal(idle_close(&idle), EXIT_NOTHING);
}

/* A worker that ran no input, because it ended or refused the call, says nothing
 * about inputs. */
static void
test_no_input(void **state)
{
	static const enum failure_kind kinds[] = { FAILURE_SIGNAL,
		FAILURE_KILLED, FAILURE_HANG };
	struct worker_result r;
	struct idle idle;
	size_t i;

	idle_open(&idle, *state, plain);
	for (i = 0; i < ROWS(kinds); i++) {
		r = *idle_result(&idle, kinds[i], SIGSEGV, 0x123, "one");
		r.count = 0;
		snprintf(r.failure.text, sizeof(r.failure.text), "a %s",
			failure_kind_name(kinds[i]));
		triage_on_failure(idle.engine, &idle.engine->pool.slots[0], &r,
			NULL);
	}
	assert_int_equal(idle.engine->findings.n, 0);
	assert_int_equal(idle.engine->suspects.count, 0);
	assert_int_equal(idle_events(&idle, "worker"), ROWS(kinds));
	assert_string_equal(idle_event_text(&idle, "worker", "text"),
		"a worker ran no input: a hang");
	idle_close(&idle);
}

/* An input that the disk never took is told with its failure, also where nobody
 * takes reports. */
static void
test_unsaved(void **state)
{
	uint8_t input[5000] = { 'a', 'b' };
	struct writer_file file = { .kind = WRITER_FINDING,
		.name = "input",
		.data = input,
		.len = sizeof(input) };
	struct idle idle;
	struct engine *e;
	const char *kept;

	idle_open(&idle, *state, plain);
	e = idle.engine;
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(&idle);
	file.folder = findings_at(e, 0)->folder;
	record_tell_unsaved(e, findings_at(e, 0), &file);
	assert_string_equal(message_kept_words(e), "");
	assert_non_null(strstr(idle.lines, "5000 bytes: SIGSEGV in "));
	assert_non_null(strstr(idle.lines, ": the text of SIGSEGV\n    6162"));
	assert_int_equal(strlen(idle_event_text(&idle, "unsaved", "bytes")),
		2 * sizeof(input));
	assert_non_null(strstr(idle_event_text(&idle, "unsaved", "text"),
		": the text of SIGSEGV"));
	e->messages.report = NULL;
	record_tell_unsaved(e, findings_at(e, 0), &file);
	record_tell_unsaved(e, NULL, &file);
	kept = message_kept_words(e);
	assert_memory_equal(kept, "not saved: crashes/", 19);
	assert_non_null(strstr(kept, ": the text of SIGSEGV\n    6162"));
	assert_int_equal(strspn(strstr(kept, "\n    ") + 5, "0123456789abcdef"),
		2 * sizeof(input));
	/* A pipe has room for no more. */
	while (strlen(message_kept_words(e)) < 48 << 10)
		record_tell_unsaved(e, NULL, &file);
	record_tell_unsaved(e, NULL, &file);
	assert_true(strlen(message_kept_words(e)) < 50 << 10);
	idle_close(&idle);
}

/* Under --stop-on-crash a failing seed ends the run, and is no finding. */
static void
test_failing_seed(void **state)
{
	struct corpus_entry *seed;
	struct worker_result r;
	struct idle idle;

	idle_open(&idle, *state, stopping);
	seed = corpus_add(idle.engine->campaign.corpus, "one", 3, CORPUS_NONE,
		NULL);
	r = *idle_result(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	r.job.kind = JOB_WARMUP;
	seed->is_seed = true;
	triage_on_failure(idle.engine, &idle.engine->pool.slots[0], &r, seed);
	assert_int_equal(idle.engine->findings.n, 0);
	assert_int_equal(idle.engine->end.why, END_SEED);
	assert_non_null(strstr(idle.lines,
		"failure while testing seed corpus entry: "));
	assert_string_equal(idle.engine->end.fatal.text, "the text of SIGSEGV");
	assert_int_equal(idle_close(&idle), EXIT_FOUND);
}

/* clang-format off */
static const struct slow_seed_row {
	const char *name;
	uint64_t verify;
	enum failure_kind again; /* of its replay */
	enum end_reason why;     /* END_NONE: it goes on */
	size_t findings;
} SLOW_SEEDS[] = {
	{ "it was slow once", 1, FAILURE_NONE, END_NONE, 0 },
	{ "it hangs", 1, FAILURE_HANG, END_CRASH, 1 },
	{ "it crashes, and is to be verified", 1, FAILURE_SIGNAL, END_NONE, 1 },
	{ "without replays", 0, FAILURE_NONE, END_SEED, 0 },
};
/* clang-format on */

/* One that hangs is a suspect first, as any input is. */
static void
test_slow_seed(void **state)
{
	const struct slow_seed_row *row;
	struct corpus_entry *seed;
	struct worker_result r;
	struct suspects *s;
	struct idle idle;
	void *tree;

	for (row = SLOW_SEEDS; row < SLOW_SEEDS + ROWS(SLOW_SEEDS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, stopping);
		idle.engine->settings.verify = row->verify;
		seed = corpus_add(idle.engine->campaign.corpus, "one", 3,
			CORPUS_NONE, NULL);
		seed->is_seed = true;
		r = *idle_result(&idle, FAILURE_HANG, 0, 0x123, "one");
		r.job.kind = JOB_WARMUP;
		triage_on_failure(idle.engine, &idle.engine->pool.slots[0], &r,
			seed);
		s = &idle.engine->suspects;
		row_check(s->waiting_n == row->verify, "%s", row->name);
		row_check(idle.engine->end.stopping == (row->verify == 0), "%s",
			row->name);
		if (s->waiting_n > 0)
			triage_on_replay(idle.engine, s->waiting[0],
				idle_result(&idle, row->again, 0, 0x123,
					"one"));
		idle_settle(&idle);
		row_check(idle.engine->findings.n == row->findings, "%s",
			row->name);
		row_check((findings_crash(idle.engine) != NULL) ==
				(row->findings > 0),
			"%s", row->name);
		row_check(idle.engine->end.why == row->why, "%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* The first finding under --stop-on-crash; later failures are none. */
static void
test_first_crash(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, stopping);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGFPE, 0x223, "two");
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(idle.engine->end.why, END_CRASH);
	assert_int_equal(idle_close(&idle), EXIT_FOUND);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named),
		ROW(test_blind),
		ROW(test_many),
		ROW(test_late),
		ROW(test_end),
		cmocka_unit_test(test_listed),
		ROW(test_deterministic),
		ROW(test_report),
		ROW(test_newer_report),
		ROW(test_mutator),
		ROW(test_no_input),
		ROW(test_unsaved),
		ROW(test_failing_seed),
		cmocka_unit_test(test_slow_seed),
		ROW(test_first_crash),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("naming", tests, NULL, NULL);
}
