/*
 * test_model: histories, announcements and messages after snapshots.
 */
#include "ui/model/model.h"

#include <malloc.h>

#include "base/xmalloc.h"
#include "lib/check.h"

struct world {
	struct model *model;
	struct snapshot_worker workers[3];
	size_t workers_n;
	struct snapshot_finding finding;
	struct snapshot_event event;
	double now_s;
	uint64_t seq;
	/* values of the next snapshot */
	double elapsed_s, last_find_s, gap_s;
	uint64_t bits, past_bits, crashes;
	enum run_state state;
	struct snapshot_past past; /* at_s 0: none */
};

static void
world_open(struct world *w)
{
	memset(w, 0, sizeof(*w));
	w->model = malloc(sizeof(*w->model));
	model_init(w->model);
	w->state = RUN_FUZZING;
	w->now_s = 1000;
	w->model->now_s = w->now_s;
	w->workers_n = 3;
	for (uint32_t i = 0; i < 3; i++) {
		w->workers[i].id = i * 10;
		w->workers[i].state = WORKER_VIEW_FUZZING;
	}
	snprintf(w->finding.what, sizeof(w->finding.what), "SIGSEGV");
	snprintf(w->finding.where, sizeof(w->finding.where), "f\033[1m");
}

static void
world_close(struct world *w)
{
	model_clear(w->model);
	free(w->model);
}

static void
world_step(struct world *w, double seconds)
{
	struct snapshot made = {
		.seq = ++w->seq,
		.state = w->state,
		.elapsed_s = w->elapsed_s += seconds,
		.last_find_s = w->last_find_s,
		.plateau_gap_s = w->gap_s,
		.coverage_bits = w->bits,
		.past_bits = w->past_bits,
		.crashes = w->crashes,
		.workers = w->workers,
		.workers_n = w->workers_n,
		.findings = &w->finding,
		.findings_n = w->crashes > 0,
		.events = &w->event,
		.events_n = w->event.seq > 0,
	};
	struct snapshot copy = made;

	copy.workers = xmemdup(w->workers, sizeof(w->workers));
	copy.findings = xmemdup(&w->finding, sizeof(w->finding));
	copy.events = xmemdup(&w->event, sizeof(w->event));
	copy.past = xmemdup(&w->past, sizeof(w->past));
	copy.past_n = w->past.at_s > 0;
	w->now_s += seconds;
	model_add_snapshot(w->model, &copy, w->now_s);
	assert_int_equal(copy.seq, 0); /* moved out */
	snapshot_clear(&copy);
}

static void
test_takes(void **state)
{
	struct world w;

	world_open(&w);
	assert_non_null(w.model->snapshot);
	assert_int_equal(w.model->link, LINK_STARTING);
	assert_null(model_worker(w.model));
	world_step(&w, 1);
	assert_int_equal(w.model->link, LINK_UP);
	assert_int_equal(w.model->snapshot->seq, 1);
	assert_int_equal(w.model->whole.n, 1);
	assert_int_equal(w.model->recent.n, 1);
	world_close(&w);
}

static void
test_stale(void **state)
{
	struct world w;

	world_open(&w);
	model_tick(w.model, w.now_s + 100);
	assert_false(model_stale(w.model)); /* no snapshot yet */
	world_step(&w, 200);
	model_tick(w.model, w.now_s + 1.9);
	assert_false(model_stale(w.model));
	model_tick(w.model, w.now_s + 2.1);
	assert_true(model_stale(w.model));
	w.now_s += 2;
	world_step(&w, 1);
	assert_false(model_stale(w.model));
	w.model->link = LINK_ENDED;
	model_tick(w.model, w.now_s + 100);
	assert_false(model_stale(w.model)); /* the last snapshot is not stale */
	world_close(&w);
}

static void
test_finding(void **state)
{
	struct world w;

	world_open(&w);
	w.crashes = 2;
	world_step(&w, 1); /* found before the first snapshot */
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	w.crashes = 3;
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_FINDING);
	assert_string_equal(w.model->announcement.text,
		"new: SIGSEGV in f\\x1b[1m");
	assert_string_equal(w.model->announcement.key, "5");
	w.crashes = 5;
	world_step(&w, 1);
	assert_string_equal(w.model->announcement.text,
		"2 new findings, the last: SIGSEGV in f\\x1b[1m");
	assert_false(model_tick(w.model, w.now_s + 0.01));
	model_tick(w.model, w.now_s + MODEL_ANNOUNCE_S - 0.1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_FINDING);
	assert_true(model_tick(w.model, w.now_s + MODEL_ANNOUNCE_S));
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	world_close(&w);
}

static void
test_plateau(void **state)
{
	static const struct {
		const char *name;
		double last_s, gap_s;
		enum run_state state;
		bool plateau;
	} rows[] = {
		{ "fresh", 5, 1, RUN_FUZZING, false },
		{ "a minute at least", 59, 1, RUN_FUZZING, false },
		{ "over a minute", 61, 1, RUN_FUZZING, true },
		{ "gaps were long", 250, 100, RUN_FUZZING, false },
		{ "three times the gap", 301, 100, RUN_FUZZING, true },
		{ "never a find", -1, 0, RUN_FUZZING, false },
		{ "not while paused", 999, 1, RUN_PAUSED, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct world w;

		world_open(&w);
		world_step(&w, 1);
		w.last_find_s = rows[i].last_s;
		w.gap_s = rows[i].gap_s;
		w.state = rows[i].state;
		world_step(&w, 1);
		check(w.model->plateau == rows[i].plateau, "%s", rows[i].name);
		check((w.model->announcement.kind == ANNOUNCE_PLATEAU) ==
				rows[i].plateau,
			"%s", rows[i].name);
		w.model->announcement.kind = ANNOUNCE_NONE;
		world_step(&w, 1); /* announced only once */
		check(w.model->announcement.kind == ANNOUNCE_NONE, "%s",
			rows[i].name);
		world_close(&w);
	}
}

static void
test_worker(void **state)
{
	struct world w;

	world_open(&w);
	world_step(&w, 1);
	w.workers[1].deaths++; /* a child's death is no worker's death */
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	w.workers[1].restarts++;
	snprintf(w.workers[1].restart_why, 32, "killed");
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_WORKER);
	assert_string_equal(w.model->announcement.text,
		"worker 10 died: killed");
	assert_string_equal(w.model->announcement.key, "2");

	w.crashes++; /* the more important one */
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_FINDING);
	w.workers[1].restarts++;
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_FINDING);

	w.model->announcement.kind = ANNOUNCE_NONE;
	w.workers[1].restarts++;
	w.workers[1].restart_asked = true; /* by the user */
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	w.workers[0].stop_step = STOP_KILL;
	world_step(&w, 1);
	w.workers[0].stop_step = STOP_NONE;
	w.workers[0].restarts++;
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	w.workers[2].retiring = true; /* on purpose */
	w.workers[2].state = WORKER_VIEW_DOWN;
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	w.state = RUN_STOPPING;
	w.workers[0].state = WORKER_VIEW_DOWN;
	world_step(&w, 1);
	assert_int_equal(w.model->announcement.kind, ANNOUNCE_NONE);
	world_close(&w);
}

static void
test_select(void **state)
{
	struct world w;

	world_open(&w);
	world_step(&w, 1);
	assert_int_equal(model_worker(w.model)->id, 0);
	w.model->selected_worker = 20;
	assert_int_equal(model_worker(w.model)->id, 20);
	w.model->selected_worker = 5; /* gone: the first is selected */
	assert_int_equal(model_worker(w.model)->id, 0);
	world_close(&w);
}

static void
test_removed(void **state)
{
	static const struct {
		const char *name;
		uint32_t selected;
		size_t left;
		enum run_state state;
		const char *said;
		uint32_t then;
	} rows[] = {
		{ "the selected one", 20, 2, RUN_FUZZING,
			"worker 20 was removed; worker 0 is selected", 0 },
		{ "another one", 10, 2, RUN_PAUSED, "", 10 },
		{ "one that never was", 5, 2, RUN_FUZZING, "", 5 },
		{ "the last one", 20, 0, RUN_FUZZING, "", 20 },
		{ "at the end of the campaign", 20, 1, RUN_STOPPING, "", 20 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct world w;

		world_open(&w);
		world_step(&w, 1);
		w.model->selected_worker = rows[i].selected;
		w.workers_n = rows[i].left;
		w.state = rows[i].state;
		world_step(&w, 1);
		check(strcmp(w.model->message, rows[i].said) == 0, "%s: %s",
			rows[i].name, w.model->message);
		check(w.model->selected_worker == rows[i].then, "%s: %u",
			rows[i].name, w.model->selected_worker);
		world_close(&w);
	}
}

static void
test_new_bits(void **state)
{
	struct world w;

	world_open(&w);
	assert_int_equal(model_new_bits(w.model, 60), 0);
	for (int i = 0; i < 110; i++) {
		w.bits = 100 + (uint64_t)i;
		world_step(&w, 1);
	}
	assert_int_equal(model_new_bits(w.model, 60), 60);
	assert_int_equal(model_new_bits(w.model, 10), 10);
	/* Coverage of earlier runs is not new. */
	w.past_bits = w.bits - 4;
	world_step(&w, 1);
	assert_int_equal(model_new_bits(w.model, 60), 4);
	world_close(&w);
}

/* A console that is attached late: what it did not see is not new. */
static void
test_attached_late(void **state)
{
	const struct history_point *point;
	struct world w;

	world_open(&w);
	w.elapsed_s = 300;
	w.bits = 400;
	w.crashes = 2;
	w.past = (struct snapshot_past){ 20, 400, 17, 2 };
	world_step(&w, 1);
	assert_int_equal(model_new_bits(w.model, 60), 0);
	assert_int_equal(w.model->whole.n, 2);
	point = history_at(&w.model->whole, 0);
	assert_int_equal(point->findings, 2);
	point = history_at(&w.model->whole, 1);
	assert_int_equal(point->new_inputs + point->findings, 0);
	w.bits = 403;
	world_step(&w, 1);
	assert_int_equal(model_new_bits(w.model, 60), 3);
	world_close(&w);
}

static void
test_only_shows(void **state)
{
	struct world w;

	world_open(&w);
	world_step(&w, 1);
	assert_null(model_only_shows(w.model));
	w.model->watching = true;
	assert_non_null(strstr(model_only_shows(w.model), "only watch"));
	w.model->playback.on = true;
	assert_non_null(strstr(model_only_shows(w.model), "recording"));
	world_close(&w);
}

static void
test_message(void **state)
{
	struct world w;

	world_open(&w);
	model_say(w.model, true, "bad: %s", "\033]0;x\007");
	assert_true(w.model->message_bad);
	assert_string_equal(w.model->message, "bad: \\x1b]0;x\\x07");
	assert_true(model_tick(w.model, w.now_s + 60));
	assert_string_equal(w.model->message, "");
	world_close(&w);
}

/*
 * After a week with ten snapshots per second, the model takes no more memory
 * than after the first hour, and its history covers the whole week. One snapshot
 * per second with the address sanitizer, which has its own malloc() anyway.
 */
#ifdef __SANITIZE_ADDRESS__
#define PER_SECOND 1u
#else
#define PER_SECOND 10u
#endif

static void
test_week(void **state)
{
	const uint64_t hour = 3600 * PER_SECOND, week = 168 * hour;
	struct mallinfo2 first = { 0 }, last;
	struct world w;

	world_open(&w);
	for (uint64_t i = 0; i < week; i++) {
		w.bits = i / (100 * PER_SECOND);
		w.crashes = i / (20 * hour);
		world_step(&w, 1.0 / PER_SECOND);
		if (i == hour)
			first = mallinfo2();
	}
	last = mallinfo2();
	assert_true(last.uordblks <= first.uordblks + 16384);
	assert_int_equal(w.model->snapshot->seq, week);
	assert_true(w.model->whole.n <= HISTORY_MAX);
	assert_true(w.model->recent.n <= HISTORY_MAX);
	/* The history reaches from the first hour to the end. */
	assert_true(history_at(&w.model->whole, 0)->at_s < 3600);
	assert_true(
		history_bits_at(&w.model->whole, 302400) > w.bits * 10 / 22);
	assert_true(
		history_bits_at(&w.model->whole, 302400) < w.bits * 10 / 18);
	world_close(&w);
}

/* A hint is kept for a minute, whatever comes after it. */
static void
test_hint(void **state)
{
	struct world w;

	world_open(&w);
	w.event = (struct snapshot_event){ .seq = 1, .kind = "hint" };
	snprintf(w.event.text, sizeof(w.event.text), "compile it");
	world_step(&w, 1);
	w.event = (struct snapshot_event){ .seq = 2, .kind = "find" };
	world_step(&w, 58);
	check_text(w.model->hint.text, "compile it", "kept");
	check_text(w.model->hint.kind, "hint", "kept");
	world_step(&w, 2);
	check_text(w.model->hint.kind, "", "over");
	world_close(&w);
}

/* Shows results of replays that the user asked for, and of no others. */
static void
test_rerun(void **state)
{
	static const struct {
		const char *line, *about, *text;
		bool agreed;
		const char *want; /* "" = no message */
		bool bad;
		const char *kind; /* NULL = verified */
	} rows[] = {
		{ "replay 51ab 5", "51ab", "reproduced 5 of 5   crashes/x",
			true, "re-run: 5 of 5 failed again", false, NULL },
		{ "replay 51ab", "51ab", "reproduced 0 of 5   crashes/x", true,
			"re-run: 0 of 5 failed again", true, "replayed" },
		{ "replay 51ab", "51ab", "reproduced 0 of 5", true, "", false,
			"minimized" },
		{ "replay 51ab 5", "51ab", "it failed each time", true,
			"re-run: it failed each time", false, NULL },
		{ "replay 51ab 5", "51ab", "reproduced 5 of 5", false, "",
			false, NULL },
		{ "replay 51ab 5", "51ab0000", "reproduced 5 of 5", true,
			"re-run: 5 of 5 failed again", false, NULL },
		{ "replay 51ab 5", "77d0", "reproduced 5 of 5", true, "", false,
			NULL },
		{ "minimize 51ab", "51ab", "reproduced 5 of 5", true, "", false,
			NULL },
	};
	struct world w;

	for (size_t i = 0; i < ROWS(rows); i++) {
		world_open(&w);
		w.event.seq = 7;
		snprintf(w.event.kind, sizeof(w.event.kind), "%s",
			rows[i].kind != NULL ? rows[i].kind : "verified");
		snprintf(w.event.about, sizeof(w.event.about), "%s",
			rows[i].about);
		snprintf(w.event.text, sizeof(w.event.text), "%s",
			rows[i].text);
		world_step(&w, 0.1);
		model_sent(w.model, 3, rows[i].line);
		model_answered(w.model, 3, rows[i].agreed);
		/* This event is older than the command. */
		world_step(&w, 0.1);
		check_text(w.model->message, "", rows[i].line);
		w.event.seq = 8;
		world_step(&w, 0.1);
		check_text(w.model->message, rows[i].want, rows[i].line);
		check(w.model->message[0] == '\0' ||
				w.model->message_bad == rows[i].bad,
			"%s", rows[i].text);
		world_close(&w);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_takes),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_finding),
		cmocka_unit_test(test_plateau),
		cmocka_unit_test(test_worker),
		cmocka_unit_test(test_select),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_new_bits),
		cmocka_unit_test(test_attached_late),
		cmocka_unit_test(test_only_shows),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_hint),
		cmocka_unit_test(test_rerun),
		cmocka_unit_test(test_week),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
