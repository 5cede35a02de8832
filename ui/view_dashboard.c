/*
 * view_dashboard: the whole campaign at a glance.
 *
 * Is it running, is coverage growing, did it find something: the answers
 * stand first and are drawn at any size. With little room the page is a list
 * of lines in the order of what matters; with more it is boxes. Each part
 * draws itself into the rectangle that it is given.
 */
#include "ui/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/course.h"
#include "ui/draw.h"
#include "ui/events.h"
#include "ui/finding_table.h"
#include "ui/graph.h"
#include "ui/mutator_table.h"
#include "ui/status.h"
#include "ui/words.h"
#include "ui/worker_table.h"

#define DASHBOARD_MARGIN_MIN 40 /* columns of a screen with margins */
#define DASHBOARD_SPAN_S 120.0  /* of the speed's graph */
#define DASHBOARD_NUMBER 11     /* columns of a number before its name */
#define DASHBOARD_STABLE 90.0   /* percent; less is pointed out */
#define DASHBOARD_MUTATORS 40   /* columns of their box, at least */
#define DASHBOARD_MUTATORS_H 8  /* rows of it, below the events */
#define DASHBOARD_EVENTS 70     /* columns that the events keep */

struct dashboard {
	struct worker_table workers;
};

/* What a part needs to draw. */
struct dashboard_part {
	struct dashboard *state;
	const struct model *model;
	const struct snapshot *s;
	struct grid *grid;
};

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

/* ---- numbers with their names ---- */

struct dashboard_number {
	const char *value;
	enum style style;
	const char *name, *brief; /* brief: where the name is too long */
};

static void
dashboard_number(struct pen *pen, int columns,
	const struct dashboard_number *number)
{
	const char *name = number->name;

	pen_right(pen, columns, number->style, number->value);
	pen_gap(pen, 1);
	if (number->brief && (int)text_width(name) > pen_room(pen))
		name = number->brief;
	pen_text(pen, STYLE_LABEL, name);
}

/* Two in a row; each half has its own right-aligned column of numbers. */
static void
dashboard_numbers(struct grid *grid, struct rect rect, int row,
	const struct dashboard_number *left,
	const struct dashboard_number *right)
{
	struct rect half = rect;
	struct rect first = draw_cut_left(&half, (rect.w + 1) / 2);
	struct pen pen = pen_at(grid, first, row);
	int columns = rect.w < 44 ? DASHBOARD_NUMBER - 2 : DASHBOARD_NUMBER;

	dashboard_number(&pen, columns, left);
	pen = pen_at(grid, half, row);
	dashboard_number(&pen, columns, right);
}

/* ---- speed ---- */

static void
dashboard_speed_graph(const struct dashboard_part *part, struct rect rect)
{
	double samples[COURSE_MAX];
	size_t n = graph_samples(part->grid, rect.w);
	struct graph graph = { .values = samples, .style = STYLE_SPEED };

	graph.n = n < COURSE_MAX ? n : COURSE_MAX;
	course_speed(&part->model->recent, DASHBOARD_SPAN_S, samples, graph.n);
	graph_draw(part->grid, rect, &graph);
}

static void
dashboard_speed(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	struct draw_box box = { .title = "speed", .below = "last 2 minutes" };
	struct rect inside = draw_box(part->grid, rect, &box);
	char now[TEXT_NUMBER_SIZE], mean[TEXT_NUMBER_SIZE];
	char execs[TEXT_NUMBER_SIZE];
	struct dashboard_number left = { text_rate(s->execs_per_sec, now),
		STYLE_STRONG, "now", NULL };
	struct dashboard_number right = { text_rate(s->execs_per_sec_avg, mean),
		STYLE_VALUE, "on average", "average" };
	struct pen pen;

	dashboard_numbers(part->grid, inside, 0, &left, &right);
	pen = pen_at(part->grid, inside, 1);
	pen_value(&pen, DASHBOARD_NUMBER - (inside.w < 44 ? 2 : 0), STYLE_VALUE,
		text_count(s->execs, execs), "executions");
	draw_cut_top(&inside, 2);
	dashboard_speed_graph(part, inside);
}

/* ---- coverage ---- */

static void
dashboard_coverage_graph(const struct dashboard_part *part, struct rect rect)
{
	double samples[COURSE_MAX];
	size_t n = graph_samples(part->grid, rect.w);
	struct graph graph = { .values = samples, .style = STYLE_COVERAGE };

	graph.n = n < COURSE_MAX ? n : COURSE_MAX;
	course_bits(&part->model->whole, samples, graph.n);
	graph_draw(part->grid, rect, &graph);
}

static const char *
dashboard_new_bits(const struct dashboard_part *part,
	char buf[TEXT_NUMBER_SIZE], enum style *style)
{
	uint64_t bits = model_new_bits(part->model, 60);
	char count[TEXT_NUMBER_SIZE];

	*style = bits > 0              ? STYLE_GOOD
		: part->model->plateau ? STYLE_WARN
				       : STYLE_DIM;
	snprintf(buf, TEXT_NUMBER_SIZE, "+%.24s", text_count(bits, count));
	return buf;
}

static void
dashboard_coverage_numbers(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	char value[4][TEXT_NUMBER_SIZE], total[TEXT_NUMBER_SIZE];
	char name[48], brief[48];
	enum style style;
	const char *gain = dashboard_new_bits(part, value[2], &style);
	const struct dashboard_number numbers[] = {
		{ text_count(s->coverage_bits, value[0]), STYLE_STRONG, "bits",
			NULL },
		{ words_percent(s->counters_hit, s->counters_total, value[1]),
			STYLE_VALUE, "of the counters", "counters" },
		{ gain, style, "last minute", "last min" },
		{ text_count(s->counters_hit, value[3]), STYLE_VALUE, name,
			brief },
	};

	text_count(s->counters_total, total);
	snprintf(name, sizeof(name), "of %.30s counters", total);
	snprintf(brief, sizeof(brief), "of %.30s", total);
	dashboard_numbers(part->grid, rect, 0, &numbers[0], &numbers[1]);
	dashboard_numbers(part->grid, rect, 1, &numbers[2], &numbers[3]);
}

static void
dashboard_coverage(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	struct draw_box box = { .title = "coverage",
		.below = "since the start" };
	struct rect inside = draw_box(part->grid, rect, &box);

	if (s->seq > 0 && !s->instrumented) {
		draw_empty(part->grid, inside,
			"No coverage: the target is not instrumented.",
			"Build it with cfuzz-cc.");
		return;
	}
	dashboard_coverage_numbers(part, inside);
	draw_cut_top(&inside, 2);
	dashboard_coverage_graph(part, inside);
}

/* ---- finds ---- */

/* When they came: the tempo of discovery. */
static void
dashboard_finds_graph(const struct dashboard_part *part, struct rect rect)
{
	double samples[COURSE_MAX];
	size_t n = graph_samples(part->grid, rect.w);
	struct graph graph = { .values = samples, .style = STYLE_COVERAGE };

	graph.n = n < COURSE_MAX ? n : COURSE_MAX;
	course_finds(&part->model->whole, samples, graph.n);
	graph_draw(part->grid, rect, &graph);
}

static void
dashboard_finds(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	struct draw_box box = { .title = "finds" };
	struct rect inside = draw_box(part->grid, rect, &box);
	enum style stable = s->counters_stable < DASHBOARD_STABLE ? STYLE_WARN
								  : STYLE_VALUE;
	char value[8][TEXT_NUMBER_SIZE];
	const struct dashboard_number numbers[] = {
		{ text_count(s->interesting, value[0]), STYLE_STRONG,
			"new inputs", "new" },
		{ text_count(s->corpus, value[1]), STYLE_VALUE, "in the corpus",
			"corpus" },
		{ words_seconds(s->last_find_s, value[2]),
			part->model->plateau ? STYLE_WARN : STYLE_VALUE,
			"since the last", "since" },
		{ text_count(s->favoured, value[3]), STYLE_VALUE, "favoured",
			NULL },
		{ text_count(s->words, value[4]), STYLE_VALUE,
			words_plural(s->words, "dictionary word",
				"dictionary words"),
			words_plural(s->words, "word", "words") },
		{ value[5], stable, "stable", NULL },
		{ text_count(s->words_learned, value[6]), STYLE_VALUE,
			words_plural(s->words_learned, "word learned",
				"words learned"),
			"learned" },
		{ text_count(s->counters_masked, value[7]),
			s->counters_masked > 0 ? stable : STYLE_VALUE,
			words_plural(s->counters_masked, "counter masked",
				"counters masked"),
			"masked" },
	};
	int rows = (int)(sizeof(numbers) / sizeof(numbers[0]) / 2);

	snprintf(value[5], sizeof(value[5]), "%.0f %%", s->counters_stable);
	for (int row = 0; row < rows; row++)
		dashboard_numbers(part->grid, inside, row, &numbers[2 * row],
			&numbers[2 * row + 1]);
	draw_cut_top(&inside, rows + 1);
	if (inside.h >= 2)
		dashboard_finds_graph(part, inside);
}

/* ---- findings ---- */

/* `2 crashes (x14)`: distinct bugs, and how often they were seen. */
static void
dashboard_count(struct pen *pen, uint64_t n, uint64_t seen, const char *one,
	const char *many, enum style style)
{
	char count[TEXT_NUMBER_SIZE], times[TEXT_NUMBER_SIZE];
	const char *name = words_plural(n, one, many);

	pen_printf(pen, n > 0 ? style : STYLE_DIM, "%s", text_count(n, count));
	pen_gap(pen, 1);
	pen_text(pen, n > 0 ? STYLE_VALUE : STYLE_LABEL, name);
	if (seen > n && pen_room(pen) > 36)
		pen_printf(pen, STYLE_DIM, " (%s%s)",
			symbol(pen->grid, SYMBOL_TIMES),
			text_short((double)seen, times));
}

static void
dashboard_findings_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	const struct snapshot *s = part->s;
	struct pen pen = pen_at(part->grid, rect, row);
	uint64_t all = s->crashes + s->hangs + s->ooms + s->leaks;

	pen_printf(&pen, all > 0 ? STYLE_BAD : STYLE_DIM, "%s ",
		symbol(part->grid, SYMBOL_ALERT));
	dashboard_count(&pen, s->crashes, s->crashes_seen, "crash", "crashes",
		STYLE_BAD);
	pen_gap(&pen, 2);
	dashboard_count(&pen, s->hangs, s->hangs_seen, "hang", "hangs",
		STYLE_WARN);
	pen_gap(&pen, 2);
	dashboard_count(&pen, s->ooms, s->ooms_seen, "oom", "ooms", STYLE_WARN);
	if (s->leaks > 0) {
		pen_gap(&pen, 2);
		dashboard_count(&pen, s->leaks, s->leaks_seen, "leak", "leaks",
			STYLE_WARN);
	}
	if (s->suspects > 0 && pen_room(&pen) > 14)
		pen_printf(&pen, STYLE_DIM, "  %" PRIu64 " %s", s->suspects,
			words_plural(s->suspects, "suspect", "suspects"));
}

static void
dashboard_findings(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "findings", .key = '5' };
	struct rect inside = draw_box(part->grid, rect, &box);

	dashboard_findings_line(part, inside, 0);
	draw_cut_top(&inside, 1);
	if (part->s->findings_n > 0)
		finding_table_newest(part->model, part->grid, inside);
	else
		draw_words(part->grid, inside, STYLE_DIM,
			"Nothing has failed so far.");
}

/* ---- workers ---- */

static size_t
dashboard_busy(const struct snapshot *s)
{
	size_t i, busy = 0;

	for (i = 0; i < s->workers_n; i++)
		busy += s->workers[i].state == WORKER_VIEW_FUZZING ||
			s->workers[i].state == WORKER_VIEW_MINIMIZING ||
			s->workers[i].state == WORKER_VIEW_REPLAYING;
	return busy;
}

static void
dashboard_workers(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	char right[64];
	struct draw_box box = { .title = "workers",
		.key = '2',
		.right = right };
	struct rect inside;

	snprintf(right, sizeof(right), "%zu of %zu at work", dashboard_busy(s),
		s->workers_n);
	inside = draw_box(part->grid, rect, &box);
	if (s->workers_n == 0)
		draw_empty(part->grid, inside, "no worker is running",
			"press + for one");
	else
		worker_table_draw(&part->state->workers, part->model,
			part->grid, inside, rect);
}

/* ---- events ---- */

static void
dashboard_events(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "events" };
	struct rect inside = { rect.x + 1, rect.y, rect.w - 2, rect.h };

	if (rect.h > 5)
		inside = draw_box(part->grid, rect, &box);
	events_draw(part->s, part->grid, inside);
}

/* ---- mutations ---- */

static void
dashboard_mutators(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "mutations", .right = "best first" };

	mutator_table_draw(part->s, part->grid,
		draw_box(part->grid, rect, &box));
}

/* Beside the events, or else below, if these keep room enough. */
static void
dashboard_lowest(const struct dashboard_part *part, struct rect area)
{
	struct rect events = area, mutators = { 0, 0, 0, 0 };
	int w = area.w / 3;

	if (w < DASHBOARD_MUTATORS)
		w = DASHBOARD_MUTATORS;
	if (part->s->mutators_n > 0 && area.h > 5 &&
		area.w - w >= DASHBOARD_EVENTS) {
		mutators = area;
		events = draw_cut_left(&mutators, area.w - w);
	} else if (part->s->mutators_n > 0 && area.w >= DASHBOARD_MUTATORS &&
		area.h >= 2 * DASHBOARD_MUTATORS_H) {
		mutators = area;
		events = draw_cut_top(&mutators, area.h - DASHBOARD_MUTATORS_H);
	}
	dashboard_events(part, events);
	if (mutators.h > 0)
		dashboard_mutators(part, mutators);
}

/* ---- all together, in boxes ---- */

static int
dashboard_clamp(int value, int least, int most)
{
	return value > most ? most : value < least ? least : value;
}

static void
dashboard_boxes(const struct dashboard_part *part, struct rect area)
{
	bool wide = area.w >= 150;
	int n = (int)part->s->workers_n, findings = (int)part->s->findings_n;
	struct rect line = { area.x + 1, area.y, area.w - 2, 1 };
	struct pen pen = pen_at(part->grid, line, 0);
	struct rect top, middle, lower;
	int top_h, middle_h, lower_h;

	status_put(part->model, &pen);
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
	dashboard_finds(part, draw_cut_left(&middle, middle.w / 2));
	dashboard_findings(part, middle);
	if (wide)
		area = lower;
	dashboard_workers(part,
		wide ? draw_cut_left(&area, lower.w / 2) : lower);
	dashboard_lowest(part, area);
}

/* ---- all together, as lines ---- */

static void
dashboard_speed_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	struct pen pen = pen_at(part->grid, rect, row);
	char rate[TEXT_NUMBER_SIZE];
	struct rect graph;

	pen_field(&pen, 9, STYLE_LABEL, "speed");
	pen_right(&pen, 9, STYLE_STRONG,
		text_rate(part->s->execs_per_sec, rate));
	pen_gap(&pen, 2);
	graph = (struct rect){ pen.x, pen.y, pen_room(&pen), 1 };
	if (graph.w >= 4)
		dashboard_speed_graph(part, graph);
}

static void
dashboard_coverage_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	struct pen pen = pen_at(part->grid, rect, row);
	char text[TEXT_NUMBER_SIZE];
	enum style style;
	struct rect graph;

	pen_field(&pen, 9, STYLE_LABEL, "coverage");
	pen_right(&pen, 9, STYLE_STRONG,
		text_count(part->s->coverage_bits, text));
	pen_gap(&pen, 2);
	dashboard_new_bits(part, text, &style);
	pen_field(&pen, 7, style, text);
	graph = (struct rect){ pen.x, pen.y, pen_room(&pen), 1 };
	if (graph.w >= 4)
		dashboard_coverage_graph(part, graph);
}

static void
dashboard_finds_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	struct pen pen = pen_at(part->grid, rect, row);
	char text[TEXT_NUMBER_SIZE];

	pen_field(&pen, 9, STYLE_LABEL, "finds");
	pen_right(&pen, 9, STYLE_STRONG,
		text_count(part->s->interesting, text));
	pen_gap(&pen, 2);
	pen_pair(&pen, "last", STYLE_VALUE,
		words_seconds(part->s->last_find_s, text));
	pen_text(&pen, STYLE_LABEL, part->s->last_find_s >= 0 ? " ago" : "");
}

static void
dashboard_execs_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	struct pen pen = pen_at(part->grid, rect, row);
	char text[TEXT_NUMBER_SIZE];

	pen_field(&pen, 9, STYLE_LABEL, "execs");
	pen_right(&pen, 9, STYLE_VALUE,
		text_short((double)part->s->execs, text));
	pen_gap(&pen, 2);
	pen_pair(&pen, "average", STYLE_VALUE,
		text_rate(part->s->execs_per_sec_avg, text));
}

static void
dashboard_status_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	struct pen pen = pen_at(part->grid, rect, row);

	if (rect.h == 1)
		status_put_brief(part->model, &pen);
	else
		status_put(part->model, &pen);
}

/* What matters most stands first: less room shows less of the list. */
static void
dashboard_lines(const struct dashboard_part *part, struct rect area)
{
	static void (*const lines[])(const struct dashboard_part *, struct rect,
		int) = {
		dashboard_findings_line,
		dashboard_speed_line,
		dashboard_coverage_line,
		dashboard_finds_line,
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
	events_draw(part->s, part->grid, area);
}

static void
dashboard_waiting(const struct dashboard_part *part, struct rect area)
{
	draw_empty(part->grid, area, "The target is being started.",
		"Numbers stand here as soon as it answers.");
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
	words_dim_stale(model, grid, area);
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
	.digit = '1',
	.create = dashboard_create,
	.destroy = dashboard_destroy,
	.draw = dashboard_draw,
	.command = dashboard_command,
};
