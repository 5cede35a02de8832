/*
 * A campaign that has ended with a full disk: what is in memory is written as
 * soon as there is room, and at the latest when the last console leaves.
 * FLAGS: -Wl,--wrap=mkdirat
 */
#include "lib/talk.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_over.h"
#include "lib/fake_helper.h"
#include "lib/fake_worker.h"
#include "lib/fault.h"
#include "lib/files.h"
#include "lib/idle_engine.h"
#include "lib/own_note.h"
#include "store/store.h"

#define PATIENCE_S 40 /* seconds at rest, counted, not waited for */

static const char *const short_run[] = { "parallel", "1", "fuzztime", "50x",
	"verify", "0", "minimizetime", "0x", NULL };

/* clang-format off */
static const struct row {
	const char *name;
	bool room;  /* on the disk, after the end */
	bool rests; /* for a time before the console leaves */
	bool other; /* a run has begun in the directory meanwhile */
	bool saved;
} FULL[] = {
	{ "there is room when the console leaves", true, false, false, true },
	{ "there is room while it shows the end", true, true, false, true },
	{ "there is none", false, false, false, false },
	{ "there is none for a long time", false, true, false, false },
	{ "another run has the directory", true, true, true, false },
};
/* clang-format on */

struct full {
	const struct row *row;
	const struct tree *tree;
	struct talk talk;
	struct event *watch;
	char input[300];
	bool left;
};

/* A worker finds it; the folder of the finding cannot be made. */
static void
find(struct full *f)
{
	struct worker_result *r = xcalloc(1, sizeof(*r));
	struct idle idle = { .engine = f->talk.engine, .result = r };

	idle_fail(&idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "boom");
	snprintf(f->input, sizeof(f->input), "out/%s/input",
		f->talk.engine->findings.list[0]->folder);
	free(r);
}

/* The console leaves as soon as the campaign is over. */
static void
on_watch(evutil_socket_t fd, short what, void *arg)
{
	struct full *f = arg;
	struct engine *e = f->talk.engine;
	struct writer_status status;

	if (f->left || !e->end.over || !store_rests(e->store))
		return;
	f->left = true;
	store_get_status(e->store, &status);
	row_check(status.findings > 0, "%s", f->row->name);
	row_check(!tree_has(f->tree, f->input), "%s: too early", f->row->name);
	if (f->row->room)
		fault_stop();
	if (f->row->other)
		tree_text(f->tree, "out/journal.jsonl", "{}\n");
	for (int i = 0; f->row->rests && i < PATIENCE_S; i++)
		over_on_second(e);
	row_check(tree_has(f->tree, f->input) ==
			(f->row->rests && f->row->saved),
		"%s: while it shows the end", f->row->name);
	row_check(store_rests(e->store), "%s: it has the lock", f->row->name);
	talk_say(&f->talk, "{\"command\": {\"id\": 1, \"line\": \"quit\"}}");
}

/* The status that the run left in its directory. */
static int
kept_status(const struct tree *tree)
{
	json_t *stats =
		json_load_file(tree_path(tree, "out/stats.json"), 0, NULL);
	int status =
		(int)json_integer_value(json_object_get(stats, "exit_status"));

	json_decref(stats);
	return status;
}

static void
check_row(const struct row *row, const struct tree *tree)
{
	const struct timeval often = { 0, 20000 };
	struct full f = { .row = row, .tree = tree };
	struct error err = { 0 };

	talk_open(&f.talk, tree, short_run);
	f.talk.engine->front.may_stay = true;
	talk_greet_staying(&f.talk);
	fault_set(1, ENOSPC, true);
	find(&f);
	f.watch = event_new(f.talk.engine->base, -1, EV_PERSIST, on_watch, &f);
	event_add(f.watch, &often);
	row_check(whole_engine_run(f.talk.engine, &err) ==
			(row->saved ? EXIT_FOUND : EXIT_LOST),
		"%s: status", row->name);
	fault_stop();
	row_check(f.left, "%s", row->name);
	row_check(tree_has(tree, f.input) == row->saved, "%s: at the end",
		row->name);
	row_check(!row->saved || kept_status(tree) == EXIT_FOUND,
		"%s: kept status", row->name);
	event_free(f.watch);
	frame_peer_destroy(f.talk.peer);
	engine_destroy(f.talk.engine);
	json_decref(f.talk.messages);
	json_decref(f.talk.events);
}

static void
test_full_disk(void **state)
{
	void *tree;

	for (size_t i = 0; i < ROWS(FULL); i++) {
		assert_int_equal(tree_open(&tree), 0);
		check_row(&FULL[i], tree);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_disk),
	};

	fake_worker_main(argv);
	fake_helper_main(argc, argv);
	if (!files_allow(256))
		return FILES_SKIP;
	return cmocka_run_group_tests_name("engine_over_disk", tests, NULL,
		NULL);
}
