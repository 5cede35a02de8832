/*
 * minimization_list: the minimizations that run at the same time.
 */
#ifndef CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_LIST_H
#define CFUZZ_UI_VIEWS_MINIMIZATION_MINIMIZATION_LIST_H

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

struct minimization_list {
	struct list list;
	struct sort sort;
};

/* Filtered and sorted; points into the snapshot. */
struct minimization_rows {
	size_t n;
	const void *items[SNAPSHOT_MINIMIZATIONS_MAX];
};

void minimization_list_rows(const struct minimization_list *list,
	const struct model *model, struct minimization_rows *rows);

/* All that run, in the order of the snapshot. */
void minimization_list_all(const struct model *model,
	struct minimization_rows *rows);

const struct snapshot_minimization *minimization_row(
	const struct minimization_rows *rows, size_t i);
/* The first row whose corpus entry or finding begins with `entry`; rows->n:
 * there is none, or entry is "". */
size_t minimization_rows_find(const struct minimization_rows *rows,
	const char *entry);

/* Selects the row of `entry`. */
void minimization_list_draw(struct minimization_list *view,
	const struct model *model, const struct minimization_rows *rows,
	const char *entry, struct grid *grid, struct rect box);

/* Runs sort_command(). True: handled. */
bool minimization_list_sort(struct minimization_list *view,
	const char *command);

#endif
