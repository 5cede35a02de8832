/*
 * lineage: see lineage.h. Two sorted lists of the journal's events, for binary
 * search.
 */
#include "store/lineage.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/search.h"
#include "store/archive.h"
#include "store/store.h"

#define LINEAGE_MAX (1u << 22)
#define LINEAGE_STEPS 64u /* limit against cycles of names */

struct lineage_row {
	uint64_t name; /* search key */
	uint32_t line;
	uint64_t was; /* other name of a trimmed input; else 0 */
	struct lineage_birth birth;
};

struct lineage_list {
	struct lineage_row *rows;
	size_t n;
};

struct lineage {
	struct lineage_list births;  /* by the new name */
	struct lineage_list smaller; /* by the name before trimming */
	uint32_t lines;
};

static void
lineage_push(struct lineage_list *list, const struct lineage_row *row)
{
	if (list->n == LINEAGE_MAX)
		return;
	list->rows = xgrow(list->rows, list->n, 1, sizeof(*list->rows));
	list->rows[list->n++] = *row;
}

static void
lineage_on_birth(void *arg, const struct archive_ancestor *input)
{
	struct lineage *lineage = arg;
	struct lineage_row row = {
		.name = store_name_number(input->name),
		.line = ++lineage->lines,
	};

	if (input->minimized) {
		row.was = store_name_number(input->parent);
		lineage_push(&lineage->births, &row);
		row.was = row.name;
		row.name = store_name_number(input->parent);
		lineage_push(&lineage->smaller, &row);
		return;
	}
	/* The start of a campaign without seeds is its own parent. */
	row.birth = (struct lineage_birth){
		.parent = input->parent[0] != '\0' &&
				strcmp(input->parent, input->name) != 0
			? store_name_number(input->parent)
			: 0,
		.bits = input->bits,
		.generation = input->generation < UINT32_MAX
			? (uint32_t)input->generation
			: 0,
		.rank = row.line,
		.unstable = input->unstable,
		.at_s = input->at_s,
	};
	lineage_push(&lineage->births, &row);
}

static int
lineage_compare(const void *a, const void *b)
{
	const struct lineage_row *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Finds the first row with this name. */
static const struct lineage_row *
lineage_search(const struct lineage_list *list, uint64_t name)
{
	size_t i;

	SEARCH_FIRST(i, list->n, list->rows[i].name < name);
	return i < list->n && list->rows[i].name == name ? &list->rows[i]
							 : NULL;
}

struct lineage *
lineage_read(const char *output)
{
	struct lineage *lineage = xcalloc(1, sizeof(*lineage));

	archive_each_birth(output, lineage_on_birth, lineage);
	if (lineage->births.n > 0)
		qsort(lineage->births.rows, lineage->births.n,
			sizeof(*lineage->births.rows), lineage_compare);
	if (lineage->smaller.n > 0)
		qsort(lineage->smaller.rows, lineage->smaller.n,
			sizeof(*lineage->smaller.rows), lineage_compare);
	return lineage;
}

void
lineage_destroy(struct lineage *lineage)
{
	if (lineage == NULL)
		return;
	free(lineage->births.rows);
	free(lineage->smaller.rows);
	free(lineage);
}

const struct lineage_birth *
lineage_find(const struct lineage *lineage, uint64_t name)
{
	const struct lineage_row *row;
	uint32_t i;

	for (i = 0; i < LINEAGE_STEPS; i++) {
		row = lineage_search(&lineage->births, name);
		if (row == NULL)
			return NULL;
		if (row->was == 0)
			return &row->birth;
		name = row->was;
	}
	return NULL;
}

uint64_t
lineage_smaller(const struct lineage *lineage, uint64_t name)
{
	const struct lineage_row *row = lineage_search(&lineage->smaller, name);

	return row != NULL ? row->was : 0;
}
