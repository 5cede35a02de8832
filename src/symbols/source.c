/* source: see source.h. */
#include "symbols/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

/* clang-format off */
static const struct {
	size_t size;
	uint32_t most;
} source_kinds[SOURCE_KIND_COUNT] = {
	[SOURCE_FUNCTIONS] = { sizeof(struct source_function),
		SOURCE_FUNCTIONS_MAX },
	[SOURCE_FILES] = { sizeof(struct source_file), SOURCE_FILES_MAX },
	[SOURCE_LOCATIONS] = { sizeof(struct source_location), SOURCE_COUNTERS_MAX },
	[SOURCE_BLOCKS] = { sizeof(struct source_block), SOURCE_BLOCKS_MAX },
	[SOURCE_MEMBERS] = { sizeof(uint32_t), SOURCE_MEMBERS_MAX },
	[SOURCE_ROWS] = { sizeof(struct source_row), SOURCE_ROWS_MAX },
	[SOURCE_END] = { sizeof(struct source_end), 1 },
};
/* clang-format on */

size_t
source_item_size(enum source_kind kind)
{
	return source_kinds[kind].size;
}

void
source_table_clear(struct source_table *table)
{
	free(table->functions);
	free(table->files);
	free(table->locations);
	free(table->blocks);
	free(table->members);
	free(table->rows);
	memset(table, 0, sizeof(*table));
}

/* ---- packets ---- */

/* The array of a kind of items. */
static void *
source_add(void *items, uint32_t *n, enum source_kind kind, uint32_t more,
	const void *data)
{
	const size_t size = source_kinds[kind].size;

	items = xgrow(items, *n, more, size);
	memcpy((char *)items + *n * size, data, more * size);
	*n += more;
	return items;
}

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

static uint32_t *
source_count(struct source_table *table, enum source_kind kind)
{
	switch (kind) {
	case SOURCE_FUNCTIONS:
		return &table->functions_n;
	case SOURCE_FILES:
		return &table->files_n;
	case SOURCE_LOCATIONS:
		return &table->locations_n;
	case SOURCE_BLOCKS:
		return &table->blocks_n;
	case SOURCE_MEMBERS:
		return &table->members_n;
	default:
		return &table->rows_n;
	}
}

static void
source_store(struct source_table *table, enum source_kind kind, uint32_t more,
	const void *data)
{
	uint32_t *n = source_count(table, kind), before = *n;

	switch (kind) {
	case SOURCE_FUNCTIONS:
		table->functions =
			source_add(table->functions, n, kind, more, data);
		source_clean_functions(table->functions + before, more);
		break;
	case SOURCE_FILES:
		table->files = source_add(table->files, n, kind, more, data);
		source_end_paths(table->files + before, more);
		break;
	case SOURCE_LOCATIONS:
		table->locations =
			source_add(table->locations, n, kind, more, data);
		break;
	case SOURCE_BLOCKS:
		table->blocks = source_add(table->blocks, n, kind, more, data);
		break;
	case SOURCE_MEMBERS:
		table->members =
			source_add(table->members, n, kind, more, data);
		break;
	case SOURCE_ROWS:
		table->rows = source_add(table->rows, n, kind, more, data);
		break;
	default:
		memcpy(&table->end, data, sizeof(table->end));
	}
}

/* ---- the whole ---- */

static bool
source_file_fits(const struct source_table *table, uint32_t file, uint32_t line)
{
	return line <= INT_MAX &&
		(file == SOURCE_NONE || file < table->files_n);
}

static int
source_compare_rows(const struct source_row *a, const struct source_row *b)
{
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->counter < b->counter ? -1 : a->counter > b->counter;
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

	*done = false;
	if (len < sizeof(head) || len > SOURCE_PACKET_MAX)
		return error_set(err, E_FORMAT, "a packet of %zu bytes", len);
	memcpy(&head, packet, sizeof(head));
	if (head.kind >= SOURCE_KIND_COUNT ||
		head.n > source_kinds[head.kind].most ||
		len - sizeof(head) != head.n * source_kinds[head.kind].size)
		return error_set(err, E_FORMAT, "a packet of a wrong size");
	*done = head.kind == SOURCE_END;
	if (!*done &&
		head.n > source_kinds[head.kind].most -
				*source_count(table,
					(enum source_kind)head.kind))
		return error_set(err, E_FORMAT, "too much of something");
	if (*done && head.n != 1)
		return error_set(err, E_FORMAT, "no end");
	if (head.n > 0)
		source_store(table, (enum source_kind)head.kind, head.n, data);
	if (*done && !source_table_fits(table, counters_n))
		return error_set(err, E_FORMAT, "parts that do not fit");
	return OK;
}
