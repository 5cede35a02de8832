/*
 * view: a full-screen page of the console, as a table of functions.
 *
 * A view reads the model (the newest snapshot and histories of earlier ones)
 * and draws into a part of the grid. Its own state (selection, scrolling) is
 * private. Keys that a view does not bind are looked up in the common context.
 */
#ifndef CFUZZ_UI_VIEWS_VIEW_H
#define CFUZZ_UI_VIEWS_VIEW_H

#include <stdbool.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/model/place.h"
#include "ui/term/grid.h"
#include "ui/term/keys.h"

#define VIEW_QUERIES_MAX 4

struct event_base;

struct view_ops {
	const char *name;  /* "dashboard", in commands */
	const char *title; /* "Dashboard" */
	enum key_context context;
	bool filters; /* has a list filtered by model.filters[context] */
	void *(*create)(void);
	void (*destroy)(void *state);
	void (*draw)(void *state, const struct model *model, struct grid *grid,
		struct rect area);
	/* Runs a view command ("down", "open"); true: handled. Writes a command
	 * line for the engine ("minimize 3fa9c1") or the console ("select 2")
	 * into `send` (COMMAND_LINE_MAX bytes), or leaves it alone. */
	bool (*command)(void *state, const struct model *model,
		const char *command, char *send);
	/* Would that command have an effect now? The footer leaves out the
	 * others. NULL: always. */
	bool (*offers)(void *state, const struct model *model,
		const char *command);
	/* Do "left" and "right" turn pages now? Then they do so in a recording,
	 * too. NULL: never. */
	bool (*turns)(const void *state);
	/*
	 * The place within the view, and the way there; a place may be of
	 * another campaign or wrong. NULL: the view has no places.
	 */
	void (*tell)(void *state, const struct model *model,
		struct place *place);
	void (*go)(void *state, const struct model *model,
		const struct place *place);
	/*
	 * Fills in the queries that the view needs now, at most
	 * VIEW_QUERIES_MAX, and returns their number. Called after anything
	 * that may change them. Query n should keep its kind. NULL: the
	 * snapshot is enough.
	 */
	size_t (*subscribe)(void *state, const struct model *model,
		struct query *queries);
	/* Takes the reply to one of the queries, or its error. The view may
	 * move parts out of the reply and leaves them empty. */
	void (*reply)(void *state, const struct query *query,
		struct reply *reply);
	/* Called once after create(), with the event loop, for a view that asks
	 * others than the engine. The view calls changed(arg) when it has
	 * something new to draw. NULL: not needed. */
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
