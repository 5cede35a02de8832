/* source_pane_lines: see source_pane_lines.h. */
#include "ui/views/coverage/source_pane_lines.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/search.h"

enum source_state
source_line_state(const struct source_line *code)
{
	if (code->hit > 0)
		return code->missed > 0 ? SOURCE_PARTLY : SOURCE_HIT;
	if (code->unknown > 0)
		return SOURCE_UNKNOWN;
	return code->missed > 0 ? SOURCE_MISSED : SOURCE_NO_CODE;
}

static void
source_line_add_counter(struct source_line *code,
	const struct coverage_map *map, uint64_t counter)
{
	if (counter >= map->n || map->buckets[counter] == 0) {
		code->missed++;
		return;
	}
	code->hit++;
	code->bits |= map->buckets[counter];
	if (map->first_s[counter] > code->first_s)
		code->first_s = map->first_s[counter];
}

static bool
source_line_is_hit(const struct coverage_map *map, uint64_t counter)
{
	return counter < map->n && map->buckets[counter] != 0;
}

/* Was a counter of the set hit? Then *first_s is the earliest first hit. */
static bool
source_line_any_hit(const struct coverage_map *map,
	const struct coverage_module *m, const struct source_set *set,
	float *first_s)
{
	bool any = false;

	for (uint32_t i = 0; i < set->n; i++) {
		uint64_t counter =
			(uint64_t)m->base + m->table.members[set->first + i];

		if (!source_line_is_hit(map, counter))
			continue;
		if (!any || map->first_s[counter] < *first_s)
			*first_s = map->first_s[counter];
		any = true;
	}
	return any;
}

/* Adds a block without a counter: other counters may show if it was hit. */
static void
source_line_add_block(struct source_line *code, const struct coverage_map *map,
	const struct coverage_module *m, const struct source_block *block)
{
	float first_s = COVERAGE_NEVER, none;

	if (source_line_any_hit(map, m, &block->hit, &first_s)) {
		code->hit++;
		if (first_s > code->first_s)
			code->first_s = first_s;
	} else if ((block->before.n > 0 &&
			   !source_line_any_hit(map, m, &block->before,
				   &none)) ||
		(block->after.n > 0 &&
			!source_line_any_hit(map, m, &block->after, &none))) {
		code->missed++;
	} else {
		code->unknown++;
	}
}

static void
source_line_add_row(struct source_line *code, const struct coverage_map *map,
	const struct coverage_module *m, const struct source_row *row)
{
	const struct source_table *t = &m->table;
	const uint32_t counter = row->counter, missed = code->missed;

	if (counter < t->locations_n)
		source_line_add_counter(code, map, (uint64_t)m->base + counter);
	else if (counter != SOURCE_NONE)
		source_line_add_block(code, map, m,
			&t->blocks[counter - t->locations_n]);
	else
		code->unknown++;
	code->calls += row->calls != 0 && code->missed > missed;
}

static uint32_t
source_line_function(const struct source_table *t, uint32_t counter)
{
	if (counter < t->locations_n)
		return t->locations[counter].function;
	return counter != SOURCE_NONE
		? t->blocks[counter - t->locations_n].function
		: SOURCE_NONE;
}

static struct source_line *
source_lines_new(struct source_pane *pane, uint32_t line, uint32_t function)
{
	struct source_line *code = &pane->code_lines[pane->code_lines_n++];

	*code = (struct source_line){ .line = line,
		.function = function,
		.first_s = COVERAGE_NEVER };
	return code;
}

/* The first row of a file; rows are sorted by file. */
static uint32_t
source_lines_first_row(const struct source_table *t, uint32_t file)
{
	uint32_t i;

	SEARCH_FIRST(i, t->rows_n, t->rows[i].file < file);
	return i;
}

static void
source_lines_of_file(struct source_pane *pane, const struct coverage_map *map,
	const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	uint32_t first = source_lines_first_row(t, pane->index), end = first;
	struct source_line *code = NULL;

	while (end < t->rows_n && t->rows[end].file == pane->index)
		end++;
	pane->code_lines = xcalloc(end - first + 1, sizeof(*pane->code_lines));
	for (uint32_t i = first; i < end; i++) {
		const struct source_row *row = &t->rows[i];

		if (code == NULL || code->line != row->line)
			code = source_lines_new(pane, row->line,
				source_line_function(t, row->counter));
		source_line_add_row(code, map, m, row);
	}
}

static void
source_lines_of_addresses(struct source_pane *pane,
	const struct coverage_map *map, const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	uint32_t line = 0;

	pane->code_lines =
		xcalloc(pane->lines_n + 1, sizeof(*pane->code_lines));
	for (uint32_t i = 0; i < t->locations_n && line < pane->lines_n; i++)
		if (t->locations[i].function == pane->index)
			source_line_add_counter(source_lines_new(pane, ++line,
							pane->index),
				map, (uint64_t)m->base + i);
}

/* Is code behind a hit line never hit: the next line of the function, or a call
 * in a missed block of this line? */
static bool
source_line_is_frontier(const struct source_line *code,
	const struct source_line *next)
{
	if (code->hit == 0)
		return false;
	return code->calls > 0 ||
		(next != NULL && next->function == code->function &&
			source_line_state(next) == SOURCE_MISSED);
}

/* Skips lines of which it is not known whether they were hit. */
static void
source_lines_find_frontiers(struct source_pane *pane)
{
	const struct source_line *next = NULL;

	for (size_t i = pane->code_lines_n; i-- > 0;) {
		struct source_line *code = &pane->code_lines[i];

		if (source_line_state(code) == SOURCE_UNKNOWN)
			continue;
		code->frontier = source_line_is_frontier(code, next);
		pane->frontiers_n += code->frontier;
		pane->known_n++;
		next = code;
	}
}

void
source_lines_make(struct source_pane *pane, const struct coverage_map *map)
{
	const struct coverage_module *m = &map->modules[pane->module];

	free(pane->code_lines);
	pane->code_lines = NULL;
	pane->code_lines_n = pane->known_n = pane->frontiers_n = 0;
	if (pane->addresses)
		source_lines_of_addresses(pane, map, m);
	else
		source_lines_of_file(pane, map, m);
	source_lines_find_frontiers(pane);
	pane->changed = map->changed;
}

const struct source_line *
source_lines_at(const struct source_pane *pane, uint32_t line)
{
	size_t i;

	SEARCH_FIRST(i, pane->code_lines_n, pane->code_lines[i].line < line);
	return i < pane->code_lines_n && pane->code_lines[i].line == line
		? &pane->code_lines[i]
		: NULL;
}

uint32_t
source_lines_frontier(const struct source_pane *pane, uint32_t line, int step)
{
	uint32_t found = 0;

	for (size_t i = 0; i < pane->code_lines_n; i++) {
		const struct source_line *code = &pane->code_lines[i];

		if (!code->frontier)
			continue;
		if (step > 0 && code->line > line)
			return code->line;
		if (step < 0 && code->line < line)
			found = code->line;
	}
	return found;
}
