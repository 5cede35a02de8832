/*
 * worker_detail: everything about one worker.
 *
 * Each pane is a row of a table, with its name and a function that draws it in
 * any room. An empty pane says why it is empty.
 */
#include "ui/views/workers/worker_detail.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/views/workers/worker_values.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/hex.h"
#include "ui/widgets/labels.h"

#define DETAIL_BYTES 4096   /* bytes of the live input to ask for */
#define DETAIL_WIDE 112     /* minimum columns for panes side by side */
#define DETAIL_HEX 77       /* minimum columns of the left pane */
#define DETAIL_WIDE_ROWS 14 /* minimum rows for panes side by side */
#define DETAIL_TALL_ROWS 32 /* minimum rows for all panes, stacked */
#define DETAIL_OPTIONS_ROWS 7
#define DETAIL_CLOCK 10       /* columns of a time and its gap */
#define DETAIL_NAMES 66       /* minimum columns for all names */
#define DETAIL_VALUES_ROWS 12 /* minimum rows for values and a pane */
#define DETAIL_LINE 512       /* maximum bytes of an output line */

/* ---- panes ---- */

struct detail_part {
	const struct worker_detail *detail;
	const struct model *model;
	const struct snapshot_worker *worker;
	struct grid *grid;
};

/* The reply about this worker; NULL: none. */
static const struct reply_worker *
detail_reply(const struct detail_part *part)
{
	const struct worker_detail *detail = part->detail;

	if (!detail->known || detail->reply.error[0] != '\0' ||
		detail->reply.worker.id != part->worker->id)
		return NULL;
	return &detail->reply.worker;
}

/* Says why there are no data: an error, or no reply yet. */
static void
detail_put_unknown(const struct detail_part *part, struct rect rect)
{
	char text[256];

	if (part->detail->known && part->detail->reply.error[0] != '\0')
		snprintf(text, sizeof(text), "Not available: %s.",
			part->detail->reply.error);
	else
		snprintf(text, sizeof(text), "%s",
			part->model->link == LINK_ENDED
				? "The engine has ended."
				: "Waiting for the engine.");
	draw_words(part->grid, rect, STYLE_DIM, text);
}

/* A sample of the input that runs: it changes all the time. */
static struct hex
detail_input(const struct detail_part *part)
{
	const struct snapshot_worker *w = part->worker;
	const struct reply_worker *reply = detail_reply(part);
	struct hex hex = { .bytes = w->input,
		.n = w->input_n,
		.total = w->input_len };

	/* The snapshot is newer, but the reply has more bytes. */
	if (reply != NULL && reply->input.len > w->input_n) {
		hex.bytes = reply->input.data;
		hex.n = reply->input.len;
		hex.total = reply->input_len;
	}
	return hex;
}

static void
detail_draw_input(const struct detail_part *part, struct rect rect)
{
	enum worker_view_state state = part->worker->state;
	struct hex hex = detail_input(part);

	if (hex.n > 0)
		hex_draw(part->grid, rect, &hex);
	else if (state == WORKER_VIEW_FUZZING ||
		state == WORKER_VIEW_MINIMIZING ||
		state == WORKER_VIEW_REPLAYING)
		draw_words(part->grid, rect, STYLE_DIM,
			"The input being executed is empty.");
	else
		draw_words(part->grid, rect, STYLE_DIM,
			"The worker executes no input at the moment.");
}

/* Draws a state; its reason is in the same row if it fits or if not `below`,
 * else in the next row. Returns the rows used. */
static int
detail_draw_state(const struct detail_part *part, struct rect rect,
	const struct reply_state *state, double until_s, bool below)
{
	const struct snapshot_worker dummy = { .state = state->state };
	struct row_writer out = row_put_at(part->grid, rect, 0);
	char text[TEXT_NUMBER_SIZE];

	row_text(&out, STYLE_DIM, text_clock(state->at_s, text));
	row_gap(&out, 2);
	row_field(&out, 10, label_worker_style(&dummy),
		label_worker_state(&dummy));
	row_gap(&out, 1);
	row_right(&out, 7, STYLE_VALUE,
		label_tenths(until_s - state->at_s, text));
	if ((int)text_width(state->why) + 2 <= row_room(&out) || !below) {
		row_gap(&out, 2);
		row_clean(&out, STYLE_LABEL, state->why);
		return 1;
	}
	out = row_put_at(part->grid, rect, 1);
	row_gap(&out, DETAIL_CLOCK);
	row_clean(&out, STYLE_LABEL, state->why);
	return 2;
}

static void
detail_draw_history(const struct detail_part *part, struct rect rect)
{
	const struct reply_worker *reply = detail_reply(part);
	double until_s = part->model->snapshot->elapsed_s;
	bool below;
	size_t i;

	if (reply == NULL) {
		detail_put_unknown(part, rect);
		return;
	}
	if (reply->states_n == 0)
		draw_words(part->grid, rect, STYLE_DIM,
			"The worker has not changed its state yet.");
	/* Show all states first, then reasons if there is room. */
	below = 2 * reply->states_n <= (size_t)rect.h;
	for (i = 0; i < reply->states_n && rect.h > 0; i++) {
		draw_cut_top(&rect,
			detail_draw_state(part, rect, &reply->states[i],
				until_s, below));
		until_s = reply->states[i].at_s;
	}
}

/* The offset of the last `rows` lines of a text. */
static size_t
detail_last_lines(const char *text, size_t len, int rows)
{
	size_t at = len;

	while (at > 0) {
		if (text[at - 1] == '\n' && at < len && --rows <= 0)
			break;
		at--;
	}
	return at;
}

static void
detail_draw_lines(const struct detail_part *part, struct rect rect,
	const char *text, size_t len)
{
	size_t at;
	int row;

	while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\0'))
		len--;
	at = detail_last_lines(text, len, rect.h);
	for (row = 0; row < rect.h && at < len; row++) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end != NULL ? (size_t)(end - text) - at : len - at;
		struct row_writer out = row_put_at(part->grid, rect, row);
		char line[DETAIL_LINE];

		text_clean(text + at, n, line, sizeof(line));
		row_clean(&out, STYLE_VALUE, line);
		at += n + 1;
	}
}

static void
detail_draw_output(const struct detail_part *part, struct rect rect)
{
	const struct reply_worker *reply = detail_reply(part);

	if (reply == NULL)
		detail_put_unknown(part, rect);
	else if (reply->stderr_text.len == 0)
		draw_words(part->grid, rect, STYLE_DIM,
			"The target has written nothing to its standard error "
			"lately.");
	else
		detail_draw_lines(part, rect,
			(const char *)reply->stderr_text.data,
			reply->stderr_text.len);
}

static void
detail_draw_options(const struct detail_part *part, struct rect rect)
{
	const struct reply_worker *reply = detail_reply(part);

	if (reply == NULL)
		detail_put_unknown(part, rect);
	else if (reply->options[0] == '\0')
		draw_words(part->grid, rect, STYLE_DIM,
			"No sanitizer options are set for the target.");
	else
		draw_words(part->grid, rect, STYLE_VALUE, reply->options);
}

/* A note beside a pane's name. */
static void
detail_note_input(const struct detail_part *part, char *buf, size_t size)
{
	char text[TEXT_NUMBER_SIZE];

	snprintf(buf, size, "%s, sampled",
		text_bytes(detail_input(part).total, text));
}

static void
detail_note_output(const struct detail_part *part, char *buf, size_t size)
{
	const struct reply_worker *reply = detail_reply(part);
	char text[TEXT_NUMBER_SIZE];

	if (reply != NULL && reply->stderr_len > reply->stderr_text.len)
		snprintf(buf, size, "the end of %s",
			text_bytes(reply->stderr_len, text));
}

static void
detail_draw_values(const struct detail_part *part, struct rect rect)
{
	worker_values_draw(part->model, part->worker, part->grid, rect);
}

enum {
	DETAIL_VALUES, /* above the others, if there is room */
	DETAIL_INPUT,
	DETAIL_HISTORY,
	DETAIL_OUTPUT,
	DETAIL_OPTIONS,
	DETAIL_PANES
};

static const struct {
	const char *name;
	void (*draw)(const struct detail_part *part, struct rect rect);
	void (*note)(const struct detail_part *part, char *buf, size_t size);
} detail_panes[DETAIL_PANES] = {
	[DETAIL_VALUES] = { "state", detail_draw_values, NULL },
	[DETAIL_INPUT] = { "live input", detail_draw_input, detail_note_input },
	[DETAIL_HISTORY] = { "history", detail_draw_history, NULL },
	[DETAIL_OUTPUT] = { "output", detail_draw_output, detail_note_output },
	[DETAIL_OPTIONS] = { "options", detail_draw_options, NULL },
};

static void
detail_draw_pane(const struct detail_part *part, struct rect rect, size_t pane)
{
	struct row_writer out = row_put_at(part->grid, rect, 0);
	char note[64] = "";

	if (detail_panes[pane].note != NULL)
		detail_panes[pane].note(part, note, sizeof(note));
	row_text(&out, STYLE_COLUMN, detail_panes[pane].name);
	row_gap(&out, 3);
	row_text(&out, STYLE_DIM, note);
	draw_cut_top(&rect, 1);
	if (rect.h > 0)
		detail_panes[pane].draw(part, rect);
}

static void
detail_put_name(const struct detail_part *part, struct row_writer *out,
	size_t pane, bool shown)
{
	enum style style = shown ? STYLE_STRONG : STYLE_DIM;

	row_text(out, style, shown ? glyph(part->grid, GLYPH_HERE) : " ");
	row_text(out, style, detail_panes[pane].name);
	row_gap(out, 2);
}

/* Draws one pane; keys switch to the others. */
static void
detail_draw_one(const struct detail_part *part, struct rect rect)
{
	const struct worker_detail *detail = part->detail;
	size_t shown =
		detail->pane > detail->first ? detail->pane : detail->first;
	struct row_writer out = row_put_at(part->grid, rect, 0);
	char keys[2 * KEY_HINT_SIZE];

	if (row_room(&out) >= DETAIL_NAMES) {
		for (size_t i = detail->first; i < DETAIL_PANES; i++)
			detail_put_name(part, &out, i, i == shown);
	} else {
		detail_put_name(part, &out, shown, true);
		row_printf(&out, STYLE_DIM, "%zu of %d",
			shown - detail->first + 1,
			DETAIL_PANES - (int)detail->first);
	}
	keys_text(KEYS_WORKERS, "{left} {right}", keys, sizeof(keys));
	if (row_flush(&out, (int)text_width(keys)))
		row_text(&out, STYLE_LABEL, keys);
	draw_cut_top(&rect, 1);
	if (rect.h > 0)
		detail_panes[shown].draw(part, rect);
}

static void
detail_draw_wide(const struct detail_part *part, struct rect rect)
{
	struct rect right = rect;
	struct rect left = draw_cut_left(&right,
		rect.w / 2 > DETAIL_HEX ? rect.w / 2 : DETAIL_HEX);
	struct rect options, output;
	int below = left.h / 3;

	if (below < DETAIL_OPTIONS_ROWS && left.h >= 3 * DETAIL_OPTIONS_ROWS)
		below = DETAIL_OPTIONS_ROWS;
	left.w -= 2;
	output = draw_cut_bottom(&left, below);
	options = draw_cut_bottom(&right, below);
	left.h--;
	detail_draw_pane(part, left, DETAIL_INPUT);
	detail_draw_pane(part, output, DETAIL_OUTPUT);
	right.h--;
	detail_draw_pane(part, right, DETAIL_HISTORY);
	detail_draw_pane(part, options, DETAIL_OPTIONS);
}

static void
detail_draw_tall(const struct detail_part *part, struct rect rect)
{
	struct rect options = draw_cut_bottom(&rect, DETAIL_OPTIONS_ROWS);
	struct rect output = draw_cut_bottom(&rect, rect.h / 4);
	struct rect history = draw_cut_bottom(&rect, rect.h / 2);

	rect.h--;
	history.h--;
	output.h--;
	detail_draw_pane(part, rect, DETAIL_INPUT);
	detail_draw_pane(part, history, DETAIL_HISTORY);
	detail_draw_pane(part, output, DETAIL_OUTPUT);
	detail_draw_pane(part, options, DETAIL_OPTIONS);
}

static bool
detail_is_wide(struct rect rect)
{
	return rect.w >= DETAIL_WIDE && rect.h >= DETAIL_WIDE_ROWS;
}

static void
detail_draw_panes(const struct detail_part *part, struct rect rect)
{
	if (detail_is_wide(rect))
		detail_draw_wide(part, rect);
	else if (rect.h >= DETAIL_TALL_ROWS)
		detail_draw_tall(part, rect);
	else
		detail_draw_one(part, rect);
}

void
worker_detail_draw(struct worker_detail *detail, const struct model *model,
	struct grid *grid, struct rect rect)
{
	const struct snapshot_worker *w = model_worker(model);
	struct detail_part part = { detail, model, w, grid };
	char title[64];
	char key[KEY_HINT_SIZE], below[KEY_HINT_SIZE + 8];
	struct draw_box box = { .title = title, .focus = true, .below = below };
	struct rect inside;

	if (w == NULL || rect.h <= 0)
		return;
	snprintf(below, sizeof(below), "%s closes",
		keys_hint(KEYS_WORKERS, "open", key));
	snprintf(title, sizeof(title), "worker %" PRIu32, w->id);
	inside = draw_box(grid, rect, &box);
	detail->first = inside.h < DETAIL_VALUES_ROWS ? 0 : 1;
	if (detail->first > 0)
		draw_cut_top(&inside,
			1 + worker_values_draw(model, w, grid, inside));
	detail->alone = inside.h > 0 && inside.h < DETAIL_TALL_ROWS &&
		!detail_is_wide(inside);
	if (inside.h > 0)
		detail_draw_panes(&part, inside);
}

/* ---- commands and queries ---- */

bool
worker_detail_command(struct worker_detail *detail, const char *command)
{
	size_t first = detail->first, n = DETAIL_PANES - first;
	size_t at = detail->pane > first ? detail->pane - first : 0;

	if (strcmp(command, "left") == 0)
		detail->pane = first + (at + n - 1) % n;
	else if (strcmp(command, "right") == 0)
		detail->pane = first + (at + 1) % n;
	else
		return false;
	return true;
}

bool
worker_detail_query(const struct model *model, struct query *query)
{
	const struct snapshot_worker *w = model_worker(model);

	if (w == NULL)
		return false;
	query->kind = QUERY_WORKER;
	query->worker = w->id;
	query->count = DETAIL_BYTES;
	return true;
}

void
worker_detail_take(struct worker_detail *detail, struct reply *reply)
{
	worker_detail_clear(detail);
	detail->reply = *reply;
	detail->known = true;
	*reply = (struct reply){ .kind = reply->kind };
}

void
worker_detail_clear(struct worker_detail *detail)
{
	reply_clear(&detail->reply);
	detail->known = false;
}
