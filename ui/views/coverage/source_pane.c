/* source_pane: see source_pane.h. */
#include "ui/views/coverage/source_pane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/term/keys.h"
#include "ui/views/coverage/source_pane_lines.h"
#include "ui/widgets/draw.h"

#define PANE_SHIFT 8
#define PANE_NARROW 56     /* minimum columns for hit counts */
#define PANE_LEGEND 72     /* minimum columns for a legend */
#define PANE_LEGEND_ALL 84 /* the same with "not known" */
#define PANE_BUCKET 6
#define PANE_MANY \
	20000 /* with more lines with code, at most one update per second */
#define PANE_REMAKE_S 1.0

/* ---- text ---- */

/* Number of lines if the text is missing: the last line with code. */
static size_t
pane_last_line(const struct source_pane *pane)
{
	return pane->code_lines_n > 0
		? pane->code_lines[pane->code_lines_n - 1].line
		: 0;
}

static void
pane_list_addresses(struct source_pane *pane, const struct coverage_module *m)
{
	const struct source_table *t = &m->table;
	const uint64_t begin = t->functions[pane->index].address;
	size_t size = 64, len = 0;
	char *text;

	text = xmalloc(size);
	for (uint32_t i = 0; i < t->locations_n; i++) {
		uint64_t at = m->pcs[i] & ~SOURCE_ENTRY;

		if (t->locations[i].function != pane->index)
			continue;
		if (len + 64 > size)
			text = xrealloc(text, size *= 2);
		len += (size_t)snprintf(text + len, size - len,
			"0x%" PRIx64 "  +0x%" PRIx64 "\n", at,
			at > begin ? at - begin : 0);
	}
	text_lines_take(&pane->text, text, len);
	pane->lines_n = pane->text.n;
}

/* ---- opening ---- */

void
source_pane_close(struct source_pane *pane)
{
	text_lines_clear(&pane->text);
	free(pane->code_lines);
	memset(pane, 0, sizeof(*pane));
}

static void
pane_begin(struct source_pane *pane, const struct coverage_map *map,
	size_t module, uint32_t index)
{
	source_pane_close(pane);
	pane->open = true;
	pane->module = module;
	pane->index = index;
	pane->structure = map->structure;
}

/* Scrolls so that the line is in the middle, once the page size is known. */
static void
pane_go_to(struct source_pane *pane, uint32_t line)
{
	struct list *list = &pane->list;
	size_t row = line > 0 ? line - 1 : 0;

	list->n = pane->lines_n;
	list_select(list, row);
	if (list->page > 2 && row > list->page / 2)
		list->top = row - list->page / 2;
	list_select(list, row);
}

void
source_pane_open_file(struct source_pane *pane, const struct coverage_map *map,
	size_t module, uint32_t file, uint32_t line)
{
	const struct coverage_module *m = &map->modules[module];
	size_t page = pane->list.page;

	pane_begin(pane, map, module, file);
	snprintf(pane->title, sizeof(pane->title), "%s",
		m->table.files[file].path);
	source_lines_make(pane, map);
	if (text_lines_read_source(&pane->text, pane->title, pane->why,
		    sizeof(pane->why)) == OK)
		pane->lines_n = pane->text.n;
	else
		pane->lines_n = pane_last_line(pane);
	pane->list.page = page;
	pane_go_to(pane, line);
}

void
source_pane_open_function(struct source_pane *pane,
	const struct coverage_map *map, size_t module, uint32_t function)
{
	const struct coverage_module *m = &map->modules[module];
	const struct source_function *f = &m->table.functions[function];
	char name[SOURCE_NAME_MAX];

	if (f->file != SOURCE_NONE) {
		source_pane_open_file(pane, map, module, f->file, f->line);
		return;
	}
	pane_begin(pane, map, module, function);
	pane->addresses = true;
	snprintf(pane->title, sizeof(pane->title), "%s",
		coverage_function_name(m, function, name, sizeof(name)));
	pane_list_addresses(pane, m);
	source_lines_make(pane, map);
}

/* ---- drawing ---- */

static const struct {
	enum glyph symbol;
	enum style sign, text;
	const char *name;
} pane_states[] = {
	[SOURCE_NO_CODE] = { GLYPH_NOTE, STYLE_DIM, STYLE_DIM, "no code" },
	[SOURCE_UNKNOWN] = { GLYPH_NOTE, STYLE_DIM, STYLE_LABEL, "not known" },
	[SOURCE_MISSED] = { GLYPH_FAILED, STYLE_BAD, STYLE_LABEL, "missed" },
	[SOURCE_PARTLY] = { GLYPH_PARTLY, STYLE_WARN, STYLE_VALUE, "partly" },
	[SOURCE_HIT] = { GLYPH_DONE, STYLE_GOOD, STYLE_VALUE, "hit" },
};

/* Frontier, line number, state, hit count, new hits. */
static void
pane_draw_gutter(const struct source_pane *pane, double elapsed_s,
	struct row_writer *out, uint32_t line, const struct source_line *code,
	enum source_state state)
{
	bool narrow = row_room(out) < PANE_NARROW;
	const char *news = " ";

	row_text(out, STYLE_WARN,
		code != NULL && code->frontier ? glyph(out->grid, GLYPH_HERE)
					       : " ");
	if (!pane->addresses)
		row_printf(out, STYLE_DIM, "%5" PRIu32 " ", line);
	row_text(out, pane_states[state].sign,
		state == SOURCE_NO_CODE
			? " "
			: glyph(out->grid, pane_states[state].symbol));
	if (!narrow)
		row_right(out, PANE_BUCKET + 1, STYLE_DIM,
			code != NULL ? coverage_bucket_name(
					       coverage_bucket_of(code->bits))
				     : "");
	if (code != NULL &&
		coverage_is_new(code->first_s, elapsed_s, COVERAGE_NEW_S))
		news = glyph(out->grid, GLYPH_NEW);
	else if (code != NULL &&
		coverage_is_new(code->first_s, elapsed_s, COVERAGE_FRESH_S))
		news = glyph(out->grid, GLYPH_FRESH);
	row_gap(out, narrow ? 0 : 1);
	row_text(out, STYLE_GOOD, news);
	row_gap(out, 1);
}

static void
pane_draw_row(const struct source_pane *pane, double elapsed_s,
	struct grid *grid, struct rect rect, int row)
{
	size_t at = pane->list.top + (size_t)row;
	const struct source_line *code =
		source_lines_at(pane, (uint32_t)at + 1);
	enum source_state state =
		code != NULL ? source_line_state(code) : SOURCE_NO_CODE;
	struct row_writer out = row_put_at(grid, rect, row);
	char text[TEXT_LINES_BYTES] = "";
	enum style style = pane_states[state].text;

	pane_draw_gutter(pane, elapsed_s, &out, (uint32_t)at + 1, code, state);
	if (code != NULL &&
		coverage_is_new(code->first_s, elapsed_s, COVERAGE_NEW_S))
		style = STYLE_STRONG;
	if (pane->text.text != NULL)
		text_lines_get(&pane->text, at, text);
	row_clean(&out, style, text + text_fit(text, (size_t)pane->shift));
	if (at == pane->list.selected)
		list_highlight(grid, rect, row);
}

/* "34 of 120 lines hit, 7 frontiers" */
static void
pane_summary(const struct source_pane *pane, char *buf, size_t size)
{
	size_t hit = 0;

	for (size_t i = 0; i < pane->code_lines_n; i++)
		hit += pane->code_lines[i].hit > 0;
	snprintf(buf, size, "%zu of %zu %s hit, %zu %s", hit, pane->known_n,
		pane->addresses ? "places" : "lines", pane->frontiers_n,
		pane->frontiers_n == 1 ? "frontier" : "frontiers");
}

/* The path, or the file's name if the path does not fit. */
static void
pane_title(const struct source_pane *pane, const struct coverage_map *map,
	size_t room, char *buf, size_t size)
{
	const char *slash = strrchr(pane->title, '/');
	const char *more = pane->addresses ||
			map->modules[pane->module].table.end.ends != 0
		? ""
		: "  (ends of blocks unknown)";
	char title[SOURCE_PATH_MAX];

	text_clean_string(pane->title, title, sizeof(title));
	if (slash != NULL && text_width(title) + strlen(more) > room)
		text_clean_string(slash + 1, title, sizeof(title));
	snprintf(buf, size, "%s%s", title, more);
}

static void
pane_legend(const struct grid *grid, bool all, char *buf, size_t size)
{
	size_t len = 0;

	for (int i = SOURCE_HIT; i > SOURCE_NO_CODE; i--)
		if (i != SOURCE_UNKNOWN || all)
			len += (size_t)snprintf(buf + len, size - len,
				"%s %s  ", glyph(grid, pane_states[i].symbol),
				pane_states[i].name);
	snprintf(buf + len, size - len, "%s just hit  %s frontier (n N)",
		glyph(grid, GLYPH_NEW), glyph(grid, GLYPH_HERE));
}

/* Says above the lines why the text is missing. */
static void
pane_draw_why(const struct source_pane *pane, struct grid *grid,
	struct rect *rect)
{
	int used;

	if (pane->why[0] == '\0')
		return;
	used = draw_words(grid, *rect, STYLE_WARN, pane->why);
	draw_cut_top(rect, used);
	draw_cut_top(rect, draw_words(grid, *rect, STYLE_LABEL, pane->title));
	if (rect->h > 4)
		draw_cut_top(rect, 1);
}

static void
pane_refresh(struct source_pane *pane, const struct coverage_map *map)
{
	if (pane->structure != map->structure) /* the modules have changed */
		source_pane_close(pane);
	else if (pane->changed != map->changed)
		source_lines_make(pane, map);
}

/* Updates the lines with code; of a large file at most once per second, if time runs. */
static void
pane_follow(struct source_pane *pane, const struct coverage_map *map,
	double elapsed_s)
{
	bool wait = pane->code_lines_n > PANE_MANY &&
		pane->structure == map->structure &&
		elapsed_s != pane->drawn_s && elapsed_s >= pane->made_s &&
		elapsed_s < pane->made_s + PANE_REMAKE_S;

	pane->drawn_s = elapsed_s;
	if (wait)
		return;
	if (pane->changed != map->changed)
		pane->made_s = elapsed_s;
	pane_refresh(pane, map);
}

void
source_pane_draw(struct source_pane *pane, const struct coverage_map *map,
	double elapsed_s, struct grid *grid, struct rect rect)
{
	char summary[96], legend[128], title[SOURCE_PATH_MAX + 32], closes[64];
	struct draw_box box = { .title = title,
		.right = summary,
		.focus = true,
		.below = rect.w >= PANE_LEGEND
			? legend
			: keys_text(KEYS_COVERAGE, "{back} closes", closes,
				  sizeof(closes)) };
	struct rect inside;
	size_t used;

	pane_follow(pane, map, elapsed_s);
	if (!pane->open)
		return;
	pane_summary(pane, summary, sizeof(summary));
	pane_legend(grid,
		pane->known_n < pane->code_lines_n && rect.w >= PANE_LEGEND_ALL,
		legend, sizeof(legend));
	used = text_width(summary) + 10;
	pane_title(pane, map, (size_t)rect.w > used ? (size_t)rect.w - used : 0,
		title, sizeof(title));
	inside = draw_box(grid, rect, &box);
	grid_add_hot_spot(grid,
		(struct rect){ rect.x + rect.w - 3 - (int)text_width(summary),
			rect.y, (int)text_width(summary), 1 },
		HOT_SPOT_FIELD, "frontier");
	grid_add_hot_spot(grid,
		(struct rect){ rect.x + 2, rect.y + rect.h - 1, rect.w - 4, 1 },
		HOT_SPOT_FIELD, "signs");
	pane_draw_why(pane, grid, &inside);
	list_fit(&pane->list, pane->lines_n, inside.h);
	for (size_t i = 0; i < list_seen(&pane->list); i++)
		pane_draw_row(pane, elapsed_s, grid, inside, (int)i);
	list_finish(&pane->list, grid, inside, rect);
}

/* ---- commands ---- */

static void
pane_jump(struct source_pane *pane, int step, char *send)
{
	uint32_t line = source_lines_frontier(pane,
		(uint32_t)pane->list.selected + 1, step);
	char key[KEY_HINT_SIZE];

	if (line > 0)
		pane_go_to(pane, line);
	else if (pane->frontiers_n == 0)
		snprintf(send, COMMAND_LINE_MAX,
			"say this file has no frontier: after no hit line is a "
			"line or call missed");
	else
		snprintf(send, COMMAND_LINE_MAX,
			"say no frontier %s this line; %s goes the other way",
			step > 0 ? "below" : "above",
			keys_hint(KEYS_COVERAGE,
				step > 0 ? "previous-frontier"
					 : "next-frontier",
				key));
}

bool
source_pane_command(struct source_pane *pane, const struct coverage_map *map,
	const char *command, char *send)
{
	pane_refresh(pane, map);
	if (!pane->open)
		return false;
	pane->list.n = pane->lines_n;
	if (strcmp(command, "next-frontier") == 0)
		pane_jump(pane, 1, send);
	else if (strcmp(command, "previous-frontier") == 0)
		pane_jump(pane, -1, send);
	else if (strcmp(command, "right") == 0)
		pane->shift += pane->shift < TEXT_LINES_BYTES ? PANE_SHIFT : 0;
	else if (strcmp(command, "left") == 0)
		pane->shift -= pane->shift > 0 ? PANE_SHIFT : 0;
	else
		return list_command(&pane->list, command);
	return true;
}
