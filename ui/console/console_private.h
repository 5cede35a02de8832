/*
 * console_private: declarations shared by the files of the console.
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
#include "ui/console/recording/recorder.h"
#include "ui/console/subscriptions.h"
#include "ui/model/action.h"
#include "ui/model/model.h"
#include "ui/model/place.h"
#include "ui/term/terminal.h"
#include "ui/views/view.h"

#define CONSOLE_VIEWS 8

struct console {
	const struct console_config *config; /* borrowed */
	struct event_base *base;
	struct terminal *terminal;
	struct frame_peer *engine; /* NULL: gone */
	json_t *held; /* messages until its hello; NULL: they are sent */
	struct grid *grid;
	struct model model;
	struct ask ask;
	struct prompt_history history;
	void *views[CONSOLE_VIEWS]; /* their states */
	size_t view, view_before;   /* index of console_view() */
	/* For each view, the view whose command led to it, or 0. */
	size_t led_from[CONSOLE_VIEWS];
	size_t theme; /* index of theme_builtin() */
	struct event *paint_timer, *tick_timer, *ended[3];
	bool dirty;
	uint64_t painted_ns;
	uint64_t command_id; /* of the last command or query */
	struct subscriptions subscriptions;
	struct recorder *recorder; /* NULL: no recording */
	uint64_t limits_id;        /* of the dialog's last command */
	uint64_t steps_id;         /* of a minimization's start, … */
	size_t steps_from;         /* … asked for in this view */
	struct debugger *debugger; /* that owns the terminal, or NULL */
	bool ending;               /* end once the debugger has ended */
	bool leaving;              /* the user asked to quit */
	uint64_t leave_id;         /* unanswered quit or detach; 0: none */
	bool end_shown;            /* the result of the campaign */
	bool end_waits;            /* to be shown, until nothing is typed */
	bool said_owner;           /* the user was told whose campaign it is */
	struct place place;        /* last sent */
	struct place going;        /* of another console, to be shown here */
	double going_until_s;      /* end of that, on the console's clock */
	struct console_end *end;   /* filled in by the engine's goodbye */
	bool done;
	struct error err;
};

const struct view_ops *console_view(size_t i);
size_t console_find_view(const char *name); /* CONSOLE_VIEWS: none */

/*
 * Runs the line of a key or of the prompt; ui/term/keys.h describes the order
 * of handlers.
 */
void console_line(struct console *c, const char *line, bool typed);
/* Sends a command to the engine without a question. Returns its id. */
uint64_t console_send(struct console *c, const char *line);

/*
 * Handles "quit" when nothing is left to stop; false: something is, or it is
 * another command.
 */
bool console_leave(struct console *c, const char *line);

/* Returns the id of the future reply; 0: not sent. */
uint64_t console_query(struct console *c, const struct query *query);

/* Callback for struct subscriptions; arg: the console. */
uint64_t console_send_query(void *arg, const struct query *query);

/* Handlers of the engine's messages. */
extern const struct frame_handlers console_frame_handlers;

/* Moves or ends the tour and shows the view of the step. */
void console_tour(struct console *c, const char *command);
/* Starts what the step of the tour shows, once that is possible. */
void console_tour_begin(struct console *c);

/* How a command of the console is written. */
void console_say_usage(struct console *c, enum action_id id);

/* console_workers.c: commands for the selected worker; arg: its number. */
void console_toggle_worker(struct console *c);
void console_stop_worker(struct console *c);
void console_select(struct console *c, const char *arg);

/* console_recording.c: recording and playback. */
/* Begins a recording; take_fd 0: none. */
void console_record(struct console *c, int take_fd, const char *target);
/* Records a message of the engine. True: it is for the recorder alone. */
bool console_heard(struct console *c, const json_t *message);
/* Takes the position in a recording, see player.h. */
void console_on_playback(struct console *c, const json_t *json);
void console_end_recording(struct console *c);

/* console_place.c: shows others where this console is. */
void console_tell_place(struct console *c);
/* Shows the place of another console, if it has moved. */
void console_go(struct console *c, const json_t *json);
/* Again, after a reply that the place may need. */
void console_go_on(struct console *c);
/* The user chooses the place now, until the other console moves. */
void console_stay(struct console *c);

/* Queries the engine for data that the current view lacks. */
void console_ask(struct console *c);

/* Updates which element takes the keys, after any change. */
void console_update_context(struct console *c);
void console_show_view(struct console *c, size_t view);
/* Ends now, or after the debugger that owns the terminal. */
void console_end(struct console *c);

double console_now_s(void); /* monotonic */
/* console_debugger.c: runs a finding in a debugger. */
void console_debug(struct console *c, const char *id);

void console_paint(struct console *c);   /* now */
void console_changed(struct console *c); /* soon */

void console_on_key(void *arg, const char *key);
void console_on_paste(void *arg, const char *text, size_t len);
void console_on_mouse(void *arg, const struct mouse *mouse);

#endif
