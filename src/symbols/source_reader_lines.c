/*
 * source_reader_lines: the lines of a table, from the line tables of the debug
 * information. Part of source_reader.c.
 */
#include <string.h>

#include "base/xmalloc.h"
#include "shared/search.h"
#include "symbols/source_reader_private.h"

#define READER_CALL 5u /* maximum size of a call in bytes */

/* The first point at or after the address. */
static uint32_t
reader_first_point(const struct reader *r, uint64_t address)
{
	uint32_t i;

	SEARCH_FIRST(i, r->points_n, r->points[i].at < address);
	return i;
}

/* The code from start to end belongs to this line. */
struct reader_line {
	uint64_t start, end;
	uint32_t file, line;
	uint32_t whole; /* the function that contains the code */
	bool call;      /* call site of an inlined function */
};

static void
reader_add_row(struct reader *r, const struct reader_line *line,
	uint32_t counter, bool calls)
{
	struct source_table *t = r->table;
	const struct source_row row = { line->file, line->line, counter,
		calls };

	if (t->rows_n > 0 &&
		memcmp(&t->rows[t->rows_n - 1], &row, sizeof(row)) == 0)
		return;
	if (t->rows_n == SOURCE_ROWS_MAX) {
		t->end.cut = 1;
		return;
	}
	t->rows = xgrow(t->rows, t->rows_n, 1, sizeof(*t->rows));
	t->rows[t->rows_n++] = row;
}

/* Sets the line of the counters in this code. */
static void
reader_take_points(struct reader *r, const struct reader_line *line)
{
	struct source_location *location;
	uint32_t counter;

	for (uint32_t i = reader_first_point(r, line->start);
		i < r->points_n && r->points[i].at < line->end; i++) {
		if (r->points[i].whole != line->whole)
			continue;
		counter = r->points[i].counter;
		location = &r->table->locations[counter];
		if (!line->call) {
			location->file = line->file;
			location->line = line->line;
		}
		if (r->blocks.own[counter] != SOURCE_NONE)
			reader_add_row(r, line, r->blocks.own[counter], false);
	}
}

/*
 * Is the range only counter calls of a block that continues with another line?
 * These calls have no line of their own and appear to belong to the line
 * before.
 */
static bool
reader_only_counts(const struct reader *r, uint64_t start, uint64_t end)
{
	uint32_t first = reader_first_point(r, start), i = first;

	while (i < r->points_n && r->points[i].at < end)
		i++;
	return i > first && r->points[i - 1].at == end - 1 &&
		end - start <= (uint64_t)(i - first) * READER_CALL;
}

/* Does this line's code in the block call a function? */
static bool
reader_calls(const struct source_blocks *b, const struct reader_line *line,
	const struct source_stretch *stretch)
{
	return source_blocks_calls(b,
		line->start > stretch->start ? line->start : stretch->start,
		line->end < stretch->end ? line->end : stretch->end);
}

static void
reader_take_line(struct reader *r, const struct reader_line *line)
{
	const struct source_blocks *b = &r->blocks;

	reader_take_points(r, line);
	for (size_t i = source_blocks_find(b, line->start);
		i < b->n && b->stretches[i].start < line->end; i++) {
		const struct source_stretch *stretch = &b->stretches[i];

		if (stretch->start > line->start && stretch->end > line->end &&
			reader_only_counts(r, stretch->start, line->end))
			continue;
		if (stretch->check == 0)
			reader_add_row(r, line, stretch->counter,
				reader_calls(b, line, stretch));
	}
}

/* Without a declaration, a function begins at the first line of its code. */
static void
reader_begin(struct reader *r, const struct source_range *range,
	const struct reader_line *line)
{
	uint32_t at = r->ranges.owners[range->owner].function;

	if (at == SOURCE_NONE || r->table->functions[at].line != 0)
		return;
	r->table->functions[at].file = line->file;
	r->table->functions[at].line = line->line;
}

/* Reads row i of a line table, without its file; false: not code of interest. */
static bool
reader_get_row(const struct reader *r, Dwarf_Lines *lines, size_t i,
	struct reader_line *line)
{
	Dwarf_Line *row = r->dw->dwarf_onesrcline(lines, i);
	Dwarf_Line *next = r->dw->dwarf_onesrcline(lines, i + 1);
	Dwarf_Addr start, end;
	bool last = false;
	int number = 0;

	if (row == NULL || next == NULL ||
		r->dw->dwarf_lineendsequence(row, &last) != 0 || last ||
		r->dw->dwarf_lineno(row, &number) != 0 || number <= 0 ||
		r->dw->dwarf_lineaddr(row, &start) != 0 ||
		r->dw->dwarf_lineaddr(next, &end) != 0 || start >= end)
		return false;
	*line = (struct reader_line){ .start = start + r->bias,
		.end = end + r->bias,
		.line = (uint32_t)number };
	return true;
}

static const char *
reader_row_file(const struct reader *r, Dwarf_Lines *lines, size_t i)
{
	return r->dw->dwarf_linesrc(r->dw->dwarf_onesrcline(lines, i), NULL,
		NULL);
}

/*
 * Reads row *i of a line table and those that continue its line, and sets *i to
 * the next one; false: not code of interest.
 */
static bool
reader_get_line(struct reader *r, Dwarf_Lines *lines, size_t *i,
	struct reader_line *line)
{
	size_t first = (*i)++;
	const struct source_range *range;
	struct reader_line more;
	const char *file;

	if (!reader_get_row(r, lines, first, line))
		return false;
	range = source_ranges_find(&r->ranges, line->start);
	if (range == NULL || r->counted[range->whole] == 0)
		return false;
	line->whole = range->whole;
	file = reader_row_file(r, lines, first);
	while (line->end < range->end && reader_get_row(r, lines, *i, &more) &&
		more.line == line->line &&
		reader_row_file(r, lines, *i) == file) {
		line->end = more.end;
		++*i;
	}
	if (line->end > range->end)
		line->end = range->end;
	line->file = reader_file(r, file);
	if (line->file == SOURCE_NONE)
		return false;
	reader_begin(r, range, line);
	return true;
}

/*
 * A line with just an inlined call has no code of its own: add the first byte
 * of the inlined function.
 */
static void
reader_take_call(struct reader *r, struct source_range *range)
{
	struct reader_line line = { .start = range->start,
		.end = range->start + 1,
		.line = range->call_line,
		.whole = range->whole,
		.call = true };
	Dwarf_Files *files;
	size_t n = 0;

	if (range->call_line == 0 || r->counted[range->whole] == 0 ||
		r->dw->dwarf_getsrcfiles(&range->unit, &files, &n) != 0 ||
		range->call_file >= n)
		return;
	r->unit = range->unit;
	line.file = reader_file(r,
		r->dw->dwarf_filesrc(files, range->call_file, NULL, NULL));
	if (line.file != SOURCE_NONE)
		reader_take_line(r, &line);
}

void
reader_list_lines(struct reader *r)
{
	Dwarf_Die *unit = NULL;
	struct reader_line line;
	Dwarf_Lines *lines;
	size_t n;

	while ((unit = r->dw->dwfl_module_nextcu(r->file.module, unit,
			&r->bias)) != NULL) {
		r->unit = *unit;
		n = 0;
		if (r->dw->dwarf_getsrclines(unit, &lines, &n) != 0)
			continue;
		for (size_t i = 0; i + 1 < n;)
			if (reader_get_line(r, lines, &i, &line))
				reader_take_line(r, &line);
	}
	for (size_t i = 0; i < r->ranges.ranges_n; i++)
		reader_take_call(r, &r->ranges.ranges[i]);
	source_order_rows(r->table);
}
