/*
 * screen_frame: header and message around every view.
 *
 * A part of the header that does not fit is left out; parts are never
 * truncated.
 */
#include "ui/console/screen_frame.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/console/playback_bar.h"
#include "ui/console/screen_footer.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/finding_location.h"
#include "ui/widgets/labels.h"

#define SCREEN_FRAME_PLAYBACK \
	42 /* columns for clock and position of a recording */
#define SCREEN_FRAME_RIGHT 24   /* columns for clock and help */
#define SCREEN_FRAME_WORKERS 15 /* columns of "12 workers" and gaps */
#define SCREEN_FRAME_TARGET 16  /* columns of the target, at least */
#define SCREEN_FRAME_NAME 8     /* columns of its name before the kind */
#define SCREEN_FRAME_BRAND "cfuzz"
#define SCREEN_FRAME_GAP 3
#define SCREEN_FRAME_CALLS 56 /* columns; below, calls replace the name */
#define SCREEN_FRAME_SMALL 32 /* columns; with fewer, only state and findings */
#define SCREEN_FRAME_HELP 12  /* columns of "? help" and of what is around it */
#define SCREEN_FRAME_STATE_MIN 10 /* columns of the state in that case */

struct rect
screen_frame_body(const struct grid *grid)
{
	int w = grid_width(grid), h = grid_height(grid);
	int top = h >= 2, bottom = h >= 4;

	return (struct rect){ 0, top, w, h - top - bottom };
}

/* ---- header ---- */

static int
screen_frame_state_width(const struct model *model)
{
	char words[LABEL_SIZE];

	return (int)text_width(label_state(model, words)) + 3;
}

/* When the title of a finding is cut, file and line are kept. */
static const char *
screen_frame_announced(const struct model *model, const struct grid *grid,
	int columns, char buf[FINDING_LOCATION_TITLE_SIZE])
{
	const struct announcement *a = &model->announcement;
	const struct snapshot_finding *f =
		snapshot_find_finding(model->snapshot, a->finding);

	return f != NULL
		? finding_location_title(grid, a->before, f, columns, buf)
		: a->text;
}

static void
screen_frame_announcement(const struct model *model, struct row_writer *out)
{
	const struct announcement *a = &model->announcement;
	struct rect rest = { out->x, out->y, row_room(out), 1 };
	struct row_writer bar = *out;
	char spoken[KEY_NAME_SIZE * 2], text[FINDING_LOCATION_TITLE_SIZE];
	const char *name = key_name_spoken(a->key, spoken);
	int key = name[0] != '\0' ? (int)text_width(name) + 4 : 0;

	grid_fill(out->grid, rest, STYLE_ANNOUNCE, " ");
	row_gap(&bar, 1);
	bar.end -= key;
	row_text(&bar, STYLE_ANNOUNCE, glyph(out->grid, GLYPH_ALERT));
	row_gap(&bar, 1);
	row_clean(&bar, STYLE_ANNOUNCE,
		screen_frame_announced(model, out->grid, row_room(&bar), text));
	bar.x = out->end - key;
	bar.end = out->end;
	if (key > 0)
		row_printf(&bar, STYLE_ANNOUNCE, " [%s] ", name);
	if (key > 0)
		draw_key_hot_spot(&bar, out->x, a->key);
}

static size_t
screen_frame_workers(const struct snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->workers_n; i++)
		n += !s->workers[i].retiring;
	return n;
}

/* A recording has no workers; the playback bar takes their place. */
static void
screen_frame_playback(const struct model *model, struct row_writer *out)
{
	out->end--;
	playback_bar_put(&model->playback, out);
}

/* Names who controls and counts who watches, if there are several consoles. */
static void
screen_frame_who(const struct model *model, bool brief, char *buf, size_t size)
{
	const struct snapshot *s = model->snapshot;
	char name[sizeof(s->controller)];

	text_clean_string(s->controller, name, sizeof(name));
	if (name[0] == '\0')
		snprintf(name, sizeof(name), "nobody");
	if (model->watching && brief)
		snprintf(buf, size, "watching");
	else if (model->watching)
		snprintf(buf, size, "watching, control: %s", name);
	else if (s->watchers > 0 && brief)
		snprintf(buf, size, "%" PRIu64 " watch", s->watchers);
	else if (s->watchers > 0)
		snprintf(buf, size, "control: %s, %" PRIu64 " watch", name,
			s->watchers);
	else
		buf[0] = '\0';
}

/* False: it does not fit beside what is kept free on its right. */
static bool
screen_frame_put_right(struct row_writer *out, const char *text, int keep)
{
	int width = (int)text_width(text);

	if (row_room(out) < width + keep)
		return false;
	if (width > 0)
		out->x = out->end - width - keep;
	row_text(out, STYLE_HEADER, text);
	return true;
}

/* As much as fits: the console's role matters more than all else. */
static void
screen_frame_put_who(const struct model *model, const char *workers,
	struct row_writer *out)
{
	char who[96], text[192];

	for (int brief = 0; brief < 2; brief++) {
		screen_frame_who(model, brief, who, sizeof(who));
		snprintf(text, sizeof(text), "%s%s%s", who,
			who[0] != '\0' ? "  " : "", workers);
		if (screen_frame_put_right(out, text, SCREEN_FRAME_HELP))
			return;
	}
	if (who[0] != '\0' &&
		!screen_frame_put_right(out, who, SCREEN_FRAME_HELP))
		(void)screen_frame_put_right(out, who, 1);
}

/* "3 workers ? help" at the right, as far as it fits. */
static void
screen_frame_header_right(const struct model *model, struct row_writer *out)
{
	const struct key_row *help = keys_for_command(KEYS_COMMON, "explain");
	size_t n = screen_frame_workers(model->snapshot);
	char workers[48];

	if (model->playback.on) {
		screen_frame_playback(model, out);
		return;
	}
	snprintf(workers, sizeof(workers), "%zu %s", n,
		label_plural(n, "worker", "workers"));
	screen_frame_put_who(model, n > 0 ? workers : "", out);
	if (row_room(out) < 9)
		return;
	out->x = out->end - 9 + 1;
	row_text(out, STYLE_KEY, help != NULL ? help->key : "");
	row_text(out, STYLE_HEADER, " help");
	if (help != NULL)
		draw_key_hot_spot(out, out->end - 8, help->key);
}

/* The state, in capitals up to its numbers, legible from afar. */
static void
screen_frame_state(const struct model *model, struct row_writer *out)
{
	int x = out->x;

	label_put_state(model, out);
	for (; x < out->x; x++) {
		const struct cell *cell = grid_cell(out->grid, x, out->y);
		char capital[2] = { (char)toupper((uint8_t)cell->text[0]), 0 };

		if (strchr(":0123456789", cell->text[0]) != NULL &&
			cell->text[0] != '\0')
			break;
		if (islower((uint8_t)cell->text[0]))
			grid_put(out->grid, x, out->y, (enum style)cell->style,
				cell->level, capital);
	}
}

/* The smallest terminals show the state and the number of findings. */
static void
screen_frame_header_small(const struct model *model, struct row_writer *out)
{
	uint64_t n = snapshot_findings(model->snapshot);
	enum style style = snapshot_findings_open(model->snapshot) > 0
		? STYLE_BAD
		: STYLE_HEADER;
	char count[TEXT_NUMBER_SIZE], clock[TEXT_NUMBER_SIZE];
	int end = out->end, width;

	width = (int)text_width(text_count(n, count)) + 3;
	row_gap(out, 1);
	if (row_room(out) >= SCREEN_FRAME_STATE_MIN + width)
		out->end -= width;
	screen_frame_state(model, out);
	row_gap(out, 2);
	if (row_room(out) >= 9)
		row_text(out, STYLE_VALUE,
			text_clock_fit(label_campaign_s(model->snapshot),
				row_room(out) - 1, clock));
	if (out->end == end)
		return;
	out->x = out->end;
	out->end = end;
	row_text(out, style, glyph(out->grid, GLYPH_ALERT));
	row_gap(out, 1);
	row_text(out, style, count);
}

/* The columns right of the target: the console's role is never left out for it,
 * and is short where it would leave nothing of the target. */
static int
screen_frame_keep(const struct model *model, int room)
{
	char who[96];
	int keep = 0;

	if (model->playback.on)
		return SCREEN_FRAME_PLAYBACK;
	for (int brief = 0; brief < 2; brief++) {
		screen_frame_who(model, brief, who, sizeof(who));
		if (who[0] == '\0')
			return SCREEN_FRAME_RIGHT;
		keep = SCREEN_FRAME_RIGHT + SCREEN_FRAME_WORKERS +
			(int)text_width(who);
		if (room - keep >= SCREEN_FRAME_TARGET)
			break;
	}
	return keep;
}

/* The kind of the target, such as main() or binary. Empty before the first
 * snapshot. */
static void
screen_frame_put_kind(const struct model *model, struct row_writer *out)
{
	int from = out->x;

	row_clean(out, STYLE_HEADER, model->snapshot->kind);
	if (out->x > from)
		row_add_hot_spot(out, from, "kind");
}

/* A long name is cut, the kind is not. */
static void
screen_frame_put_target(const struct model *model, struct row_writer *out,
	int columns)
{
	const struct snapshot *s = model->snapshot;
	const char *target = s->target[0] != '\0' ? s->target : model->target;
	int width = (int)text_width(target);
	int kind = s->kind[0] != '\0' ? (int)text_width(s->kind) + 1 : 0;
	bool fits = columns - kind >=
		(width < SCREEN_FRAME_NAME ? width : SCREEN_FRAME_NAME);

	if (fits)
		columns -= kind;
	row_field(out, width < columns ? width : columns, STYLE_HEADER, target);
	if (fits && kind > 0) {
		row_gap(out, 1);
		screen_frame_put_kind(model, out);
	}
	row_gap(out, SCREEN_FRAME_GAP);
}

/* The kind is the first thing in the row while a call-out hides the target. */
static void
screen_frame_put_brand(const struct model *model, bool calls,
	struct row_writer *out)
{
	if (calls && model->snapshot->kind[0] != '\0')
		screen_frame_put_kind(model, out);
	else
		row_text(out, STYLE_BRAND, SCREEN_FRAME_BRAND);
	row_gap(out, 2);
}

static void
screen_frame_header(const struct model *model, struct grid *grid)
{
	struct rect row = { 0, 0, grid_width(grid), 1 };
	struct row_writer out = row_put_at(grid, row, 0);
	int state = screen_frame_state_width(model);
	bool calls = model->announcement.kind != ANNOUNCE_NONE &&
		!model->playback.on;
	char clock[TEXT_NUMBER_SIZE];
	int target;

	grid_fill(grid, row, STYLE_HEADER, " ");
	if (row.w < SCREEN_FRAME_SMALL && !model->playback.on) {
		screen_frame_header_small(model, &out);
		return;
	}
	row_gap(&out, 1);
	if (row_room(&out) >= state + 7 &&
		!(calls && row.w < SCREEN_FRAME_CALLS))
		screen_frame_put_brand(model, calls, &out);
	target = row_room(&out) - state;
	target -= screen_frame_keep(model, target);
	if (!calls && target >= 8)
		screen_frame_put_target(model, &out, target);
	screen_frame_state(model, &out);
	row_gap(&out, 2);
	if (row_room(&out) >= 9)
		row_text(&out, STYLE_VALUE,
			text_clock_fit(label_campaign_s(model->snapshot),
				row_room(&out), clock));
	row_gap(&out, 2);
	if (calls && row_room(&out) > 8)
		screen_frame_announcement(model, &out);
	else
		screen_frame_header_right(model, &out);
}

/* ---- messages ---- */

/* The header of a recording has no room for call-outs: they are shown here. */
static bool
screen_frame_calls_below(const struct model *model)
{
	return model->playback.on && model->message[0] == '\0' &&
		model->announcement.kind != ANNOUNCE_NONE;
}

/* The last rows of the body, with the current message; empty: no message. */
static struct rect
screen_frame_message_area(const struct model *model, const struct grid *grid)
{
	struct rect body = screen_frame_body(grid), none = { 0 };
	bool calls = screen_frame_calls_below(model);
	int rows;

	if (body.y + body.h == grid_height(grid) || model->prompt.open ||
		(model->message[0] == '\0' && !calls))
		return none;
	rows = calls ? 1 : draw_words_rows(model->message, body.w - 4);
	if (rows > body.h / 2)
		rows = body.h / 2;
	return draw_cut_bottom(&body, rows);
}

struct rect
screen_frame_free(const struct model *model, const struct grid *grid)
{
	struct rect body = screen_frame_body(grid);

	body.h -= screen_frame_message_area(model, grid).h;
	return body;
}

static void
screen_frame_message(const struct model *model, struct grid *grid)
{
	struct rect rect = screen_frame_message_area(model, grid);
	struct row_writer out = row_put_at(grid, rect, 0);
	enum style style = model->message_bad ? STYLE_WARN : STYLE_INFO;

	if (rect.h == 0)
		return;
	grid_cover(grid, rect);
	grid_fill(grid, rect, STYLE_FOOTER, " ");
	if (screen_frame_calls_below(model)) {
		screen_frame_announcement(model, &out);
		return;
	}
	row_gap(&out, 1);
	row_text(&out, style,
		glyph(grid, model->message_bad ? GLYPH_ALERT : GLYPH_HERE));
	draw_cut_left(&rect, 3);
	rect.w--;
	draw_words(grid, rect, style, model->message);
}

void
screen_frame_draw(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state)
{
	screen_frame_header(model, grid);
	screen_footer_draw(model, grid, view, state);
	screen_frame_message(model, grid);
}
