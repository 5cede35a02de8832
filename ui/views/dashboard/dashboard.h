/*
 * dashboard: the parts of the dashboard.
 *
 * Each part draws into a given rectangle. view_dashboard.c arranges them;
 * dashboard_lines.c does so on small screens.
 */
#ifndef CFUZZ_UI_VIEWS_DASHBOARD_DASHBOARD_H
#define CFUZZ_UI_VIEWS_DASHBOARD_DASHBOARD_H

#include "base/text.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/workers/worker_table.h"

struct dashboard {
	struct worker_table workers;
};

/* Data that a part needs to draw. */
struct dashboard_part {
	struct dashboard *state;
	const struct model *model;
	const struct snapshot *s;
	struct grid *grid;
};

/* dashboard_numbers.c: boxes */
void dashboard_speed(const struct dashboard_part *part, struct rect rect);
void dashboard_coverage(const struct dashboard_part *part, struct rect rect);
void dashboard_new_inputs(const struct dashboard_part *part, struct rect rect);
/* dashboard_numbers.c: contents of boxes */
void dashboard_speed_graph(const struct dashboard_part *part, struct rect rect);
void dashboard_coverage_graph(const struct dashboard_part *part,
	struct rect rect);
/* The label of a number of the campaign. The heads of the tables have the short
 * names, for one worker or one mutator. */
const char *dashboard_field(const char *name);
/* "+12": coverage bits gained in the last minute; *style rates them. */
const char *dashboard_new_bits(const struct dashboard_part *part,
	char buf[TEXT_NUMBER_SIZE], enum style *style);

/* dashboard_lists.c */
void dashboard_findings_line(const struct dashboard_part *part,
	struct rect rect, int row);
void dashboard_findings(const struct dashboard_part *part, struct rect rect);
void dashboard_workers(const struct dashboard_part *part, struct rect rect);
/* Draws the events, and the mutators beside or below them. */
void dashboard_lowest(const struct dashboard_part *part, struct rect area);

/* dashboard_lines.c: everything as lines */
void dashboard_lines(const struct dashboard_part *part, struct rect area);

static inline int
dashboard_clamp(int value, int least, int most)
{
	return value > most ? most : value < least ? least : value;
}

#endif
