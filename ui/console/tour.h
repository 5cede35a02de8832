/*
 * tour: a first-time user is shown around, step by step.
 *
 * Each step is a row of a table: the view to look at, the field to look at,
 * two or three sentences, and what one may wait for. A step never holds the
 * user up: its panel says when what it is about has happened, and all keys
 * but the tour's own three do what they always do.
 */
#ifndef CFUZZ_UI_CONSOLE_TOUR_H
#define CFUZZ_UI_CONSOLE_TOUR_H

#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"

struct tour_step {
	const char *title;
	const char *view;  /* by its name */
	const char *field; /* a label that is pointed at, or NULL */
	const char *text;  /* for keys_text(), as is wait */
	bool (*happened)(const struct model *model);
	const char *wait; /* as long as it has not */
	/* A line for the console, once, as soon as it makes sense: it brings
	 * what the step is about. NULL: nothing is needed. */
	bool (*begins)(const struct model *model, char *line, size_t size);
};

const struct tour_step *tour_step(size_t i); /* NULL behind the last */

void tour_open(struct model *model);

/* After each snapshot: has it happened? */
void tour_update(struct model *model);

/* The line that the step begins with; false: none, or not now. */
bool tour_line(struct model *model, char *line, size_t size);

/* After drawing: what is pointed at is there. */
void tour_look(struct model *model, const struct grid *grid);

/* "next", "previous", "back" (out of it); next behind the last step closes. */
void tour_command(struct model *model, const char *command);

/* Above what was drawn. */
void tour_draw(const struct model *model, struct grid *grid, struct rect body);

#endif
