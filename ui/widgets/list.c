/*
 * list: selection and scrolling of a list.
 */
#include "ui/widgets/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widgets/draw.h"

/* Scrolls as little as possible to make the selection visible. */
static void
list_scroll(struct list *list)
{
	size_t page = list->page > 0 ? list->page : 1;

	if (list->selected < list->top)
		list->top = list->selected;
	if (list->selected >= list->top + page)
		list->top = list->selected - page + 1;
	if (list->top + page > list->n)
		list->top = list->n > page ? list->n - page : 0;
}

void
list_fit(struct list *list, size_t n, int rows)
{
	list->n = n;
	list->page = rows > 0 ? (size_t)rows : 0;
	list_select(list, list->selected);
}

void
list_select(struct list *list, size_t row)
{
	if (row >= list->n)
		row = list->n > 0 ? list->n - 1 : 0;
	list->selected = row;
	list_scroll(list);
}

bool
list_command(struct list *list, const char *command)
{
	size_t page = list->page > 1 ? list->page - 1 : 1;
	size_t row = list->selected;

	if (strcmp(command, "up") == 0)
		row -= row > 0;
	else if (strcmp(command, "down") == 0)
		row += !list->none;
	else if (strcmp(command, "page-up") == 0)
		row = row > page ? row - page : 0;
	else if (strcmp(command, "page-down") == 0)
		row += page;
	else if (strcmp(command, "home") == 0)
		row = 0;
	else if (strcmp(command, "end") == 0)
		row = list->n;
	else if (strncmp(command, "row ", 4) == 0)
		row = strtoul(command + 4, NULL, 10);
	else
		return false;
	list->none = false;
	list_select(list, row);
	return true;
}

size_t
list_seen(const struct list *list)
{
	size_t left = list->n - list->top;

	return left < list->page ? left : list->page;
}

void
list_highlight(struct grid *grid, struct rect area, int row)
{
	struct rect line = { area.x - 1, area.y + row, area.w + 2, 1 };

	grid_restyle(grid, line, STYLE_SELECTED);
}

void
list_finish(const struct list *list, struct grid *grid, struct rect area,
	struct rect box)
{
	bool opens = !list->beside && !list->inert;
	char line[HOT_SPOT_TEXT];

	for (size_t i = 0; i < list_seen(list); i++) {
		struct rect row = { area.x, area.y + (int)i, area.w, 1 };

		snprintf(line, sizeof(line), "%srow %zu",
			list->beside ? "list " : "", list->top + i);
		grid_add_hot_spot(grid, row, HOT_SPOT_COMMAND,
			opens && list->top + i == list->selected ? "open"
								 : line);
	}
	draw_scroll(grid, box, list->top, list->page, list->n);
}
