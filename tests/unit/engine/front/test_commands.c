/*
 * Commands and questions in any order and state, while a target does whatever
 * targets do: what belongs to whom holds all the time, and the end comes.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_end.h"
#include "engine/front/answers.h"
#include "engine/front/snapshot_view.h"
#include "engine/program.h"
#include "engine/triage/minimize_tasks.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"
#include "shared/prng.h"

#define COMMANDS 400u
#define TICK_US 500

struct play {
	struct engine *engine;
	const struct play_row *row;
	struct prng rand;
	unsigned given, done; /* commands, and those that were not refused */
};

static const struct play_row {
	const char *name;
	uint64_t seed;
	const char *end; /* the last command */
	const char *options[8];
} PLAYS[] = {
	{ "stopped", 1, "stop", { "verify", "2" } },
	{ "quit", 2, "quit now",
		{ "verify", "1", "minimize-rule", "same-kind" } },
	{ "quit when minimized", 3, "quit minimized", { "verify", "2" } },
	{ "without replays", 4, "stop",
		{ "verify", "0", "minimize-rule", "any-failure" } },
	{ "one after the other", 5, "quit minimized",
		{ "verify", "1", "schedule", "fifo" } },
	{ "the first crash ends it", 6, "stop", { "stop-on-crash", "on" } },
};

/* ---- what to say --------------------------------------------------------- */

static uint32_t
below(struct play *p, size_t n)
{
	return prng_u32n(&p->rand, (uint32_t)n);
}

/* A finding or an input: mostly one that there is. */
static void
draw_name(struct play *p, char *buf, size_t size)
{
	const struct engine *e = p->engine;
	size_t findings = e->findings.n,
	       entries = corpus_len(e->campaign.corpus);

	if (below(p, 20) == 0)
		snprintf(buf, size, "0123456789abcdef");
	else if (findings > 0 && (entries == 0 || below(p, 3) > 0))
		snprintf(buf, size, "%s",
			e->findings.list[below(p, findings)]->id);
	else if (entries > 0)
		snprintf(buf, size, "%.16s",
			corpus_get(e->campaign.corpus, below(p, entries))
				->name);
	else
		snprintf(buf, size, "x");
}

static const char *
draw_word(struct play *p, const char *const *words)
{
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	return words[below(p, n)];
}

/* N stands for a name, or the number of a worker: W. */
static void
draw_command(struct play *p, char *buf, size_t size)
{
	static const char *const lines[] = { "minimize N", "minimize N",
		"minimize N held", "minimize N held", "replay N 3", "replay N",
		"accept N", "mark N known", "mark N new", "note N a word",
		"note N", "export N", "fuzz N 3", "pause", "resume", "resume",
		"pause W", "resume W", "stop W", "workers +1", "workers -1",
		"workers 3", "set minimizetime 1s", "set minimizetime 40x",
		"set minimize-rule any-failure",
		"set minimize-rule same-bucket", "set max-len 900",
		"set max-len 2000", "set verify 3", "set verify 0",
		"set timeout 700", "set parallel 2", "set nothing 1",
		"set minimize-blank on", "ping", "step hold N", "step go N",
		"step go", "step next N", "step next", "step accepted N",
		"step back N", "step undo N", "step undo", "step skip N",
		"step accept N", "step slower N", "step faster N",
		"step accept", NULL };
	const char *line = draw_word(p, lines), *at = strpbrk(line, "NW");
	char name[24];

	if (at == NULL) {
		snprintf(buf, size, "%s", line);
		return;
	}
	if (*at == 'W')
		snprintf(name, sizeof(name), "%u", below(p, 5));
	else
		draw_name(p, name, sizeof(name));
	snprintf(buf, size, "%.*s%s%s", (int)(at - line), line, name, at + 1);
}

static void
ask(struct play *p)
{
	struct query query = { .kind = below(p, QUERY_KIND_COUNT),
		.first = below(p, 4),
		.count = below(p, 300),
		.worker = below(p, 5) };
	struct snapshot snapshot;
	json_t *json;

	draw_name(p, query.name, sizeof(query.name));
	if (below(p, 4) == 0)
		stpcpy(query.name + strlen(query.name), "/min");
	answers_take(p->engine, 1, &query);
	view_make(p->engine, &snapshot);
	json = snapshot_encode(&snapshot);
	assert_non_null(json);
	json_decref(json);
	snapshot_clear(&snapshot);
}

/* ---- what must hold ------------------------------------------------------ */

static bool
has_finding(const struct engine *e, const struct finding *f)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (e->findings.list[i] == f)
			return true;
	for (i = 0; i < e->suspects.waiting_n; i++)
		if (e->suspects.waiting[i] == f)
			return true;
	return false;
}

static void
look_at_finding(const struct engine *e, const struct finding *f)
{
	const struct minimize_task *m = f->minimization;

	assert_true(m == NULL ||
		(whole_engine_has(e, m) && m->finding == f && !m->ended));
	/* A shorter copy that is only tried may be smaller. */
	assert_true(f->minimized == NULL || f->swapped ||
		f->minimized_len <= f->len);
	assert_int_equal(f->state == FINDING_FINAL, f->trial != NULL);
	assert_int_equal(f->state == FINDING_SEQUENCE, f->sequence != NULL);
}

/* Executions that are reserved are those of the calls under way. */
static void
look(const struct engine *e)
{
	uint64_t waiting = 0;
	const struct job *job;
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		look_at_finding(e, e->findings.list[i]);
	for (i = 0; i < e->pool.n; i++) {
		job = e->pool.slots[i].worker != NULL
			? worker_job(e->pool.slots[i].worker)
			: NULL;
		if (job == NULL)
			continue;
		waiting += job->reserved;
		if (job->kind == JOB_REPLAY || job->kind == JOB_SEQUENCE ||
			job->kind == JOB_MINIMIZE_FAILURE)
			assert_true(has_finding(e, job_owner_finding(job)));
	}
	assert_int_equal(waiting, e->schedule.reserved);
}

/* ---- the play ------------------------------------------------------------ */

static void
give(struct play *p, const char *line)
{
	struct error err = { 0 };
	char answer[256];

	p->given++;
	p->done += whole_engine_command(p->engine, line, answer, sizeof(answer),
			   &err) == OK;
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct play *p = arg;
	char line[128];

	if (p->given < COMMANDS) {
		draw_command(p, line, sizeof(line));
		give(p, line);
		if (below(p, 8) == 0)
			ask(p);
	} else if (p->given == COMMANDS) {
		give(p, "resume");
	} else if (p->given == COMMANDS + 1 &&
		p->engine->counts.executions > 0) {
		give(p, p->row->end);
	}
	look(p->engine);
}

static void
on_report(void *arg, const struct report *report)
{
}

static void
test_play(void **state)
{
	const struct timeval turn = { 0, TICK_US };
	struct play p = { .row = *state };
	char seed[24];
	const char *options[8 + 9] = { "seed", seed, "parallel", "3",
		"minimizetime", "1s", "max-len", "1000" };
	void *tree = NULL;
	struct event *turns;
	struct error err = { 0 };

	tree_open(&tree);
	prng_mix(&p.rand, p.row->seed, 0, 0);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)p.row->seed);
	memcpy(options + 8, p.row->options, sizeof(p.row->options));
	p.engine =
		whole_engine_open(tree, "chaos", options, -1, on_report, NULL);
	turns = event_new(p.engine->base, -1, EV_PERSIST, on_turn, &p);
	event_add(turns, &turn);
	(void)whole_engine_run(p.engine, &err);
	event_free(turns);
	assert_true(p.done > 0);
	assert_true(p.engine->counts.executions > 0);
	look(p.engine);
	print_message("%u of %u commands, %zu findings, %zu inputs\n", p.done,
		p.given, p.engine->findings.n,
		corpus_len(p.engine->campaign.corpus));
	engine_destroy(p.engine);
	tree_close(&tree);
}

/* Nothing runs any more: the answer must not promise it. */
static void
test_replay_too_late(void **state)
{
	static const char *const options[] = { "parallel", "1", NULL };
	struct failure failure = { .kind = FAILURE_ERROR, .what = "bad" };
	struct finding *f = finding_create(&failure, 1);
	struct error err = { 0 };
	char line[64], answer[256];
	struct engine *e;
	void *tree = NULL;

	tree_open(&tree);
	e = whole_engine_open(tree, "good", options, -1, on_report, NULL);
	f->input = xmemdup("bad", 3);
	f->len = 3;
	f->owner = e;
	f->state = FINDING_DONE;
	findings_add(e, f);
	snprintf(line, sizeof(line), "replay %s 5", f->id);
	engine_stop(e, END_USER);
	assert_int_equal(whole_engine_command(e, line, answer, sizeof(answer),
				 &err),
		E_STATE);
	assert_string_equal(err.text, "the campaign is stopping");
	assert_int_equal(f->state, FINDING_DONE);
	engine_destroy(e);
	tree_close(&tree);
}

/* As a start with it is. */
static void
test_max_len_of_types(void **state)
{
	static const char *const options[] = { "parallel", "1", NULL };
	static const struct tuple_types types = { 2,
		{ VALUE_INT8, VALUE_STRING } };
	struct error err = { 0 };
	char answer[256];
	struct engine *e;
	void *tree = NULL;

	tree_open(&tree);
	e = whole_engine_open(tree, "good", options, -1, on_report, NULL);
	program_set_types(e, &types, "f");
	assert_int_equal(whole_engine_command(e, "set max-len 13", answer,
				 sizeof(answer), &err),
		E_RANGE);
	assert_string_equal(err.text,
		"an input of this target has at least 14 bytes");
	assert_int_equal(whole_engine_command(e, "set max-len 14", answer,
				 sizeof(answer), &err),
		OK);
	engine_destroy(e);
	tree_close(&tree);
}

/* The stop goes on, without the minimizations, and no worker restarts. */
static void
test_quit_minimized_too_late(void **state)
{
	static const char *const options[] = { "parallel", "1", NULL };
	struct error err = { 0 };
	char answer[256];
	struct engine *e;
	void *tree = NULL;

	tree_open(&tree);
	e = whole_engine_open(tree, "good", options, -1, on_report, NULL);
	engine_stop(e, END_USER);
	assert_int_equal(whole_engine_command(e, "quit minimized", answer,
				 sizeof(answer), &err),
		E_STATE);
	assert_string_equal(err.text, "the campaign is stopping");
	assert_int_equal(whole_engine_command(e, "stop 0", answer,
				 sizeof(answer), &err),
		E_STATE);
	assert_string_equal(err.text, "the campaign is stopping");
	assert_false(engine_leaves(e));
	assert_int_equal(whole_engine_command(e, "quit", answer, sizeof(answer),
				 NULL),
		OK);
	assert_true(engine_leaves(e));
	engine_destroy(e);
	tree_close(&tree);
}

int
main(int argc, char **argv)
{
	struct CMUnitTest tests[ROWS(PLAYS) + 3] = {
		[ROWS(PLAYS)] = cmocka_unit_test(test_replay_too_late),
		cmocka_unit_test(test_max_len_of_types),
		cmocka_unit_test(test_quit_minimized_too_late),
	};
	size_t i;

	fake_worker_main(argv);
	for (i = 0; i < ROWS(PLAYS); i++) {
		tests[i].name = PLAYS[i].name;
		tests[i].test_func = test_play;
		tests[i].initial_state = (void *)(uintptr_t)&PLAYS[i];
	}
	return cmocka_run_group_tests_name("commands", tests, NULL, NULL);
}
