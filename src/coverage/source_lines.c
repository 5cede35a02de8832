/* source_lines: see source_lines.h. */
#include "coverage/source_lines.h"

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

void
source_line_add_counter(struct source_line *code,
	const struct coverage_map *map, uint64_t counter)
{
	if (!coverage_is_hit(map, counter)) {
		code->missed++;
		return;
	}
	code->hit++;
	code->bits |= map->buckets[counter];
	if (map->first_s[counter] > code->first_s)
		code->first_s = map->first_s[counter];
}

void
source_line_join(struct source_line *code, const struct source_line *other)
{
	code->hit += other->hit;
	code->missed += other->missed;
	code->unknown += other->unknown;
	code->calls += other->calls;
	code->bits |= other->bits;
	if (other->first_s > code->first_s)
		code->first_s = other->first_s;
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

		if (!coverage_is_hit(map, counter))
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

/* Is the row of a copy of an inlined function that was never hit? */
static bool
source_line_is_unused_copy(const struct coverage_module *m, uint32_t counter)
{
	const struct source_table *t = &m->table;

	if (counter == SOURCE_NONE)
		return false;
	return coverage_is_unused_copy(m,
		counter < t->locations_n
			? t->locations[counter].copy
			: t->blocks[counter - t->locations_n].copy);
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

void
source_line_init(struct source_line *code, uint32_t line, uint32_t function)
{
	*code = (struct source_line){ .line = line,
		.function = function,
		.first_s = COVERAGE_NEVER };
}

/* The first row of a file; rows are sorted by file. */
static uint32_t
source_lines_first_row(const struct source_table *t, uint32_t file)
{
	uint32_t i;

	SEARCH_FIRST(i, t->rows_n, t->rows[i].file < file);
	return i;
}

struct source_line *
source_lines_of_file(const struct coverage_map *map,
	const struct coverage_module *m, uint32_t file, size_t *n)
{
	const struct source_table *t = &m->table;
	uint32_t first = source_lines_first_row(t, file), end = first;
	struct source_line *lines, *code = NULL;

	while (end < t->rows_n && t->rows[end].file == file)
		end++;
	lines = xcalloc(end - first + 1, sizeof(*lines));
	*n = 0;
	for (uint32_t i = first; i < end; i++) {
		const struct source_row *row = &t->rows[i];

		if (source_line_is_unused_copy(m, row->counter))
			continue;
		if (code == NULL || code->line != row->line) {
			code = &lines[(*n)++];
			source_line_init(code, row->line,
				source_line_function(t, row->counter));
		}
		source_line_add_row(code, map, m, row);
	}
	return lines;
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
size_t
source_lines_find_frontiers(struct source_line *lines, size_t n,
	size_t *known_n)
{
	const struct source_line *next = NULL;
	size_t frontiers = 0;

	*known_n = 0;
	for (size_t i = n; i-- > 0;) {
		if (source_line_state(&lines[i]) == SOURCE_UNKNOWN)
			continue;
		lines[i].frontier = source_line_is_frontier(&lines[i], next);
		frontiers += lines[i].frontier;
		++*known_n;
		next = &lines[i];
	}
	return frontiers;
}
