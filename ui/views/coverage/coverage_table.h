/*
 * coverage_table: functions or files as rows, with the part that was hit.
 *
 * Rows are sorted again at once when the modules, the filter or the order
 * change, and at most once per second when only numbers change. The numbers
 * shown are always current.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_TABLE_H
#define CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "coverage/coverage_map.h"
#include "ui/model/filter.h"
#include "ui/model/model.h"
#include "ui/model/place.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

struct coverage_row {
	const struct coverage_module *module;
	uint32_t index; /* of the module's functions or files */
	const struct coverage_sum *sum;
	const char *name; /* in the module, or `plain` of this row */
	const char *path; /* of the file, or its last part; NULL: unknown */
	uint32_t line;    /* 0: unknown */
	char plain[64];   /* a generated name */
};

struct coverage_table {
	bool files; /* files, not functions */
	struct list list;
	struct sort sort;
	struct coverage_row *rows; /* owned */
	const void **order; /* owned; rows that pass the filter, sorted */
	size_t rows_n, shown_n, reached_n; /* reached: rows with a hit */
	/* Stays selected when rows move; NULL: none yet. */
	const struct coverage_module *selected_module;
	uint32_t selected_index;
	/* State that the rows were made for. */
	uint64_t structure, changed;
	bool made_files;
	double made_s;
	struct sort made_sort;
	struct filter made_filter;
};

void coverage_table_init(struct coverage_table *table);
void coverage_table_clear(struct coverage_table *table);

/* Call before drawing and before a command. */
void coverage_table_update(struct coverage_table *table,
	const struct coverage_map *map, const struct model *model);

/* Draws head and rows; the scroll bar goes on `box`, around the area. */
void coverage_table_draw(struct coverage_table *table,
	const struct model *model, struct grid *grid, struct rect area,
	struct rect box);

/* Commands of a list and of sorting; "files" switches files and functions. */
bool coverage_table_command(struct coverage_table *table, const char *command);

/* The name of the selected row as an item of a place, cut to its size; returns its
 * index in its module. "", 0: none is selected. */
uint32_t coverage_table_tell(const struct coverage_table *table,
	char item[PLACE_ITEM]);
/* Selects the row of that name and index, else the first of that name; false:
 * there is none. moved: that row was not selected. */
bool coverage_table_seek(struct coverage_table *table, const char *item,
	uint32_t index, bool *moved);

/* Borrowed until the next update; NULL: no rows. */
const struct coverage_row *coverage_table_selected(
	const struct coverage_table *table);

/* Keeps the selected row selected when others move it. */
void coverage_table_keep(struct coverage_table *table);

#endif
