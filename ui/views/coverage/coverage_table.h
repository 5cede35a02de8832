/*
 * coverage_table: functions or files as rows, with the part of each that was
 * hit.
 *
 * Rows are made and sorted anew when the modules, the filter or the order are
 * others, and at most once a second when only numbers have changed; the
 * numbers themselves are always the present ones.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_TABLE_H
#define CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model/filter.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/coverage/coverage_map.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

struct coverage_row {
	const struct coverage_module *module;
	uint32_t index; /* of its functions or files */
	const struct coverage_sum *sum;
	const char *name, *where; /* where: of a file, its folder; or NULL */
	uint32_t line;
	char plain[64]; /* a name that was made */
};

struct coverage_table {
	bool files; /* else functions */
	struct list list;
	struct sort sort;
	struct coverage_row *rows;
	const void **order; /* those that the filter lets through, sorted */
	size_t rows_n, shown_n, reached_n; /* reached: of all */
	struct coverage_row selected;      /* it stays so when rows move */
	/* What they were made for. */
	uint64_t structure, changed;
	bool made_files;
	double made_s;
	struct sort made_sort;
	struct filter made_filter;
};

void coverage_table_init(struct coverage_table *table);
void coverage_table_clear(struct coverage_table *table);

/* Before drawing and before a command. */
void coverage_table_update(struct coverage_table *table,
	const struct coverage_map *map, const struct model *model);

/* Head and rows; the box, for the scroll mark, is around the area. */
void coverage_table_draw(struct coverage_table *table,
	const struct model *model, struct grid *grid, struct rect area,
	struct rect box);

/* Those of a list and of an order, and "files", which changes over. */
bool coverage_table_command(struct coverage_table *table, const char *command);

/* NULL: there are none. */
const struct coverage_row *coverage_table_selected(
	const struct coverage_table *table);

#endif
