/*
 * finding_table: distinct bugs as rows, for each view that shows them.
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
	char selected[24]; /* id: it stays selected when others arrive */
};

/* The newest first. */
void finding_table_init(struct finding_table *table);

/* Those that the filter lets through. */
size_t finding_table_shown(const struct model *model);

/* Head and rows; the box, for the scroll mark, is around the area. */
void finding_table_draw(struct finding_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);

/* The newest few without head or selection. */
void finding_table_newest(const struct model *model, struct grid *grid,
	struct rect area);

bool finding_table_command(struct finding_table *table,
	const struct model *model, const char *command);

/* NULL: none is shown. */
const struct snapshot_finding *finding_table_selected(
	const struct finding_table *table, const struct model *model);

/* The class in one word for people: "crash", "hang", "out of memory". */
const char *finding_class(const struct snapshot_finding *finding);

#endif
