/*
 * dashboard_lines: the dashboard as a list of lines, for small screens.
 */
#include "ui/views/dashboard/dashboard.h"

#include "ui/views/status_row.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/event_line.h"
#include "ui/widgets/labels.h"

#define DASHBOARD_MARGIN_MIN 40 /* minimum columns of a screen with margins */
#define DASHBOARD_NAME 9
#define DASHBOARD_VALUE 9
#define DASHBOARD_GRAPH_MIN 4

/* Writes "speed   412 k/s  "; the caller writes the rest of the line. */
static struct row_writer
dashboard_line(const struct dashboard_part *part, struct rect rect, int row,
	const char *name, enum style style, const char *value)
{
	struct row_writer out = row_put_at(part->grid, rect, row);

	row_field(&out, DASHBOARD_NAME, STYLE_LABEL, name);
	row_right(&out, DASHBOARD_VALUE, style, value);
	row_add_hot_spot(&out, rect.x, dashboard_field(name));
	row_gap(&out, 2);
	return out;
}

/* Draws a graph into the rest of the row, if there is room for one. */
static void
dashboard_line_graph(const struct dashboard_part *part,
	const struct row_writer *out,
	void (*graph)(const struct dashboard_part *part, struct rect rect))
{
	struct rect rect = { out->x, out->y, row_room(out), 1 };

	if (rect.w >= DASHBOARD_GRAPH_MIN)
		graph(part, rect);
}

static void
dashboard_speed_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	char rate[TEXT_NUMBER_SIZE];
	struct row_writer out = dashboard_line(part, rect, row, "speed",
		STYLE_STRONG, text_rate(part->s->execs_per_sec, rate));

	dashboard_line_graph(part, &out, dashboard_speed_graph);
}

static void
dashboard_coverage_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	char text[TEXT_NUMBER_SIZE];
	struct row_writer out = dashboard_line(part, rect, row, "coverage",
		STYLE_STRONG, text_count(part->s->coverage_bits, text));
	enum style style;

	dashboard_new_bits(part, text, &style);
	row_field(&out, 7, style, text);
	dashboard_line_graph(part, &out, dashboard_coverage_graph);
}

static void
dashboard_new_inputs_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	char text[TEXT_NUMBER_SIZE];
	struct row_writer out = dashboard_line(part, rect, row, "new",
		STYLE_STRONG, text_count(part->s->interesting, text));

	row_pair(&out, "last", STYLE_VALUE,
		label_seconds(part->s->last_find_s, text));
	row_text(&out, STYLE_LABEL, part->s->last_find_s >= 0 ? " ago" : "");
}

static void
dashboard_execs_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	char text[TEXT_NUMBER_SIZE];
	struct row_writer out = dashboard_line(part, rect, row, "execs",
		STYLE_VALUE, text_short((double)part->s->execs, text));

	row_pair(&out, "average", STYLE_VALUE,
		text_rate(part->s->execs_per_sec_avg, text));
}

static void
dashboard_status_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	struct row_writer out = row_put_at(part->grid, rect, row);

	if (rect.h == 1)
		status_row_put_brief(part->model, &out);
	else
		status_row_put(part->model, &out);
}

/* The most important lines come first, because a small screen cuts the last. */
void
dashboard_lines(const struct dashboard_part *part, struct rect area)
{
	static void (*const lines[])(const struct dashboard_part *, struct rect,
		int) = {
		dashboard_findings_line,
		dashboard_speed_line,
		dashboard_coverage_line,
		dashboard_new_inputs_line,
		dashboard_execs_line,
		dashboard_status_line,
	};
	int n = (int)(sizeof(lines) / sizeof(lines[0]));
	int workers = (int)part->s->workers_n;
	struct rect list, none = { 0, 0, 0, 0 };
	int row;

	if (area.w >= DASHBOARD_MARGIN_MIN) {
		area.x++;
		area.w -= 2;
	}
	if (area.h == 1) {
		dashboard_status_line(part, area, 0);
		return;
	}
	for (row = 0; row < n && row < area.h; row++)
		lines[row](part, area, row);
	draw_cut_top(&area, n);
	if (workers > 0 && area.h > 0) {
		list = draw_cut_top(&area,
			dashboard_clamp(workers, 1, area.h / 2));
		worker_table_draw(&part->state->workers, part->model,
			part->grid, list, none);
	}
	event_line_draw(part->s, &part->model->hint, part->grid, area);
}
