/*
 * minimization_tries: the tries of a minimization and their results.
 */
#include "ui/views/minimization/minimization_stage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "shared/minimize/minimize.h"
#include "ui/views/findings/finding_table.h"
#include "ui/widgets/draw.h"

#define TRY_NUMBER 8
#define TRY_WORD 10
#define TRY_CUT 26
#define TRY_SIZE 16
#define TRY_WIDE 78 /* minimum columns of a full row */

/* ---- words --------------------------------------------------------------- */

/* The finding's class: "crash", "hang"; "failure" if it is unknown. */
static const char *
tries_failure(const struct stage *stage)
{
	const struct snapshot_finding *f =
		snapshot_find_finding(stage->model->snapshot, stage->m->entry);

	return f != NULL ? finding_class(f) : "failure";
}

const char *
stage_words(const struct stage *stage, const struct reply_try *try,
	char buf[STAGE_WORDS])
{
	const char *what =
		stage->m->coverage ? "coverage" : tries_failure(stage);

	switch (try->verdict) {
	case TRY_PENDING:
		snprintf(buf, STAGE_WORDS, "no verdict yet");
		break;
	case TRY_SAME:
		snprintf(buf, STAGE_WORDS, "same %s", what);
		break;
	case TRY_NOTHING:
		snprintf(buf, STAGE_WORDS, "no %s", what);
		break;
	case TRY_OTHER:
		snprintf(buf, STAGE_WORDS, "%s%s",
			try->why[0] != '\0' ? try->why : "another failure",
			try->why[0] != '\0' ? ": another failure" : "");
		break;
	case TRY_FINDING:
		snprintf(buf, STAGE_WORDS, "%s: a new finding",
			try->why[0] != '\0' ? try->why : "another failure");
		break;
	case TRY_LOST:
		snprintf(buf, STAGE_WORDS, "lost %s%s",
			try->why[0] != '\0' ? try->why : "some",
			strcmp(try->why, "1") == 0 ? " bit" : " bits");
		break;
	case TRY_SKIPPED:
		snprintf(buf, STAGE_WORDS, "the rest of %s was skipped",
			minimize_phase_name((enum minimize_phase)try->phase));
		break;
	case TRY_UNDONE:
		snprintf(buf, STAGE_WORDS, "undone by you");
		break;
	default:
		buf[0] = '\0';
		break;
	}
	return buf;
}

/* "without bytes 14-17" */
static void
tries_cut(uint64_t offset, uint64_t len, bool replaced, char buf[64])
{
	const char *how = replaced ? "other" : "without";

	if (len == 1)
		snprintf(buf, 64, "%s byte %" PRIu64, how, offset);
	else if (len > 1)
		snprintf(buf, 64, "%s bytes %" PRIu64 "-%" PRIu64, how, offset,
			offset + len - 1);
	else
		snprintf(buf, 64, "other bytes");
}

/* ---- rows ---------------------------------------------------------------- */

struct tries_row {
	uint64_t number;
	bool accepted, pending, skipped;
	char cut[64];
	uint64_t before, after; /* before 0: unknown */
	const char *words;
};

static void
tries_draw_row(struct grid *grid, struct rect rect, int row,
	const struct tries_row *t)
{
	enum style style = t->accepted ? STYLE_GOOD : STYLE_DIM;
	struct row_writer out = row_put_at(grid, rect, row);
	bool wide = rect.w >= TRY_WIDE;
	char text[64], from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];

	if (t->skipped) {
		row_field(&out, TRY_NUMBER, STYLE_DIM, "");
		row_clean(&out, STYLE_INFO, t->words);
		return;
	}
	snprintf(text, sizeof(text), "#%" PRIu64, t->number);
	row_field(&out, TRY_NUMBER, STYLE_DIM, text);
	row_text(&out, style,
		glyph(grid,
			t->accepted          ? GLYPH_DONE
				: t->pending ? GLYPH_HERE
					     : GLYPH_FAILED));
	row_gap(&out, 1);
	if (wide)
		row_field(&out, TRY_WORD, style,
			t->accepted          ? "accepted"
				: t->pending ? "running"
					     : "rejected");
	row_field(&out, TRY_CUT, STYLE_VALUE, t->cut);
	if (wide) {
		snprintf(text, sizeof(text), "%s %s %s",
			text_short((double)t->before, from),
			glyph(grid, GLYPH_TO),
			text_short((double)t->after, to));
		row_field(&out, TRY_SIZE, STYLE_GOOD,
			t->accepted && t->before > 0 ? text : "");
	}
	row_clean(&out, t->accepted ? STYLE_VALUE : STYLE_LABEL, t->words);
}

static void
tries_draw_told(const struct stage *stage, struct grid *grid, struct rect rect)
{
	const struct reply_minimization *r = stage->r;
	char words[STAGE_WORDS];

	for (int i = 0; i < rect.h && (size_t)i < r->tries_n; i++) {
		const struct reply_try *try =
			&r->tries[r->tries_n - 1 - (size_t)i];
		struct tries_row row = {
			.number = try->number,
			.accepted = try->verdict == TRY_SAME,
			.pending = try->verdict == TRY_PENDING,
			.skipped = try->verdict == TRY_SKIPPED,
			.before = try->len_before,
			.after = try->len_after,
			.words = stage_words(stage, try, words),
		};

		tries_cut(try->offset, try->len, try->replaced, row.cut);
		tries_draw_row(grid, rect, i, &row);
	}
}

/* Draws the tries that the console has seen in snapshots. */
static void
tries_draw_seen(const struct minimization_series *series, struct grid *grid,
	struct rect rect)
{
	for (int i = 0; i < rect.h && (size_t)i < series->log_n; i++) {
		const struct minimization_try *step =
			minimization_try_at(series, (size_t)i);
		struct tries_row row = {
			.number = step->tries,
			.accepted = step->accepted,
			.before = step->cut_len > 0 ? step->len + step->cut_len
						    : 0,
			.after = step->len,
			.words = step->verdict,
		};

		tries_cut(step->cut_offset, step->cut_len, false, row.cut);
		tries_draw_row(grid, rect, i, &row);
	}
}

void
stage_draw_tries(const struct stage *stage, struct grid *grid, struct rect rect)
{
	const struct minimization_series *series =
		minimization_series_find(&stage->model->minimizations,
			stage->m->entry);
	struct draw_box box = { .title = "tries, the newest first" };
	struct rect inside = draw_box(grid, rect, &box);

	if (stage->r != NULL && stage->r->tries_n > 0)
		tries_draw_told(stage, grid, inside);
	else if (stage->r == NULL && series != NULL && series->log_n > 0)
		tries_draw_seen(series, grid, inside);
	else
		draw_words(grid, inside, STYLE_DIM,
			!stage->ended ? "No candidate has been tried yet."
				: stage->outcome != NULL
				? stage->outcome
				: "No candidate was tried.");
}
