/*
 * dump: see dump.h.
 */
#include "lib/dump.h"

#include <string.h>

#include "base/xmalloc.h"

static size_t
grid_dump_row(const struct grid *grid, int y, char *out)
{
	size_t len = 0, end = 0;

	for (int x = 0; x < grid_width(grid); x++) {
		const char *text = grid_cell(grid, x, y)->text;
		size_t n = strlen(text);

		memcpy(out + len, text, n);
		len += n;
		if (n > 0 && strcmp(text, " ") != 0)
			end = len;
	}
	return end;
}

char *
grid_dump(const struct grid *grid)
{
	int h = grid_height(grid);
	size_t row =
		(size_t)grid_width(grid) * sizeof(((struct cell *)0)->text);
	char *out = xmalloc((row + 1) * (size_t)h + 1);
	size_t len = 0;

	for (int y = 0; y < h; y++) {
		len += grid_dump_row(grid, y, out + len);
		out[len++] = '\n';
	}
	out[len] = '\0';
	return out;
}
