/*
 * finding_table: distinct findings as rows, for all views that show them.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_TABLE_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

struct finding_table {
	struct list list;
	struct sort sort;
	char selected[24]; /* id: the selection when rows move; "": the first */
};

/* Sorts the newest first. */
void finding_table_init(struct finding_table *table);

/* Number of findings that pass the filter. */
size_t finding_table_shown(const struct model *model);

/* Draws head and rows; the scroll bar goes on `box`, around the area. */
void finding_table_draw(struct finding_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);

/* Draws the newest findings, without head and selection. */
void finding_table_newest(const struct model *model, struct grid *grid,
	struct rect area);

bool finding_table_command(struct finding_table *table,
	const struct model *model, const char *command);

/* NULL: no finding is shown. If the selected finding is gone, that of its row
 * is selected. */
const struct snapshot_finding *finding_table_selected(
	struct finding_table *table, const struct model *model);

/* The class in words: "crash", "hang", "out of memory". */
const char *finding_class(const struct snapshot_finding *finding);

#endif
