/* source_reader: see source_reader.h. */
#include "symbols/source_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/xmalloc.h"
#include "shared/search.h"
#include "symbols/source_blocks.h"
#include "symbols/source_files.h"
#include "symbols/source_ranges.h"
#include "symbols/source_symbols.h"

#define READER_CALL 5u /* maximum size of a call in bytes */

struct reader {
	const struct libdw *dw;
	struct debug_file file;
	struct source_table *table;
	const uint64_t *pcs;
	struct source_ranges ranges;
	struct source_symbols symbols;
	struct source_blocks blocks;
	uint8_t *counted; /* functions, by `whole`, that have counters */
	uint32_t *copies; /* numbers of copies by `whole`; 0: none */
	uint32_t copies_n;
	struct source_point *points; /* in order of addresses */
	uint32_t points_n;
	struct source_files files;
	/* State of the unit being read. */
	Dwarf_Die unit;
	Dwarf_Addr bias;
};

/* ---- files ---- */

static uint32_t
reader_file(struct reader *r, const char *path)
{
	char whole[SOURCE_PATH_MAX];

	return debug_file_path(r->dw, &r->unit, path, whole, sizeof(whole))
		? source_files_add(&r->files, r->table, whole)
		: SOURCE_NONE;
}

/* ---- functions ---- */

static uint32_t
reader_add_function(struct reader *r, uint64_t address)
{
	struct source_table *t = r->table;
	struct source_function *function;

	if (t->functions_n == SOURCE_FUNCTIONS_MAX) {
		t->end.cut = 1;
		return SOURCE_NONE;
	}
	t->functions =
		xgrow(t->functions, t->functions_n, 1, sizeof(*t->functions));
	function = &t->functions[t->functions_n];
	memset(function, 0, sizeof(*function));
	function->address = address;
	function->file = SOURCE_NONE;
	return t->functions_n++;
}

/* ---- counters ---- */

/* `last`: function of the counter before, which is often the same. */
static uint32_t
reader_symbol_function(struct reader *r, uint64_t address, uint32_t last)
{
	struct source_function *function;
	uint64_t start;
	const char *name = source_symbols_find(&r->symbols, address, &start);
	uint32_t at;

	if (name == NULL)
		return SOURCE_NONE;
	if (last != SOURCE_NONE && r->table->functions[last].address == start)
		return last;
	at = reader_add_function(r, start);
	if (at == SOURCE_NONE)
		return at;
	function = &r->table->functions[at];
	(void)snprintf(function->name, sizeof(function->name), "%s", name);
	return at;
}

static void
reader_describe(struct reader *r, struct source_owner *owner)
{
	struct source_function *function =
		&r->table->functions[owner->function];
	const char *path = r->dw->dwarf_decl_file(&owner->die);

	r->unit = owner->unit;
	/* File 0 is the unit's own; the library does not look it up. */
	if (path == NULL)
		path = r->dw->dwarf_diename(&owner->unit);
	function->file = reader_file(r, path);
	function->line = debug_file_line(r->dw, &owner->die);
	debug_file_name(r->dw, &owner->unit, &owner->die, function->name,
		sizeof(function->name));
}

static uint32_t
reader_debug_function(struct reader *r, const struct source_range *range)
{
	struct source_owner *owner = &r->ranges.owners[range->owner];
	bool described = owner->die.addr != NULL;

	if (owner->function != SOURCE_NONE)
		return owner->function;
	owner->function = described
		? reader_add_function(r, range->start)
		: reader_symbol_function(r, range->start, SOURCE_NONE);
	if (owner->function == SOURCE_NONE)
		return SOURCE_NONE;
	if (described)
		reader_describe(r, owner);
	r->table->end.debug = 1;
	return owner->function;
}

/* GCC inlines the start of a function and calls the rest, "name.part.0". */
static bool
reader_is_whole(const struct reader *r, uint64_t address)
{
	uint64_t start;
	const char *name = source_symbols_find(&r->symbols, address, &start);

	return name != NULL && strstr(name, ".part.") == NULL;
}

/* The number of the copy that contains the address in the range; 0: none. */
static uint32_t
reader_copy(struct reader *r, const struct source_range *range,
	uint64_t address)
{
	uint32_t *copy = &r->copies[range->whole];

	if (*copy == 0 && range->around != SOURCE_NONE &&
		r->ranges.owners[range->around].inlined &&
		reader_is_whole(r, address))
		*copy = ++r->copies_n;
	return *copy;
}

static void
reader_set_functions(struct reader *r)
{
	uint32_t last = SOURCE_NONE;

	for (uint32_t i = 0; i < r->points_n; i++) {
		struct source_point *point = &r->points[i];
		const struct source_range *range =
			source_ranges_find(&r->ranges, point->at);
		struct source_location *location =
			&r->table->locations[point->counter];

		point->whole = SOURCE_NONE;
		if (range != NULL) {
			point->whole = range->whole;
			r->counted[range->whole] = 1;
			location->copy = reader_copy(r, range, point->at);
		}
		location->function = range != NULL
			? reader_debug_function(r, range)
			: reader_symbol_function(r, point->at, last);
		last = location->function;
	}
}

/* Counters without a name: a function extends from one entry to the next. */
static void
reader_name_rest(struct source_table *table, const uint64_t *pcs, uint32_t n)
{
	struct reader r = { .table = table };
	uint32_t current = SOURCE_NONE;

	for (uint32_t i = 0; i < n; i++) {
		if (pcs[i] == 0)
			continue;
		if (table->locations[i].function != SOURCE_NONE) {
			current = SOURCE_NONE;
			continue;
		}
		if ((pcs[i] & SOURCE_ENTRY) != 0 || current == SOURCE_NONE)
			current =
				reader_add_function(&r, pcs[i] & ~SOURCE_ENTRY);
		table->locations[i].function = current;
	}
}

static int
reader_compare_points(const void *a, const void *b)
{
	const struct source_point *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->counter < y->counter ? -1 : x->counter > y->counter;
}

static void
reader_sort_points(struct reader *r, uint32_t n)
{
	r->points = xcalloc(n, sizeof(*r->points));
	for (uint32_t i = 0; i < n; i++)
		if (r->pcs[i] != 0)
			r->points[r->points_n++] = (struct source_point){
				r->pcs[i] & ~SOURCE_ENTRY, i, SOURCE_NONE,
				(r->pcs[i] & SOURCE_ENTRY) != 0
			};
	qsort(r->points, r->points_n, sizeof(*r->points),
		reader_compare_points);
}

/* The first point at or after the address. */
static uint32_t
reader_first_point(const struct reader *r, uint64_t address)
{
	uint32_t i;

	SEARCH_FIRST(i, r->points_n, r->points[i].at < address);
	return i;
}

/* ---- lines ---- */

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

static void
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
	source_order_rows(r->table);
}

/* ---- the whole ---- */

static bool
reader_open(struct reader *r, const char *path, const char *id)
{
	struct stat st;
	int fd = fd_open_regular(path, &st);

	if (fd < 0)
		return false;
	debug_file_open(&r->file, r->dw, path, fd);
	return r->file.module != NULL && debug_file_has_id(&r->file, id);
}

static void
reader_find_lines(struct reader *r, const char *path)
{
	const struct source_blocks_input input = { .file = &r->file,
		.path = path,
		.ranges = &r->ranges,
		.points = r->points,
		.points_n = r->points_n };

	source_blocks_make(&r->blocks, r->table, &input);
	reader_list_lines(r);
	source_blocks_clear(&r->blocks);
}

static void
reader_read(struct reader *r, const char *path, uint32_t n)
{
	source_files_init(&r->files);
	reader_sort_points(r, n);
	source_symbols_make(&r->symbols, &r->file);
	source_ranges_make(&r->ranges, &r->file, &r->symbols);
	r->counted = xcalloc(r->ranges.wholes_n + 1, 1);
	r->copies = xcalloc(r->ranges.wholes_n + 1, sizeof(*r->copies));
	reader_set_functions(r);
	if (r->table->end.debug != 0)
		reader_find_lines(r, path);
	source_files_clear(&r->files);
	free(r->points);
	source_ranges_clear(&r->ranges);
	source_symbols_clear(&r->symbols);
	free(r->counted);
	free(r->copies);
}

void
source_read(struct source_table *table, const char *path, const char *id,
	const uint64_t *pcs, uint32_t n)
{
	struct reader r = { .dw = libdw_get(), .table = table, .pcs = pcs };

	source_table_clear(table);
	table->locations = xcalloc(n, sizeof(*table->locations));
	table->locations_n = n;
	for (uint32_t i = 0; i < n; i++)
		table->locations[i] =
			(struct source_location){ .function = SOURCE_NONE,
				.file = SOURCE_NONE };
	table->end.blind = r.dw == NULL;
	if (r.dw != NULL) {
		table->end.found = reader_open(&r, path, id);
		if (table->end.found != 0)
			reader_read(&r, path, n);
		debug_file_close(&r.file);
	}
	reader_name_rest(table, pcs, n);
}
