/* tour: six steps, each of which fits, points at something and can be left. */
#include "check.h"
#include "screen.h"
#include "ui/mark.h"
#include "ui/tour.h"

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
	snprintf(title, sizeof(title), "tour %zu of 6: ", step + 1);
	check(strstr(text, title) != NULL, "%d x %d: %s", w, h, text);
	check(strstr(text, "Enter next") != NULL, "%d x %d: %s", w, h, text);
	/* The last line of the panel is there: nothing was cut. */
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

	(void)state;
	for (; tour_step(n) != NULL; n++) {
		check_step(n, 80, 24);
		check_step(n, 40, 12);
		check_step(n, 200, 60);
	}
	assert_int_equal(n, 6);
}

static void
test_way(void **state)
{
	struct screen screen;
	struct model *m;

	(void)state;
	screen_open(&screen, &view_dashboard, "empty");
	m = screen.model;
	tour_open(m);
	assert_true(m->tour.open);
	assert_false(m->tour.ready);
	tour_command(m, "previous");
	assert_int_equal(m->tour.step, 0);
	for (size_t i = 1; i < 6; i++) {
		tour_command(m, "next");
		assert_int_equal(m->tour.step, i);
	}
	tour_command(m, "previous");
	assert_int_equal(m->tour.step, 4);
	tour_command(m, "next");
	tour_command(m, "next");
	assert_false(m->tour.open);
	tour_open(m);
	tour_command(m, "back");
	assert_false(m->tour.open);
	screen_close(&screen);
}

/* What a step waits for stays happened, and is that of the next one not. */
static void
test_waiting(void **state)
{
	struct screen screen;

	(void)state;
	screen_open(&screen, &view_dashboard, "busy");
	tour_open(screen.model);
	assert_true(screen.model->tour.ready);
	tour_command(screen.model, "next");
	tour_command(screen.model, "next");
	tour_command(screen.model, "next");
	assert_int_equal(screen.model->tour.step, 3);
	assert_int_equal(screen.model->tour.ready,
		screen.model->snapshot->paused_s > 0);
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_way),
		cmocka_unit_test(test_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
