/*
 * A campaign that is over: what a console may do, what its snapshot has when
 * files are missing, and that nothing is locked or left while nobody works.
 */
#include "lib/talk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/libraries.h"
#include "control/snapshot.h"
#include "corpus/corpus.h"
#include "engine/engine_end.h"
#include "engine/engine_over.h"
#include "engine/engine_over_state.h"
#include "engine/front/server.h"
#include "engine/front/snapshot_view.h"
#include "engine/front/snapshot_view_private.h"
#include "engine/pool/pool.h"
#include "engine/pool/pool_workers.h"
#include "lib/fake_helper.h"
#include "lib/fake_worker.h"
#include "lib/files.h"
#include "lib/idle_engine.h"
#include "lib/own_note.h"

static const char *const plain[] = { "parallel", "1", NULL };
static const char *const short_run[] = { "parallel", "1", "fuzztime", "50x",
	NULL };

/* "out" with a finding; its id, good until the next call. */
static const char *
make(const struct tree *tree)
{
	static char id[24];
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle_fail(&idle, FAILURE_SIGNAL, 11, 0x10, "boom");
	idle_settle(&idle);
	assert_int_equal(idle.engine->findings.n, 1);
	snprintf(id, sizeof(id), "%s", idle.engine->findings.list[0]->id);
	idle_close(&idle);
	return id;
}

static bool
is_locked(const struct tree *tree)
{
	struct error err = { 0 };
	struct store *store;
	enum status status;

	status = store_open_past(&store, tree_path(tree, "out"), tree->base,
		&err);
	assert_int_equal(status, OK);
	status = store_wake(store, &err);
	store_close(store);
	return status == E_BUSY;
}

static void
check_command(struct talk *talk, const char *name, const char *line, bool want,
	const char *says)
{
	bool ok;
	char *text = talk_command(talk, line, &ok);

	row_check(ok == want && strstr(text, says) != NULL, "%s: %s", name,
		text);
	free(text);
}

/* ---- commands --------------------------------------------------------------
 */

/* clang-format off */
static const struct admit_row {
	const char *line; /* ID: of the finding */
	bool ok;
	const char *says;
} COMMANDS[] = {
	{ "ping", true, "" },
	{ "pause", false, "the campaign is over: cfuzz-tui -o " },
	{ "workers +1", false, "the campaign is over: cfuzz-tui -o " },
	{ "stop", false, "the campaign is over: cfuzz-tui -o " },
	{ "set timeout 2s", false, "the campaign is over" },
	{ "detach", false, "quit leaves" },
	{ "fly", false, "fly" },
	{ "note nobody text", false, "nobody" },
	{ "note ID seen", true, "the note is saved" },
	{ "mark ID known", true, "" },
};
/* clang-format on */

static void
check_commands(struct talk *talk, const char *id)
{
	char line[128];
	size_t i;

	for (i = 0; i < ROWS(COMMANDS); i++) {
		const char *at = strstr(COMMANDS[i].line, "ID");

		if (at == NULL)
			snprintf(line, sizeof(line), "%s", COMMANDS[i].line);
		else
			snprintf(line, sizeof(line), "%.*s%s%s",
				(int)(at - COMMANDS[i].line), COMMANDS[i].line,
				id, at + 2);
		check_command(talk, COMMANDS[i].line, line, COMMANDS[i].ok,
			COMMANDS[i].says);
	}
}

/* Whoever works has the directory; afterwards it is free. */
static void
wait_free(struct talk *talk)
{
	uint64_t end = clock_now_ns() + TALK_PATIENCE_S * CLOCK_NS_PER_S;

	while (over_works(talk->engine)) {
		assert_true(clock_now_ns() < end);
		pool_tick(talk->engine, clock_now_ns());
		over_tick(talk->engine);
		over_on_second(talk->engine);
		event_base_loop(talk->engine->base, EVLOOP_NONBLOCK);
	}
}

static void
test_commands(void **state)
{
	const struct tree *tree = *state;
	const char *id = make(tree);
	struct talk talk = { 0 };
	json_t *stats;

	talk_open_past(&talk, tree, NULL, "good");
	talk_greet_staying(&talk);
	assert_false(is_locked(tree));
	check_commands(&talk, id);
	assert_true(over_works(talk.engine));
	assert_true(is_locked(tree));
	wait_free(&talk);
	assert_false(is_locked(tree));
	stats = json_load_file(tree_path(tree, "out/stats.json"), 0, NULL);
	assert_true(json_is_true(json_object_get(
		json_array_get(json_object_get(stats, "findings"), 0),
		"noted")));
	json_decref(stats);
	assert_int_equal(talk_close(&talk), EXIT_FOUND);
}

/* Restarts are of the campaign, as executions are. */
static void
check_no_restart(struct talk *talk)
{
	struct snapshot s;

	snapshot_init(&s);
	snapshot_put_workers(talk->engine, &s, clock_now_ns());
	assert_int_equal(s.workers_n, 1);
	assert_int_equal(s.workers[0].restarts, 0);
	snapshot_clear(&s);
}

/* A worker starts for a replay, and ends with it. The run had no time to verify
 * the finding: that does not keep the user waiting. */
static void
test_replay(void **state)
{
	const struct tree *tree = *state;
	const char *id = make(tree);
	struct talk talk = { 0 };
	char line[64];

	talk_open_past(&talk, tree, NULL, "fails");
	talk_greet_staying(&talk);
	snprintf(line, sizeof(line), "replay %s 2", id);
	check_command(&talk, "replay", line, true, "is replayed 2 times");
	wait_free(&talk);
	assert_int_equal(talk.engine->findings.list[0]->replays, 2);
	assert_int_equal(pool_count(talk.engine), 1);
	check_command(&talk, "again", line, true, "is replayed 2 times");
	wait_free(&talk);
	check_no_restart(&talk);
	talk_close(&talk);
}

/* Whose finding waits to be made smaller; returns its ID. */
static const char *
open_queued(struct talk *talk, const struct tree *tree)
{
	const char *id = make(tree);

	talk_open_past(talk, tree, NULL, "good");
	talk_greet_staying(talk);
	talk->engine->findings.list[0]->state = FINDING_QUEUED;
	return id;
}

/* A step is refused while nothing runs, and begins no minimization. */
static void
test_step(void **state)
{
	struct talk talk = { 0 };
	const char *id = open_queued(&talk, *state);
	char line[64];

	snprintf(line, sizeof(line), "step hold %s", id);
	check_command(&talk, "hold", line, false, "is not being minimized");
	assert_int_equal(talk.engine->minimize.n, 0);
	talk_close(&talk);
}

/* While something else is done for the user, it begins one, with a worker. */
static void
test_step_meanwhile(void **state)
{
	struct talk talk = { 0 };
	const char *id = open_queued(&talk, *state);
	char line[64];

	snprintf(line, sizeof(line), "note %s seen", id);
	check_command(&talk, "note", line, true, "the note is saved");
	assert_int_equal(pool_count(talk.engine), 0);
	snprintf(line, sizeof(line), "step hold %s", id);
	check_command(&talk, "hold", line, true, "the minimization is held");
	assert_int_equal(talk.engine->minimize.n, 1);
	assert_int_equal(pool_count(talk.engine), 1);
	check_command(&talk, "stop", "stop", true, "");
	wait_free(&talk);
	talk_close(&talk);
}

/* Another run has begun meanwhile. */
static void
test_another_run(void **state)
{
	const struct tree *tree = *state;
	const char *id = make(tree);
	struct talk talk = { 0 };
	char line[64];
	struct idle idle;

	talk_open_past(&talk, tree, NULL, "good");
	talk_greet_staying(&talk);
	snprintf(line, sizeof(line), "note %s seen", id);
	idle_open(&idle, tree, plain);
	check_command(&talk, "runs", line, false, "is at work in");
	idle_close(&idle);
	check_command(&talk, "ran", line, false, "another cfuzz has changed");
	assert_false(over_works(talk.engine));
	talk_close(&talk);
}

/* clang-format off */
static const struct target_row {
	const char *name, *target, *says;
} TARGETS[] = {
	{ "it is gone", "/nowhere/target", "does not exist" },
	{ "no target any more", "/etc/passwd", "is not executable" },
	{ "unknown", "?", "?" },
};
/* clang-format on */

/* All is shown without the target, which is named; it cannot be replayed. */
static void
test_no_target(void **state)
{
	const struct tree *tree = *state;
	const char *id = make(tree);
	struct snapshot s;
	char line[64];
	size_t i;

	snprintf(line, sizeof(line), "replay %s", id);
	for (i = 0; i < ROWS(TARGETS); i++) {
		struct talk talk = { 0 };

		talk_open_past(&talk, tree, TARGETS[i].target, "good");
		talk_greet_staying(&talk);
		check_command(&talk, TARGETS[i].name, line, false,
			TARGETS[i].says);
		view_make(talk.engine, &s);
		assert_string_equal(s.target, TARGETS[i].target);
		assert_int_equal(s.findings_n, 1);
		snapshot_clear(&s);
		talk_close(&talk);
	}
}

/* ---- snapshots -------------------------------------------------------------
 */

static void
edit_stats(const struct tree *tree, const char *member, json_t *take_value)
{
	const char *path = tree_path(tree, "out/stats.json");
	json_t *stats = json_load_file(path, 0, NULL);

	assert_non_null(stats);
	json_object_set_new(stats, member, take_value);
	assert_int_equal(json_dump_file(stats, path, 0), 0);
	json_decref(stats);
}

/* clang-format off */
static const struct view_row {
	const char *name;
	const char *member, *value; /* of stats.json; value: JSON */
	const char *ended_by;
	bool stats; /* its numbers are there */
} VIEWS[] = {
	{ "stopped", NULL, NULL, "stopped by the user", true },
	{ "killed", "state", "\"fuzzing\"", "killed, it did not end by itself", true },
	{ "killed while it was paused", "state", "\"paused\"", "killed, it did not end by itself", true },
	{ "a value profile", "progress_inputs", "5", "stopped by the user", true },
	{ "no stats.json", "", NULL, "stats.json is missing or damaged", false },
	{ "not of this format", "version", "99", "stats.json has version 99, cfuzz reads 1", false },
	{ "a member is damaged", "execs", "\"x\"", "stats.json is missing or damaged", false },
};
/* clang-format on */

static void
check_view(const struct tree *tree, const struct view_row *row)
{
	struct talk talk = { 0 };
	struct snapshot s;
	size_t i;

	talk_open_past(&talk, tree, NULL, "good");
	while (talk.engine->load.under_way)
		event_base_loop(talk.engine->base, EVLOOP_ONCE);
	view_make(talk.engine, &s);
	row_check(strcmp(s.ended_by, row->ended_by) == 0, "%s: %s", row->name,
		s.ended_by);
	assert_int_equal(s.state, RUN_ENDED);
	row_check((s.limits_n > 0) == row->stats, "%s: %zu limits", row->name,
		s.limits_n);
	row_check(s.workers_n == row->stats, "%s", row->name);
	for (i = 0; i < s.workers_n; i++) {
		assert_int_equal(s.workers[i].state, WORKER_VIEW_DOWN);
		assert_true(s.workers[i].state_s < 0);
		assert_int_equal(s.workers[i].pid, 0);
	}
	assert_int_equal(s.runs, 1);
	/* Its inputs are not on the disk: none is left. */
	row_check(s.progress_inputs == 0, "%s", row->name);
	row_check(s.exit_status == EXIT_FOUND, "%s: exit status %d", row->name,
		s.exit_status);
	assert_int_equal(s.findings_n, 1);
	assert_true(s.events_n > 0);
	assert_true(s.execs_per_sec == 0);
	assert_false(s.paused);
	snapshot_clear(&s);
	row_check(talk_close(&talk) == EXIT_FOUND, "%s", row->name);
}

static void
test_views(void **state)
{
	const struct view_row *row;
	void *tree;

	for (row = VIEWS; row < VIEWS + ROWS(VIEWS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		(void)make(tree);
		if (row->value != NULL)
			edit_stats(tree, row->member,
				json_loads(row->value, JSON_DECODE_ANY, NULL));
		else if (row->member != NULL)
			assert_int_equal(unlink(tree_path(tree,
						 "out/stats.json")),
				0);
		check_view(tree, row);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct new_row {
	const char *name;
	const char *lines[2]; /* with the id for %s */
	json_int_t news;
} NEW_ONES[] = {
	{ "a note", { "note %s seen" }, 1 },
	{ "accepted", { "accept %s" }, 0 },
	{ "marked known", { "mark %s known" }, 0 },
	{ "marked by mistake", { "mark %s known", "mark %s new" }, 1 },
};
/* clang-format on */

static void
check_new(const struct tree *tree, const struct new_row *row)
{
	const char *id = make(tree);
	struct talk talk = { 0 };
	struct snapshot s;
	json_t *stats;
	char line[64];
	size_t i;

	talk_open_past(&talk, tree, NULL, "good");
	talk_greet_staying(&talk);
	for (i = 0; i < ROWS(row->lines) && row->lines[i] != NULL; i++) {
		snprintf(line, sizeof(line), "%.*s %s%s",
			(int)strcspn(row->lines[i], " "), row->lines[i], id,
			strstr(row->lines[i], "%s") + 2);
		check_command(&talk, row->name, line, true, "");
	}
	wait_free(&talk);
	view_make(talk.engine, &s);
	row_check((json_int_t)s.findings_new == row->news, "%s: shows %llu",
		row->name, (unsigned long long)s.findings_new);
	snapshot_clear(&s);
	stats = json_load_file(tree_path(tree, "out/stats.json"), 0, NULL);
	row_check(json_integer_value(json_object_get(stats, "findings_new")) ==
			row->news,
		"%s: stats.json", row->name);
	json_decref(stats);
	talk_close(&talk);
}

/* What the user marks afterwards is no new finding of the run. */
static void
test_new(void **state)
{
	const struct new_row *row;
	void *tree;

	for (row = NEW_ONES; row < NEW_ONES + ROWS(NEW_ONES); row++) {
		assert_int_equal(tree_open(&tree), 0);
		check_new(tree, row);
		tree_close(&tree);
	}
}

/* Without stats.json, an accepted finding is no failure either. */
static void
test_accepted_alone(void **state)
{
	const struct tree *tree = *state;
	struct talk talk = { 0 };
	char line[64];

	snprintf(line, sizeof(line), "accept %s", make(tree));
	talk_open_past(&talk, tree, NULL, "good");
	talk_greet_staying(&talk);
	check_command(&talk, "accept", line, true, "");
	wait_free(&talk);
	talk_close(&talk);
	assert_int_equal(unlink(tree_path(tree, "out/stats.json")), 0);
	talk_open_past(&talk, tree, NULL, "good");
	assert_int_equal(talk_close(&talk), EXIT_NOTHING);
}

/* ---- the end of a run ------------------------------------------------------
 */

/* Only a console that asked for it when it greeted stays. */
static void
test_staying(void **state)
{
	struct talk talk = { 0 };
	struct server *server;

	talk_open(&talk, *state, plain);
	server = talk.engine->front.server;
	assert_false(server_any_stays(NULL));
	assert_true(server_any_stays(server)); /* it has not greeted yet */
	talk_greet(&talk, CONTROL_VERSION);
	talk_say(&talk, "{\"command\": {\"id\": 1, \"line\": \"ping\"}}");
	json_decref(talk_hear(&talk, "answer"));
	assert_false(server_any_stays(server));
	server_begin_over(server, "time is up");
	json_decref(talk_hear(&talk, "bye"));
	assert_false(server_any_stays(server));
	talk_close(&talk);
}

struct leaving {
	struct talk talk;
	struct event *watch;
	bool over;
};

/* Leaves as soon as the campaign is over. */
static void
on_watch(evutil_socket_t fd, short what, void *arg)
{
	struct leaving *l = arg;

	if (!l->talk.engine->end.over || l->over)
		return;
	l->over = true;
	talk_say(&l->talk, "{\"command\": {\"id\": 1, \"line\": \"quit\"}}");
}

/* The limit ends the run; the engine stays until the console has left. */
static void
test_stays(void **state)
{
	const struct timeval often = { 0, 20000 };
	const struct tree *tree = *state;
	struct leaving l = { 0 };
	struct error err = { 0 };

	talk_open(&l.talk, tree, short_run);
	l.talk.engine->front.may_stay = true;
	talk_greet_staying(&l.talk);
	l.watch = event_new(l.talk.engine->base, -1, EV_PERSIST, on_watch, &l);
	event_add(l.watch, &often);
	assert_int_equal(whole_engine_run(l.talk.engine, &err), EXIT_NOTHING);
	assert_true(l.over);
	assert_null(over_stats(l.talk.engine));
	assert_false(is_locked(tree));
	event_free(l.watch);
	frame_peer_destroy(l.talk.peer);
	engine_destroy(l.talk.engine);
	json_decref(l.talk.messages);
	json_decref(l.talk.events);
}

#define LOADED 500 /* more than a turn loads */

/* Stops the campaign while its files are loaded, and leaves when all are. */
static void
on_loading(evutil_socket_t fd, short what, void *arg)
{
	struct leaving *l = arg;
	struct engine *e = l->talk.engine;
	size_t n = corpus_len(engine_corpus(e));

	if (n > 0 && !e->end.over && !engine_stopping(e)) {
		assert_true(n < LOADED);
		engine_stop(e, END_USER);
	}
	if (e->end.over)
		assert_true(n == LOADED ||
			event_pending(engine_load_event(e), EV_TIMEOUT, NULL));
	if (e->end.over && !l->over && n == LOADED) {
		l->over = true;
		talk_say(&l->talk,
			"{\"command\": {\"id\": 1, \"line\": \"quit\"}}");
	}
	libraries_set_timer(l->watch, 0);
}

/* Who looks at a campaign that was stopped while it loaded sees all inputs. */
static void
test_stopped_while_loading(void **state)
{
	const struct tree *tree = *state;
	char name[32], folder[80];
	const char *options[] = { "parallel", "1", "seeds", folder, NULL };
	struct leaving l = { 0 };
	struct error err = { 0 };

	snprintf(folder, sizeof(folder), "%s/many", tree->path);
	tree_folder(tree, "many");
	for (int i = 0; i < LOADED; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		tree_text(tree, name, name);
	}
	talk_open(&l.talk, tree, options);
	l.talk.engine->front.may_stay = true;
	talk_greet_staying(&l.talk);
	l.watch = event_new(l.talk.engine->base, -1, 0, on_loading, &l);
	libraries_set_timer(l.watch, 0);
	assert_int_equal(whole_engine_run(l.talk.engine, &err), EXIT_NOTHING);
	assert_true(l.over);
	event_free(l.watch);
	frame_peer_destroy(l.talk.peer);
	engine_destroy(l.talk.engine);
	json_decref(l.talk.messages);
	json_decref(l.talk.events);
}

/* Stops what is held, then leaves. */
static void
on_held(evutil_socket_t fd, short what, void *arg)
{
	struct leaving *l = arg;
	struct engine *e = l->talk.engine;

	if (over_works(e) && !l->over) {
		assert_false(store_rests(e->store));
		l->over = true;
		talk_say(&l->talk,
			"{\"command\": {\"id\": 1, \"line\": \"stop\"}}");
	} else if (!over_works(e)) {
		talk_say(&l->talk,
			"{\"command\": {\"id\": 2, \"line\": \"quit\"}}");
	}
}

static void
begin_held_work(struct talk *talk)
{
	const char *id = talk->engine->findings.list[0]->id;
	char line[64];

	talk->engine->findings.list[0]->state = FINDING_QUEUED;
	talk->engine->pool.any_ready = true;
	snprintf(line, sizeof(line), "note %s seen", id);
	check_command(talk, "note", line, true, "the note is saved");
	snprintf(line, sizeof(line), "step hold %s", id);
	check_command(talk, "hold", line, true, "the minimization is held");
}

/* Work that begins while the end is being sent has the directory to its end. */
static void
test_work_at_once(void **state)
{
	const struct timeval often = { 0, 20000 };
	const struct tree *tree = *state;
	struct worker_result result = { 0 };
	struct leaving l = { 0 };
	struct error err = { 0 };
	struct idle idle;

	talk_open(&l.talk, tree, plain);
	talk_greet_staying(&l.talk);
	idle = (struct idle){ .engine = l.talk.engine, .result = &result };
	idle_fail(&idle, FAILURE_SIGNAL, 11, 0x10, "boom");
	assert_true(over_begin(idle.engine));
	assert_false(is_locked(tree));
	begin_held_work(&l.talk);
	assert_true(is_locked(tree));
	l.watch = event_new(idle.engine->base, -1, EV_PERSIST, on_held, &l);
	event_add(l.watch, &often);
	assert_int_equal(whole_engine_run(idle.engine, &err), EXIT_FOUND);
	assert_true(l.over);
	assert_false(is_locked(tree));
	event_free(l.watch);
	frame_peer_destroy(l.talk.peer);
	engine_destroy(idle.engine);
	json_decref(l.talk.messages);
	json_decref(l.talk.events);
}

struct hooked {
	struct talk talk;
	const struct tree *tree;
	struct event *watch;
	int go; /* the command ends when this is written to; -1: by itself */
	bool asked, answered, left;
};

/* Asks while the command runs, and leaves afterwards. */
static void
on_hooked(evutil_socket_t fd, short what, void *arg)
{
	struct hooked *h = arg;

	if (!h->talk.engine->end.over || h->left)
		return;
	if (!h->asked && tree_has(h->tree, "begun")) {
		h->asked = true;
		talk_say(&h->talk,
			"{\"command\": {\"id\": 1, \"line\": \"ping\"}}");
	}
	if (!h->answered && talk_find(&h->talk, "answer") != NULL) {
		h->answered = true;
		assert_int_equal(write(h->go, "\n", 1), 1);
	}
	if (h->go >= 0 && !tree_has(h->tree, "ended"))
		return;
	h->left = true;
	talk_say(&h->talk, "{\"command\": {\"id\": 2, \"line\": \"quit\"}}");
}

static void
run_hooked(struct hooked *h, const char *script)
{
	const struct timeval often = { 0, 20000 };
	struct error err = { 0 };
	char text[1024], command[300];
	const char *const options[] = { "parallel", "1", "fuzztime", "50x",
		"on-end", command, NULL };

	snprintf(text, sizeof(text), "cd '%s' || exit 99\n%s\n", h->tree->path,
		script);
	tree_text(h->tree, "script", text);
	snprintf(command, sizeof(command), "sh %s",
		tree_path(h->tree, "script"));
	talk_open(&h->talk, h->tree, options);
	h->talk.engine->front.may_stay = true;
	talk_greet_staying(&h->talk);
	h->watch =
		event_new(h->talk.engine->base, -1, EV_PERSIST, on_hooked, h);
	event_add(h->watch, &often);
	assert_int_equal(whole_engine_run(h->talk.engine, &err), EXIT_NOTHING);
	event_free(h->watch);
	frame_peer_destroy(h->talk.peer);
	engine_destroy(h->talk.engine);
	json_decref(h->talk.messages);
	json_decref(h->talk.events);
}

/* The console is answered while the command of --on-end runs. */
static void
test_on_end(void **state)
{
	struct hooked h = { .tree = *state };

	assert_int_equal(mkfifo(tree_path(h.tree, "go"), 0600), 0);
	h.go = open(tree_path(h.tree, "go"), O_RDWR | O_CLOEXEC);
	assert_true(h.go >= 0);
	run_hooked(&h, "touch begun; read -r line <go && touch ended");
	assert_true(h.answered);
	assert_true(h.left);
	close(h.go);
}

/* Whoever leaves at once does not keep it from running. */
static void
test_on_end_later(void **state)
{
	struct hooked h = { .tree = *state, .go = -1 };

	run_hooked(&h, "touch ended");
	assert_true(tree_has(h.tree, "ended"));
}

/* ---- functions newly reached ------------------------------------------------
 */

static void
test_reached(void **state)
{
	const struct tree *tree = *state;
	struct reply_new_function list[QUERY_NEW_FUNCTIONS_MAX + 1] = {
		{ .name = "first" }, { .name = "second" }
	};
	struct reply_new_function got[QUERY_NEW_FUNCTIONS_MAX];
	struct talk talk = { 0 };

	(void)make(tree);
	talk_open_past(&talk, tree, NULL, "good");
	assert_int_equal(over_new_functions(talk.engine, got), 0);
	over_set_new_functions(talk.engine, list, 2);
	assert_int_equal(over_new_functions(talk.engine, got), 2);
	assert_string_equal(got[1].name, "second");
	over_set_new_functions(talk.engine, list, QUERY_NEW_FUNCTIONS_MAX + 1);
	assert_int_equal(over_new_functions(talk.engine, got),
		QUERY_NEW_FUNCTIONS_MAX);
	talk_close(&talk);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_commands),
		ROW(test_replay),
		ROW(test_step),
		ROW(test_step_meanwhile),
		ROW(test_another_run),
		ROW(test_no_target),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_new),
		ROW(test_accepted_alone),
		ROW(test_staying),
		ROW(test_stays),
		ROW(test_stopped_while_loading),
		ROW(test_work_at_once),
		ROW(test_on_end),
		ROW(test_on_end_later),
		ROW(test_reached),
	};

	fake_worker_main(argv);
	fake_helper_main(argc, argv);
	if (!files_allow(256))
		return FILES_SKIP;
	return cmocka_run_group_tests_name("engine_over", tests, NULL, NULL);
}
