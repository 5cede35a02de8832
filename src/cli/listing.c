/* listing: see listing.h. */
#include "cli/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define LISTING_GAP 2

struct listing {
	const struct listing_column *columns;
	size_t n, *widths;
};

static void
listing_widen(struct listing *t, char *const *cells)
{
	for (size_t k = 0; k < t->n; k++) {
		size_t width = text_width(cells[k]);

		if (width > t->widths[k])
			t->widths[k] = width;
	}
}

/* Ends no line with spaces. */
static void
listing_print_row(const struct listing *t, char *const *cells)
{
	size_t pad, due = 0; /* spaces before the next cell with text */

	for (size_t k = 0; k < t->n; k++) {
		pad = t->widths[k] - text_width(cells[k]);
		due += t->columns[k].right ? pad : 0;
		if (cells[k][0] != '\0') {
			printf("%*s%s", (int)due, "", cells[k]);
			due = 0;
		}
		due += (t->columns[k].right ? 0 : pad) + LISTING_GAP;
	}
	putchar('\n');
}

void
listing_print(const struct listing_column *columns, size_t columns_n,
	char **take_cells, size_t n)
{
	struct listing t = {
		.columns = columns,
		.n = columns_n,
		.widths = xcalloc(columns_n, sizeof(*t.widths)),
	};
	char **heads = xcalloc(columns_n, sizeof(*heads));

	for (size_t k = 0; k < columns_n; k++)
		heads[k] = xstrdup(columns[k].head);
	listing_widen(&t, heads);
	for (size_t i = 0; i < n; i++)
		listing_widen(&t, take_cells + i * columns_n);
	listing_print_row(&t, heads);
	for (size_t i = 0; i < n; i++)
		listing_print_row(&t, take_cells + i * columns_n);
	for (size_t k = 0; k < columns_n; k++)
		free(heads[k]);
	for (size_t k = 0; k < n * columns_n; k++)
		free(take_cells[k]);
	free(heads);
	free(t.widths);
	free(take_cells);
}
