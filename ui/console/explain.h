/*
 * explain: help in place. One field on the screen is selected; a panel beside
 * it shows its meaning, its value and advice.
 *
 * Views register their fields while drawing (hot spots). The texts come from
 * the glossary, from the options' help, and from a table for the columns of
 * lists. A field without a text cannot be selected.
 */
#ifndef CFUZZ_UI_CONSOLE_EXPLAIN_H
#define CFUZZ_UI_CONSOLE_EXPLAIN_H

#include <stdbool.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/glossary.h"

struct explained { /* the pointers are to literals */
	const char *name;
	char value[GLOSSARY_VALUE]; /* "" = differs from row to row */
	const char *advice;         /* "" = none; for keys_text() */
	enum style style;           /* of the advice */
	const char *text;
};

/* Finds the explanation of a field by its label; false: there is none. */
bool explain_find(const struct model *model, const char *label,
	struct explained *explained);

/* Selects the first field on the screen; false: there is none. */
bool explain_open(struct model *model, const struct grid *grid);

/* Handles "next", "previous", "up", "down", "left", "right" and "back". */
void explain_command(struct model *model, const struct grid *grid,
	const char *command);

/* Selects the field at that position; false: there is none. */
bool explain_pick(struct model *model, const struct grid *grid, int x, int y);

/* Draws the fields, the selected one, and the panel over the view. */
void explain_draw(const struct model *model, struct grid *grid,
	struct rect body);

/*
 * Draws a panel at the lower or upper edge, away from a row. Returns its
 * inside.
 */
struct rect explain_panel(struct grid *grid, struct rect body, int rows,
	int away_from, const char *title, const char *below);

#endif
