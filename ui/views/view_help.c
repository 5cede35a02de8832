/*
 * view_help: the keys of the view that was open, and its numbers.
 *
 * The keys come from the table of ui/term/keys.h and the numbers from
 * glossary.h, so help is never out of date. On a narrow screen, help is one
 * page to scroll; on a wide screen, keys and numbers are side by side.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/views/glossary.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/list.h"

#define HELP_KEY 11      /* columns of a key's name */
#define HELP_KEYS 18     /* columns of all names of a key … */
#define HELP_KEYS_MIN 66 /* … on a page this wide */
#define HELP_NAME 13
#define HELP_MOUSE \
	"A click selects a row, opens the selected one, sorts by the head of " \
	"a column, or presses a key that is shown; in the help in place it " \
	"picks a field. Shift and the mouse select text as always, and so " \
	"does the mouse after :mouse off."
#define HELP_SIDE_MIN 110 /* screen columns for two pages side by side */

struct help {
	int top; /* first visible row of the pages */
	int page, rows;
	size_t shown, total; /* keys and numbers after the filter, and all */
};

static void *
help_create(void)
{
	return xcalloc(1, sizeof(struct help));
}

static void
help_destroy(void *state)
{
	free(state);
}

/* A page is drawn from its first row on; rows outside the window are cut. */
struct help_page {
	struct grid *grid;
	struct rect window;
	int top; /* page row in the window's first row */
	int row; /* page row of the next line */
	const struct filter *filter;
	size_t shown, total;
};

/* Counts a row of help; true if the filter lets it pass. */
static bool
help_passes(struct help_page *page, const char *one, const char *other)
{
	const char *texts[] = { one, other };
	bool shown = filter_match(page->filter, texts, 2);

	page->total++;
	page->shown += shown;
	return shown;
}

static struct row_writer
help_writer(struct help_page *page)
{
	return row_put_at(page->grid, page->window, page->row++ - page->top);
}

static void
help_heading(struct help_page *page, const char *text)
{
	struct row_writer out;

	if (page->row > 0)
		page->row++;
	out = help_writer(page);
	row_text(&out, STYLE_TITLE, text);
}

/* Wraps text over as many rows as needed, indented. */
static void
help_words(struct help_page *page, int indent, enum style style,
	const char *text)
{
	int columns = page->window.w - indent;
	size_t at = 0, len = strlen(text);

	while (at < len && columns > 0) {
		struct row_writer out = help_writer(page);
		size_t fit = draw_words_fit(text + at, columns);

		if (fit == 0)
			break;
		row_gap(&out, indent);
		row_printf(&out, style, "%.*s", (int)fit, text + at);
		at += fit;
		at += strspn(text + at, " ");
	}
}

/* ---- keys ---- */

/* Open pages keep these keys in a recording. */
static bool
help_turns_page(const struct key_row *row)
{
	return row->context != KEYS_COMMON &&
		(strcmp(row->command, "left") == 0 ||
			strcmp(row->command, "right") == 0);
}

/* Shows a command once, in its first row, and only if neither the view nor a
 * recording has bound the key to something else. */
static bool
help_shows(const struct key_row *row, const struct model *model)
{
	const struct key_row *other;

	if (keys_for_command(row->context, row->command) != row)
		return false;
	if (row->context == KEYS_PLAYBACK || key_context_closed(row->context))
		return true;
	if (model->playback.on && !help_turns_page(row)) {
		other = keys_find(KEYS_PLAYBACK, row->key);
		if (other != NULL && other->context == KEYS_PLAYBACK)
			return false;
	}
	return row->context != KEYS_COMMON ||
		keys_find(model->view, row->key) == row;
}

/* All keys of the same command: "Up k". */
static void
help_key_names(const struct key_row *row, char buf[64])
{
	const struct key_row *other;
	char spoken[KEY_NAME_SIZE * 2];
	size_t i, len = 0;

	buf[0] = '\0';
	for (i = 0; (other = keys_row(i)) != NULL && len < 64; i++)
		if (other->context == row->context &&
			strcmp(other->command, row->command) == 0)
			len += (size_t)snprintf(buf + len, 64 - len, "%s%s",
				len > 0 ? " " : "",
				key_name_spoken(other->key, spoken));
}

static void
help_keys_of(struct help_page *page, enum key_context context,
	const struct model *model)
{
	int columns = page->window.w < HELP_KEYS_MIN ? HELP_KEY : HELP_KEYS;
	const struct key_row *row;
	char names[64];
	size_t i;

	for (i = 0; (row = keys_row(i)) != NULL; i++) {
		struct row_writer out;

		if (row->context != context || !help_shows(row, model))
			continue;
		help_key_names(row, names);
		if (!help_passes(page, names, row->note))
			continue;
		out = help_writer(page);
		row_gap(&out, 1);
		row_field(&out, columns, STYLE_KEY, names);
		page->row--; /* beside the key's name */
		help_words(page, columns + 2, STYLE_VALUE, row->note);
	}
}

static bool
help_has_keys(enum key_context context)
{
	const struct key_row *row;
	size_t i;

	for (i = 0; (row = keys_row(i)) != NULL; i++)
		if (row->context == context)
			return true;
	return false;
}

static void
help_keys(struct help_page *page, const struct model *model)
{
	char heading[64];

	if (model->playback.on) {
		help_heading(page, "keys of a recording");
		help_keys_of(page, KEYS_PLAYBACK, model);
	}
	if (model->view != KEYS_COMMON && help_has_keys(model->view)) {
		snprintf(heading, sizeof(heading), "keys of the view: %s",
			key_context_name(model->view));
		help_heading(page, heading);
		help_keys_of(page, model->view, model);
	}
	help_heading(page, "keys everywhere");
	help_keys_of(page, KEYS_COMMON, model);
	if (filter_on(page->filter))
		return;
	help_heading(page, "the mouse");
	help_words(page, 1, STYLE_VALUE, HELP_MOUSE);
}

/* Keys of contexts that are active only at times. */
static void
help_other_keys(struct help_page *page, const struct model *model)
{
	static const struct {
		enum key_context context;
		const char *heading;
	} others[] = {
		{ KEYS_LIMITS, "keys of the limits" },
		{ KEYS_EXPLAIN, "keys of the help in place" },
		{ KEYS_EDIT, "keys of a text field" },
		{ KEYS_ASK, "keys of a question" },
		{ KEYS_TOUR, "keys of the tour" },
		{ KEYS_PLAYBACK, "keys of a recording" },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (others[i].context == KEYS_PLAYBACK && model->playback.on)
			continue; /* shown above */
		help_heading(page, others[i].heading);
		help_keys_of(page, others[i].context, model);
	}
}

/* ---- numbers ---- */

static void
help_number(struct help_page *page, const struct model *model,
	const struct glossary_entry *entry)
{
	char value[GLOSSARY_VALUE];
	enum style style = STYLE_DIM;
	const char *told = entry->advice ? entry->advice(model, &style) : "";
	char text[160];
	const char *advice = keys_text(KEYS_COMMON, told, text, sizeof(text));
	struct row_writer out = help_writer(page);
	int width;

	entry->value(model, value);
	row_gap(&out, 1);
	row_field(&out, HELP_NAME, STYLE_STRONG, entry->name);
	row_gap(&out, 1);
	row_clean(&out, STYLE_VALUE, value);
	/* Compare with the page: a row outside the window has no room. */
	width = HELP_NAME + 2 + (int)text_width(value) + 3 +
		(int)text_width(advice);
	if (width <= page->window.w) {
		row_gap(&out, 3);
		row_text(&out, style, advice);
	} else if (advice[0] != '\0')
		help_words(page, HELP_NAME + 2, style, advice);
	help_words(page, 3, STYLE_LABEL, entry->text);
}

static void
help_numbers(struct help_page *page, const struct model *model)
{
	const struct glossary_entry *entry;
	size_t i;

	help_heading(page, "what the numbers mean");
	for (i = 0; (entry = glossary_entry(i)) != NULL; i++)
		if (help_passes(page, entry->name, entry->text))
			help_number(page, model, entry);
}

/* ---- the page ---- */

static int
help_last_top(const struct help *help)
{
	return help->rows > help->page ? help->rows - help->page : 0;
}

static void
help_draw_pages(struct help *help, const struct model *model, struct grid *grid,
	struct rect inside)
{
	struct help_page left = { .grid = grid,
		.window = inside,
		.top = help->top,
		.filter = &model->filters[KEYS_HELP] };
	struct help_page right = left;
	bool beside = inside.w >= HELP_SIDE_MIN;

	if (beside) {
		left.window.w = inside.w * 2 / 5;
		right.window.x += left.window.w + 2;
		right.window.w -= left.window.w + 2;
	}
	help_keys(&left, model);
	if (!beside) {
		right.row = left.row;
		left.row = 0;
	}
	help_numbers(&right, model);
	help_other_keys(beside ? &left : &right, model);
	help->rows = left.row > right.row ? left.row : right.row;
	help->shown = left.shown + right.shown;
	help->total = left.total + right.total;
}

/* Draws without any rows, to count them. */
static void
help_measure(struct help *help, const struct model *model, struct grid *grid,
	struct rect area)
{
	bool box = draw_box_fits(grid, area);
	struct rect none = { area.x, area.y, box ? area.w - 4 : area.w, 0 };

	help->page = box ? area.h - 2 : area.h;
	help_draw_pages(help, model, grid, none);
	if (help->top > help_last_top(help))
		help->top = help_last_top(help);
}

static void
help_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	const struct filter *filter = &model->filters[KEYS_HELP];
	struct help *help = state;
	char right[FILTER_TITLE], below[96];
	struct draw_box box = { .title = "help",
		.focus = true,
		.below = area.w < HELP_SIDE_MIN + 4
			? keys_text(KEYS_HELP,
				  "{page-down}: what the numbers mean", below,
				  sizeof(below))
			: NULL };
	struct rect inside;

	help_measure(help, model, grid, area);
	filter_title(filter, help->shown, help->total, right);
	if (filter_on(filter))
		box.right = right;
	box.right_cut = true;
	inside = draw_box(grid, area, &box);
	if (help->shown == 0)
		label_no_rows(grid, inside, KEYS_HELP);
	else
		help_draw_pages(help, model, grid, inside);
	draw_scroll(grid, area, (size_t)help->top, (size_t)help->page,
		(size_t)help->rows);
	label_dim_stale(model, grid, area);
}

static bool
help_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct help *help = state;
	/* The rows that may be the first visible one. */
	struct list list = { .n = (size_t)help_last_top(help) + 1,
		.page = (size_t)help->page,
		.selected = (size_t)help->top };

	if (!list_command(&list, command))
		return false;
	help->top = (int)list.selected;
	return true;
}

const struct view_ops view_help = {
	.name = "help",
	.title = "Help",
	.context = KEYS_HELP,
	.filters = true,
	.create = help_create,
	.destroy = help_destroy,
	.draw = help_draw,
	.command = help_command,
};
