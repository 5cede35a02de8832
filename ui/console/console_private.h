/*
 * console_private: what the files of the console share.
 */
#ifndef CFUZZ_UI_CONSOLE_CONSOLE_PRIVATE_H
#define CFUZZ_UI_CONSOLE_CONSOLE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "control/frame.h"
#include "ui/console/ask.h"
#include "ui/console/console.h"
#include "ui/console/prompt.h"
#include "ui/console/recorder.h"
#include "ui/console/subscriptions.h"
#include "ui/model/model.h"
#include "ui/term/terminal.h"
#include "ui/views/view.h"

#define CONSOLE_VIEWS 8

struct console {
	struct event_base *base;
	struct terminal *terminal;
	struct frame_peer *engine; /* NULL: gone */
	struct grid *grid;
	struct model model;
	struct ask ask;
	struct prompt_history history;
	void *views[CONSOLE_VIEWS]; /* their states */
	size_t view, view_before;   /* index of console_view() */
	size_t theme;               /* of theme_builtin() */
	const char *keys;           /* file of --keys, "" = none */
	struct event *paint_timer, *tick_timer, *ended[3];
	bool dirty;
	uint64_t painted_ns;
	uint64_t command_id; /* of the last command or query */
	struct subscriptions wants;
	struct recorder *recorder; /* NULL: nothing is recorded */
	uint64_t limits_id;        /* of the dialog's last command */
	struct debugger *debugger; /* that has the terminal, or NULL */
	bool ending;               /* when it has ended */
	bool leaving;              /* the end was asked for, by quit */
	char *target;              /* as on the command line; borrowed */
	bool done;
	struct error err;
};

const struct view_ops *console_view(size_t i);

/* A line of a key or of the prompt; see keys.h for its way. */
void console_line(struct console *c, const char *line, bool typed);
/* To the engine, without a question. Returns the command's id. */
uint64_t console_send(struct console *c, const char *line);

/* "quit", where nothing is left to be stopped; false: something is, or it is
 * another command. */
bool console_leave(struct console *c, const char *line);

/* Returns the id that the reply will have; 0: not sent. */
uint64_t console_query(struct console *c, const struct query *query);

/* struct subscriptions' send; arg: the console. */
uint64_t console_send_query(void *arg, const struct query *query);

/* What the engine says. */
extern const struct frame_handlers console_frame_handlers;

/* The tour goes on, back or ends, and shows its view. */
void console_tour(struct console *c, const char *command);
/* What its step is about is brought about, when that can be. */
void console_tour_begin(struct console *c);

/* console_recording.c: what is recorded, and what is played. */
void console_record(struct console *c, int take_fd, const char *target);
bool console_heard(struct console *c, const json_t *message);
void console_on_playback(struct console *c, const json_t *json);
void console_end_recording(struct console *c);

/* Asks the engine for what the shown view lacks. */
void console_ask(struct console *c);

/* What takes the keys now, after anything may have changed it. */
void console_update_context(struct console *c);
void console_show_view(struct console *c, size_t view);
/* Now, but not while a debugger has the terminal. */
void console_end(struct console *c);

double console_now_s(void);
/* console_debugger.c: a finding in a debugger. */
void console_debug(struct console *c, const char *id);

void console_paint(struct console *c);   /* now */
void console_changed(struct console *c); /* soon */

void console_on_key(void *arg, const char *key);
void console_on_paste(void *arg, const char *text, size_t len);
void console_on_mouse(void *arg, const struct mouse *mouse);

#endif
