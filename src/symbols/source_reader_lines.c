/*
 * source_reader_lines: the lines of a table, from the line tables of the debug
 * information. Part of source_reader.c.
 */
#include <string.h>

#include "base/xmalloc.h"
#include "shared/search.h"
#include "symbols/source_reader_private.h"

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
reader_append(struct reader *r, struct source_row **rows, uint32_t *n,
	const struct source_row *row)
{
	if (*n > 0 && memcmp(&(*rows)[*n - 1], row, sizeof(*row)) == 0)
		return;
	if (*n == SOURCE_ROWS_MAX) {
		r->table->end.cut = 1;
		return;
	}
	*rows = xgrow(*rows, *n, 1, sizeof(**rows));
	(*rows)[(*n)++] = *row;
}

static void
reader_add_row(struct reader *r, const struct reader_line *line,
	uint32_t counter, bool calls)
{
	reader_append(r, &r->table->rows, &r->table->rows_n,
		&(struct source_row){ line->file, line->line, counter, calls });
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

/* Has the line code of its own in the block? */
static bool
reader_has_code(const struct reader_line *line,
	const struct source_stretch *stretch)
{
	return line->start < stretch->code_end && line->end > stretch->code;
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

		if (stretch->check != 0)
			continue;
		if (line->call || reader_has_code(line, stretch))
			reader_add_row(r, line, stretch->counter,
				reader_calls(b, line, stretch));
		else
			reader_append(r, &r->weak, &r->weak_n,
				&(struct source_row){ line->file, line->line,
					stretch->counter, false });
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

/* Reads row i of a line table; false: not code of interest. */
static bool
reader_get_line(struct reader *r, Dwarf_Lines *lines, size_t i,
	struct reader_line *line)
{
	Dwarf_Line *row = r->dw->dwarf_onesrcline(lines, i);
	Dwarf_Line *next = r->dw->dwarf_onesrcline(lines, i + 1);
	const struct source_range *range;
	Dwarf_Addr start, end;
	bool last = false;
	int number = 0;

	if (row == NULL || next == NULL ||
		r->dw->dwarf_lineendsequence(row, &last) != 0 || last ||
		r->dw->dwarf_lineno(row, &number) != 0 || number <= 0 ||
		r->dw->dwarf_lineaddr(row, &start) != 0 ||
		r->dw->dwarf_lineaddr(next, &end) != 0 || start >= end)
		return false;
	range = source_ranges_find(&r->ranges, start + r->bias);
	if (range == NULL || r->counted[range->whole] == 0)
		return false;
	line->whole = range->whole;
	line->call = false;
	line->start = start + r->bias;
	line->end = end + r->bias < range->end ? end + r->bias : range->end;
	line->line = (uint32_t)number;
	line->file = reader_file(r, r->dw->dwarf_linesrc(row, NULL, NULL));
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

/*
 * A counter's call, or a jump, may stand in the line table behind the code before
 * it, of a line that did not run. It tells of its line only if nothing else does.
 */
static void
reader_add_weak(struct reader *r)
{
	struct source_table *t = r->table;
	uint32_t n, at;

	source_order_rows(t);
	n = t->rows_n;
	for (uint32_t i = 0; i < r->weak_n; i++) {
		const struct source_row *row = &r->weak[i];

		SEARCH_FIRST(at, n,
			t->rows[at].file < row->file ||
				(t->rows[at].file == row->file &&
					t->rows[at].line < row->line));
		if (at == n || t->rows[at].file != row->file ||
			t->rows[at].line != row->line)
			reader_append(r, &t->rows, &t->rows_n, row);
	}
	source_order_rows(t);
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
		for (size_t i = 0; i + 1 < n; i++)
			if (reader_get_line(r, lines, i, &line))
				reader_take_line(r, &line);
	}
	for (size_t i = 0; i < r->ranges.ranges_n; i++)
		reader_take_call(r, &r->ranges.ranges[i]);
	reader_add_weak(r);
}
