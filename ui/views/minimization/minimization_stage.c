/*
 * minimization_stage: see minimization_stage.h.
 */
#include "ui/views/minimization/minimization_stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/views/minimization/minimization_phases.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/finding_location.h"
#include "ui/widgets/graph.h"
#include "ui/widgets/hex.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/series.h"

#define STAGE_HEAD 6      /* rows of phase and size */
#define STAGE_HEAD_LOW 5  /* in an area of few rows */
#define STAGE_LOW 14      /* an area with fewer rows is low */
#define STAGE_TINY 8      /* an area with fewer rows has no frames */
#define STAGE_TALL 30     /* minimum rows for a high curve */
#define STAGE_SIZE_W 30   /* columns of a curve */
#define STAGE_TITLE_W 40  /* minimum columns for a long title of bytes */
#define STAGE_COUNT_W 14  /* columns of a further number */
#define STAGE_WORKER_W 13 /* columns of "on worker 3" */
#define STAGE_FRAME_W 6   /* columns of a frame around its title */
#define STAGE_WIDE 150    /* minimum columns for tries beside bytes */
#define STAGE_BYTES_MIN 7
#define STAGE_STATUS 96

/* ---- status -------------------------------------------------------------- */

static bool
stage_looks_back(const struct stage *stage)
{
	return !stage->ended && stage->m->at != 0;
}

static uint64_t
stage_tries(const struct stage *stage)
{
	return stage->r != NULL && stage->r->last > stage->m->tries
		? stage->r->last
		: stage->m->tries;
}

static uint64_t
stage_best(const struct stage *stage)
{
	return stage->r != NULL ? stage->r->best_len : stage->m->best_len;
}

/* "held", "4 tries a second", "try 3 of 9, looking back" … */
static const char *
stage_status(const struct stage *stage, const struct grid *grid,
	char buf[STAGE_STATUS])
{
	const struct snapshot_minimization *m = stage->m;
	char from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];

	if (stage->ended)
		snprintf(buf, STAGE_STATUS, "ended: %s %s %s bytes",
			text_count(m->start_len, from), glyph(grid, GLYPH_TO),
			text_count(stage_best(stage), to));
	else if (stage_looks_back(stage))
		snprintf(buf, STAGE_STATUS, "try %s of %s, looking back",
			text_count(m->at, from),
			text_count(stage_tries(stage), to));
	else if (m->queued)
		snprintf(buf, STAGE_STATUS, "waits for a worker");
	else if (m->held)
		snprintf(buf, STAGE_STATUS, "%s held",
			glyph(grid, GLYPH_PAUSED));
	else if (m->by_steps && m->pace > 0)
		snprintf(buf, STAGE_STATUS, "%.4g %s a second", m->pace,
			m->pace > 1 ? "tries" : "try");
	else
		snprintf(buf, STAGE_STATUS, "unlimited speed");
	return buf;
}

/* Does the only worker run this minimization, so that nothing is fuzzed? */
static bool
stage_keeps_from_fuzzing(const struct stage *stage)
{
	const struct snapshot *s = stage->model->snapshot;

	return s->workers_n == 1 && !stage->ended && !stage->m->held &&
		!stage->m->queued && s->state != RUN_ENDED;
}

/* ---- phase and numbers --------------------------------------------------- */

static enum minimize_phase
stage_phase(const struct stage *stage)
{
	uint32_t phase = stage->r != NULL ? stage->r->phase : stage->m->phase;

	return phase < MINIMIZE_PHASES ? (enum minimize_phase)phase
				       : MINIMIZE_DONE;
}

/* Does it cut the start once more, and not the best input? */
static bool
stage_is_again(const struct stage *stage)
{
	return !stage->ended && stage_phase(stage) == MINIMIZE_AGAIN;
}

static void
stage_put_number(struct row_writer *out, uint64_t value, const char *name)
{
	char text[TEXT_NUMBER_SIZE];

	row_value(out, 0, STYLE_VALUE, text_count(value, text), name);
	row_gap(out, 3);
}

static void
stage_put_position(const struct stage *stage, struct row_writer *out)
{
	const struct reply_minimization *r = stage->r;
	uint64_t at = r != NULL ? r->position : stage->m->position;
	uint64_t of = r != NULL && r->phase_len > 0 ? r->phase_len
						    : stage_best(stage);
	char text[TEXT_NUMBER_SIZE];

	row_pair(out, "position", STYLE_VALUE, text_count(at, text));
	if (r != NULL || !stage_is_again(stage)) {
		row_text(out, STYLE_LABEL, " of ");
		row_text(out, STYLE_VALUE, text_count(of, text));
	}
	row_gap(out, 3);
}

static void
stage_put_counts(const struct stage *stage, struct row_writer *out)
{
	const struct reply_minimization *r = stage->r;
	/* Take all counts from the newer of reply and snapshot. */
	bool younger = r != NULL && r->last > stage->m->tries;
	uint64_t accepted = younger ? r->accepted : stage->m->accepted;
	uint64_t others = younger ? r->others : stage->m->others;
	uint64_t tries = stage_tries(stage);

	stage_put_number(out, tries, label_plural(tries, "try", "tries"));
	stage_put_number(out, accepted, "accepted");
	if (row_room(out) >= STAGE_COUNT_W)
		stage_put_number(out, tries > accepted ? tries - accepted : 0,
			"rejected");
	if (others > 0 && row_room(out) >= STAGE_COUNT_W)
		stage_put_number(out, others, "others");
}

static void
stage_put_time(const struct stage *stage, struct row_writer *out)
{
	const struct snapshot_minimization *m = stage->m;
	char text[TEXT_NUMBER_SIZE];

	row_pair(out, "for", STYLE_VALUE, label_seconds(m->elapsed_s, text));
	row_gap(out, 3);
	if (stage->ended || m->queued || m->held)
		return;
	/* Leave the worker out if it does not fit. */
	if (row_room(out) < STAGE_WORKER_W)
		return;
	row_text(out, STYLE_LABEL, "on worker ");
	row_printf(out, STYLE_VALUE, "%" PRIu32, m->worker);
}

static void
stage_put_last(const struct stage *stage, struct row_writer *out)
{
	const struct reply_minimization *r = stage->r;
	const char *words = stage->m->verdict;
	char buf[STAGE_WORDS];

	if (r != NULL && r->tries_n > 0)
		words = stage_words(stage, &r->tries[r->tries_n - 1], buf);
	/* One that is yet to come, or never will. */
	if (words[0] == '\0' && (stage->m->queued || stage->ended))
		return;
	row_text(out, STYLE_LABEL,
		stage_looks_back(stage) ? "then: " : "last: ");
	row_clean(out, STYLE_STRONG,
		words[0] != '\0' ? words : "no verdict yet");
}

/* The status comes first, as it shows what the user has changed. */
static void
stage_put_status(const struct stage *stage, struct row_writer *out)
{
	bool mine = stage->ended || stage->m->held || stage->m->at != 0;
	char status[STAGE_STATUS];

	row_text(out, mine ? STYLE_WARN : STYLE_INFO,
		stage_status(stage, out->grid, status));
	row_gap(out, 3);
}

/* A finding's title keeps file and line when it is cut. */
static const char *
stage_title(const struct stage *stage, const struct grid *grid, int columns,
	char buf[FINDING_LOCATION_TITLE_SIZE])
{
	const struct snapshot_finding *f =
		snapshot_find_finding(stage->model->snapshot, stage->m->entry);

	return f != NULL ? finding_location_title(grid, "", f, columns, buf)
			 : stage->m->title;
}

static void
stage_draw_head(const struct stage *stage, struct grid *grid, struct rect rect)
{
	char title[FINDING_LOCATION_TITLE_SIZE];
	struct draw_box box = { .title = stage_title(stage, grid,
					rect.w - STAGE_FRAME_W, title),
		.below = stage_keeps_from_fuzzing(stage)
			? "fuzzing waits: this is the only worker"
			: NULL };
	struct rect inside = draw_box(grid, rect, &box);
	struct row_writer out = row_put_at(grid, inside, 0);
	int row = 1;

	minimization_phases_put(stage_phase(stage),
		stage->r != NULL ? stage->r->skipped : 0, &out);
	row_add_hot_spot(&out, inside.x, "phase");
	if (inside.h > 3) {
		out = row_put_at(grid, inside, row++);
		stage_put_position(stage, &out);
		stage_put_time(stage, &out);
	}
	out = row_put_at(grid, inside, row++);
	stage_put_counts(stage, &out);
	out = row_put_at(grid, inside, row);
	stage_put_status(stage, &out);
	stage_put_last(stage, &out);
}

/* ---- the curve ----------------------------------------------------------- */

/* The best size after each part of the tries. */
static void
stage_sizes(const struct reply_minimization *r, double *samples, size_t n)
{
	double last = r->last > 0 ? (double)r->last : 1;
	double len = (double)r->start_len;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		double until =
			n > 1 ? last * (double)i / (double)(n - 1) : last;

		for (; at < r->sizes_n && (double)r->sizes[at].number <= until;
			at++)
			len = (double)r->sizes[at].len;
		samples[i] = len;
	}
}

static void
stage_draw_size(const struct stage *stage, struct grid *grid, struct rect rect)
{
	const struct snapshot_minimization *m = stage->m;
	struct draw_box box = { .title = "size", .below = "over the tries" };
	struct rect inside = draw_box(grid, rect, &box);
	struct row_writer out = row_put_at(grid, inside, 0);
	double samples[SERIES_MAX];
	struct graph graph = { .values = samples,
		.style = STYLE_SIZE,
		.max = (double)m->start_len };
	char text[TEXT_NUMBER_SIZE];
	size_t n;

	row_printf(&out, STYLE_VALUE, "%s %s ", text_count(m->start_len, text),
		glyph(grid, GLYPH_TO));
	row_printf(&out, STYLE_STRONG, "%s bytes",
		text_count(stage_best(stage), text));
	row_printf(&out, STYLE_LABEL, "   %s",
		label_percent(stage_best(stage), m->start_len, text));
	draw_cut_top(&inside, 1);
	n = graph_samples(grid, inside.w);
	graph.n = n < SERIES_MAX ? n : SERIES_MAX;
	if (stage->r != NULL)
		stage_sizes(stage->r, samples, graph.n);
	else
		series_size(minimization_series_find(
				    &stage->model->minimizations, m->entry),
			samples, graph.n);
	graph_draw(grid, inside, &graph);
}

/* ---- bytes --------------------------------------------------------------- */

/* The cut may begin before the held bytes. */
static void
stage_highlight(const struct reply_minimization *r, struct hex *hex)
{
	uint64_t cut = r->text_len > 0 ? r->text_cut : r->cut_offset;
	uint64_t len = r->text_len > 0 ? r->text_cut_len : r->cut_len;
	uint64_t end = cut + len;

	if (r->ended || len == 0 || end <= r->first || end < cut)
		return;
	hex->highlight = cut > r->first ? cut - r->first : 0;
	hex->highlight_len = end - r->first - hex->highlight;
}

static void
stage_hex(const struct stage *stage, struct hex *hex)
{
	const struct snapshot_minimization *m = stage->m;
	const struct reply_minimization *r = stage->r;

	if (r == NULL) {
		*hex = (struct hex){
			.bytes = m->best,
			.n = m->best_n,
			.total = m->text_len > 0 ? m->text_len : m->best_len,
			.highlight =
				m->text_len > 0 ? m->text_cut : m->cut_offset,
			.highlight_len =
				m->text_len > 0 ? m->text_cut_len : m->cut_len,
		};
		return;
	}
	*hex = (struct hex){
		.bytes = r->best.data,
		.n = r->best.len,
		.total = r->text_len > 0 ? r->text_len : r->best_len,
		.first = r->first,
		.part = r->first > 0,
	};
	stage_highlight(r, hex);
}

static const char *
stage_bytes_title(const struct stage *stage, int columns)
{
	bool back = stage_looks_back(stage);

	if (stage->ended)
		return "what came of it";
	if (columns < STAGE_TITLE_W)
		return "best so far";
	/* The cut is in bytes that are not shown. */
	if (stage_is_again(stage))
		return back ? "the best then; the start is cut once more"
			    : "best so far; the start is cut once more";
	return back ? "the best then; the next cut is highlighted"
		    : "best so far; the cut being tried is highlighted";
}

static void
stage_draw_bytes(const struct stage *stage, struct grid *grid, struct rect rect)
{
	struct draw_box box = {
		.title = stage_bytes_title(stage, rect.w),
		.focus = true,
	};
	struct rect inside = draw_box(grid, rect, &box);
	struct hex hex;

	stage_hex(stage, &hex);
	if (hex.n == 0)
		draw_words(grid, inside, STYLE_DIM,
			stage_best(stage) == 0 && stage_tries(stage) > 0
				? "The best input is empty."
				: "The bytes are not known yet.");
	else
		hex_draw(grid, inside, &hex);
}

/* ---- layout -------------------------------------------------------------- */

/* Rows for the bytes: all of them, if they leave room for the rest. */
static int
stage_bytes_rows(const struct stage *stage, struct rect area)
{
	struct hex hex;
	int need, most = area.h * 3 / 5;

	stage_hex(stage, &hex);
	need = (int)(hex.n / (hex_per_row(area.w - 4, 0) + 1)) + 4;
	if (area.h < 9)
		return area.h;
	if (most < STAGE_BYTES_MIN)
		most = area.h - 4;
	return need < most ? need : most;
}

/* Draws lines without frames, the most important first. */
static void
stage_draw_tiny(const struct stage *stage, struct grid *grid, struct rect area)
{
	char status[STAGE_STATUS], from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	struct row_writer out = row_put_at(grid, area, 0);

	row_printf(&out, STYLE_VALUE, "%s %s ",
		text_count(stage->m->start_len, from), glyph(grid, GLYPH_TO));
	row_printf(&out, STYLE_STRONG, "%s bytes",
		text_count(stage_best(stage), to));
	out = row_put_at(grid, area, 1);
	row_clean(&out, STYLE_MINIMIZING, stage_status(stage, grid, status));
	out = row_put_at(grid, area, 2);
	minimization_phase_put(stage_phase(stage), &out);
	row_gap(&out, 2);
	stage_put_number(&out, stage_tries(stage),
		label_plural(stage_tries(stage), "try", "tries"));
	out = row_put_at(grid, area, 3);
	stage_put_last(stage, &out);
	out = row_put_at(grid, area, 4);
	row_clean(&out, STYLE_LABEL, stage->m->title);
}

void
stage_draw(const struct stage *stage, struct grid *grid, struct rect area)
{
	int rows = area.h >= STAGE_TALL ? STAGE_HEAD + 4
		: area.h >= STAGE_LOW   ? STAGE_HEAD
					: STAGE_HEAD_LOW;
	struct rect head, phase, bytes;

	if (area.h < STAGE_TINY) {
		stage_draw_tiny(stage, grid, area);
		return;
	}
	phase = head = draw_cut_top(&area, rows);
	if (area.w >= 2 * STAGE_SIZE_W) {
		phase = draw_cut_left(&head, head.w * 3 / 5);
		stage_draw_size(stage, grid, head);
	}
	stage_draw_head(stage, grid, phase);
	bytes = area.w >= STAGE_WIDE
		? draw_cut_left(&area, area.w / 2)
		: draw_cut_top(&area, stage_bytes_rows(stage, area));
	if (bytes.h > 0)
		stage_draw_bytes(stage, grid, bytes);
	if (area.h > 0)
		stage_draw_tries(stage, grid, area);
}
