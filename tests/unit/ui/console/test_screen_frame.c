/*
 * test_screen_frame: header, footer, questions, and a failed start.
 */
#include "ui/console/overlay.h"
#include "ui/console/screen_frame.h"

#include "lib/check.h"
#include "lib/dump.h"
#include "ui/console/ask.h"
#include "ui/console/explain.h"
#include "ui/views/limit_dialog.h"

struct page {
	struct model *model;
	struct snapshot *s;
	struct snapshot_worker workers[2];
	struct snapshot_minimization minimization;
	char *text;
};

static void
page_open(struct page *p)
{
	memset(p, 0, sizeof(*p));
	p->model = malloc(sizeof(*p->model));
	model_init(p->model);
	p->model->link = LINK_UP;
	p->s = (struct snapshot *)p->model->snapshot;
	p->s->seq = 1;
	p->s->state = RUN_FUZZING;
	p->s->elapsed_s = 252;
	p->s->workers = p->workers;
	p->s->workers_n = 2;
	snprintf(p->s->target, sizeof(p->s->target), "./png_reader");
}

static void
page_close(struct page *p)
{
	p->s->workers = NULL;
	p->s->workers_n = 0;
	p->s->minimizations = NULL;
	p->s->minimizations_n = 0;
	model_clear(p->model);
	free(p->model);
	free(p->text);
}

static const char *
page_draw(struct page *p, int w, int h)
{
	struct grid *grid = grid_create(w, h);

	screen_frame_draw(p->model, grid, NULL, NULL);
	overlay_draw(p->model, grid, screen_frame_body(grid));
	free(p->text);
	p->text = grid_dump(grid);
	grid_destroy(grid);
	return p->text;
}

/* One row of the last picture; the next call overwrites it. */
static const char *
page_row(const struct page *p, int row)
{
	static char line[2048];
	const char *at = p->text;

	for (int i = 0; i < row; i++)
		at = strchr(at, '\n') + 1;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
	return line;
}

static void
test_header(void **state)
{
	static const struct {
		int w;
		const char *want;
	} rows[] = {
		{ 80,
			" cfuzz  ./png_reader   ● FUZZING  00:04:12"
			"                 2 workers    ? help" },
		{ 40, " cfuzz  ● FUZZING  00:04:12     ? help" },
		{ 30, " ● FUZZING  00:04:12      ▲ 0" },
		{ 20, " ● FUZZING      ▲ 0" },
		{ 12, " ● FUZZING" },
		{ 5, " ● F…" },
		{ 1, "" },
	};
	struct page p;

	page_open(&p);
	for (size_t i = 0; i < ROWS(rows); i++) {
		page_draw(&p, rows[i].w, 10);
		check_text(page_row(&p, 0), rows[i].want, "header");
	}
	page_close(&p);
}

/* The time of a long campaign is whole, or not there. */
static void
test_header_of_days(void **state)
{
	static const struct {
		int w;
		const char *want;
	} rows[] = {
		{ 30, " ● FUZZING  1d 00:04:12   ▲ 0" },
		{ 27, " ● FUZZING  1d00:04    ▲ 0" },
		{ 26, " ● FUZZING  1d00:04   ▲ 0" },
		{ 24, " ● FUZZING          ▲ 0" },
	};
	struct page p;

	page_open(&p);
	((struct snapshot *)p.model->snapshot)->past_s = 86400;
	for (size_t i = 0; i < ROWS(rows); i++) {
		page_draw(&p, rows[i].w, 10);
		check_text(page_row(&p, 0), rows[i].want, "header");
	}
	page_close(&p);
}

/* A long target leaves room for who controls and who watches. */
static void
test_roles(void **state)
{
	static const struct {
		int w;
		bool watching;
		const char *want;
	} rows[] = {
		{ 160, true, "watching, control: ann  2 workers" },
		{ 160, false, "control: ann, 3 watch  2 workers" },
		{ 80, true, "watching" },
		{ 80, false, "3 watch" },
		{ 60, true, "watching" },
	};
	struct page p;

	page_open(&p);
	memset(p.s->target, 'x', 150);
	memcpy(p.s->target, "./png", 5);
	p.s->target[150] = '\0';
	snprintf(p.s->controller, sizeof(p.s->controller), "ann");
	p.s->watchers = 3;
	for (size_t i = 0; i < ROWS(rows); i++) {
		p.model->watching = rows[i].watching;
		page_draw(&p, rows[i].w, 24);
		check(strstr(page_row(&p, 0), rows[i].want) != NULL, "%s: %s",
			rows[i].want, page_row(&p, 0));
		check(rows[i].w < 80 ||
				strstr(page_row(&p, 0), "./pngxxx") != NULL,
			"target: %s", page_row(&p, 0));
	}
	page_close(&p);
}

static void
test_states(void **state)
{
	static const struct {
		enum run_state state;
		const char *want;
	} rows[] = {
		{ RUN_STARTING, "STARTING" },
		{ RUN_WARMUP, "WARMING UP 3/9" },
		{ RUN_FUZZING, "● FUZZING" },
		{ RUN_MINIMIZING, "MINIMIZING" },
		{ RUN_PAUSED, "▮▮ PAUSED" },
		{ RUN_STOPPING, "STOPPING: interrupt in 0.6 s" },
		{ RUN_ENDED, "ENDED" },
	};
	struct page p;

	page_open(&p);
	p.s->warmup_done = 3;
	p.s->warmup_total = 9;
	p.s->stop_step = STOP_CLOSED;
	p.s->next_step_s = 0.6;
	for (size_t i = 0; i < ROWS(rows); i++) {
		p.s->state = rows[i].state;
		page_draw(&p, 80, 24);
		check(strstr(page_row(&p, 0), rows[i].want) != NULL, "%s: %s",
			rows[i].want, page_row(&p, 0));
	}
	page_close(&p);
}

static void
test_announcement(void **state)
{
	struct page p;

	page_open(&p);
	p.model->announcement = (struct announcement){
		.kind = ANNOUNCE_FINDING,
		.text = "new: SIGSEGV in f",
		.key = "5",
		.until_s = 10,
	};
	page_draw(&p, 80, 24);
	assert_string_equal(page_row(&p, 0),
		" cfuzz  ● FUZZING  00:04:12   ▲ new: SIGSEGV in f"
		"                           [5]");
	page_draw(&p, 50, 24); /* the text is cut, but not the key */
	assert_non_null(strstr(page_row(&p, 0), "▲ new: SI"));
	assert_non_null(strstr(page_row(&p, 0), "[5]"));
	page_close(&p);
}

/* The kind of the target stays when a call-out hides its name. */
static void
test_kind(void **state)
{
	struct page p;

	page_open(&p);
	snprintf(p.s->kind, sizeof(p.s->kind), "main()");
	page_draw(&p, 80, 24);
	assert_non_null(strstr(page_row(&p, 0),
		" cfuzz  ./png_reader main()   ● FUZZING"));
	memset(p.s->target, 'x', 100);
	page_draw(&p, 80, 24);
	assert_non_null(strstr(page_row(&p, 0), "… main()   ● FUZZING"));
	page_draw(&p, 56, 24); /* no room for a kind and a name */
	assert_null(strstr(page_row(&p, 0), "main()"));
	assert_non_null(strstr(page_row(&p, 0), "xxxx…"));
	p.model->announcement = (struct announcement){
		.kind = ANNOUNCE_FINDING,
		.text = "new: stack-buffer-overflow in ini.c:12",
		.key = "5",
		.until_s = 10,
	};
	page_draw(&p, 80, 24);
	assert_string_equal(page_row(&p, 0),
		" main()  ● FUZZING  00:04:12   ▲ new: stack-buffer-overflow in "
		"ini.c:12     [5]");
	page_close(&p);
}

/* Help in place explains the kind. */
static void
test_kind_explained(void **state)
{
	struct grid *grid = grid_create(80, 24);
	const struct hot_spot *spot;
	struct explained e;
	struct page p;

	page_open(&p);
	snprintf(p.s->kind, sizeof(p.s->kind), "binary");
	screen_frame_draw(p.model, grid, NULL, NULL);
	spot = hot_spots_at(grid_hot_spots(grid), HOT_SPOT_FIELD, 21, 0);
	assert_non_null(spot);
	assert_true(explain_find(p.model, spot->text, &e));
	assert_string_equal(e.value, "binary");
	assert_non_null(strstr(e.advice, "cfuzz-cc"));
	grid_destroy(grid);
	page_close(&p);
}

/* The location is never cut. */
static void
test_announced_place(void **state)
{
	struct snapshot_finding finding = { .id = "90be77c2",
		.what = "heap-buffer-overflow",
		.where = "read_comment tiles.c:97" };
	struct page p;

	page_open(&p);
	p.s->findings = &finding;
	p.s->findings_n = 1;
	p.model->announcement = (struct announcement){
		.kind = ANNOUNCE_FINDING,
		.text = "new: heap-buffer-overflow in read_comment tiles.c:97",
		.key = "5",
		.finding = "90be77c2",
		.before = "new",
		.until_s = 10,
	};
	page_draw(&p, 80, 24);
	assert_non_null(strstr(page_row(&p, 0), "tiles.c:97"));
	assert_non_null(strstr(page_row(&p, 0), "new: heap-buf"));
	page_draw(&p, 120, 24);
	assert_non_null(strstr(page_row(&p, 0),
		"new: heap-buffer-overflow in read_comment tiles.c:97"));
	p.s->findings = NULL;
	p.s->findings_n = 0;
	page_close(&p);
}

static void
test_footer(void **state)
{
	struct page p;

	page_open(&p);
	page_draw(&p, 120, 24);
	assert_string_equal(page_row(&p, 23),
		" p pause   + - workers   l limits   s stop   q quit   "
		": command   ? help   2 workers   3 coverage   Tab views");
	p.s->paused = true;
	p.s->crashes = 1;
	p.s->minimizations = &p.minimization;
	p.s->minimizations_n = 1;
	p.model->context = p.model->view = KEYS_FINDINGS;
	page_draw(&p, 200, 24);
	assert_non_null(strstr(page_row(&p, 23), "p resume"));
	assert_non_null(strstr(page_row(&p, 23), "m minimize"));
	assert_non_null(strstr(page_row(&p, 23), "6 minimize"));
	assert_null(strstr(page_row(&p, 23), "5 findings")); /* here we are */
	page_close(&p);
}

/* At any width: complete words; the most important ones are dropped last. */
static void
test_footer_widths(void **state)
{
	struct page p;

	page_open(&p);
	for (int w = 1; w <= 160; w++) {
		const char *row, *word;

		page_draw(&p, w, 24);
		row = page_row(&p, 23);
		check(w < 10 || strstr(row, "q quit") != NULL, "%d: %s", w,
			row);
		check(w < 20 || strstr(row, "p pause") != NULL, "%d: %s", w,
			row);
		word = strrchr(row, ' ');
		check(word == NULL || word == row ||
				strstr("pause workers limits stop quit command "
				       "help views coverage",
					word + 1) != NULL,
			"%d: cut: %s", w, row);
	}
	page_close(&p);
}

static void
test_message(void **state)
{
	struct page p;

	page_open(&p);
	model_say(p.model, false, "paused");
	page_draw(&p, 40, 10);
	assert_string_equal(page_row(&p, 8), " ▸ paused");
	assert_non_null(strstr(page_row(&p, 9), "q quit"));
	model_say(p.model, true, "no");
	page_draw(&p, 40, 10);
	assert_string_equal(page_row(&p, 8), " ▲ no");
	page_close(&p);
}

/* The keys stay, and the message is complete if there is room. */
static void
test_long_message(void **state)
{
	static const int sizes[][2] = { { 80, 24 }, { 40, 12 } };
	char path[200];
	struct page p;

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	path[0] = path[50] = path[100] = '/';
	page_open(&p);
	model_say(p.model, false, "exported to %.120s!", path);
	for (size_t i = 0; i < ROWS(sizes); i++) {
		page_draw(&p, sizes[i][0], sizes[i][1]);
		assert_non_null(strstr(p.text, "exported to"));
		assert_non_null(strstr(p.text, "x!"));
		assert_non_null(
			strstr(page_row(&p, sizes[i][1] - 1), "q quit"));
	}
	page_close(&p);
}

/* A recording is always marked as one, despite call-outs. */
static void
test_recording_calls(void **state)
{
	struct page p;

	page_open(&p);
	p.model->playback = (struct playback){ .on = true,
		.at_s = 72,
		.length_s = 270,
		.speed = 1 };
	p.model->announcement = (struct announcement){
		.kind = ANNOUNCE_FINDING,
		.text = "new: SIGSEGV in f",
		.key = "5",
		.until_s = 10,
	};
	for (int w = 80; w <= 200; w += 60) {
		page_draw(&p, w, 24);
		assert_non_null(strstr(page_row(&p, 0), "1:12 / 4:30"));
		assert_non_null(strstr(page_row(&p, 22), "new: SIGSEGV in f"));
		assert_non_null(strstr(page_row(&p, 22), "[5]"));
	}
	page_close(&p);
}

/* An ending campaign offers no key that it ignores. */
static void
test_footer_at_the_end(void **state)
{
	static const char *const keys[] = { "p pause", "+ - workers",
		"l limits", "s stop" };
	struct page p;

	page_open(&p);
	p.s->state = RUN_STOPPING;
	p.s->stop_step = STOP_CLOSED;
	page_draw(&p, 200, 24);
	assert_null(strstr(page_row(&p, 23), "p pause"));
	assert_non_null(strstr(page_row(&p, 23), "s stop"));
	p.model->context = KEYS_WORKERS;
	page_draw(&p, 200, 24);
	assert_null(strstr(page_row(&p, 23), "S restart"));
	p.s->state = RUN_FUZZING;
	page_draw(&p, 200, 24);
	assert_non_null(strstr(page_row(&p, 23), "S restart"));
	p.model->context = KEYS_DASHBOARD;
	p.model->link = LINK_ENDED;
	page_draw(&p, 200, 24);
	for (size_t i = 0; i < ROWS(keys); i++)
		assert_null(strstr(page_row(&p, 23), keys[i]));
	assert_non_null(strstr(page_row(&p, 23), "q quit"));
	assert_non_null(strstr(page_row(&p, 23), "3 coverage"));
	page_close(&p);
}

/* The dialog offers to change a limit only if that is possible. */
static const struct limits_row {
	const char *name;
	bool playback, watching, changes;
	enum model_link link;
	enum run_state state;
} limits_rows[] = {
	{ "a campaign", false, false, true, LINK_UP, RUN_FUZZING },
	{ "a recording", true, false, false, LINK_UP, RUN_FUZZING },
	{ "a watcher", false, true, false, LINK_UP, RUN_FUZZING },
	{ "it has ended", false, false, false, LINK_UP, RUN_ENDED },
	{ "the engine is gone", false, false, false, LINK_ENDED, RUN_FUZZING },
};

static void
test_footer_of_limits(void **state)
{
	struct snapshot_limit limit = { .name = "timeout", .live = true };
	struct rect all = { 0, 0, 80, 24 };

	for (size_t i = 0; i < ROWS(limits_rows); i++) {
		const struct limits_row *row = &limits_rows[i];
		struct grid *grid = grid_create(all.w, all.h);
		struct page p;
		char *dialog;

		page_open(&p);
		p.s->limits = &limit;
		p.s->limits_n = 1;
		p.s->state = row->state;
		p.model->link = row->link;
		p.model->watching = row->watching;
		p.model->playback.on = row->playback;
		limit_dialog_open(p.model);
		p.model->context = KEYS_LIMITS;
		page_draw(&p, all.w, all.h);
		check(row->changes ==
				(strstr(page_row(&p, 23), "Enter change") !=
					NULL),
			"%s: %s", row->name, page_row(&p, 23));
		check(strstr(page_row(&p, 23), "Esc close") != NULL, "%s",
			row->name);
		limit_dialog_draw(p.model, grid, all);
		dialog = grid_dump(grid);
		check(row->changes == (strstr(dialog, "Enter changes") != NULL),
			"%s: %s", row->name, dialog);
		free(dialog);
		grid_destroy(grid);
		p.s->limits = NULL;
		p.s->limits_n = 0;
		page_close(&p);
	}
}

/* In its field there is nothing to complete, and no history. */
static void
test_footer_of_limit_field(void **state)
{
	struct snapshot_limit limit = { .name = "timeout", .live = true };
	char send[COMMAND_LINE_MAX] = "";
	struct page p;

	page_open(&p);
	p.s->limits = &limit;
	p.s->limits_n = 1;
	limit_dialog_open(p.model);
	assert_true(limit_dialog_command(p.model, "open", send));
	assert_true(p.model->limits.editing);
	p.model->context = KEYS_EDIT;
	page_draw(&p, 80, 24);
	assert_string_equal(page_row(&p, 23), " Enter accept   Esc cancel");
	p.s->limits = NULL;
	p.s->limits_n = 0;
	page_close(&p);
}

static void
test_prompt(void **state)
{
	struct page p;

	page_open(&p);
	p.model->prompt.open = true;
	text_field_set(&p.model->prompt.field, "set timeout 1s");
	snprintf(p.model->prompt.hint, MODEL_TEXT, "set OPTION VALUE");
	page_draw(&p, 40, 10);
	assert_string_equal(page_row(&p, 9), ":set timeout 1s");
	assert_string_equal(page_row(&p, 8), " set OPTION VALUE");
	page_draw(&p, 10, 10); /* the end with the cursor is visible */
	assert_string_equal(page_row(&p, 9), ":meout 1s");
	page_close(&p);
}

static void
page_ask_to_quit(struct page *p, struct ask *ask)
{
	struct command command;

	assert_int_equal(command_parse("quit", &command, NULL), OK);
	assert_true(ask_about(ask, p->model, &command, "quit"));
	p->model->context = KEYS_ASK;
}

static void
test_question(void **state)
{
	struct ask ask = { .processors = 2 };
	struct page p;

	page_open(&p);
	page_ask_to_quit(&p, &ask);
	page_draw(&p, 80, 24);
	assert_non_null(strstr(p.text, "╭─ quit ─"));
	assert_non_null(strstr(p.text, "▸ s  stop and quit"));
	assert_non_null(strstr(p.text, "  c  cancel"));
	assert_string_equal(page_row(&p, 23),
		" Enter choose   Esc cancel   s stop and quit   "
		"d detach, it goes on");
	page_close(&p);
}

/* However small the screen, the answer that Enter chooses is on it. */
static void
test_question_small(void **state)
{
	static const int heights[] = { 4, 5, 6, 7, 8, 24 };
	struct ask ask = { .processors = 2 };
	struct page p;

	page_open(&p);
	page_ask_to_quit(&p, &ask);
	for (size_t i = 0; i < p.model->question.choices_n; i++) {
		const struct choice *choice = &p.model->question.choices[i];
		char want[64];

		p.model->question.selected = i;
		snprintf(want, sizeof(want), "▸ %s  %.8s", choice->key,
			choice->label);
		for (size_t h = 0; h < ROWS(heights); h++) {
			page_draw(&p, 20, heights[h]);
			check(strstr(p.text, want) != NULL, "%d: %s in %s",
				heights[h], want, p.text);
		}
	}
	page_close(&p);
}

/* A narrow screen shows all of a long question. */
static void
test_question_long(void **state)
{
	struct page p;

	page_open(&p);
	p.s->elapsed_s = 600;
	p.s->crashes = 12;
	p.s->corpus = 1204;
	p.s->exit_status = 1;
	snprintf(p.s->ended_why, sizeof(p.s->ended_why), "stopped by the user");
	ask_ended(p.model);
	p.model->context = KEYS_ASK;
	page_draw(&p, 40, 12);
	check(strstr(p.text, "found.") != NULL, "%s", p.text);
	check(strstr(p.text, "q  leave") != NULL, "%s", p.text);
	page_close(&p);
}

static void
test_failed_start(void **state)
{
	struct page p;

	page_open(&p);
	p.model->link = LINK_ENDED;
	snprintf(p.model->bye, sizeof(p.model->bye),
		"./t is not a cfuzz target\nit wrote: nothing");
	page_draw(&p, 60, 20);
	assert_non_null(strstr(p.text, "nothing ran"));
	assert_non_null(strstr(p.text, "│ ./t is not a cfuzz target"));
	assert_non_null(strstr(p.text, "│ it wrote: nothing"));
	assert_non_null(strstr(p.text, "any key ends"));
	page_close(&p);
}

/* All sizes, with everything open at once. */
static void
test_sizes(void **state)
{
	struct command command;
	struct ask ask = { .processors = 2 };
	struct page p;

	page_open(&p);
	assert_int_equal(command_parse("quit", &command, NULL), OK);
	assert_true(ask_about(&ask, p.model, &command, "quit"));
	p.model->prompt.open = true;
	text_field_set(&p.model->prompt.field, "世界 abc");
	snprintf(p.model->prompt.hint, MODEL_TEXT, "hint");
	p.model->announcement = (struct announcement){ .kind = ANNOUNCE_PLATEAU,
		.text = "still",
		.key = "1",
		.until_s = 10 };
	for (int w = 1; w <= 90; w += 1)
		for (int h = 1; h <= 26; h++) {
			struct grid *grid = grid_create(w, h);
			struct rect body = screen_frame_body(grid);

			check(body.h >= 1 || h == 2, "%dx%d", w, h);
			check(body.y + body.h <= h, "%dx%d", w, h);
			screen_frame_draw(p.model, grid, NULL, NULL);
			overlay_draw(p.model, grid, screen_frame_body(grid));
			grid_destroy(grid);
		}
	page_close(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_header_of_days),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_announcement),
		cmocka_unit_test(test_kind),
		cmocka_unit_test(test_kind_explained),
		cmocka_unit_test(test_announced_place),
		cmocka_unit_test(test_footer),
		cmocka_unit_test(test_footer_widths),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_long_message),
		cmocka_unit_test(test_recording_calls),
		cmocka_unit_test(test_footer_at_the_end),
		cmocka_unit_test(test_footer_of_limits),
		cmocka_unit_test(test_footer_of_limit_field),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_question),
		cmocka_unit_test(test_question_small),
		cmocka_unit_test(test_question_long),
		cmocka_unit_test(test_failed_start),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
