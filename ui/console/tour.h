/*
 * tour: shows a first-time user around, step by step.
 *
 * Each step is a row of a table: a view, a field, a few sentences, and an event
 * to wait for. A step never blocks the user: its panel says when the event has
 * happened, and all keys but the tour's own three work as usual.
 */
#ifndef CFUZZ_UI_CONSOLE_TOUR_H
#define CFUZZ_UI_CONSOLE_TOUR_H

#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"

struct tour_step {
	const char *title;
	const char *view;  /* by its name */
	const char *field; /* label to highlight, or NULL */
	const char *text;  /* text and wait are for keys_text() */
	bool (*happened)(const struct model *model);
	const char *wait; /* shown until it has happened */
	/*
	 * Makes a line for the console that starts what the step shows. It is
	 * run once, as soon as this returns true. NULL: nothing to start.
	 */
	bool (*begins)(const struct model *model, char *line, size_t size);
};

const struct tour_step *tour_step(size_t i); /* NULL after the last */

void tour_open(struct model *model);

/* After each snapshot: checks whether the event has happened. */
void tour_update(struct model *model);

/* Writes the line to start the step with, once; false: none, or not yet. */
bool tour_line(struct model *model, char *line, size_t size);

/* After drawing: checks whether the field is on the screen. */
void tour_look(struct model *model, const struct grid *grid);

/*
 * Handles "next", "previous" and "back", which ends the tour, as does "next"
 * after the last step.
 */
void tour_command(struct model *model, const char *command);

/* Draws over the view. */
void tour_draw(const struct model *model, struct grid *grid, struct rect body);

#endif
