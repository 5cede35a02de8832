/*
 * terminal_private: shared by the files of terminal.h, the only ones that
 * include curses.
 */
#ifndef CFUZZ_UI_TERM_TERMINAL_PRIVATE_H
#define CFUZZ_UI_TERM_TERMINAL_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ui/term/input.h"
#include "ui/term/terminal.h"
#include "ui/term/tty.h"

/* Last, because curses defines OK, too, with the same value. */
#include <term.h>
#include <curses.h>

#define TERMINAL_LEVELS 21 /* 0, 5 … 100 */
#define TERMINAL_RESET_MAX 256

struct terminal {
	const struct terminal_handlers *handlers;
	void *arg;
	struct tty *tty;
	struct input input;
	struct input_handlers input_handlers;
	struct event *input_timer, *away_timer, *stopped;
	SCREEN *screen;
	FILE *out, *in; /* for curses: a memory file, /dev/null */
	int out_fd;
	bool active; /* the console has the screen */
	bool ascii, color, direct;
	bool mouse; /* wanted, and the terminal has one */
	struct theme theme;
	int pairs[STYLE_COUNT][TERMINAL_LEVELS];
	struct cell *shown; /* cells that curses has */
	int shown_w, shown_h;
	bool redraw;
	char reset[TERMINAL_RESET_MAX];
};

/* Moves the output of curses to the tty. */
void terminal_flush(struct terminal *t);

/* ---- terminal_kind.c ---- */

/* $TERM, or "". */
const char *terminal_kind_name(void);

/*
 * Finds the entry with direct colour for TERM; false: the terminal does not
 * claim direct colour, or terminfo has no such entry.
 */
bool terminal_kind_direct(char *buf, size_t size);

/* The sequence that turns mouse reports on or off; "": terminfo knows none. */
const char *terminal_kind_mouse(bool on);

/* Fills t->reset: the sequence that restores the terminal without curses. */
void terminal_kind_reset(struct terminal *t);

#endif
