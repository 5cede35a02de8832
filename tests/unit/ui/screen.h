/*
 * screen: a view drawn from a snapshot kept in a file, as text.
 *
 * The snapshots stand in tests/data/snapshots, the screens they must give in
 * tests/data/screens. With UPDATE_SCREENS=1 in the environment the screens
 * are written anew instead of compared: look at the difference.
 */
#ifndef CFUZZ_TESTS_SCREEN_H
#define CFUZZ_TESTS_SCREEN_H

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

/* Header and footer are not the view's: it gets h - 2 rows. */
void screen_draw(struct screen *screen, int w, int h, bool ascii);

bool screen_command(struct screen *screen, const char *command);

/* Fails the test if the grid is not the text of screens/NAME.txt. */
void screen_check(const struct screen *screen, const char *name);

/*
 * What must hold of every screen: nothing outside the area, no control
 * character, every cell one character, wide ones whole, frames closed.
 */
void screen_check_sound(const struct screen *screen);

#endif
