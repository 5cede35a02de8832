/*
 * view: one full-screen page of the console, as a table of functions.
 *
 * A view sees the model (the newest snapshot and what the console remembers
 * of earlier ones) and draws into a part of the grid. It keeps its private
 * state (selection, scrolling) in a struct of its own. Keys that it does not
 * know go back to the common table.
 */
#ifndef CFUZZ_UI_VIEWS_VIEW_H
#define CFUZZ_UI_VIEWS_VIEW_H

#include <stdbool.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/term/keys.h"

#define VIEW_WANTS_MAX 4

struct event_base;

struct view_ops {
	const char *name;  /* "dashboard": command and key context */
	const char *title; /* "Dashboard" */
	enum key_context context;
	char digit;   /* the number key */
	bool filters; /* it has a list that obeys model.filters[context] */
	void *(*create)(void);
	void (*destroy)(void *state);
	void (*draw)(void *state, const struct model *model, struct grid *grid,
		struct rect area);
	/* A view command ("down", "open"): true when it was handled. A
	 * command line of the engine ("minimize 3fa9c1") or of the console
	 * ("select 2") is written into `send` (COMMAND_LINE_MAX). */
	bool (*command)(void *state, const struct model *model,
		const char *command, char *send);
	/* Would that command of one of its keys do something now? For the
	 * footer. NULL: each would. */
	bool (*offers)(void *state, const struct model *model,
		const char *command);
	/*
	 * What it wants to know now, at most VIEW_WANTS_MAX queries; asked
	 * after everything that may change it. The n-th want should stay of
	 * the same kind. NULL: the snapshot is enough.
	 */
	size_t (*want)(void *state, const struct model *model,
		struct query *queries);
	/* The answer to one of these, or why there is none. What the view
	 * keeps of it, it takes out (and leaves empty). */
	void (*reply)(void *state, const struct model *model,
		const struct query *query, struct reply *reply);
	/* Once, after create: the loop, for a view that asks others than the
	 * engine; changed(arg) says that it has something new to draw. NULL:
	 * it does not. */
	void (*attach)(void *state, struct event_base *base,
		void (*changed)(void *arg), void *arg);
};

extern const struct view_ops view_dashboard;
extern const struct view_ops view_workers;
extern const struct view_ops view_coverage;
extern const struct view_ops view_corpus;
extern const struct view_ops view_findings;
extern const struct view_ops view_minimization;
extern const struct view_ops view_journal;
extern const struct view_ops view_help;

#endif
