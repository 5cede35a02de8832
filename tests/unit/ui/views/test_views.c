/*
 * test_views: rules for all views of the console.
 *
 * The views are those of console_view(), and tables make the replies, so a new
 * view needs no change here.
 */
#include "lib/check.h"

#include <inttypes.h>

#include "lib/dump.h"
#include "lib/made_reply.h"
#include "lib/screen.h"
#include "ui/console/console_private.h"
#include "ui/console/screen_frame.h"
#include "ui/views/limit_dialog.h"

#define VIEWS_STEPS 400

static const char *const views_snapshots[] = { "empty", "starting", "busy",
	"hostile", "many-workers", "minimizing", "stopping", "ended" };
#define VIEWS_HOSTILE 3 /* its index */

/* The current case, for messages of failed tests. */
static char views_where[256];

/* Paints the whole terminal, as console_paint(). */
static void
views_paint(struct screen *s, int w, int h, bool ascii)
{
	struct rect body;

	s->model->width = w;
	s->model->height = h;
	s->model->ascii = ascii;
	grid_resize(s->grid, w, h);
	grid_set_ascii(s->grid, ascii);
	body = screen_frame_body(s->grid);
	s->view->draw(s->state, s->model, s->grid, body);
	if (s->model->limits.open)
		limit_dialog_draw(s->model, s->grid, body);
	screen_frame_draw(s->model, s->grid, s->view, s->state);
}

static void
views_note(const struct screen *s, const char *what, int w, int h)
{
	snprintf(views_where, sizeof(views_where), "%s, %s, %dx%d, %s",
		s->view->name, what, w, h, s->model->ascii ? "ascii" : "utf-8");
}

/* All small sizes, and some larger ones. */
static void
views_all_sizes(struct screen *s, const char *what)
{
	static const int widths[] = { 79, 80, 99, 120, 160, 200, 300 };
	static const int heights[] = { 16, 23, 24, 40, 60, 80 };

	for (int i = 0; i < 44 * 15; i += 1 + i / 44) {
		int w = 1 + i % 44, h = 1 + i / 44;

		views_note(s, what, w, h);
		views_paint(s, w, h, i % 2);
		screen_check_sound(s);
	}
	for (size_t i = 0; i < ROWS(widths) * ROWS(heights); i++) {
		int w = widths[i % ROWS(widths)], h = heights[i / ROWS(widths)];

		views_note(s, what, w, h);
		views_paint(s, w, h, false);
		screen_check_sound(s);
		views_paint(s, w, h, true);
		screen_check_sound(s);
	}
}

/* Each view, snapshot and kind of reply, at all sizes. */
static void
test_sizes(void **state)
{
	struct screen screen;

	for (size_t i = 0; i < CONSOLE_VIEWS * ROWS(views_snapshots); i++) {
		const char *name = views_snapshots[i % ROWS(views_snapshots)];

		screen_open(&screen, console_view(i / ROWS(views_snapshots)),
			name);
		screen_draw(&screen, 80, 24, false);
		for (enum made_kind kind = MADE_PLAIN; kind < MADE_KINDS;
			kind++) {
			size_t asked =
				screen_answer(&screen, made_reply, &kind);

			/* With this reply, the view may ask for more. */
			screen_answer(&screen, made_reply, &kind);
			views_all_sizes(&screen, name);
			/* One snapshot is enough for all kinds of replies. */
			if (asked == 0 ||
				i % ROWS(views_snapshots) != VIEWS_HOSTILE)
				break;
		}
		screen_close(&screen);
	}
	views_where[0] = '\0';
}

/* A view draws only in its area; but a selected row may have a column to its
 * left and right. */
static void
test_area(void **state)
{
	struct screen s;

	for (size_t i = 0; i < CONSOLE_VIEWS * 300; i++) {
		int w = (int)(7 + i % 25 * 5), h = (int)(5 + i % 12 * 4);
		struct rect area = { 3, 2, w - 6, h - 4 };
		enum made_kind kind = MADE_HOSTILE;

		if (i % 300 == 0)
			screen_open(&s, console_view(i / 300), "hostile");
		if (i % 300 < 4)
			screen_answer(&s, made_reply, &kind);
		views_note(&s, "area", w, h);
		grid_resize(s.grid, w, h);
		grid_fill(s.grid, (struct rect){ 0, 0, w, h }, STYLE_MARK, "#");
		s.view->draw(s.state, s.model, s.grid, area);
		for (int k = 0; k < w * h; k++) {
			int x = k % w, y = k / w;
			bool inside =
				x >= 2 && x < w - 2 && y >= 2 && y < h - 2;

			check(inside ||
					strcmp(grid_cell(s.grid, x, y)->text,
						"#") == 0,
				"it drew `%s` outside, at %d,%d",
				grid_cell(s.grid, x, y)->text, x, y);
		}
		if (i % 300 == 299)
			screen_close(&s);
	}
	views_where[0] = '\0';
}

/* The title of a list names its filter on a narrow terminal, too, as rows
 * are missing without any other sign. */
static void
test_filters_are_named(void **state)
{
	static const char *const words[] = { "e",
		"heap-buffer-overflow reproducible" };
	enum made_kind kind = MADE_PLAIN;
	struct screen s;

	for (size_t i = 0; i < CONSOLE_VIEWS * ROWS(words); i++) {
		const struct view_ops *view = console_view(i / ROWS(words));

		if (!view->filters)
			continue;
		screen_open(&s, view, "minimizing");
		filter_set(&s.model->filters[view->context],
			words[i % ROWS(words)]);
		for (int twice = 0; twice < 2; twice++) {
			screen_draw(&s, 40, 30, false);
			screen_answer(&s, made_reply, &kind);
		}
		views_note(&s, words[i % ROWS(words)], 40, 30);
		check(screen_shows(&s, 40, 30,
			      i % ROWS(words) == 0 ? "filter: e"
						   : "filter: heap-"),
			"its title does not name the filter");
		screen_close(&s);
	}
	views_where[0] = '\0';
}

/* ---- commands in any order ---- */

static uint64_t
views_dice(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % n;
}

static const struct key_row *
views_any_key(uint64_t *seed)
{
	size_t n = 0;

	while (keys_row(n) != NULL)
		n++;
	return keys_row(views_dice(seed, n));
}

/* Commands in any order, at any size, with any replies. */
static void
test_commands(void **state)
{
	struct screen s;
	uint64_t seed = 1;

	for (size_t i = 0; i < CONSOLE_VIEWS * VIEWS_STEPS; i++) {
		size_t part = i % VIEWS_STEPS;
		enum made_kind kind =
			(enum made_kind)views_dice(&seed, MADE_KINDS);
		int w = (int)(1 + views_dice(&seed, 160));
		int h = (int)(1 + views_dice(&seed, 50));
		const struct key_row *row = views_any_key(&seed);

		if (part % 80 == 0)
			screen_open(&s, console_view(i / VIEWS_STEPS),
				views_snapshots[2 + part / 80]);
		views_note(&s, row->command, w, h);
		screen_command(&s, row->command);
		if (part % 5 == 0)
			screen_answer(&s, made_reply, &kind);
		views_paint(&s, w, h, i % 3 == 0);
		screen_check_sound(&s);
		if (part % 80 == 79)
			screen_close(&s);
	}
	views_where[0] = '\0';
}

/* ---- without an engine ---- */

/* No reply comes from an engine that has ended: no view denies what has run, or
 * waits for it. */
static void
test_engine_is_over(void **state)
{
	static const struct {
		const struct view_ops *view;
		const char *commands[4];
	} rows[] = {
		{ &view_corpus, { NULL } },
		{ &view_corpus, { "open" } },
		{ &view_coverage, { NULL } },
		{ &view_journal, { NULL } },
		{ &view_findings, { "open" } },
		{ &view_findings, { "open", "right" } },
		{ &view_findings, { "open", "right", "right" } },
		{ &view_findings, { "open", "right", "right", "right" } },
		{ &view_workers, { "open", "right" } },
		{ &view_workers, { "open", "right", "right" } },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct screen s;
		char *text;

		screen_open(&s, rows[i].view, "busy");
		s.model->link = LINK_ENDED;
		screen_draw(&s, 80, 24, false);
		for (size_t k = 0; k < 4 && rows[i].commands[k] != NULL; k++)
			assert_true(screen_command(&s, rows[i].commands[k]));
		screen_draw(&s, 80, 24, false);
		text = grid_dump(s.grid);
		if (strstr(text, "The engine has ended.") == NULL)
			fail_msg("row %zu, %s:\n%s", i, rows[i].view->name,
				text);
		free(text);
		screen_close(&s);
	}
}

/* The map has a box of its own beside the list, which says it, too. */
static void
test_map_is_over(void **state)
{
	struct screen s;
	char *text, *at;

	screen_open(&s, &view_coverage, "busy");
	s.model->link = LINK_ENDED;
	screen_draw(&s, 120, 40, false);
	text = grid_dump(s.grid);
	at = strstr(text, "The engine has ended.");
	assert_non_null(at);
	assert_non_null(strstr(at + 1, "The engine has ended."));
	free(text);
	screen_close(&s);
}

/* ---- overlays ---- */

static void
views_overlay(struct model *m, size_t which)
{
	m->question.open = m->prompt.open = m->limits.open = false;
	m->message[0] = m->bye[0] = '\0';
	m->announcement.kind = ANNOUNCE_NONE;
	m->link = LINK_UP;
	switch (which) {
	case 0:
		m->question.open = true;
		m->question.choices_n = 2;
		snprintf(m->question.title, 8, "quit");
		snprintf(m->question.text, 200,
			"End the campaign? All findings "
			"are on disk.");
		snprintf(m->question.choices[0].label, 40, "stop and quit");
		break;
	case 1:
		m->prompt.open = true;
		text_field_set(&m->prompt.field,
			"set timeout 漢字 and a long text");
		snprintf(m->prompt.hint, 40, "set OPTION VALUE");
		break;
	case 2:
		limit_dialog_open(m);
		break;
	case 3:
		model_say(m, true, "a message that is longer than the row %s",
			"by far, on a small terminal at least, and wide: 漢字");
		break;
	case 4:
		m->announcement.kind = ANNOUNCE_FINDING;
		snprintf(m->announcement.text, 80, "new crash in 漢字");
		snprintf(m->announcement.key, 2, "5");
		break;
	default:
		m->link = LINK_ENDED;
		snprintf(m->bye, sizeof(m->bye), "it ended\nbefore it began");
		break;
	}
}

/*
 * Dialogs cover frames, which then are not whole; all other rules hold. The
 * last row is the footer, and only the last.
 */
static void
test_overlays(void **state)
{
	struct screen s;

	for (size_t i = 0; i < CONSOLE_VIEWS * 6; i++) {
		screen_open(&s, console_view(i / 6), "busy");
		views_overlay(s.model, i % 6);
		for (int k = 0; k < 60 * 14; k++) {
			int w = 1 + k % 60 * (k < 420 ? 1 : 5);
			int h = 1 + k / 60;

			views_note(&s, "something above it", w, h);
			views_paint(&s, w, h, k % 2);
			screen_check_cells(&s);
		}
		screen_close(&s);
	}
	views_where[0] = '\0';
}

/* ---- smallest size ---- */

static bool
views_shows(const struct screen *s, const char *text)
{
	char *all = grid_dump(s->grid);
	bool found = strstr(all, text) != NULL;

	if (!found)
		print_error("%s", all);
	free(all);
	return found;
}

/* 20x5 shows the state and the number of findings in every view. */
static void
test_smallest(void **state)
{
	static const struct {
		const char *snapshot, *state;
	} rows[] = {
		{ "busy", "FUZZING" },
		{ "paused", "PAUSED" },
		{ "warm-up", "WARM" },
		{ "stopping", "STOPPING" },
	};
	struct screen s;
	char count[32];

	for (size_t i = 0; i < CONSOLE_VIEWS * ROWS(rows); i++) {
		size_t view = i / ROWS(rows);

		screen_open(&s, console_view(view),
			rows[i % ROWS(rows)].snapshot);
		views_note(&s, rows[i % ROWS(rows)].snapshot, 20, 5);
		views_paint(&s, 20, 5, false);
		check(views_shows(&s, rows[i % ROWS(rows)].state), "no %s",
			rows[i % ROWS(rows)].state);
		snprintf(count, sizeof(count), "▲ %" PRIu64,
			s.model->snapshot->crashes + s.model->snapshot->hangs +
				s.model->snapshot->ooms +
				s.model->snapshot->leaks);
		check(views_shows(&s, count), "no findings");
		screen_close(&s);
	}
	views_where[0] = '\0';
}

/* The frame leaves them out of the footer; views do so with their own. */
static void
test_no_key_is_refused(void **state)
{
	static const struct {
		const char *snapshot;
		const struct view_ops *view;
		const char *command; /* NULL: none */
		const char *text;
	} rows[] = {
		{ "paused", &view_dashboard, NULL, "p goes on" },
		{ "stopping", &view_dashboard, NULL, "s does not wait" },
		{ "stopping", &view_workers, "open", "does not wait" },
		{ "busy", &view_findings, "open", "; n writes one" },
		{ "busy", &view_findings, "open", "m minimizes it" },
		{ "busy", &view_minimization, NULL, "Select a finding" },
		{ "empty", &view_workers, NULL, "Press + to start one" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct screen s;

		screen_open(&s, rows[i].view, rows[i].snapshot);
		s.model->selected_worker = 1; /* it is being stopped */
		if (rows[i].command != NULL)
			assert_true(screen_command(&s, rows[i].command));
		check(screen_shows(&s, 120, 40, rows[i].text),
			"not offered: "
			"%s",
			rows[i].text);
		s.model->watching = true;
		check(!screen_shows(&s, 120, 40, rows[i].text),
			"offered to one who watches: %s", rows[i].text);
		screen_close(&s);
	}
}

static int
views_say_where(void **state)
{
	if (views_where[0] != '\0')
		print_error("at: %s\n", views_where);
	views_where[0] = '\0';
	return 0;
}

#define VIEWS_TEST(function) \
	cmocka_unit_test_teardown(function, views_say_where)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		VIEWS_TEST(test_sizes),
		VIEWS_TEST(test_area),
		VIEWS_TEST(test_filters_are_named),
		VIEWS_TEST(test_commands),
		VIEWS_TEST(test_engine_is_over),
		VIEWS_TEST(test_map_is_over),
		VIEWS_TEST(test_no_key_is_refused),
		VIEWS_TEST(test_overlays),
		VIEWS_TEST(test_smallest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
