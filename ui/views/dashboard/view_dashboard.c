/*
 * view_dashboard: the whole campaign at a glance.
 *
 * The page first answers whether the campaign runs, whether coverage grows and
 * whether there are findings; it does so at any size. A small screen gets
 * lines, the most important first; a larger one gets boxes. Each part draws
 * into a given rectangle.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "ui/views/dashboard/dashboard.h"
#include "ui/views/status_row.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

static void *
dashboard_create(void)
{
	struct dashboard *dashboard = xcalloc(1, sizeof(*dashboard));

	dashboard->workers.quiet = true;
	return dashboard;
}

static void
dashboard_destroy(void *state)
{
	free(state);
}

/* ---- boxes ---- */

static void
dashboard_boxes(const struct dashboard_part *part, struct rect area)
{
	bool wide = area.w >= 150;
	int n = (int)part->s->workers_n, findings = (int)part->s->findings_n;
	struct rect line = { area.x + 1, area.y, area.w - 2, 1 };
	struct row_writer out = row_put_at(part->grid, line, 0);
	struct rect top, middle, lower;
	int top_h, middle_h, lower_h;

	status_row_put(part->model, &out);
	draw_cut_top(&area, 1);
	middle_h =
		dashboard_clamp(3 + findings, area.h < 30 ? 5 : 6, area.h / 4);
	if (middle_h < 5)
		middle_h = 5;
	lower_h = dashboard_clamp(3 + n, wide ? 8 : 4, area.h / 3);
	if (lower_h < 5)
		lower_h = 5;
	top_h = area.h - middle_h - lower_h - (wide ? 0 : 4);
	top_h = dashboard_clamp(top_h, 5, wide ? area.h * 2 / 5 : area.h / 3);
	if (wide)
		lower_h = area.h - top_h - middle_h;
	top = draw_cut_top(&area, top_h);
	middle = draw_cut_top(&area, middle_h);
	lower = draw_cut_top(&area, lower_h);
	dashboard_speed(part, draw_cut_left(&top, top.w / 2));
	dashboard_coverage(part, top);
	dashboard_new_inputs(part, draw_cut_left(&middle, middle.w / 2));
	dashboard_findings(part, middle);
	if (wide)
		area = lower;
	dashboard_workers(part,
		wide ? draw_cut_left(&area, lower.w / 2) : lower);
	dashboard_lowest(part, area);
}

/* There is no snapshot yet, or there never will be one. */
static void
dashboard_waiting(const struct dashboard_part *part, struct rect area)
{
	if (part->model->link == LINK_ENDED || part->model->link == LINK_LOST) {
		draw_empty(part->grid, area, "Nothing ran.",
			"There are no numbers to show.");
		return;
	}
	draw_empty(part->grid, area, "The target is being started.",
		"Numbers appear here when it has started.");
}

static void
dashboard_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct dashboard_part part = { state, model, model->snapshot, grid };

	if (model->snapshot->seq == 0)
		dashboard_waiting(&part, area);
	else if (area.w >= 64 && area.h >= 17)
		dashboard_boxes(&part, area);
	else
		dashboard_lines(&part, area);
	label_dim_stale(model, grid, area);
}

static bool
dashboard_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct dashboard *dashboard = state;

	if (strcmp(command, "open") == 0) {
		snprintf(send, 32, "view workers");
		return true;
	}
	return worker_table_command(&dashboard->workers, model, command, send);
}

const struct view_ops view_dashboard = {
	.name = "dashboard",
	.title = "Dashboard",
	.context = KEYS_DASHBOARD,
	.create = dashboard_create,
	.destroy = dashboard_destroy,
	.draw = dashboard_draw,
	.command = dashboard_command,
};
