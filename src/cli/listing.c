/* listing: see listing.h. */
#include "cli/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define LISTING_GAP 2

static void
listing_widen(const struct listing *l, size_t *widths, char *const *cells)
{
	for (size_t k = 0; k < l->n; k++) {
		size_t width = text_width(cells[k]);

		if (width > widths[k])
			widths[k] = width;
	}
}

/* Ends no line with spaces. */
static void
listing_print_row(const struct listing *l, const size_t *widths,
	char *const *cells)
{
	size_t pad, due = 0; /* spaces before the next cell with text */

	for (size_t k = 0; k < l->n; k++) {
		pad = widths[k] - text_width(cells[k]);
		due += l->columns[k].right ? pad : 0;
		if (cells[k][0] != '\0') {
			printf("%*s%s", (int)due, "", cells[k]);
			due = 0;
		}
		due += (l->columns[k].right ? 0 : pad) + LISTING_GAP;
	}
	putchar('\n');
}

/* The first row of cells has the headings. */
static void
listing_print(const struct listing *l, const json_t *rows)
{
	size_t n = json_array_size(rows) + 1;
	size_t *widths = xcalloc(l->n, sizeof(*widths));
	char **cells = xcalloc(n * l->n, sizeof(*cells));

	for (size_t k = 0; k < l->n; k++)
		cells[k] = xstrdup(l->columns[k].head);
	for (size_t i = 1; i < n; i++)
		l->fill(cells + i * l->n, json_array_get(rows, i - 1));
	for (size_t i = 0; i < n; i++)
		listing_widen(l, widths, cells + i * l->n);
	for (size_t i = 0; i < n; i++)
		listing_print_row(l, widths, cells + i * l->n);
	for (size_t k = 0; k < n * l->n; k++)
		free(cells[k]);
	free(cells);
	free(widths);
}

enum exit_status
listing_run(const struct listing *l, const struct tool *tool, json_t *take_rows)
{
	if (take_rows == NULL)
		return EXIT_SETUP;
	if (tool->settings.json)
		tool_print_json(take_rows, JSON_INDENT(2));
	else if (json_array_size(take_rows) == 0)
		puts(l->none);
	else
		listing_print(l, take_rows);
	json_decref(take_rows);
	return EXIT_NOTHING;
}
