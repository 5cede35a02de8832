/*
 * dashboard_numbers: speed, coverage and new inputs.
 */
#include "ui/views/dashboard/dashboard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/series.h"

#define DASHBOARD_NUMBER 11   /* columns of a number before its name */
#define DASHBOARD_RUN 20      /* minimum columns for executions of this run */
#define DASHBOARD_REPLAYS 52  /* minimum columns for executions and replays */
#define DASHBOARD_STABLE 90.0 /* percent; warns below */

/* ---- numbers with names ---- */

struct dashboard_number {
	const char *value;
	enum style style;
	const char *name, *brief; /* brief: used if the name does not fit */
};

const char *
dashboard_field(const char *name)
{
	if (strcmp(name, "new") == 0)
		return "new inputs";
	return strcmp(name, "execs") == 0 ? "executions" : name;
}

static void
dashboard_number(struct row_writer *out, int columns,
	const struct dashboard_number *number)
{
	const char *name = number->name;
	int from = out->x;

	row_right(out, columns, number->style, number->value);
	row_gap(out, 1);
	if (number->brief && (int)text_width(name) > row_room(out))
		name = number->brief;
	row_text(out, STYLE_LABEL, name);
	row_add_hot_spot(out, from,
		dashboard_field(number->brief ? number->brief : number->name));
}

/* Two numbers in a row, each right-aligned in its half. */
static void
dashboard_numbers(struct grid *grid, struct rect rect, int row,
	const struct dashboard_number *left,
	const struct dashboard_number *right)
{
	struct rect half = rect;
	struct rect first = draw_cut_left(&half, (rect.w + 1) / 2);
	struct row_writer out = row_put_at(grid, first, row);
	int columns = rect.w < 44 ? DASHBOARD_NUMBER - 2 : DASHBOARD_NUMBER;

	dashboard_number(&out, columns, left);
	out = row_put_at(grid, half, row);
	dashboard_number(&out, columns, right);
}

/* ---- speed ---- */

void
dashboard_speed_graph(const struct dashboard_part *part, struct rect rect)
{
	series_draw(&part->model->recent, series_speed, STYLE_SPEED, part->grid,
		rect);
}

void
dashboard_speed(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	struct draw_box box = { .title = "speed", .below = "last 2 minutes" };
	struct rect inside = draw_box(part->grid, rect, &box);
	char now[TEXT_NUMBER_SIZE], mean[TEXT_NUMBER_SIZE];
	char execs[TEXT_NUMBER_SIZE], replays[TEXT_NUMBER_SIZE];
	struct dashboard_number left = { text_rate(s->execs_per_sec, now),
		STYLE_STRONG, "now", NULL };
	struct dashboard_number right = {
		label_kept(s, text_rate(s->execs_per_sec_avg, mean)),
		STYLE_VALUE, "on average", "average"
	};
	struct dashboard_number again = {
		label_kept(s, text_count(s->replays, replays)), STYLE_VALUE,
		"replays", NULL
	};
	int half = (inside.w + 1) / 2;
	struct row_writer out = row_put_at(part->grid, inside, 1);

	dashboard_numbers(part->grid, inside, 0, &left, &right);
	row_value(&out, DASHBOARD_NUMBER - (inside.w < 44 ? 2 : 0), STYLE_VALUE,
		label_kept(s, text_count(s->past_execs + s->execs, execs)),
		"executions");
	if (s->past_execs > 0 && row_room(&out) > DASHBOARD_RUN)
		row_printf(&out, STYLE_DIM, "  %s in run %" PRIu64,
			text_short((double)s->execs, execs), s->runs);
	if (inside.w >= DASHBOARD_REPLAYS && out.x < inside.x + half) {
		out.x = inside.x + half;
		dashboard_number(&out, DASHBOARD_NUMBER, &again);
	}
	draw_cut_top(&inside, 2);
	dashboard_speed_graph(part, inside);
}

/* ---- coverage ---- */

void
dashboard_coverage_graph(const struct dashboard_part *part, struct rect rect)
{
	series_draw(&part->model->whole, series_bits, STYLE_COVERAGE,
		part->grid, rect);
}

const char *
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
		{ label_percent(s->counters_hit, s->counters_total, value[1]),
			STYLE_VALUE, "of the edges", "edges" },
		{ gain, style, "last minute", "last min" },
		{ label_kept(s, text_count(s->counters_hit, value[3])),
			STYLE_VALUE, name, brief },
	};

	text_count(s->counters_total, total);
	snprintf(name, sizeof(name), "of %.30s edges", label_kept(s, total));
	snprintf(brief, sizeof(brief), "of %.30s", label_kept(s, total));
	dashboard_numbers(part->grid, rect, 0, &numbers[0], &numbers[1]);
	dashboard_numbers(part->grid, rect, 1, &numbers[2], &numbers[3]);
}

void
dashboard_coverage(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "coverage",
		.below = "since the start" };
	struct rect inside = draw_box(part->grid, rect, &box);

	if (model_uninstrumented(part->model)) {
		draw_empty(part->grid, inside,
			"No coverage: the target reports no edges.",
			"Was it built with cfuzz-cc?");
		return;
	}
	dashboard_coverage_numbers(part, inside);
	draw_cut_top(&inside, 2);
	dashboard_coverage_graph(part, inside);
}

/* ---- new inputs ---- */

void
dashboard_new_inputs(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	struct draw_box box = { .title = "new inputs", .key = '4' };
	struct rect inside = draw_box(part->grid, rect, &box);
	enum style stable = s->counters_stable < DASHBOARD_STABLE ? STYLE_WARN
								  : STYLE_VALUE;
	char value[8][TEXT_NUMBER_SIZE];
	const struct dashboard_number numbers[] = {
		{ label_kept(s, text_count(s->interesting, value[0])),
			STYLE_STRONG, "new inputs", "new" },
		{ text_count(s->corpus, value[1]), STYLE_VALUE, "in the corpus",
			"corpus" },
		{ label_seconds(s->last_find_s, value[2]),
			part->model->plateau ? STYLE_WARN : STYLE_VALUE,
			"since the last", "since" },
		{ label_kept(s, text_count(s->favoured, value[3])), STYLE_VALUE,
			"favoured", NULL },
		{ label_kept(s, text_count(s->words, value[4])), STYLE_VALUE,
			label_plural(s->words, "dictionary word",
				"dictionary words"),
			label_plural(s->words, "word", "words") },
		{ label_kept(s, value[5]), stable, "stable", NULL },
		{ label_kept(s, text_count(s->words_learned, value[6])),
			STYLE_VALUE,
			label_plural(s->words_learned, "auto-dict word",
				"auto-dict words"),
			"auto-dict" },
		{ label_kept(s, text_count(s->counters_masked, value[7])),
			s->counters_masked > 0 ? stable : STYLE_VALUE,
			label_plural(s->counters_masked, "unstable edge",
				"unstable edges"),
			"unstable" },
	};
	int rows = (int)(sizeof(numbers) / sizeof(numbers[0]) / 2);

	snprintf(value[5], sizeof(value[5]), "%.0f %%", s->counters_stable);
	for (int row = 0; row < rows; row++)
		dashboard_numbers(part->grid, inside, row, &numbers[2 * row],
			&numbers[2 * row + 1]);
	draw_cut_top(&inside, rows + 1);
	if (inside.h >= 2)
		series_draw(&part->model->whole, series_new_inputs,
			STYLE_COVERAGE, part->grid, inside);
}
