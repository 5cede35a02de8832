/*
 * view: one full-screen page of the console, as a table of functions.
 *
 * A view sees the model (the newest snapshot and what the console remembers
 * of earlier ones) and draws into a part of the grid. It keeps its private
 * state (selection, scrolling) in a struct of its own. Keys that it does not
 * know go back to the common table.
 */
#ifndef CFUZZ_UI_VIEW_H
#define CFUZZ_UI_VIEW_H

#include <stdbool.h>

#include "ui/grid.h"
#include "ui/keys.h"
#include "ui/model.h"

struct view;

struct view_ops {
	const char *name;  /* "dashboard": command and key context */
	const char *title; /* "Dashboard" */
	enum key_context context;
	char digit; /* the number key */
	void *(*create)(void);
	void (*destroy)(void *state);
	void (*draw)(void *state, const struct model *model, struct grid *grid,
		struct rect area);
	/* A view command ("down", "open"): true when it was handled. A
	 * command line of the engine ("minimize 3fa9c1") or of the console
	 * ("select 2") is written into `send` (COMMAND_LINE_MAX). */
	bool (*command)(void *state, const struct model *model,
		const char *command, char *send);
};

extern const struct view_ops view_dashboard;
extern const struct view_ops view_workers;
extern const struct view_ops view_findings;
extern const struct view_ops view_minimization;
extern const struct view_ops view_help;

#endif
