/* test_tour: each step fits the screen, points at a field and can be left. */
#include "lib/check.h"
#include "lib/dump.h"
#include "lib/screen.h"
#include "ui/console/tour.h"
#include "ui/term/hot_spot.h"

static const struct view_ops *
view_named(const char *name)
{
	static const struct view_ops *const views[] = { &view_dashboard,
		&view_workers, &view_coverage, &view_findings,
		&view_minimization };

	for (size_t i = 0; i < ROWS(views); i++)
		if (strcmp(views[i]->name, name) == 0)
			return views[i];
	fail_msg("there is no view `%s`", name);
	return NULL;
}

static void
check_step(size_t step, int w, int h)
{
	const struct tour_step *t = tour_step(step);
	struct rect body = { 0, 0, w, h - 2 };
	struct screen screen;
	char title[64];
	char *text;

	screen_open(&screen, view_named(t->view), "minimizing");
	screen_draw(&screen, w, h, false);
	screen.model->tour = (struct tour){ .open = true, .step = step };
	tour_update(screen.model);
	tour_draw(screen.model, screen.grid, body);
	text = grid_dump(screen.grid);
	snprintf(title, sizeof(title), "tour %zu of 8: ", step + 1);
	check(strstr(text, title) != NULL, "%d x %d: %s", w, h, text);
	check(strstr(text, "Enter next") != NULL, "%d x %d: %s", w, h, text);
	/* The last line of the panel is visible: nothing was cut. */
	check(strstr(text, "Enter goes on.") != NULL ||
			strstr(text, "ends the tour.") != NULL ||
			!screen.model->tour.ready,
		"%d x %d: cut: %s", w, h, text);
	free(text);
	screen_close(&screen);
}

static void
test_steps(void **state)
{
	size_t n = 0;

	for (; tour_step(n) != NULL; n++) {
		check_step(n, 80, 24);
		check_step(n, 40, 12);
		check_step(n, 200, 60);
	}
	assert_int_equal(n, 8);
}

static void
test_way(void **state)
{
	struct screen screen;
	struct model *m;

	screen_open(&screen, &view_dashboard, "empty");
	m = screen.model;
	tour_open(m);
	assert_true(m->tour.open);
	assert_false(m->tour.ready);
	tour_command(m, "previous");
	assert_int_equal(m->tour.step, 0);
	for (size_t i = 1; i < 8; i++) {
		tour_command(m, "next");
		assert_int_equal(m->tour.step, i);
	}
	tour_command(m, "previous");
	assert_int_equal(m->tour.step, 6);
	tour_command(m, "next");
	tour_command(m, "next");
	assert_false(m->tour.open);
	tour_open(m);
	tour_command(m, "back");
	assert_false(m->tour.open);
	screen_close(&screen);
}

/* The event of a step stays noted; the next step has its own. */
static void
test_waiting(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_dashboard, "busy");
	tour_open(screen.model);
	assert_true(screen.model->tour.ready);
	while (screen.model->tour.step < 5)
		tour_command(screen.model, "next");
	assert_int_equal(screen.model->tour.ready,
		screen.model->snapshot->paused_s > 0);
	screen_close(&screen);
}

/* A step starts its subject once, as soon as that is possible. */
static void
test_begins(void **state)
{
	static const struct {
		const char *snapshot;
		size_t step;
		const char *want; /* "" = nothing yet */
	} rows[] = {
		{ "busy", 0, "" },
		{ "busy", 2, "view coverage open" },
		{ "busy", 4, "view findings show 90be77c2" },
		{ "busy", 6, "steps 90be77c2" },
		{ "empty", 2, "" },
		{ "empty", 4, "" },
		{ "empty", 6, "" },
	};
	struct screen screen;
	char line[128];

	for (size_t i = 0; i < ROWS(rows); i++) {
		screen_open(&screen, &view_dashboard, rows[i].snapshot);
		screen.model->tour =
			(struct tour){ .open = true, .step = rows[i].step };
		line[0] = '\0';
		check(tour_line(screen.model, line, sizeof(line)) ==
				(rows[i].want[0] != '\0'),
			"%s %zu", rows[i].snapshot, rows[i].step);
		check_text(line, rows[i].want, "line");
		assert_false(rows[i].want[0] != '\0' &&
			tour_line(screen.model, line, sizeof(line)));
		screen_close(&screen);
	}
}

/* After the end of the campaign no step promises an event. */
static void
test_end(void **state)
{
	struct rect body = { 0, 0, 80, 22 };
	struct screen screen;
	char *text;

	screen_open(&screen, &view_findings, "empty");
	screen_draw(&screen, 80, 24, false);
	screen.model->link = LINK_ENDED;
	screen.model->tour = (struct tour){ .open = true, .step = 3 };
	tour_draw(screen.model, screen.grid, body);
	text = grid_dump(screen.grid);
	assert_non_null(strstr(text, "before the campaign ended"));
	free(text);
	screen.model->link = LINK_UP;
	((struct snapshot *)screen.model->snapshot)->state = RUN_STOPPING;
	tour_draw(screen.model, screen.grid, body);
	text = grid_dump(screen.grid);
	assert_non_null(strstr(text, "before the campaign ended"));
	free(text);
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_way),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_begins),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
