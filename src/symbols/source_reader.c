/* source_reader: see source_reader.h. */
#include "symbols/source_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/xmalloc.h"
#include "symbols/source_reader_private.h"

/* ---- files ---- */

uint32_t
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
	free(r->weak);
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
