/*
 * terminal: draws the grid on a real terminal.
 *
 * Curses computes the bytes, and tty sends them. At most one frame is on its
 * way: while terminal_ready() is false, terminal_paint() does nothing, and
 * on_ready() reports when there is room again. So a terminal that nobody reads
 * costs nothing, and later shows a frame that is at most one frame old.
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
	void (*on_gone)(void *arg); /* the terminal hung up */
};

struct terminal_config {
	int in_fd, out_fd;
	bool ascii;                /* even if UTF-8 is there */
	bool no_color;             /* even if colours are there */
	bool no_mouse;             /* even if a mouse is there */
	const struct theme *theme; /* copied */
};

/* Can the terminal show a console? If not, err says why. */
enum status terminal_check(int in_fd, int out_fd, struct error *err) MUST_CHECK;

/* The terminal stays as it is until terminal_enter(). handlers are borrowed.
 * NULL: err says why. */
struct terminal *terminal_create(struct event_base *base,
	const struct terminal_config *config,
	const struct terminal_handlers *handlers, void *arg, struct error *err);
void terminal_destroy(struct terminal *terminal); /* restores; NULL is fine */

/* Bytes that undo all changes of the console to the terminal's modes; borrowed
 * until terminal_destroy(). */
const char *terminal_reset_text(const struct terminal *terminal);

/* Takes the screen now, or as soon as the process is in the foreground. */
enum status terminal_enter(struct terminal *terminal, struct error *err)
	MUST_CHECK;
/* Leaves the screen, stops the process group, and enters after SIGCONT. */
void terminal_suspend(struct terminal *terminal);

bool terminal_ascii(const struct terminal *terminal);
bool terminal_has_color(const struct terminal *terminal);
void terminal_set_theme(struct terminal *terminal, const struct theme *theme);

/*
 * Leaves the screen to another program until terminal_enter().
 */
void terminal_leave(struct terminal *terminal);

/* Asks the terminal to copy a text into its clipboard; there is no answer.
 * False: the terminal has no clipboard. */
bool terminal_copy(struct terminal *terminal, const char *text);

/* False: terminfo knows no mouse for the terminal. */
bool terminal_set_mouse(struct terminal *terminal, bool on);

bool terminal_ready(const struct terminal *terminal);
void terminal_paint(struct terminal *terminal, const struct grid *grid);
/* Makes the next paint draw every cell. */
void terminal_redraw(struct terminal *terminal);

#endif
