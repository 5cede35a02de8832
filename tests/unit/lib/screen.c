/*
 * screen: a view drawn from a snapshot kept in a file, as text.
 */
#include "lib/screen.h"
#include "lib/dump.h"
#include "lib/files.h"
#include "lib/offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "base/utf8_width.h"
#include "base/xmalloc.h"
#include "control/snapshot.h"

#define SCREEN_PAST_S 0.2    /* between snapshots of the past */
#define SCREEN_PAST_MAX 1500 /* of them, before the last two minutes */
#define SCREEN_RECENT_S 130.0
#define SCREEN_SIZES 4 /* that are kept as text */

/* ---- the model ---- */

/* Owned by the caller. Each file is read once, as most cases want the same. */
static json_t *
screen_read_json(const char *folder, const char *name)
{
	static json_t *files; /* by path */
	char path[512];
	json_error_t why;
	json_t *json;

	snprintf(path, sizeof(path), "%s/%s/%s.json", TEST_DATA, folder, name);
	if (files == NULL)
		files = json_object();
	json = json_object_get(files, path);
	if (json == NULL) {
		json = json_load_file(path, 0, &why);
		if (json == NULL)
			fail_msg("%s:%d: %s", path, why.line, why.text);
		json_object_set_new(files, path, json);
	}
	return json_incref(json);
}

static void
screen_read(struct snapshot *snapshot, const char *name)
{
	json_t *json = screen_read_json("snapshots", name);
	struct error err = { 0 };

	snapshot_init(snapshot);
	if (snapshot_decode(snapshot, json, &err) != OK)
		fail_msg("snapshots/%s.json: %s", name, err.text);
	json_decref(json);
}

/* Something between 0 and 99 that looks like chance. */
static uint64_t
screen_noise(uint64_t i)
{
	i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	i ^= i >> 29;
	return i % 100;
}

/* Growth that is quick at first. */
static double
screen_growth(double part)
{
	return 1 - (1 - part) * (1 - part) * (1 - part);
}

/* Every seventh candidate is accepted. */
static void
screen_past_minimization(struct snapshot_minimization *m, double part,
	uint64_t i)
{
	double cut = m->start_len > m->best_len
		? (double)(m->start_len - m->best_len)
		: 0;
	double done = i > 0 ? part * (double)(i - i % 7) / (double)i : 0;

	m->tries = (uint64_t)((double)m->tries * part);
	m->best_len = m->start_len - (uint64_t)(cut * screen_growth(done));
	m->cut_offset = i % (m->best_len > 0 ? m->best_len : 1);
	m->cut_len = 1 + i % 5;
	snprintf(m->verdict, sizeof(m->verdict), "%s",
		i % 7 ? "no failure" : "same failure");
}

/* How the campaign stood when `part` of its time had gone. */
static void
screen_past(struct snapshot *past, const struct snapshot *now, double part,
	uint64_t i)
{
	struct snapshot_minimization *m;
	double scale = (70 + (double)(screen_noise(i / 4) % 30)) / 100;

	snapshot_init(past);
	past->seq = now->seq;
	past->state = now->state;
	past->instrumented = now->instrumented;
	past->elapsed_s = now->elapsed_s * part;
	past->execs_per_sec = now->execs_per_sec_avg * scale * 1.15;
	past->coverage_bits =
		(uint64_t)((double)now->coverage_bits * screen_growth(part));
	past->interesting =
		(uint64_t)((double)now->interesting * screen_growth(part));
	past->minimizations_n = now->minimizations_n;
	past->minimizations =
		xcalloc(now->minimizations_n, sizeof(*past->minimizations));
	for (size_t k = 0; k < now->minimizations_n; k++) {
		m = &past->minimizations[k];
		*m = now->minimizations[k];
		screen_past_minimization(m, part, i);
	}
}

/* When snapshots were taken: coarsely, but for the last two minutes. */
static uint64_t
screen_times(double now_s, double times[2 * SCREEN_PAST_MAX])
{
	double step = now_s / SCREEN_PAST_MAX;
	double at = 0;
	uint64_t n = 0;

	if (step < SCREEN_PAST_S)
		step = SCREEN_PAST_S;
	for (; at < now_s - SCREEN_RECENT_S; at += step)
		times[n++] = at;
	if (now_s > SCREEN_RECENT_S)
		at = now_s - SCREEN_RECENT_S;
	for (; at < now_s; at += SCREEN_PAST_S)
		times[n++] = at;
	return n;
}

/*
 * Models that have seen the past of a snapshot, without that of the file itself.
 * To make one takes much longer than to copy it, and most tests open a screen
 * for each case.
 */
static struct {
	char name[64];
	struct model model; /* its snapshot is gone */
} * screen_pasts;
static size_t screen_pasts_n;

/* The past of `now`, as if the console had seen all of it. */
static void
screen_see_past(struct model *model, const char *name,
	const struct snapshot *now)
{
	struct snapshot *own = (struct snapshot *)model->snapshot, past;
	double times[2 * SCREEN_PAST_MAX];
	uint64_t n = screen_times(now->elapsed_s, times);

	for (size_t i = 0; n > 0 && i < screen_pasts_n; i++) {
		if (strcmp(screen_pasts[i].name, name) != 0)
			continue;
		*model = screen_pasts[i].model;
		model->snapshot = own;
		screen_past(own, now, times[n - 1] / now->elapsed_s, n - 1);
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		screen_past(&past, now, times[i] / now->elapsed_s, i);
		model_add_snapshot(model, &past, times[i]);
		snapshot_clear(&past);
	}
	screen_pasts = xrealloc(screen_pasts,
		(screen_pasts_n + 1) * sizeof(*screen_pasts));
	snprintf(screen_pasts[screen_pasts_n].name,
		sizeof(screen_pasts[screen_pasts_n].name), "%s", name);
	screen_pasts[screen_pasts_n++].model = *model;
}

static struct model *
screen_model(const char *name)
{
	struct model *model = xcalloc(1, sizeof(*model));
	struct snapshot now;

	model_init(model);
	screen_read(&now, name);
	if (now.seq == 0) {
		snapshot_clear(&now);
		return model;
	}
	screen_see_past(model, name, &now);
	model_add_snapshot(model, &now, now.elapsed_s);
	return model;
}

/* ---- the screen ---- */

static void
screen_changed(void *arg)
{
}

void
screen_open(struct screen *screen, const struct view_ops *view,
	const char *snapshot)
{
	memset(screen, 0, sizeof(*screen));
	screen->model = screen_model(snapshot);
	screen->model->view = screen->model->context = view->context;
	screen->grid = grid_create(1, 1);
	screen->view = view;
	screen->state = view->create();
	if (view->attach == NULL)
		return;
	screen->base = event_base_new();
	view->attach(screen->state, screen->base, screen_changed, NULL);
}

void
screen_close(struct screen *screen)
{
	screen->view->destroy(screen->state);
	if (screen->base != NULL)
		event_base_free(screen->base);
	grid_destroy(screen->grid);
	model_clear(screen->model);
	free(screen->model);
}

void
screen_draw(struct screen *screen, int w, int h, bool ascii)
{
	struct rect area = { 0, 0, w, h - (h >= 2) - (h >= 4) };

	screen->model->width = w;
	screen->model->height = h;
	screen->model->ascii = ascii;
	grid_resize(screen->grid, area.w, area.h);
	grid_set_ascii(screen->grid, ascii);
	screen->view->draw(screen->state, screen->model, screen->grid, area);
}

bool
screen_shows(struct screen *screen, int w, int h, const char *text)
{
	char *dump;
	bool found;

	screen_draw(screen, w, h, false);
	dump = grid_dump(screen->grid);
	found = strstr(dump, text) != NULL;
	free(dump);
	return found;
}

bool
screen_command(struct screen *screen, const char *command)
{
	unsigned long id;

	screen->sent[0] = '\0';
	if (!screen->view->command(screen->state, screen->model, command,
		    screen->sent))
		return false;
	/* What the console does with it. */
	if (sscanf(screen->sent, "select %lu", &id) == 1)
		screen->model->selected_worker = (uint32_t)id;
	return true;
}

bool
screen_click(struct screen *screen, const char *text)
{
	char *dump = grid_dump(screen->grid), *at = strstr(dump, text);
	const struct hot_spot *spot = NULL;
	char *line = dump;
	int y = 0;

	if (at != NULL) {
		*at = '\0';
		for (char *end; (end = strchr(line, '\n')) != NULL; y++)
			line = end + 1;
		spot = hot_spots_at(grid_hot_spots(screen->grid),
			HOT_SPOT_COMMAND, (int)text_width(line), y);
	}
	free(dump);
	return spot != NULL && screen_command(screen, spot->text);
}

/* ---- what it asks for ---- */

static size_t
screen_wants(struct screen *screen, struct query queries[VIEW_QUERIES_MAX])
{
	size_t n;

	memset(queries, 0, VIEW_QUERIES_MAX * sizeof(*queries));
	if (screen->view->subscribe == NULL)
		return 0;
	n = screen->view->subscribe(screen->state, screen->model, queries);
	assert_true(n <= VIEW_QUERIES_MAX);
	return n;
}

static void
screen_deliver(struct screen *screen, const struct query *query,
	struct reply *reply)
{
	screen->view->reply(screen->state, query, reply);
	reply_clear(reply);
}

void
screen_reply(struct screen *screen, const char *name)
{
	json_t *json = screen_read_json("replies", name);
	struct query queries[VIEW_QUERIES_MAX];
	struct reply reply = { 0 };
	struct error err = { 0 };
	size_t i = 0, n;
	uint64_t id;

	if (json_object_get(json, "id") == NULL)
		json_object_set_new(json, "id", json_integer(1));
	if (reply_decode(&reply, &id, json, &err) != OK)
		fail_msg("replies/%s.json: %s", name, err.text);
	json_decref(json);
	n = screen_wants(screen, queries);
	while (i < n && queries[i].kind != reply.kind)
		i++;
	if (i == n)
		fail_msg("the view does not ask for %s",
			query_kind_name(reply.kind));
	screen_deliver(screen, &queries[i], &reply);
}

size_t
screen_answer(struct screen *screen, screen_answer_fn *answer, void *arg)
{
	struct query queries[VIEW_QUERIES_MAX];
	size_t n = screen_wants(screen, queries);

	for (size_t i = 0; i < n; i++) {
		struct reply reply = { .kind = queries[i].kind };

		answer(&queries[i], &reply, arg);
		screen_deliver(screen, &queries[i], &reply);
	}
	return n;
}

/* ---- comparing ---- */

static void
screen_store(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void
screen_check_cell(const struct screen *screen, int x, int y)
{
	const struct cell *cell = grid_cell(screen->grid, x, y);
	int w = grid_width(screen->grid);
	uint32_t code;
	size_t len;

	assert_true(cell->style < STYLE_COUNT);
	assert_true(cell->level <= 100);
	if (cell->text[0] == '\0') {
		assert_true(x > 0);
		return;
	}
	len = utf8_decode(cell->text, strlen(cell->text), &code);
	assert_true(len > 0);
	assert_true(utf8_width(code) > 0);
	if (grid_ascii(screen->grid))
		assert_true(code >= ' ' && code < 0x7f);
	if (utf8_width(code) == 2)
		assert_true(x + 1 < w &&
			grid_cell(screen->grid, x + 1, y)->text[0] == '\0');
}

/* From a corner to the right and down there is a frame, to other corners. */
static void
screen_check_frame(const struct screen *screen, int x, int y)
{
	const struct grid *grid = screen->grid;
	int right = x + 1, below = y + 1;

	while (right < grid_width(grid) &&
		strcmp(grid_cell(grid, right, y)->text, "╮") != 0)
		right++;
	assert_true(right < grid_width(grid));
	while (strcmp(grid_cell(grid, x, below)->text, "│") == 0) {
		const char *side = grid_cell(grid, right, below)->text;

		assert_true(strcmp(side, "│") == 0 || strcmp(side, "┃") == 0);
		below++;
	}
	assert_string_equal(grid_cell(grid, x, below)->text, "╰");
	assert_string_equal(grid_cell(grid, right, below)->text, "╯");
}

void
screen_check_cells(const struct screen *screen)
{
	for (int y = 0; y < grid_height(screen->grid); y++)
		for (int x = 0; x < grid_width(screen->grid); x++)
			screen_check_cell(screen, x, y);
}

void
screen_check_sound(const struct screen *screen)
{
	screen_check_cells(screen);
	for (int y = 0; y < grid_height(screen->grid); y++)
		for (int x = 0; x < grid_width(screen->grid); x++)
			if (strcmp(grid_cell(screen->grid, x, y)->text, "╭") ==
				0)
				screen_check_frame(screen, x, y);
}

/* ---- cases ---- */

static void
screen_open_case(struct screen *screen, const struct view_ops *view,
	const struct screen_case *c)
{
	char *words = xstrdup(c->commands ? c->commands : "");
	char *rest = words, *word;

	screen_open(screen, view, c->snapshot);
	if (c->from != KEYS_COMMON)
		screen->model->view = c->from;
	/* A view learns its size, and so what a page is, by being drawn. */
	screen_draw(screen, 80, 24, false);
	while ((word = strsep(&rest, " ")) != NULL)
		if (*word == '<')
			screen_reply(screen, word + 1);
		else if (*word != '\0')
			assert_true(screen_command(screen, word));
	free(words);
}

static char *
screen_add(char *all, struct screen *screen, int w, int h, bool ascii)
{
	char *text, *more;

	screen_draw(screen, w, h, ascii);
	screen_check_sound(screen);
	text = grid_dump(screen->grid);
	more = xasprintf("%s== %dx%d %s\n%s", all, w, h,
		ascii ? "ascii" : "utf-8", text);
	free(text);
	free(all);
	return more;
}

void
screen_check(const struct view_ops *view, const struct screen_case *c)
{
	static const int sizes[][2] = { { 40, 12 }, { 80, 24 }, { 120, 40 },
		{ 200, 60 } };
	char *text = xstrdup(""), *expected;
	struct screen screen;
	char path[512];

	screen_open_case(&screen, view, c);
	for (size_t i = 0; i < 2 * SCREEN_SIZES; i++)
		text = screen_add(text, &screen, sizes[i % SCREEN_SIZES][0],
			sizes[i % SCREEN_SIZES][1], i >= SCREEN_SIZES);
	screen_close(&screen);
	snprintf(path, sizeof(path), "%s/screens/%s-%s.txt", TEST_DATA,
		view->name, c->name);
	if (getenv("UPDATE_SCREENS") != NULL)
		screen_store(path, text);
	expected = files_read(path, NULL);
	if (expected == NULL)
		fail_msg("%s is missing: run with UPDATE_SCREENS=1", path);
	else if (strcmp(text, expected) != 0)
		fail_msg("%s differs; now:\n%s", path, text);
	free(expected);
	free(text);
}

void
screen_check_sizes(const struct view_ops *view, const struct screen_case *c)
{
	static const int widths[] = { 1, 2, 3, 7, 8, 20, 39, 40, 63, 64, 65, 79,
		80, 100, 114, 120, 150, 170, 200, 300 };
	static const int heights[] = { 1, 2, 3, 4, 5, 6, 8, 12, 17, 19, 20, 24,
		30, 40, 60, 80 };
	size_t n = sizeof(widths) / sizeof(widths[0]);
	size_t m = sizeof(heights) / sizeof(heights[0]);
	struct screen screen;

	screen_open_case(&screen, view, c);
	for (size_t i = 0; i < n * m; i++) {
		screen_draw(&screen, widths[i % n], heights[i / n], i % 2);
		screen_check_sound(&screen);
		screen_draw(&screen, widths[i % n], heights[i / n], !(i % 2));
		screen_check_sound(&screen);
	}
	screen_close(&screen);
}

/* ---- all cases of a view ---- */

struct screen_test {
	const struct view_ops *view;
	const struct screen_case *c;
};

static void
screen_open_test(struct screen *screen, const void *arg)
{
	const struct screen_test *test = arg;

	screen_open_case(screen, test->view, test->c);
}

static void
screen_test_offers(void **state)
{
	const struct screen_test *test = *state;
	struct screen screen;

	/* A dialog is no view; a hostile engine's limits are nobody's. */
	if (test->view->context == KEYS_LIMITS ||
		strcmp(test->c->snapshot, "hostile") == 0)
		return;
	offers_check_keys(screen_open_test, test);
	screen_open_test(&screen, test);
	offers_check_fields(&screen);
	screen_close(&screen);
}

static void
screen_test_text(void **state)
{
	const struct screen_test *test = *state;

	screen_check(test->view, test->c);
}

static void
screen_test_sizes(void **state)
{
	const struct screen_test *test = *state;

	screen_check_sizes(test->view, test->c);
}

static const CMUnitTestFunction screen_tests[] = { screen_test_text,
	screen_test_sizes, screen_test_offers };
#define SCREEN_TESTS (sizeof(screen_tests) / sizeof(screen_tests[0]))

int
screen_run(const struct view_ops *view, const struct screen_case *cases,
	size_t n, const struct CMUnitTest *more, size_t more_n)
{
	struct CMUnitTest *tests =
		xcalloc(SCREEN_TESTS * n + more_n, sizeof(*tests));
	struct screen_test *states = xcalloc(n, sizeof(*states));
	int failed;

	for (size_t i = 0; i < n; i++) {
		states[i] = (struct screen_test){ view, &cases[i] };
		for (size_t k = 0; k < SCREEN_TESTS; k++)
			tests[SCREEN_TESTS * i + k] =
				(struct CMUnitTest){ .name = cases[i].name,
					.test_func = screen_tests[k],
					.initial_state = &states[i] };
	}
	for (size_t i = 0; i < more_n; i++)
		tests[SCREEN_TESTS * n + i] = more[i];
	/* The macro counts an array; here the number is known otherwise. */
	failed = _cmocka_run_group_tests(view->name, tests,
		SCREEN_TESTS * n + more_n, NULL, NULL);
	free(tests);
	free(states);
	return failed;
}
