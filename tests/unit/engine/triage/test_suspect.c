/*
 * Inputs that ran when a worker ended strangely or took too long: what their
 * replays make of them, the file in suspects/, and what a later run does.
 *
 * FLAGS: -Wl,--wrap=fsync
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/schedule/finding_budget.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"
#include "lib/fake_helper.h"
#include "lib/fault.h"
#include "lib/own_note.h"
#include "shared/wire/execution_log.h"
#include "store/store_finding.h"
#include "worker/worker_private.h"

static const char *const replayed[] = { "parallel", "1", "verify", "2",
	"timeout", "100", NULL };
static const char *const unreplayed[] = { "parallel", "1", "verify", "0",
	"timeout", "100", NULL };
static const char *const fixed[] = { "parallel", "1", "verify", "2", "seed",
	"7", "deterministic", "on", NULL };

static void
replay(struct idle *idle, enum failure_kind kind, int signo, uint64_t offset)
{
	triage_on_replay(idle->engine, idle->engine->suspects.waiting[0],
		idle_result(idle, kind, signo, offset, "odd"));
}

/* ---- what replays make of a suspect --------------------------------------- */

enum fate {
	FATE_WAITS,   /* for another replay */
	FATE_KEPT,    /* its file alone */
	FATE_FINDING, /* and its file is removed */
	FATE_SLOW,    /* its file alone, and an event "slow" */
};

/* clang-format off */
static const struct fate_row {
	const char *name;
	enum failure_kind kind;
	int signo;
	unsigned replays;
	enum failure_kind again; /* the end of each replay */
	int again_signo;
	enum fate fate;
} FATES[] = {
	{ "a kill, then nothing", FAILURE_KILLED, SIGKILL, 1, FAILURE_NONE, 0, FATE_KEPT },
	{ "a kill, and once more", FAILURE_KILLED, SIGKILL, 1, FAILURE_KILLED, SIGKILL, FATE_WAITS },
	{ "a kill each time", FAILURE_KILLED, SIGKILL, 2, FAILURE_KILLED, SIGKILL, FATE_FINDING },
	{ "a kill, then another signal", FAILURE_KILLED, SIGKILL, 1, FAILURE_KILLED, SIGTERM, FATE_KEPT },
	{ "a kill, then a crash", FAILURE_KILLED, SIGKILL, 1, FAILURE_SIGNAL, SIGSEGV, FATE_FINDING },
	{ "a kill, then a lost link", FAILURE_KILLED, SIGKILL, 1, FAILURE_LINK, 0, FATE_KEPT },
	{ "a lost link each time", FAILURE_LINK, 0, 2, FAILURE_LINK, 0, FATE_FINDING },
	{ "a broken protocol each time", FAILURE_PROTOCOL, 0, 1, FAILURE_PROTOCOL, 0, FATE_KEPT },
	{ "a broken protocol, then a crash", FAILURE_PROTOCOL, 0, 1, FAILURE_SIGNAL, SIGSEGV, FATE_FINDING },
	{ "a stop, then nothing", FAILURE_STOPPED, SIGSTOP, 1, FAILURE_NONE, 0, FATE_KEPT },
	{ "a stop, and once more", FAILURE_STOPPED, SIGSTOP, 1, FAILURE_STOPPED, SIGSTOP, FATE_FINDING },
	{ "a hang, then a hang", FAILURE_HANG, 0, 1, FAILURE_HANG, 0, FATE_FINDING },
	{ "a hang, then nothing", FAILURE_HANG, 0, 1, FAILURE_NONE, 0, FATE_SLOW },
	{ "a hang, then a crash", FAILURE_HANG, 0, 1, FAILURE_SIGNAL, SIGSEGV, FATE_FINDING },
	{ "a hang, then a kill", FAILURE_HANG, 0, 1, FAILURE_KILLED, SIGKILL, FATE_WAITS },
	{ "a hang, then a lost link", FAILURE_HANG, 0, 2, FAILURE_LINK, 0, FATE_WAITS },
	{ "a hang, then a kill each time", FAILURE_HANG, 0, 3, FAILURE_KILLED, SIGKILL, FATE_KEPT },
};
/* clang-format on */

/* A hang that crashes later keeps its file: that is another bug. */
static unsigned
files_of(const struct fate_row *row)
{
	return row->fate != FATE_FINDING ||
		(row->kind == FAILURE_HANG && row->again != FAILURE_HANG);
}

static void
check_fate(const struct tree *tree, struct idle *idle,
	const struct fate_row *row)
{
	const struct engine *e = idle->engine;
	bool found = row->fate == FATE_FINDING;

	row_check(e->suspects.waiting_n == (row->fate == FATE_WAITS), "%s",
		row->name);
	row_check(e->findings.n == found, "%s", row->name);
	row_check(idle_events(idle, "slow") == (row->fate == FATE_SLOW), "%s",
		row->name);
	if (found) {
		row_check(e->findings.list[0]->failure.kind == row->again, "%s",
			row->name);
		row_check(e->findings.list[0]->len == 3, "%s", row->name);
		row_check(e->suspects.count == 1, "%s: not saved yet",
			row->name);
		idle_settle(idle);
	}
	row_check(e->suspects.count == files_of(row), "%s", row->name);
	row_check(idle_close(idle) == (found ? EXIT_FOUND : EXIT_NOTHING), "%s",
		row->name);
	row_check(tree_count(tree, "out/suspects") == files_of(row), "%s",
		row->name);
}

static void
test_fates(void **state)
{
	const struct fate_row *row;
	struct idle idle;
	void *tree;
	unsigned i;

	for (row = FATES; row < FATES + ROWS(FATES); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replayed);
		idle_fail(&idle, row->kind, row->signo, 0x123, "odd");
		row_check(idle.engine->findings.n == 0, "%s", row->name);
		row_check(idle.engine->suspects.waiting_n == 1, "%s",
			row->name);
		row_check(idle_events(&idle, "suspect") == 1, "%s", row->name);
		for (i = 0; i < row->replays; i++)
			replay(&idle, row->again, row->again_signo, 0x123);
		check_fate(tree, &idle, row);
		tree_close(&tree);
	}
}

/* A replay that was stopped, or did not run, says nothing. */
static void
test_no_replay(void **state)
{
	struct worker_result r;
	struct idle idle;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, "odd");
	r = *idle_result(&idle, FAILURE_NONE, 0, 0, "odd");
	r.interrupted = true;
	triage_on_replay(idle.engine, idle.engine->suspects.waiting[0], &r);
	r.interrupted = false;
	r.count = 0;
	triage_on_replay(idle.engine, idle.engine->suspects.waiting[0], &r);
	assert_int_equal(idle.engine->suspects.waiting_n, 1);
	idle_close(&idle);
}

/* A suspect that fails as a known finding does is counted there. */
static void
test_counted(void **state)
{
	static const enum failure_kind kinds[] = { FAILURE_SIGNAL,
		FAILURE_HANG };
	const struct finding *f;
	struct idle idle;
	size_t i;

	idle_open(&idle, *state, replayed);
	for (i = 0; i < ROWS(kinds); i++) {
		int signo = kinds[i] == FAILURE_SIGNAL ? SIGSEGV : 0;

		idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
		replay(&idle, kinds[i], signo, 0x123);
		assert_int_equal(idle.engine->findings.n, i + 1);
		f = idle.engine->findings.list[i];
		assert_int_equal(f->count, 1);
		if (kinds[i] == FAILURE_HANG)
			break; /* a known hang is no suspect */
		idle_fail(&idle, FAILURE_HANG, 0, 0x223, "odder");
		replay(&idle, kinds[i], signo, 0x123);
		assert_int_equal(idle.engine->findings.n, i + 1);
		assert_int_equal(f->count, 2);
	}
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	assert_int_equal(idle.engine->suspects.waiting_n, 0);
	assert_int_equal(idle.engine->findings.list[1]->count, 2);
	idle_settle(&idle);
	idle_close(&idle);
}

/* A hang without a stack gets that of its replay, which may be known. */
static void
test_late_stack(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_HANG, 0, 0, "odd");
	replay(&idle, FAILURE_HANG, 0, 0x123);
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(idle.engine->findings.list[0]->failure.frames_n, 1);
	assert_int_equal(idle.engine->findings.list[0]->verdict,
		VERDICT_CONFIRMED);
	assert_int_equal(idle.engine->findings.list[0]->replays, 1);
	idle_fail(&idle, FAILURE_HANG, 0, 0, "odder");
	assert_int_equal(idle.engine->suspects.waiting_n, 1);
	replay(&idle, FAILURE_HANG, 0, 0x123);
	assert_int_equal(idle.engine->findings.n, 1);
	assert_int_equal(idle.engine->findings.list[0]->count, 2);
	assert_int_equal(idle.engine->suspects.waiting_n, 0);
	idle_settle(&idle);
	idle_close(&idle);
}

/* clang-format off */
static const struct sample_row {
	const char *name;
	enum failure_kind again; /* of the second input's replay */
	uint64_t first, replayed; /* stacks of the second input */
	size_t findings;
} SAMPLES[] = {
	{ "the first stack is known", FAILURE_HANG, 0x443, 0x223, 1 },
	{ "that of a second run is", FAILURE_HANG, 0x123, 0x223, 1 },
	{ "that of this second run is", FAILURE_HANG, 0x223, 0x443, 1 },
	{ "those of both second runs are", FAILURE_HANG, 0x223, 0x123, 1 },
	{ "none is", FAILURE_HANG, 0x223, 0x323, 2 },
	{ "its own timer, in a known place", FAILURE_KILLED, 0x223, 0x123, 2 },
};
/* clang-format on */

/* A first stack that was taken early may show a function that returns, so that of
 * the second run belongs to the hang as well. */
static void
test_better_stack(void **state)
{
	const struct sample_row *row;
	struct idle idle;
	void *tree;

	for (row = SAMPLES; row < SAMPLES + ROWS(SAMPLES); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replayed);
		idle_fail(&idle, FAILURE_HANG, 0, 0x443, "odd");
		replay(&idle, FAILURE_HANG, 0, 0x123);
		idle_fail(&idle, FAILURE_HANG, 0, row->first, "odder");
		if (idle.engine->suspects.waiting_n > 0)
			replay(&idle, row->again,
				row->again == FAILURE_HANG ? 0 : SIGALRM,
				row->replayed);
		row_check(idle.engine->findings.n == row->findings, "%s",
			row->name);
		row_check(idle.engine->findings.list[0]->count ==
				3 - row->findings,
			"%s", row->name);
		idle_settle(&idle);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* The file of two suspects with the same bytes stays until both are judged. */
static void
test_same_input(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, "odd");
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	assert_int_equal(idle.engine->suspects.waiting_n, 2);
	replay(&idle, FAILURE_SIGNAL, SIGSEGV, 0x143);
	idle_settle(&idle);
	assert_int_equal(idle.engine->suspects.waiting_n, 1);
	assert_int_equal(idle.engine->suspects.count, 1);
	replay(&idle, FAILURE_HANG, 0, 0x123);
	idle_settle(&idle);
	assert_int_equal(idle.engine->suspects.count, 0);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/suspects"), 0);
}

static bool
is_merged(const struct idle *idle)
{
	return idle->engine->findings.n == 1;
}

/* A hang that is merged before the disk has it takes its own file away. */
static void
test_merged(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	replay(&idle, FAILURE_HANG, 0, 0x123);
	idle_settle(&idle);
	fault_block_fsync(true);
	idle_fail(&idle, FAILURE_HANG, 0, 0x143, "odder");
	replay(&idle, FAILURE_HANG, 0, 0x143);
	idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, "");
	assert_int_equal(idle.engine->findings.n, 2);
	idle_until(&idle, is_merged);
	assert_int_equal(idle.engine->suspects.count, 2);
	fault_block_fsync(false);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/suspects"), 1);
	assert_true(tree_has(*state, "out/suspects/e3b0c44298fc1c14"));
}

/* ---- hangs that take more than one input ---------------------------------- */

#define LIMIT_NS 100000000u /* "timeout" of the settings */
#define SEQUENCE_MS 10000   /* for each try */

/* clang-format off */
static const struct needs_row {
	const char *name;
	const char *before; /* ran before in the process; "": nothing */
	uint64_t alone_ns;
	/* The try after that input: its end, the executions; 0: there is none. */
	enum failure_kind again;
	unsigned count;
	bool cut;
	enum call_end end;
	enum fate fate;
	unsigned took_ms, child_ms; /* what engine and child measured */
} NEEDS[] = {
	{ "it hangs after the other", "one", 66000, FAILURE_HANG, 2, false, CALL_DONE, FATE_FINDING, 0, 0 },
	{ "it took all of its limit", "one", LIMIT_NS, FAILURE_HANG, 2, false, CALL_DONE, FATE_FINDING, 0, 0 },
	{ "it does not hang", "one", 66000, FAILURE_NONE, 2, false, CALL_DONE, FATE_SLOW, 0, 0 },
	{ "it crashes", "one", 66000, FAILURE_SIGNAL, 2, false, CALL_DONE, FATE_SLOW, 0, 0 },
	{ "the other hangs", "one", 66000, FAILURE_HANG, 1, false, CALL_DONE, FATE_SLOW, 0, 0 },
	{ "a try that was stopped", "one", 66000, FAILURE_NONE, 2, true, CALL_DONE, FATE_WAITS, 0, 0 },
	{ "a try that a pause ended", "one", 66000, FAILURE_NONE, 1, false, CALL_TIME, FATE_WAITS, 0, 0 },
	{ "a try that a pause ended late", "one", 66000, FAILURE_NONE, 1, false, CALL_TIME, FATE_WAITS, 9990, 9980 },
	{ "a try that took all of its time", "one", 66000, FAILURE_NONE, 1, false, CALL_TIME, FATE_SLOW, 10004, 9990 },
	{ "a try that was killed", "one", 66000, FAILURE_KILLED, 2, false, CALL_RUNNING, FATE_WAITS, 0, 0 },
	{ "a try whose link was lost", "one", 66000, FAILURE_LINK, 1, false, CALL_RUNNING, FATE_WAITS, 0, 0 },
	{ "a try that did not run", "one", 66000, FAILURE_NONE, 0, false, CALL_DONE, FATE_WAITS, 0, 0 },
	{ "it is slow alone", "one", LIMIT_NS + 1, FAILURE_NONE, 0, false, CALL_DONE, FATE_SLOW, 0, 0 },
	{ "nothing ran before", "", 66000, FAILURE_NONE, 0, false, CALL_DONE, FATE_SLOW, 0, 0 },
};
/* clang-format on */

static void
run_before(struct idle *idle, const char *input)
{
	const struct exec_log_record record = {
		.raw_n = (uint32_t)strlen(input),
		.flags = EXEC_LOG_RAW,
	};
	struct worker *w = idle->engine->pool.slots[0].worker;
	uint8_t *at = w->memory.map + w->layout.log_offset;

	if (record.raw_n == 0)
		return;
	memcpy(at, &record, sizeof(record));
	memcpy(at + sizeof(record), input, record.raw_n);
	worker_head(w)->log.used[0] = (uint32_t)exec_log_record_size(&record);
}

/* The suspect's replay alone. True: it gets a try with what ran before. */
static bool
replay_alone(struct idle *idle, const struct needs_row *row)
{
	struct engine *e = idle->engine;
	struct worker_result r;
	struct job job = { .hang_ms = 100 };

	run_before(idle, row->before);
	idle_fail(idle, FAILURE_HANG, 0, 0x123, "odd");
	r = *idle_result(idle, FAILURE_NONE, 0, 0, "odd");
	r.run_ns = row->alone_ns;
	triage_on_replay(e, e->suspects.waiting[0], &r);
	assert_null(triage_next(e, FINDING_VERIFYING, UINT64_MAX));
	if (!triage_next_sequence(e, UINT64_MAX, &job))
		return false;
	row_check(job.kind == JOB_SEQUENCE, "%s", row->name);
	row_check(job.sequence_n == 2, "%s", row->name);
	row_check(job.hang_ms == 500, "%s", row->name);
	row_check(triage_next(e, FINDING_SEQUENCE, 199) == NULL, "%s",
		row->name);
	return true;
}

static void
replay_after(struct idle *idle, const struct needs_row *row)
{
	struct engine *e = idle->engine;
	struct worker_result r =
		*idle_result(idle, row->again, 0, 0x123, "odd");

	r.job.kind = JOB_SEQUENCE;
	r.job.sequence_n = 2;
	r.job.budget_ms = SEQUENCE_MS;
	r.took_ns = row->took_ms * 1000000ull;
	r.total_ns = row->child_ms * 1000000ull;
	r.count = row->count;
	r.interrupted = row->cut;
	r.end = row->end;
	triage_on_sequence(e, e->suspects.waiting[0], &r);
}

static void
check_needs(struct idle *idle, const struct needs_row *row)
{
	struct engine *e = idle->engine;
	bool found = row->fate == FATE_FINDING;
	const struct finding *f;

	row_check(e->suspects.waiting_n == (row->fate == FATE_WAITS), "%s",
		row->name);
	row_check(idle_events(idle, "slow") == (row->fate == FATE_SLOW), "%s",
		row->name);
	row_check(e->findings.n == found, "%s", row->name);
	if (row->fate == FATE_WAITS)
		row_check(triage_next(e, FINDING_SEQUENCE, 200) != NULL, "%s",
			row->name);
	if (!found)
		return;
	idle_settle(idle);
	f = e->findings.list[0];
	row_check(f->state == FINDING_SEQUENCE, "%s", row->name);
	row_check(f->replays == 1 && f->reproduced == 0, "%s", row->name);
	row_check(f->verdict == VERDICT_NEW, "%s", row->name);
	row_check(e->suspects.count == 0, "%s", row->name);
}

/* An input that is fast alone runs again after what ran before it. */
static void
test_needs(void **state)
{
	const struct needs_row *row;
	struct idle idle;
	void *tree;

	for (row = NEEDS; row < NEEDS + ROWS(NEEDS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replayed);
		row_check(replay_alone(&idle, row) ==
				(row->count > 0 || row->fate == FATE_WAITS),
			"%s", row->name);
		if (idle.engine->suspects.waiting_n > 0)
			replay_after(&idle, row);
		check_needs(&idle, row);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Its try is made again if it was killed, but not for ever. */
static void
test_needs_killed(void **state)
{
	static const struct {
		const char *name;
		unsigned kills; /* before it hangs */
		enum fate fate;
	} rows[] = {
		{ "twice", 2, FATE_FINDING },
		{ "each time", 3, FATE_SLOW },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct needs_row row = NEEDS[0];
		struct idle idle;
		void *tree;

		row.name = rows[i].name;
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replayed);
		assert_true(replay_alone(&idle, &row));
		for (unsigned n = 0; n < rows[i].kills; n++) {
			row_check(idle.engine->suspects.waiting_n == 1,
				"%s: %u", row.name, n);
			row.again = FAILURE_KILLED;
			replay_after(&idle, &row);
		}
		row.again = FAILURE_HANG;
		row.fate = rows[i].fate;
		if (idle.engine->suspects.waiting_n > 0)
			replay_after(&idle, &row);
		check_needs(&idle, &row);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* The sequence that such a finding needs is searched, and confirms it. A later
 * hang of the same stack is counted there. */
static void
test_needs_confirmed(void **state)
{
	struct engine *e;
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, replayed);
	e = idle.engine;
	assert_true(replay_alone(&idle, NEEDS));
	replay_after(&idle, NEEDS);
	idle_settle(&idle);
	f = e->findings.list[0];
	while (f->state == FINDING_SEQUENCE) {
		struct worker_result r;
		struct job job = { .hang_ms = 100 };

		assert_true(triage_next_sequence(e, UINT64_MAX, &job));
		assert_int_equal(job.hang_ms, 100);
		/* The input alone does not hang. */
		r = *idle_result(&idle,
			job.sequence_n > 1 ? FAILURE_HANG : FAILURE_NONE, 0,
			0x123, "odd");
		r.job = job;
		r.count = job.sequence_n;
		triage_on_sequence(e, f, &r);
	}
	assert_int_equal(f->state, FINDING_DONE);
	assert_int_equal(f->verdict, VERDICT_CONFIRMED);
	assert_int_equal(f->sequence_n, 2);
	assert_string_equal(f->tried, "0 of 1 alone");
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	assert_int_equal(f->count, 2);
	idle_settle(&idle);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/suspects"), 0);
}

/* ---- limits --------------------------------------------------------------- */

/* clang-format off */
static const struct limit_row {
	const char *name;
	enum failure_kind kind;
	uint64_t timeout_ms, most, least;
} LIMITS[] = {
	{ "a hang", FAILURE_HANG, 100, 500, 200 },
	{ "a hang with a long limit", FAILURE_HANG, 20000, 60000, 40000 },
	{ "a hang with a limit near the most", FAILURE_HANG, 50000, 60000, 60000 },
	{ "a hang with a limit over the most", FAILURE_HANG, 90000, 90000, 90000 },
	{ "too much memory", FAILURE_OOM, 100, 500, 0 },
	{ "a kill", FAILURE_KILLED, 100, 100, 0 },
};
/* clang-format on */

static void
test_limits(void **state)
{
	const struct limit_row *row;
	struct failure failure = { 0 };
	struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, replayed);
	for (row = LIMITS; row < LIMITS + ROWS(LIMITS); row++) {
		failure.kind = row->kind;
		f = finding_create(&failure, 1);
		idle.engine->settings.timeout_ms = row->timeout_ms;
		row_check(suspect_hang_ms(idle.engine, f) == row->most, "%s",
			row->name);
		row_check(suspect_least_ms(idle.engine, f) == row->least, "%s",
			row->name);
		finding_destroy(f);
	}
	idle_close(&idle);
}

/* clang-format off */
static const struct room_row {
	const char *name;
	uint64_t fuzztime_ms, timeout_ms;
	uint64_t hang_ms; /* of its next replay; 0: there is none */
} ROOMS[] = {
	{ "five times the limit", 8000, 100, 500 },
	{ "just that", 2000, 100, 500 },
	{ "a quarter of a short campaign", 1600, 100, 400 },
	{ "twice the limit", 1600, 200, 400 },
	{ "less than twice the limit", 1596, 200, 0 },
};
/* clang-format on */

/* A hang gets a quarter of the campaign, but it waits rather than to have less
 * than twice the limit. */
static void
test_room(void **state)
{
	const struct room_row *row;
	struct idle idle;
	struct finding *f;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
	for (row = ROOMS; row < ROOMS + ROWS(ROOMS); row++) {
		struct job job = { .hang_ms = row->timeout_ms };
		uint64_t room;

		idle.engine->settings.timeout_ms = row->timeout_ms;
		idle.engine->settings.fuzztime.duration_ms = row->fuzztime_ms;
		room = finding_budget_room_ms(idle.engine, false);
		f = triage_next(idle.engine, FINDING_VERIFYING, room);
		row_check((f != NULL) == (row->hang_ms != 0), "%s", row->name);
		if (f == NULL)
			continue;
		suspect_let_hang(idle.engine, f, room, &job);
		row_check(job.hang_ms == row->hang_ms, "%s: %llu ms", row->name,
			(unsigned long long)job.hang_ms);
	}
	idle_close(&idle);
}

/* The next one to replay fits the time that is left. */
static void
test_next(void **state)
{
	const struct engine *e;
	struct idle idle;

	idle_open(&idle, *state, replayed);
	e = idle.engine;
	assert_null(triage_next(idle.engine, FINDING_VERIFYING, 1000));
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
	assert_null(triage_next(idle.engine, FINDING_VERIFYING, 199));
	assert_ptr_equal(triage_next(idle.engine, FINDING_VERIFYING, 200),
		e->suspects.waiting[0]);
	assert_null(triage_next(idle.engine, FINDING_SEQUENCE, 200));
	idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, "killed");
	assert_ptr_equal(triage_next(idle.engine, FINDING_VERIFYING, 0),
		e->suspects.waiting[1]);
	assert_ptr_equal(triage_next(idle.engine, FINDING_VERIFYING, 0),
		e->suspects.waiting[1]);
	assert_true(triage_busy(e));
	idle_close(&idle);
}

/* Only a few wait for replays; a hang of a stack waits once. */
static void
test_many(void **state)
{
	char input[16];
	struct idle idle;
	unsigned i;

	idle_open(&idle, *state, replayed);
	for (i = 0; i < 2; i++) {
		snprintf(input, sizeof(input), "hang %u", i);
		idle_fail(&idle, FAILURE_HANG, 0, 0x123, input);
	}
	assert_int_equal(idle.engine->suspects.waiting_n, 1);
	for (i = 0; i < 2 * SUSPECTS_WAITING; i++) {
		snprintf(input, sizeof(input), "kill %u", i);
		idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, input);
	}
	idle_fail(&idle, FAILURE_HANG, 0, 0x223, "one more");
	assert_int_equal(idle.engine->suspects.waiting_n, SUSPECTS_WAITING);
	assert_int_equal(idle.engine->suspects.count, 3 + 2 * SUSPECTS_WAITING);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/suspects"),
		3 + 2 * SUSPECTS_WAITING);
}

/* Without replays a hang or a stop is a finding at once, and a kill never is. */
static void
test_without_replays(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, unreplayed);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
	idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, "killed");
	idle_fail(&idle, FAILURE_STOPPED, SIGSTOP, 0, "stopped");
	assert_int_equal(idle.engine->findings.n, 2);
	assert_int_equal(idle.engine->suspects.waiting_n, 0);
	assert_int_equal(idle.engine->suspects.count, 1);
	assert_non_null(strstr(idle.lines, "no crash will be recorded"));
	idle_settle(&idle);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/hangs"), 2);
}

/* A deterministic run replays the first, second, fourth, eighth hang. */
static void
test_deterministic(void **state)
{
	size_t replays = 0;
	struct idle idle;
	unsigned i;

	idle_open(&idle, *state, fixed);
	for (i = 0; i < 9; i++) {
		idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
		while (idle.engine->suspects.waiting_n > 0) {
			replay(&idle, FAILURE_NONE, 0, 0);
			replays++;
		}
	}
	assert_int_equal(replays, 4);
	assert_int_equal(idle_events(&idle, "slow"), 4);
	idle_close(&idle);
}

/* Each way to end is said when it is new, and then less and less often. */
static void
test_said(void **state)
{
	unsigned n = 0, i;
	const char *at;
	struct idle idle;

	idle_open(&idle, *state, replayed);
	for (i = 0; i < 5; i++)
		idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, "odd");
	for (at = idle.lines; (at = strstr(at, "signal: killed")) != NULL; at++)
		n++;
	assert_int_equal(n, 3); /* of 1, 2, 4 */
	idle_fail(&idle, FAILURE_KILLED, SIGTERM, 0, "odd");
	assert_non_null(strstr(idle.lines, "signal: terminated"));
	idle_fail(&idle, FAILURE_LINK, 0, 0, "odd");
	assert_non_null(strstr(idle.lines, "the text of link"));
	idle_close(&idle);
}

/* A thousand kills, and how many of them the journal names: those that keep
 * their files, then at powers of two. */
static unsigned
fail_often(struct idle *idle, bool replays)
{
	unsigned i, n = 1000, expected = SUSPECTS_OF_A_WAY;
	char input[16];

	for (i = 0; i < n; i++) {
		snprintf(input, sizeof(input), "%u", i);
		idle_fail(idle, FAILURE_KILLED, SIGKILL, 0, input);
		assert_int_equal(idle->engine->suspects.waiting_n, replays);
		if (replays)
			replay(idle, FAILURE_NONE, 0, 0);
		expected += i >= SUSPECTS_OF_A_WAY && ((i + 1) & i) == 0;
	}
	assert_int_equal(idle_events(idle, "suspect"), expected);
	return expected;
}

/* Once no further files are kept, the journal names fewer and fewer of them. */
static void
test_journal(void **state)
{
	struct idle idle;
	unsigned named;

	idle_open(&idle, *state, unreplayed);
	named = fail_often(&idle, false);
	assert_int_equal(json_integer_value(
				 json_object_get(idle_event(&idle, "suspect"),
					 "count")),
		512);
	idle_fail(&idle, FAILURE_KILLED, SIGTERM, 0, "odd");
	assert_int_equal(idle_events(&idle, "suspect"), named + 1);
	idle_close(&idle);
}

/* Those that have a file only until their replays are over come and go: a line
 * for each would fill the journal. */
static void
test_journal_waiting(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, replayed);
	fail_often(&idle, true);
	idle_close(&idle);
}

/* An input over the time limit, and one that was slow once. */
static void
test_slow(void **state)
{
	static const uint64_t took_ns[] = { 250000000, 66000 };
	static const char *const words[] = { "slow input: 0.25 s, limit 0.1 s",
		"an input that was slow once: under 1 ms, limit 0.1 s" };
	struct worker_result r;
	struct idle idle;
	size_t i;

	idle_open(&idle, *state, replayed);
	for (i = 0; i < ROWS(words); i++) {
		idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
		r = *idle_result(&idle, FAILURE_NONE, 0, 0, "odd");
		r.run_ns = took_ns[i];
		triage_on_replay(idle.engine, idle.engine->suspects.waiting[0],
			&r);
		assert_non_null(strstr(idle.lines, words[i]));
	}
	idle_close(&idle);
}

/* Slow inputs use up no room for the stacks of findings. */
static void
test_slow_stacks(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	replay(&idle, FAILURE_NONE, 0, 0);
	assert_int_equal(idle.engine->dedup.hashes.n, 0);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	replay(&idle, FAILURE_HANG, 0, 0x123);
	assert_int_equal(idle.engine->dedup.hashes.n, 1);
	idle_close(&idle);
}

/* ---- later runs ----------------------------------------------------------- */

/* What was not replayed is replayed by the next run. */
static void
test_left(void **state)
{
	const struct finding *f;
	struct idle idle;

	idle_open(&idle, *state, replayed);
	idle_fail(&idle, FAILURE_KILLED, SIGTERM, 0, "odd");
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
	idle_fail(&idle, FAILURE_STOPPED, SIGSTOP, 0, "still");
	idle_close(&idle);
	idle_open(&idle, *state, replayed);
	assert_int_equal(idle.engine->suspects.waiting_n, 3);
	assert_int_equal(idle.engine->suspects.count, 3);
	f = idle.engine->suspects.waiting[0];
	assert_int_equal(f->failure.kind, FAILURE_KILLED);
	assert_int_equal(f->failure.signo, SIGTERM);
	assert_memory_equal(f->input, "odd", f->len);
	replay(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123);
	assert_int_equal(idle.engine->findings.n, 1);
	idle_settle(&idle);
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/suspects"), 2);
}

/* A run that cannot replay them leaves them to the next one. */
static void
test_left_to_another_run(void **state)
{
	static const char *const shorter[] = { "parallel", "1", "verify", "2",
		"max-len", "3", NULL };
	static const struct {
		const char *name;
		const char *const *settings;
		size_t waiting;
	} rows[] = {
		{ "no replays", unreplayed, 0 },
		{ "a lower max-len", shorter, 1 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct idle idle;
		void *tree;

		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replayed);
		idle_fail(&idle, FAILURE_KILLED, SIGTERM, 0, "odd");
		idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
		idle_close(&idle);
		idle_open(&idle, tree, rows[i].settings);
		row_check(idle.engine->suspects.waiting_n == rows[i].waiting,
			"%s", rows[i].name);
		idle_close(&idle);
		idle_open(&idle, tree, replayed);
		row_check(idle.engine->suspects.waiting_n == 2, "%s: %zu",
			rows[i].name, idle.engine->suspects.waiting_n);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct full_row {
	const char *name;
	enum failure_kind kind, again;
} FULL[] = {
	{ "a hang that was slow", FAILURE_HANG, FAILURE_NONE },
	{ "a hang", FAILURE_HANG, FAILURE_HANG },
};
/* clang-format on */

/* While it waits for replays it has a file, so the next run can make them. */
static void
test_left_without_room(void **state)
{
	const struct full_row *row;
	struct idle idle;
	char input[16];
	unsigned i;
	void *tree;

	for (row = FULL; row < FULL + ROWS(FULL); row++) {
		assert_int_equal(tree_open(&tree), 0);
		idle_open(&idle, tree, replayed);
		for (i = 0; i < STORE_SUSPECTS_MAX; i++) {
			snprintf(input, sizeof(input), "%u", i);
			assert_true(store_add_suspect(idle.engine->store, input,
				strlen(input)));
		}
		idle_fail(&idle, row->kind, SIGKILL, 0x123, "odd");
		idle_close(&idle);
		idle_open(&idle, tree, replayed);
		row_check(idle.engine->suspects.waiting_n == 1, "%s",
			row->name);
		replay(&idle, row->again, 0, 0x123);
		row_check(idle.engine->suspects.waiting_n == 0, "%s",
			row->name);
		idle_settle(&idle);
		idle_close(&idle);
		row_check(tree_count(tree, "out/suspects") ==
				STORE_SUSPECTS_MAX,
			"%s", row->name);
		tree_close(&tree);
	}
}

/* The same for the files of a signal. One that has a file already does not keep
 * it as a finding. */
static void
test_known_input(void **state)
{
	struct idle idle;
	char input[16];
	unsigned i;

	idle_open(&idle, *state, replayed);
	assert_true(store_add_suspect(idle.engine->store, "odd", 3));
	idle.engine->suspects.count = 1;
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "odd");
	idle_fail(&idle, FAILURE_HANG, 0, 0x223, "odd");
	replay(&idle, FAILURE_HANG, 0, 0x123);
	replay(&idle, FAILURE_HANG, 0, 0x223);
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 2);
	assert_int_equal(idle.engine->suspects.count, 0);
	for (i = 0; i < 2 * SUSPECTS_OF_A_WAY; i++) {
		snprintf(input, sizeof(input), "%u", i);
		idle_fail(&idle, FAILURE_KILLED, SIGKILL, 0, input);
		assert_int_equal(idle.engine->suspects.waiting_n, 1);
		assert_int_equal(idle.engine->suspects.waiting[0]->place,
			PLACE_SUSPECTS);
		replay(&idle, FAILURE_NONE, 0, 0);
	}
	idle_close(&idle);
	assert_int_equal(tree_count(*state, "out/suspects"), SUSPECTS_OF_A_WAY);
}

/* A suspect that lost its file is forgotten. */
static void
test_left_without_file(void **state)
{
	const struct tree *tree = *state;
	struct idle idle;

	idle_open(&idle, tree, replayed);
	idle_fail(&idle, FAILURE_HANG, 0, 0x123, "slow");
	assert_true(store_remove_suspect(idle.engine->store, "slow", 4));
	idle.engine->suspects.count--;
	idle_close(&idle);
	assert_int_equal(tree_count(tree, "out/suspects"), 0);
	idle_open(&idle, tree, replayed);
	assert_int_equal(idle.engine->suspects.waiting_n, 0);
	idle_close(&idle);
}

/* clang-format off */
static const struct lost_row {
	const char *name;
	uint64_t offset; /* of the replay; 0: it does not fail */
	size_t findings;
} LOST[] = {
	{ "it fails in a new way", 0x223, 2 },
	{ "it fails as the other finding does", 0x123, 1 },
	{ "it does not fail", 0, 1 },
};
/* clang-format on */

/* Makes the findings 0x123 and 0x323; the second loses its crash.json. */
static void
lose(const struct tree *tree, char folder[256])
{
	struct idle idle;
	char name[300];

	idle_open(&idle, tree, unreplayed);
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x323, "odd");
	idle_settle(&idle);
	snprintf(folder, 256, "%s", idle.engine->findings.list[1]->folder);
	idle_close(&idle);
	snprintf(name, sizeof(name), "out/%s/crash.json", folder);
	assert_int_equal(unlinkat(tree->fd, name, 0), 0);
}

/* An input that lost its crash.json is replayed, and keeps its folder. */
static void
test_lost(void **state)
{
	const struct lost_row *row;
	const struct finding *f;
	char folder[256];
	struct idle idle;
	struct engine *e;
	void *tree;

	for (row = LOST; row < LOST + ROWS(LOST); row++) {
		assert_int_equal(tree_open(&tree), 0);
		lose(tree, folder);
		idle_open(&idle, tree, replayed);
		e = idle.engine;
		row_check(e->findings.n == 1, "%s", row->name);
		row_check(e->suspects.waiting_n == 1, "%s", row->name);
		replay(&idle, row->offset > 0 ? FAILURE_SIGNAL : FAILURE_NONE,
			row->offset > 0 ? SIGSEGV : 0, row->offset);
		row_check(e->findings.n == row->findings, "%s", row->name);
		f = e->findings.list[row->findings - 1];
		row_check(row->findings == 1 || strcmp(f->folder, folder) == 0,
			"%s", row->name);
		row_check(e->findings.list[0]->count ==
				1 + (row->offset == 0x123),
			"%s", row->name);
		idle_settle(&idle);
		idle_close(&idle);
		row_check(tree_count(tree, "out/crashes") ==
				2 - (row->offset == 0x123),
			"%s", row->name);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fates),
		ROW(test_no_replay),
		ROW(test_counted),
		ROW(test_late_stack),
		cmocka_unit_test(test_better_stack),
		ROW(test_same_input),
		ROW(test_merged),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_needs_killed),
		ROW(test_needs_confirmed),
		ROW(test_limits),
		ROW(test_room),
		ROW(test_next),
		ROW(test_many),
		ROW(test_without_replays),
		ROW(test_deterministic),
		ROW(test_said),
		ROW(test_journal),
		ROW(test_journal_waiting),
		ROW(test_slow),
		ROW(test_slow_stacks),
		ROW(test_left),
		cmocka_unit_test(test_left_to_another_run),
		cmocka_unit_test(test_left_without_room),
		ROW(test_known_input),
		ROW(test_left_without_file),
		cmocka_unit_test(test_lost),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("suspect", tests, NULL, NULL);
}
