/*
 * console_private: what console.c and console_actions.c share.
 */
#ifndef CFUZZ_UI_CONSOLE_PRIVATE_H
#define CFUZZ_UI_CONSOLE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "control/frame.h"
#include "ui/ask.h"
#include "ui/console.h"
#include "ui/model.h"
#include "ui/prompt.h"
#include "ui/terminal.h"
#include "ui/view.h"

#define CONSOLE_VIEWS 5

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
	struct event *paint_timer, *tick_timer, *ended[3];
	bool dirty;
	uint64_t painted_ns;
	uint64_t command_id;
	uint64_t limits_id; /* of the dialog's last command */
	bool done;
	struct error err;
};

const struct view_ops *console_view(size_t i);

/* A line of a key or of the prompt; see keys.h for its way. */
void console_line(struct console *c, const char *line, bool typed);
/* To the engine, without a question. Returns the command's id. */
uint64_t console_send(struct console *c, const char *line);

/* What takes the keys now, after anything may have changed it. */
void console_update_context(struct console *c);
void console_show_view(struct console *c, size_t view);
void console_end(struct console *c);

void console_paint(struct console *c);   /* now */
void console_changed(struct console *c); /* soon */

void console_on_key(void *arg, const char *key);
void console_on_paste(void *arg, const char *text, size_t len);

#endif
