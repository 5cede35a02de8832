/*
 * terminal_private: what the files of terminal.h share; nobody else includes
 * curses.
 */
#ifndef CFUZZ_UI_TERM_TERMINAL_PRIVATE_H
#define CFUZZ_UI_TERM_TERMINAL_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ui/term/input.h"
#include "ui/term/terminal.h"
#include "ui/term/tty.h"

/* The last: it has an OK of its own, which is ours in value. */
#include <term.h>
#include <curses.h>

#define TERMINAL_LEVELS 21 /* steps of a gradient, 0, 5 … 100 */
#define TERMINAL_RESET_MAX 256

struct terminal {
	const struct terminal_handlers *handlers;
	void *arg;
	struct tty *tty;
	struct input input;
	struct input_handlers input_handlers;
	struct event *input_timer, *away_timer, *stopped;
	SCREEN *screen;
	FILE *out, *in; /* of curses: memory, nothing */
	int out_fd;
	bool active; /* the screen is ours */
	bool ascii, color, direct;
	bool mouse; /* wanted, and there is one */
	struct theme theme;
	int pairs[STYLE_COUNT][TERMINAL_LEVELS];
	struct cell *shown; /* what curses knows */
	int shown_w, shown_h;
	bool redraw;
	char reset[TERMINAL_RESET_MAX];
};

/* What curses wrote goes to the tty. */
void terminal_flush(struct terminal *t);

/* ---- terminal_kind.c ---- */

/* TERM, or "". */
const char *terminal_kind_name(void);

/*
 * The entry with direct colour that belongs to TERM, where the terminal says
 * it has that and the database knows it.
 */
bool terminal_kind_direct(char *buf, size_t size);

/* What turns reports of the mouse on or off; "" where terminfo knows none. */
const char *terminal_kind_mouse(bool on);

/* Makes t->reset: what brings the terminal back without curses. */
void terminal_kind_reset(struct terminal *t);

#endif
