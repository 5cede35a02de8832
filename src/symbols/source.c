/* source: see source.h. */
#include "symbols/source.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

/* A list of the table: its place there, its items, and their greatest number. */
#define SOURCE_LIST(list, most) \
	{ \
		offsetof(struct source_table, list), \
			offsetof(struct source_table, list##_n), \
			sizeof(*((struct source_table *)0)->list), most \
	}
static const struct source_list {
	size_t items, n; /* offsets in the table */
	size_t size;
	uint32_t most;
} source_lists[SOURCE_END] = {
	[SOURCE_FUNCTIONS] = SOURCE_LIST(functions, SOURCE_FUNCTIONS_MAX),
	[SOURCE_FILES] = SOURCE_LIST(files, SOURCE_FILES_MAX),
	[SOURCE_LOCATIONS] = SOURCE_LIST(locations, SOURCE_COUNTERS_MAX),
	[SOURCE_BLOCKS] = SOURCE_LIST(blocks, SOURCE_BLOCKS_MAX),
	[SOURCE_MEMBERS] = SOURCE_LIST(members, SOURCE_MEMBERS_MAX),
	[SOURCE_ROWS] = SOURCE_LIST(rows, SOURCE_ROWS_MAX),
};

size_t
source_item_size(enum source_kind kind)
{
	return kind == SOURCE_END ? sizeof(struct source_end)
				  : source_lists[kind].size;
}

const void *
source_items(const struct source_table *table, enum source_kind kind,
	uint32_t *n)
{
	const char *base = (const char *)table;
	const void *items = &table->end;

	*n = 1;
	if (kind != SOURCE_END) {
		memcpy(&items, base + source_lists[kind].items, sizeof(items));
		memcpy(n, base + source_lists[kind].n, sizeof(*n));
	}
	return items;
}

void
source_table_clear(struct source_table *table)
{
	uint32_t n;

	for (unsigned kind = 0; kind < SOURCE_END; kind++)
		free((void *)source_items(table, (enum source_kind)kind, &n));
	memset(table, 0, sizeof(*table));
}

/* ---- packets ---- */

static void
source_clean_functions(struct source_function *functions, uint32_t n)
{
	char raw[SOURCE_NAME_MAX];

	for (uint32_t i = 0; i < n; i++) {
		memcpy(raw, functions[i].name, sizeof(raw));
		text_clean(raw, strnlen(raw, sizeof(raw)), functions[i].name,
			sizeof(functions[i].name));
	}
}

/* Paths stay as they are, for open(2); the screen cleans them. */
static void
source_end_paths(struct source_file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		files[i].path[SOURCE_PATH_MAX - 1] = '\0';
}

/* Adds items, which there are at most so many of. False: too many. */
static bool
source_store(struct source_table *table, enum source_kind kind, uint32_t more,
	const void *data)
{
	const struct source_list *list = &source_lists[kind];
	char *base = (char *)table, *items;
	uint32_t before, n;

	items = (char *)source_items(table, kind, &before);
	if (more > list->most - before)
		return false;
	if (more == 0)
		return true;
	items = xgrow(items, before, more, list->size);
	memcpy(items + before * list->size, data, more * list->size);
	n = before + more;
	memcpy(base + list->items, &items, sizeof(items));
	memcpy(base + list->n, &n, sizeof(n));
	if (kind == SOURCE_FUNCTIONS)
		source_clean_functions(table->functions + before, more);
	else if (kind == SOURCE_FILES)
		source_end_paths(table->files + before, more);
	return true;
}

/* ---- the whole ---- */

static bool
source_file_fits(const struct source_table *table, uint32_t file, uint32_t line)
{
	return line <= INT_MAX &&
		(file == SOURCE_NONE || file < table->files_n);
}

static int
source_compare_rows(const void *a, const void *b)
{
	const struct source_row *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->counter < y->counter ? -1 : x->counter > y->counter;
}

void
source_order_rows(struct source_table *table)
{
	uint32_t n = 0;

	if (table->rows_n == 0)
		return;
	qsort(table->rows, table->rows_n, sizeof(*table->rows),
		source_compare_rows);
	for (uint32_t i = 0; i < table->rows_n; i++)
		if (n > 0 &&
			source_compare_rows(&table->rows[n - 1],
				&table->rows[i]) == 0)
			table->rows[n - 1].calls |= table->rows[i].calls;
		else
			table->rows[n++] = table->rows[i];
	table->rows_n = n;
}

static bool
source_rows_fit(const struct source_table *table)
{
	const struct source_row *row = table->rows;

	for (uint32_t i = 0; i < table->rows_n; i++)
		if (row[i].file >= table->files_n || row[i].line == 0 ||
			row[i].line > INT_MAX ||
			(row[i].counter >=
					table->locations_n + table->blocks_n &&
				row[i].counter != SOURCE_NONE) ||
			(i > 0 &&
				source_compare_rows(&row[i - 1], &row[i]) >= 0))
			return false;
	return true;
}

static bool
source_set_fits(const struct source_table *table, const struct source_set *set,
	uint32_t most)
{
	if (set->n > most || set->first > table->members_n ||
		set->n > table->members_n - set->first)
		return false;
	for (uint32_t i = 0; i < set->n; i++)
		if (table->members[set->first + i] >= table->locations_n)
			return false;
	return true;
}

static bool
source_blocks_fit(const struct source_table *table)
{
	const struct source_block *block = table->blocks;

	for (uint32_t i = 0; i < table->blocks_n; i++)
		if ((block[i].function != SOURCE_NONE &&
			    block[i].function >= table->functions_n) ||
			block[i].copy > table->locations_n ||
			!source_set_fits(table, &block[i].hit,
				2 * SOURCE_SET_MAX) ||
			!source_set_fits(table, &block[i].before,
				SOURCE_SET_MAX) ||
			!source_set_fits(table, &block[i].after,
				SOURCE_SET_MAX))
			return false;
	return true;
}

static bool
source_table_fits(const struct source_table *table, uint32_t counters_n)
{
	const struct source_location *location = table->locations;
	const struct source_function *function = table->functions;

	if (table->locations_n != counters_n)
		return false;
	for (uint32_t i = 0; i < table->functions_n; i++)
		if (!source_file_fits(table, function[i].file,
			    function[i].line))
			return false;
	for (uint32_t i = 0; i < counters_n; i++)
		if (!source_file_fits(table, location[i].file,
			    location[i].line) ||
			location[i].copy > table->locations_n ||
			(location[i].function != SOURCE_NONE &&
				location[i].function >= table->functions_n))
			return false;
	return source_blocks_fit(table) && source_rows_fit(table);
}

enum status
source_table_take(struct source_table *table, uint32_t counters_n,
	const void *packet, size_t len, bool *done, struct error *err)
{
	struct source_packet head;
	const char *data = (const char *)packet + sizeof(head);
	enum source_kind kind;

	*done = false;
	if (len < sizeof(head) || len > SOURCE_PACKET_MAX)
		return error_set(err, E_FORMAT, "a packet of %zu bytes", len);
	memcpy(&head, packet, sizeof(head));
	if (head.kind >= SOURCE_KIND_COUNT)
		return error_set(err, E_FORMAT, "a packet of a wrong kind");
	kind = (enum source_kind)head.kind;
	if (len - sizeof(head) != head.n * source_item_size(kind))
		return error_set(err, E_FORMAT, "a packet of a wrong size");
	if (kind != SOURCE_END)
		return source_store(table, kind, head.n, data)
			? OK
			: error_set(err, E_FORMAT, "too much of something");
	if (head.n != 1)
		return error_set(err, E_FORMAT, "no end");
	memcpy(&table->end, data, sizeof(table->end));
	*done = true;
	return source_table_fits(table, counters_n)
		? OK
		: error_set(err, E_FORMAT, "parts that do not fit");
}
