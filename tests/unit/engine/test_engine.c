/*
 * A whole engine with a fake worker: ends of campaigns, findings from the first
 * failure to the last replay, and the control socket.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "control/frame.h"
#include "engine/triage/triage.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"

struct campaign {
	struct engine *engine;
	const char *at_finding; /* command to run at a finding */
	unsigned findings, minimized, rows;
	enum exit_status status;
	struct error err;
};

static void
on_report(void *arg, const struct report *report)
{
	struct campaign *c = arg;
	struct error err = { 0 };
	char answer[256];

	c->minimized += report->kind == REPORT_MINIMIZED;
	c->rows += report->kind == REPORT_SEQUENCE;
	if (report->kind != REPORT_FINDING)
		return;
	c->findings++;
	if (c->at_finding != NULL)
		assert_int_equal(whole_engine_command(c->engine, c->at_finding,
					 answer, sizeof(answer), &err),
			OK);
}

static void
open_campaign(struct campaign *c, const struct tree *tree, const char *mode,
	int control_fd, const char *const *options)
{
	c->engine = whole_engine_open(tree, mode, options, control_fd,
		on_report, c);
}

static void
run_campaign(struct campaign *c)
{
	c->status = whole_engine_run(c->engine, &c->err);
}

static const char *const few[] = { "parallel", "1", "fuzztime", "200x",
	"verify", "2", "minimizetime", "10x", NULL };
static const char *const endless[] = { "parallel", "1", "verify", "2",
	"minimizetime", "10x", NULL };

/* An input that did not run is tried again, and warm-up ends. */
static void
test_warmup_ends(void **state)
{
	const struct tree *tree = *state;
	const char *const options[] = { "parallel", "1", "fuzztime", "200x",
		"seeds", tree_path(tree, "seeds"), NULL };
	struct campaign c = { 0 };

	tree_folder(tree, "seeds");
	tree_text(tree, "seeds/one", "a seed");
	open_campaign(&c, tree, "first-not-run", -1, options);
	run_campaign(&c);
	assert_int_equal(c.status, EXIT_NOTHING);
	assert_int_equal(c.engine->counts.executions, 200);
	assert_int_equal(c.engine->schedule.reserved, 0);
	engine_destroy(c.engine);
}

/* A worker that gets ready but never runs an input is given up. */
static void
test_never_runs(void **state)
{
	struct campaign c = { 0 };

	open_campaign(&c, *state, "never-runs", -1, few);
	run_campaign(&c);
	assert_int_equal(c.status, EXIT_SETUP);
	assert_non_null(strstr(c.err.text, "no worker is left"));
	engine_destroy(c.engine);
}

/* A finding is replayed, minimized, and run once more. */
static void
test_finding(void **state)
{
	const struct tree *tree = *state;
	struct campaign c = { .at_finding = "quit minimized" };
	struct finding *f;

	open_campaign(&c, tree, "crash", -1, endless);
	run_campaign(&c);
	assert_int_equal(c.status, EXIT_FOUND);
	assert_int_equal(c.findings, 1);
	assert_int_equal(c.minimized, 1);
	f = c.engine->findings.list[0];
	assert_int_equal(f->verdict, VERDICT_CONFIRMED);
	assert_int_equal(f->minimized_len, 1);
	assert_int_equal(c.engine->minimized.n, 1);
	assert_string_equal(c.engine->minimized.list[0].entry, f->id);
	assert_int_equal(c.engine->minimized.list[0].start_len, f->len);
	assert_int_equal(c.engine->minimized.list[0].len, 1);
	engine_destroy(c.engine);
}

/* A smaller input that does not fail from the engine's copy is not kept. */
static void
test_not_minimized(void **state)
{
	const struct tree *tree = *state;
	struct campaign c = { 0 };
	char name[300];

	open_campaign(&c, tree, "crash-large", -1, few);
	run_campaign(&c);
	assert_int_equal(c.findings, 1);
	assert_int_equal(c.minimized, 0);
	assert_null(c.engine->findings.list[0]->minimized);
	snprintf(name, sizeof(name), "out/%s/minimized",
		c.engine->findings.list[0]->folder);
	assert_false(tree_has(tree, name));
	engine_destroy(c.engine);
}

/* clang-format off */
static const struct kept_row {
	const char *name, *kept, *rule; /* rules: kept, now */
	bool doubted;
	size_t len, want;
} KEPT[] = {
	{ "smaller", "same-bucket", "same-bucket", false, 17, 17 },
	{ "as large", "same-bucket", "same-bucket", false, 18, 18 },
	{ "larger", "same-bucket", "same-bucket", false, 20, 18 },
	{ "larger, by a rule that allows more", "same-bucket", "same-kind", false, 20, 18 },
	{ "larger, by any failure", "same-kind", "any-failure", false, 20, 18 },
	{ "larger, by a stricter rule", "any-failure", "same-bucket", false, 20, 20 },
	{ "larger, in another build", "same-bucket", "same-bucket", true, 20, 20 },
};
/* clang-format on */

/* A smaller input is replaced only if it may no longer fail. */
static void
test_kept(void **state)
{
	const char *const options[] = { "parallel", "1", "verify", "0", NULL };
	struct failure failure = { .kind = FAILURE_ERROR, .what = "bad" };
	static const uint8_t data[32];
	struct campaign c = { 0 };
	struct finding *f;
	size_t i;

	open_campaign(&c, *state, "good", -1, options);
	f = finding_create(&failure, 1);
	f->input = xmemdup(data, sizeof(data));
	f->len = sizeof(data);
	f->owner = c.engine;
	findings_add(c.engine, f);
	for (i = 0; i < sizeof(KEPT) / sizeof(KEPT[0]); i++) {
		const struct kept_row *row = &KEPT[i];

		free(f->minimized);
		f->minimized = xmemdup(data, 18);
		f->minimized_len = 18;
		f->minimized_rule = minimize_rule_parse(row->kept);
		snprintf(f->minimized_build, sizeof(f->minimized_build), "%s",
			row->doubted ? "another" : c.engine->target.info.build);
		assert_int_equal(settings_set(&c.engine->settings,
					 "minimize-rule", row->rule, ORIGIN_KEY,
					 NULL),
			OK);
		finding_move(f, FINDING_QUEUED);
		triage_on_minimized(c.engine, f, data, row->len, 9, NULL);
		row_check(f->minimized_len == row->want, "%s", row->name);
		row_check(f->trial == NULL, "%s", row->name);
		row_check(f->state == FINDING_DONE, "%s", row->name);
	}
	engine_destroy(c.engine);
}

/* Findings that wait are minimized before the campaign ends. */
static void
test_quit_minimized(void **state)
{
	struct campaign c = { .at_finding = "quit minimized" };

	open_campaign(&c, *state, "crash", -1, endless);
	run_campaign(&c);
	assert_int_equal(c.status, EXIT_FOUND);
	assert_int_equal(c.minimized, 1);
	engine_destroy(c.engine);
}

/* New coverage in a replay makes no entry: there is no parent. */
static void
test_replay_is_no_find(void **state)
{
	struct campaign c = { .at_finding = NULL };

	open_campaign(&c, *state, "crash-finds", -1, few);
	run_campaign(&c);
	assert_int_equal(c.findings, 1);
	assert_int_equal(c.engine->findings.list[0]->verdict, VERDICT_FLAKY);
	assert_int_equal(c.engine->counts.new_inputs, 0);
	engine_destroy(c.engine);
}

/* clang-format off */
static const struct row_row {
	const char *mode;
	enum finding_verdict verdict;
	uint32_t sequence, reproduced, replays;
	const char *tried;
} ROWS[] = {
	{ "row", VERDICT_CONFIRMED, 3, 2, 2, "0 of 2 alone" },
	{ "row-lost", VERDICT_FLAKY, 0, 0, 2,
		"0 of 2 alone, 0 of 2 as a sequence of 11" },
	/* It fails in the replay and one try of the search only. */
	{ "row-once", VERDICT_FLAKY, 0, 0, 2,
		"0 of 2 alone, 0 of 2 as a sequence of " },
};
/* clang-format on */

/* A finding that fails only after other inputs. */
static void
check_row(const struct tree *tree, const struct row_row *row)
{
	struct campaign c = { .at_finding = NULL };
	const struct finding *f;
	char name[300];

	open_campaign(&c, tree, row->mode, -1, few);
	run_campaign(&c);
	assert_int_equal(c.status, EXIT_FOUND);
	f = c.engine->findings.list[0];
	assert_int_equal(f->verdict, row->verdict);
	assert_int_equal(f->sequence_n, row->sequence);
	assert_int_equal(f->reproduced, row->reproduced);
	assert_int_equal(f->replays, row->replays);
	assert_memory_equal(f->tried, row->tried, strlen(row->tried));
	assert_null(f->minimized);
	assert_null(f->sequence);
	assert_null(f->history);
	assert_int_equal(c.rows, row->sequence > 0);
	snprintf(name, sizeof(name), "out/%s/sequence", f->folder);
	assert_int_equal(tree_has(tree, name), row->sequence > 0);
	if (row->sequence > 0) {
		strcat(name, "/000002");
		assert_true(tree_holds(tree, name, "7"));
	}
	engine_destroy(c.engine);
}

static void
test_row(void **state)
{
	check_row(*state, &ROWS[0]);
}

static void
test_row_lost(void **state)
{
	check_row(*state, &ROWS[1]);
}

static void
test_row_once(void **state)
{
	check_row(*state, &ROWS[2]);
}

struct talk {
	unsigned answers, hellos, byes;
};

static void
on_message(void *arg, json_t *message)
{
	struct talk *talk = arg;

	talk->answers += json_object_get(message, "answer") != NULL;
	talk->hellos += json_object_get(message, "hello") != NULL;
	talk->byes += json_object_get(message, "bye") != NULL;
}

static void
on_closed(void *arg, const char *why)
{
}

/* Opens a campaign with a console that counts messages. */
static struct frame_peer *
open_talk(struct campaign *c, const struct tree *tree,
	const char *const *options, struct talk *talk)
{
	static const struct frame_handlers handlers = { .on_message =
								on_message,
		.on_closed = on_closed };
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	open_campaign(c, tree, "good", fds[0], options);
	return frame_peer_create(c->engine->base, fds[1], 4 << 20, &handlers,
		talk);
}

/* Each command gets an answer, even if its text is cut within a character. */
static void
test_answers(void **state)
{
	struct campaign c = { 0 };
	struct talk talk = { 0 };
	struct frame_peer *peer;
	char line[COMMAND_LINE_MAX] = "";
	int i;
	json_t *json;

	peer = open_talk(&c, *state, few, &talk);
	json = json_pack("{s:{s:i}}", "hello", "version", CONTROL_VERSION);
	assert_int_equal(frame_send(peer, json, NULL), OK);
	json_decref(json);
	for (i = 0; i < 2; i++) {
		snprintf(line, sizeof(line), "replay %s", i == 0 ? "" : "x");
		while (strlen(line) + 3 < sizeof(line))
			strcat(line, "é");
		json = json_pack("{s:{s:i, s:s}}", "command", "id", i, "line",
			line);
		assert_int_equal(frame_send(peer, json, NULL), OK);
		json_decref(json);
	}
	run_campaign(&c);
	for (i = 0; i < 100 && talk.byes == 0; i++)
		event_base_loop(c.engine->base, EVLOOP_NONBLOCK);
	assert_int_equal(talk.hellos, 1);
	assert_int_equal(talk.answers, 2);
	assert_int_equal(talk.byes, 1);
	frame_peer_destroy(peer);
	engine_destroy(c.engine);
}

/* The console hears the end, whatever bytes the error text has. */
static void
test_last_words(void **state)
{
	struct campaign c = { 0 };
	struct talk talk = { 0 };
	struct frame_peer *peer;
	int i;

	peer = open_talk(&c, *state, endless, &talk);
	engine_fail(c.engine, EXIT_LOST, "a name like \xff\xfe\xc3");
	run_campaign(&c);
	for (i = 0; i < 100 && talk.byes == 0; i++)
		event_base_loop(c.engine->base, EVLOOP_NONBLOCK);
	assert_int_equal(talk.byes, 1);
	frame_peer_destroy(peer);
	engine_destroy(c.engine);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_warmup_ends),
		ROW(test_never_runs),
		ROW(test_finding),
		ROW(test_not_minimized),
		ROW(test_kept),
		ROW(test_quit_minimized),
		ROW(test_replay_is_no_find),
		ROW(test_row),
		ROW(test_row_lost),
		ROW(test_row_once),
		ROW(test_answers),
		ROW(test_last_words),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
