/* pc_table: see pc_table.h. */

#include "target/hooks/pc_table.h"

#include <stdbool.h>
#include <string.h>

#include "target/hooks/counters.h"
#include "target/hooks/functions.h"
#include "target/hooks/modules.h"
#include "target/hooks/trace_pc.h"

static void
pc_table_from_compiler(const struct counter_region *region, uint32_t first,
	uint32_t n, uint64_t bias, uint64_t *numbers)
{
	const uintptr_t *row = region->table + 2 * (size_t)first;

	for (uint32_t i = 0; i < n; i++, row += 2) {
		numbers[i] = ((uint64_t)row[0] - bias) & ~TABLE_ENTRY;
		if (row[1] & 1)
			numbers[i] |= TABLE_ENTRY;
	}
}

/*
 * Turns addresses into offsets and marks function entries. before: the address
 * before the first, or 0 if unknown.
 */
static void
pc_table_mark_entries(const struct functions *functions, uint64_t before,
	uint32_t n, uint64_t bias, uint64_t *numbers)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t code = numbers[i];

		if (code == 0)
			continue;
		numbers[i] = (code - bias) & ~TABLE_ENTRY;
		if (functions != NULL &&
			functions_begin(functions, code) > before)
			numbers[i] |= TABLE_ENTRY;
		before = code;
	}
}

/* The code of a block begins at its address, not behind it. */
static void
pc_table_from_offsets(const struct counter_region *region, uint32_t first,
	uint32_t n, const struct module_info *info, uint64_t *numbers)
{
	struct functions functions;
	bool known = functions_open(&functions, info->unwind, info->unwind_size,
		info->segment_start, info->segment_end);

	for (uint32_t i = 0; i < n; i++) {
		uintptr_t code =
			(uintptr_t)region->code + region->offsets[first + i];

		numbers[i] = (code - info->bias) & ~TABLE_ENTRY;
		if (known && functions_begin(&functions, code) == code)
			numbers[i] |= TABLE_ENTRY;
	}
}

static void
pc_table_from_calls(const struct counter_region *region, uint32_t first,
	uint32_t n, const struct module_info *info, uint64_t *numbers)
{
	struct functions functions;
	uint64_t before = 0;
	bool known = functions_open(&functions, info->unwind, info->unwind_size,
		info->segment_start, info->segment_end);

	trace_pc_addresses(region->start, first, n, numbers);
	if (first > 0)
		trace_pc_addresses(region->start, first - 1, 1, &before);
	pc_table_mark_entries(known ? &functions : NULL, before, n, info->bias,
		numbers);
}

uint32_t
pc_table_write(const struct counter_module *module, uint32_t first, void *area,
	size_t size)
{
	const struct counter_region *region =
		counters_region(module->key, module->n);
	struct pc_table_head *head = area;
	uint64_t *numbers = (uint64_t *)(head + 1);
	struct module_info info;
	size_t room;

	if (size < sizeof(*head))
		return 0;
	memset(head, 0, sizeof(*head));
	if (region == NULL || first >= region->n)
		return 0;
	if (region->module != NULL)
		info = *region->module;
	else if (!modules_find(region->code, &info))
		return 0;
	room = (size - sizeof(*head)) / sizeof(*numbers);
	head->n = region->n - first;
	if (head->n > room)
		head->n = (uint32_t)room;
	head->id_len = info.id_len;
	memcpy(head->id, info.id, sizeof(head->id));
	memcpy(head->path, info.path, sizeof(head->path));
	if (region->table != NULL)
		pc_table_from_compiler(region, first, head->n, info.bias,
			numbers);
	else if (region->offsets != NULL)
		pc_table_from_offsets(region, first, head->n, &info, numbers);
	else if (region->kind == COUNTERS_TRACE)
		pc_table_from_calls(region, first, head->n, &info, numbers);
	else
		memset(numbers, 0, head->n * sizeof(*numbers));
	return head->n;
}
