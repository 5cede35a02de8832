/* source_pane_lines: see source_pane_lines.h. */
#include "ui/views/coverage/source_pane_lines.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/search.h"

static void
source_lines_of_addresses(struct source_pane *pane,
	const struct coverage_map *map, const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	struct source_line *code;

	pane->code_lines =
		xcalloc(pane->lines_n + 1, sizeof(*pane->code_lines));
	for (uint32_t i = 0;
		i < t->locations_n && pane->code_lines_n < pane->lines_n; i++) {
		if (t->locations[i].function != pane->index)
			continue;
		code = &pane->code_lines[pane->code_lines_n++];
		source_line_init(code, (uint32_t)pane->code_lines_n,
			pane->index);
		source_line_add_counter(code, map, (uint64_t)m->base + i);
	}
}

void
source_lines_make(struct source_pane *pane, const struct coverage_map *map)
{
	const struct coverage_module *m = &map->modules[pane->module];

	free(pane->code_lines);
	pane->code_lines = NULL;
	pane->code_lines_n = 0;
	if (pane->addresses)
		source_lines_of_addresses(pane, map, m);
	else
		pane->code_lines = source_lines_of_file(map, m, pane->index,
			&pane->code_lines_n);
	pane->frontiers_n = source_lines_find_frontiers(pane->code_lines,
		pane->code_lines_n, &pane->known_n);
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
