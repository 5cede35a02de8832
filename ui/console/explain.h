/*
 * explain: help in place. One of the fields on the screen is selected, and a
 * panel beside it says what it means, with its value and what to think of it.
 *
 * Views note their fields while they draw (mark.h); the words are those of
 * the glossary, of the limits' options, and for columns of lists a table of
 * its own. A field without words cannot be selected.
 */
#ifndef CFUZZ_UI_CONSOLE_EXPLAIN_H
#define CFUZZ_UI_CONSOLE_EXPLAIN_H

#include <stdbool.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/glossary.h"

struct explained {
	const char *name;
	char value[GLOSSARY_VALUE]; /* "" = it differs from row to row */
	const char *advice;         /* "" = none; for keys_text() */
	enum style style;           /* of the advice */
	const char *text;
};

/* The words for a field by its label; false: there are none. */
bool explain_find(const struct model *model, const char *label,
	struct explained *explained);

/* Selects the first field that was drawn; false: there is none. */
bool explain_open(struct model *model, const struct grid *grid);

/* "next", "previous", "up", "down", "left", "right", "back". */
void explain_command(struct model *model, const struct grid *grid,
	const char *command);

/* Selects the field that was drawn there; false: there is none. */
bool explain_pick(struct model *model, const struct grid *grid, int x, int y);

/* Above what was drawn: the fields, the selected one, and the panel. */
void explain_draw(const struct model *model, struct grid *grid,
	struct rect body);

/* A panel at the lower or upper edge, away from a row; its inside. */
struct rect explain_panel(struct grid *grid, struct rect body, int rows,
	int away_from, const char *title, const char *below);

#endif
