/*
 * screen: a view drawn from a snapshot kept in a file, as text.
 *
 * The snapshots stand in tests/data/snapshots, the screens they must give in
 * tests/data/screens. With UPDATE_SCREENS=1 in the environment the screens
 * are written anew instead of compared: look at the difference.
 */
#ifndef CFUZZ_TESTS_SCREEN_H
#define CFUZZ_TESTS_SCREEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/grid.h"
#include "ui/model.h"
#include "ui/view.h"

struct screen {
	struct model *model;
	struct grid *grid;
	const struct view_ops *view;
	void *state;
	char sent[1024]; /* by the last command */
};

/*
 * The model has seen the snapshot and a plausible past that leads to it,
 * always the same.
 */
void screen_open(struct screen *screen, const struct view_ops *view,
	const char *snapshot);
void screen_close(struct screen *screen);

/* On a terminal of that size; header and footer are not the view's. */
void screen_draw(struct screen *screen, int w, int h, bool ascii);

bool screen_command(struct screen *screen, const char *command);

/* A view after some commands, on terminals of three sizes. */
struct screen_case {
	const char *name; /* of the test; screens/VIEW-NAME.txt */
	const char *snapshot;
	const char *commands;  /* in order, with blanks between; may be NULL */
	enum key_context from; /* help: the view it is about */
};

/*
 * Fails the test if the screens, at 40x12, 80x24 and 120x40, in UTF-8 and in
 * ASCII, are not those of the file.
 */
void screen_check(const struct view_ops *view, const struct screen_case *c);

/* screen_check_sound() at many sizes, from 1x1 to 300x80. */
void screen_check_sizes(const struct view_ops *view,
	const struct screen_case *c);

/*
 * What must hold of every screen: no control character, each cell one
 * character, wide ones whole, frames closed, ASCII where it is asked for.
 */
void screen_check_sound(const struct screen *screen);

/* Both checks for each case, and then further tests: the exit status. */
int screen_run(const struct view_ops *view, const struct screen_case *cases,
	size_t n, const struct CMUnitTest *more, size_t more_n);

#endif
