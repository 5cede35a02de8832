/* source_marks: see source_marks.h. */
#include "ui/views/coverage/source_marks.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/search.h"

enum source_state
source_mark_state(const struct source_mark *mark)
{
	if (mark->hit > 0)
		return mark->missed > 0 ? SOURCE_PARTLY : SOURCE_HIT;
	if (mark->unknown > 0)
		return SOURCE_UNKNOWN;
	return mark->missed > 0 ? SOURCE_MISSED : SOURCE_NO_CODE;
}

static void
marks_add_counter(struct source_mark *mark, const struct coverage_map *map,
	uint64_t counter)
{
	if (counter >= map->n || map->mask[counter] == 0) {
		mark->missed++;
		return;
	}
	mark->hit++;
	mark->bits |= map->mask[counter];
	if (map->first_s[counter] > mark->first_s)
		mark->first_s = map->first_s[counter];
}

static bool
marks_is_hit(const struct coverage_map *map, uint64_t counter)
{
	return counter < map->n && map->mask[counter] != 0;
}

/* Was a counter of the set hit? Then *first_s is the earliest first hit. */
static bool
marks_any(const struct coverage_map *map, const struct coverage_module *m,
	const struct source_set *set, float *first_s)
{
	bool any = false;

	for (uint32_t i = 0; i < set->n; i++) {
		uint64_t counter =
			(uint64_t)m->base + m->table.members[set->first + i];

		if (!marks_is_hit(map, counter))
			continue;
		if (!any || map->first_s[counter] < *first_s)
			*first_s = map->first_s[counter];
		any = true;
	}
	return any;
}

/* Adds a block without a counter: other counters may show if it was hit. */
static void
marks_add_block(struct source_mark *mark, const struct coverage_map *map,
	const struct coverage_module *m, const struct source_block *block)
{
	float first_s = COVERAGE_NEVER, none;

	if (marks_any(map, m, &block->hit, &first_s)) {
		mark->hit++;
		if (first_s > mark->first_s)
			mark->first_s = first_s;
	} else if ((block->before.n > 0 &&
			   !marks_any(map, m, &block->before, &none)) ||
		(block->after.n > 0 &&
			!marks_any(map, m, &block->after, &none))) {
		mark->missed++;
	} else {
		mark->unknown++;
	}
}

static void
marks_add_row(struct source_mark *mark, const struct coverage_map *map,
	const struct coverage_module *m, const struct source_row *row)
{
	const struct source_table *t = &m->table;
	const uint32_t counter = row->counter, missed = mark->missed;

	if (counter < t->locations_n)
		marks_add_counter(mark, map, (uint64_t)m->base + counter);
	else if (counter != SOURCE_NONE)
		marks_add_block(mark, map, m,
			&t->blocks[counter - t->locations_n]);
	else
		mark->unknown++;
	mark->calls += row->calls != 0 && mark->missed > missed;
}

static uint32_t
marks_function(const struct source_table *t, uint32_t counter)
{
	if (counter < t->locations_n)
		return t->locations[counter].function;
	return counter != SOURCE_NONE
		? t->blocks[counter - t->locations_n].function
		: SOURCE_NONE;
}

static struct source_mark *
marks_new(struct source_pane *pane, uint32_t line, uint32_t function)
{
	struct source_mark *mark = &pane->marks[pane->marks_n++];

	*mark = (struct source_mark){ .line = line,
		.function = function,
		.first_s = COVERAGE_NEVER };
	return mark;
}

/* The first row of a file; rows are sorted by file. */
static uint32_t
marks_first_row(const struct source_table *t, uint32_t file)
{
	uint32_t i;

	SEARCH_FIRST(i, t->rows_n, t->rows[i].file < file);
	return i;
}

static void
marks_of_file(struct source_pane *pane, const struct coverage_map *map,
	const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	uint32_t first = marks_first_row(t, pane->index), end = first;
	struct source_mark *mark = NULL;

	while (end < t->rows_n && t->rows[end].file == pane->index)
		end++;
	pane->marks = xcalloc(end - first + 1, sizeof(*pane->marks));
	for (uint32_t i = first; i < end; i++) {
		const struct source_row *row = &t->rows[i];

		if (mark == NULL || mark->line != row->line)
			mark = marks_new(pane, row->line,
				marks_function(t, row->counter));
		marks_add_row(mark, map, m, row);
	}
}

static void
marks_of_addresses(struct source_pane *pane, const struct coverage_map *map,
	const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	uint32_t line = 0;

	pane->marks = xcalloc(pane->lines_n + 1, sizeof(*pane->marks));
	for (uint32_t i = 0; i < t->locations_n && line < pane->lines_n; i++)
		if (t->locations[i].function == pane->index)
			marks_add_counter(marks_new(pane, ++line, pane->index),
				map, (uint64_t)m->base + i);
}

/* Is code behind a hit line never hit: the next line of the function, or a call
 * in a missed block of this line? */
static bool
marks_is_frontier(const struct source_mark *mark,
	const struct source_mark *next)
{
	if (mark->hit == 0)
		return false;
	return mark->calls > 0 ||
		(next != NULL && next->function == mark->function &&
			source_mark_state(next) == SOURCE_MISSED);
}

/* Skips lines of which it is not known whether they were hit. */
static void
marks_find_frontiers(struct source_pane *pane)
{
	const struct source_mark *next = NULL;

	for (size_t i = pane->marks_n; i-- > 0;) {
		struct source_mark *mark = &pane->marks[i];

		if (source_mark_state(mark) == SOURCE_UNKNOWN)
			continue;
		mark->frontier = marks_is_frontier(mark, next);
		pane->frontiers_n += mark->frontier;
		pane->known_n++;
		next = mark;
	}
}

void
source_marks_make(struct source_pane *pane, const struct coverage_map *map)
{
	const struct coverage_module *m = &map->modules[pane->module];

	free(pane->marks);
	pane->marks = NULL;
	pane->marks_n = pane->known_n = pane->frontiers_n = 0;
	if (pane->addresses)
		marks_of_addresses(pane, map, m);
	else
		marks_of_file(pane, map, m);
	marks_find_frontiers(pane);
	pane->changed = map->changed;
}

const struct source_mark *
source_marks_at(const struct source_pane *pane, uint32_t line)
{
	size_t i;

	SEARCH_FIRST(i, pane->marks_n, pane->marks[i].line < line);
	return i < pane->marks_n && pane->marks[i].line == line
		? &pane->marks[i]
		: NULL;
}

uint32_t
source_marks_frontier(const struct source_pane *pane, uint32_t line, int step)
{
	uint32_t found = 0;

	for (size_t i = 0; i < pane->marks_n; i++) {
		const struct source_mark *mark = &pane->marks[i];

		if (!mark->frontier)
			continue;
		if (step > 0 && mark->line > line)
			return mark->line;
		if (step < 0 && mark->line < line)
			found = mark->line;
	}
	return found;
}
