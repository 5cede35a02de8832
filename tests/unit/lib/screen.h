/*
 * screen: a view drawn from a snapshot kept in a file, as text.
 *
 * The snapshots stand in tests/data/snapshots, the screens they must give in
 * tests/data/screens. With UPDATE_SCREENS=1 in the environment the screens
 * are written anew instead of compared: look at the difference.
 *
 * What a view asks the engine for (view_ops.want) is answered by replies kept
 * in tests/data/replies, or made by the test.
 */
#ifndef CFUZZ_TESTS_SCREEN_H
#define CFUZZ_TESTS_SCREEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <event2/event.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/view.h"

struct screen {
	struct model *model;
	struct grid *grid;
	const struct view_ops *view;
	void *state;
	struct event_base *base; /* of a view that takes one */
	char sent[1024];         /* by the last command */
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

/* Draws it so, and looks for the text. */
bool screen_shows(struct screen *screen, int w, int h, const char *text);

bool screen_command(struct screen *screen, const char *command);

/* Clicks on the text where it stands first on the drawn screen; false: nothing
 * happens there. */
bool screen_click(struct screen *screen, const char *text);

/*
 * The reply in replies/NAME.json goes to the view, as the answer to the first
 * query of its kind that the view wants now; the test fails if it wants none.
 */
void screen_reply(struct screen *screen, const char *name);

/*
 * Each query that the view wants now is answered: `answer` fills the reply,
 * of the query's kind and else empty. Returns their number.
 */
typedef void screen_answer_fn(const struct query *query, struct reply *reply,
	void *arg);
size_t screen_answer(struct screen *screen, screen_answer_fn *answer,
	void *arg);

/* A view after some commands, on terminals of four sizes. */
struct screen_case {
	const char *name; /* of the test; screens/VIEW-NAME.txt */
	const char *snapshot;
	/* In order, with blanks between; `<NAME` is screen_reply(NAME); may
	 * be NULL. */
	const char *commands;
	enum key_context from; /* help: the view it is about */
};

/*
 * Fails the test if the screens, at 40x12, 80x24, 120x40 and 200x60, in UTF-8
 * and in ASCII, are not those of the file.
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
/* The same without frames: something may lie over them. */
void screen_check_cells(const struct screen *screen);

/* Both checks for each case, and then further tests: the exit status. */
int screen_run(const struct view_ops *view, const struct screen_case *cases,
	size_t n, const struct CMUnitTest *more, size_t more_n);

#endif
