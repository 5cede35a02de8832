/*
 * terminal: the grid on a real terminal; the one file that includes curses.
 *
 * Curses computes the bytes, tty carries them. One frame is on its way at a
 * time: while terminal_ready() is false nothing is painted, and on_ready()
 * says when there is room again. So a terminal that is not read costs
 * nothing, and what it shows first afterwards is at most one frame old.
 */
#ifndef CFUZZ_UI_TERM_TERMINAL_H
#define CFUZZ_UI_TERM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include <event2/event.h>

#include "shared/status.h"
#include "ui/term/grid.h"
#include "ui/term/input.h"
#include "ui/term/theme.h"

struct terminal;

struct terminal_handlers {
	void (*on_key)(void *arg, const char *key);
	void (*on_paste)(void *arg, const char *text, size_t len);
	void (*on_mouse)(void *arg, const struct mouse *mouse);
	void (*on_ready)(void *arg);
	void (*on_resize)(void *arg, int w, int h);
	void (*on_gone)(void *arg); /* hung up */
};

struct terminal_config {
	int in_fd, out_fd;
	bool ascii;                /* even where there is UTF-8 */
	bool no_color;             /* even where there is colour */
	bool no_mouse;             /* even where there is one */
	const struct theme *theme; /* copied */
};

/* Can a console be shown there? If not, err says why. */
enum status terminal_check(int in_fd, int out_fd, struct error *err) MUST_CHECK;

struct terminal *terminal_create(struct event_base *base,
	const struct terminal_config *config,
	const struct terminal_handlers *handlers, void *arg, struct error *err);
void terminal_destroy(struct terminal *terminal); /* restores; NULL is fine */

/* Bytes that undo whatever the console may have done to the terminal. */
const char *terminal_reset_text(const struct terminal *terminal);

/* Takes the screen, now or when the shell gives it to us. */
enum status terminal_enter(struct terminal *terminal, struct error *err)
	MUST_CHECK;
/* Gives it back, stops our process group, and takes it again afterwards. */
void terminal_suspend(struct terminal *terminal);

bool terminal_ascii(const struct terminal *terminal);
bool terminal_has_color(const struct terminal *terminal);
void terminal_set_theme(struct terminal *terminal, const struct theme *theme);

/*
 * Another program has the screen from now on, as after a suspension; we go on
 * without it until terminal_enter().
 */
void terminal_lend(struct terminal *terminal);

/* Asks the terminal to put a text into its clipboard; whether it does is not
 * known. False: it has none. */
bool terminal_copy(struct terminal *terminal, const char *text);

/* False: the terminal has no mouse, as far as terminfo knows. */
bool terminal_set_mouse(struct terminal *terminal, bool on);

bool terminal_ready(const struct terminal *terminal);
void terminal_paint(struct terminal *terminal, const struct grid *grid);
/* The next paint trusts nothing that may be on the screen. */
void terminal_redraw(struct terminal *terminal);

#endif
