/*
 * test_view_coverage: the coverage view's screens as text, see screen.h.
 *
 * The test plays the helper and the disk, so that no screen depends on a
 * compiler. FLAGS: -Wl,--wrap=sources_ask -Wl,--wrap=file_read
 */
#include "lib/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/xmalloc.h"
#include "coverage/sources.h"

#define FUNCTION_COUNTERS 40u
#define TILE_COUNTERS 12u
#define SCOPE "png::reader::(anonymous)::chunks<int, a::b>::"

bool __wrap_sources_ask(struct sources *sources,
	const struct sources_question *question);
enum status __wrap_file_read(const char *path, size_t max, uint8_t **data,
	size_t *len, struct error *err);

/* ---- the disk ---- */

static const char tile_c[] = "#include \"tile.h\"\n"
			     "\n"
			     "int\n"
			     "read_tile(struct tile *tile, const char *p)\n"
			     "{\n"
			     "\tint n = p[0];\n"
			     "\n"
			     "\tif (n > 4) {\n"
			     "\t\ttile->n = n;\n"
			     "\t\treturn grow(tile);\t/* rarely */\n"
			     "\t}\n"
			     "\tfor (int i = 0; i < n; i++)\n"
			     "\t\tcopy(tile, p + i);\n"
			     "\tif (tile->x == 'Q' && tile->y == 'Z')\n"
			     "\t\tabort();  \033[2J\x9b\n"
			     "\treturn 0;\n"
			     "}\n"
			     "\n"
			     "int\n"
			     "write_tile(struct tile *tile)\n"
			     "{\n"
			     "\tif (tile->n == 0)\n"
			     "\t\treturn -1;\n"
			     "\treturn put(tile);\n"
			     "}\n";

enum status
__wrap_file_read(const char *path, size_t max, uint8_t **data, size_t *len,
	struct error *err)
{
	if (strcmp(path, "/src/png/tile.c") != 0)
		return error_set(err, E_NOT_FOUND, "%s: there is no such file",
			path);
	assert_true(sizeof(tile_c) < max);
	*data = xmemdup(tile_c, sizeof(tile_c));
	*len = sizeof(tile_c) - 1;
	return OK;
}

/* ---- the helper ---- */

/* Misbehaviour of the helper, set by tests. */
static struct {
	bool dies, blind, gone, no_debug, no_ends, scoped, same;
} helper;

static const char *const names[] = { "LLVMFuzzerTestOneInput", "read_tile",
	"write_tile", "next_chunk", "png::reader::inflate", "crc",
	"read_header", "to_gray\033[31m", "", "palette_of" };
static const char *const files[] = { "/src/png/tile.c", "/src/png/chunk.c",
	"/src/png/\033[31mheader.c" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Edge counters of read_tile() and write_tile(), see tile_c. */
static const struct {
	uint32_t line, counter;
} tile_rows[] = { { 4, 40 }, { 6, 40 }, { 8, 40 }, { 9, 41 }, { 10, 42 },
	{ 12, 44 }, { 12, 45 }, { 13, 46 }, { 14, 44 }, { 14, 43 }, { 15, 47 },
	{ 16, 44 }, { 20, 48 }, { 22, 48 }, { 23, 49 }, { 24, 50 } };

/* Lines in blocks without a counter, with the counters that show a hit or a
 * miss; NONE: no counter. */
#define NONE SOURCE_NONE
static const struct {
	uint32_t line, hit, before;
} tile_blocks[] = { { 5, 40, NONE }, { 11, NONE, NONE }, { 17, 44, 40 },
	{ 21, NONE, 48 }, { 25, 49, 50 } };

static uint32_t
function_of(uint32_t counter)
{
	if (counter >= 40 && counter < 48)
		return 1;
	if (counter >= 48 && counter < 40 + TILE_COUNTERS)
		return 2;
	if (counter < 40)
		return 0;
	return 3 + counter / FUNCTION_COUNTERS;
}

static int
compare_rows(const void *a, const void *b)
{
	return memcmp(a, b, 0) +
		(((const struct source_row *)a)->line >
			((const struct source_row *)b)->line) -
		(((const struct source_row *)a)->line <
			((const struct source_row *)b)->line);
}

static void
fill_functions(struct source_table *t, uint32_t n)
{
	t->functions_n = function_of(n) + 1;
	t->functions = xcalloc(t->functions_n, sizeof(*t->functions));
	for (uint32_t i = 0; i < t->functions_n; i++) {
		struct source_function *f = &t->functions[i];
		const char *name = names[i % COUNT(names)];

		f->address = 0x401000 + i * 0x140;
		f->file = helper.no_debug || i % 10 == 8 ? SOURCE_NONE
			: i < 3                          ? i == 0
							 : 1 + i % 2;
		f->line = f->file == SOURCE_NONE ? 0
			: i == 1                 ? 4
			: i == 2                 ? 20
						 : 10 + i;
		if (helper.same && i >= COUNT(names))
			memset(f->name, 'n', PLACE_ITEM + 9);
		else if (i < COUNT(names) || name[0] == '\0')
			snprintf(f->name, sizeof(f->name), "%s", name);
		else
			snprintf(f->name, sizeof(f->name), "%s%s_%u",
				helper.scoped ? SCOPE : "", name, i);
	}
}

static struct source_set
fill_set(struct source_table *t, uint32_t counter)
{
	struct source_set set = { t->members_n, counter != NONE };

	if (counter != NONE)
		t->members[t->members_n++] = counter;
	return set;
}

static void
fill_block(struct source_table *t, size_t i)
{
	bool known =
		tile_blocks[i].hit != NONE || tile_blocks[i].before != NONE;

	t->rows[t->rows_n++] = (struct source_row){ 0, tile_blocks[i].line,
		known ? t->locations_n + t->blocks_n : NONE, 1 };
	if (known)
		t->blocks[t->blocks_n++] = (struct source_block){
			.function = tile_blocks[i].line < 20 ? 1 : 2,
			.hit = fill_set(t, tile_blocks[i].hit),
			.before = fill_set(t, tile_blocks[i].before),
		};
}

static void
fill_rows(struct source_table *t)
{
	t->rows = xcalloc(COUNT(tile_rows) + COUNT(tile_blocks),
		sizeof(*t->rows));
	t->blocks = xcalloc(COUNT(tile_blocks), sizeof(*t->blocks));
	t->members = xcalloc(2 * COUNT(tile_blocks), sizeof(*t->members));
	for (size_t i = 0; i < COUNT(tile_rows); i++)
		t->rows[t->rows_n++] = (struct source_row){ 0,
			tile_rows[i].line, tile_rows[i].counter, 1 };
	for (size_t i = 0; i < COUNT(tile_blocks); i++)
		fill_block(t, i);
	qsort(t->rows, t->rows_n, sizeof(*t->rows), compare_rows);
}

static void
fill_table(struct source_table *t, uint32_t n)
{
	memset(t, 0, sizeof(*t));
	fill_functions(t, n);
	t->files_n = helper.no_debug ? 0 : COUNT(files);
	t->files = xcalloc(COUNT(files), sizeof(*t->files));
	for (uint32_t i = 0; i < t->files_n; i++)
		snprintf(t->files[i].path, SOURCE_PATH_MAX, "%s%s", files[i],
			helper.scoped ? ".long-name.cpp" : "");
	t->locations_n = n;
	t->locations = xcalloc(n, sizeof(*t->locations));
	for (uint32_t i = 0; i < n; i++) {
		const struct source_function *f = &t->functions[function_of(i)];

		t->locations[i] =
			(struct source_location){ .function = function_of(i),
				.file = f->file,
				.line = f->line };
	}
	if (n > 100 && !helper.no_debug)
		fill_rows(t);
	t->end = (struct source_end){ .found = !helper.gone,
		.blind = helper.blind,
		.debug = !helper.no_debug,
		.ends = !helper.no_ends };
}

/* The first member of struct sources. */
struct sources_head {
	struct sources_config config;
};

bool
__wrap_sources_ask(struct sources *sources,
	const struct sources_question *question)
{
	const struct sources_config *config =
		&((const struct sources_head *)sources)->config;
	struct source_table table = { 0 };

	if (!helper.dies)
		fill_table(&table, question->n);
	config->done(config->arg, helper.dies ? NULL : &table,
		helper.dies ? "the reader of debug information died" : NULL);
	source_table_clear(&table);
	return true;
}

/* ---- screens ---- */

#define ALL "<coverage <coverage-changes <modules <pcs <pcs-second "

/* clang-format off */
static const struct screen_case cases[] = {
	{ "nothing-yet", "starting", NULL, KEYS_COMMON },
	{ "no-coverage", "no-coverage", NULL, KEYS_COMMON },
	{ "map-alone", "busy", "<coverage", KEYS_COMMON },
	{ "no-places", "busy", "<coverage <modules <pcs-refused", KEYS_COMMON },
	{ "functions", "busy", ALL, KEYS_COMMON },
	{ "files", "busy", ALL "files", KEYS_COMMON },
	{ "sorted", "busy", ALL "sort sort sort-reverse", KEYS_COMMON },
	{ "no-source", "busy", ALL "files open", KEYS_COMMON },
	{ "addresses", "busy", ALL "end open", KEYS_COMMON },
	{ "source", "busy", ALL "files end up open next-frontier", KEYS_COMMON },
};
/* clang-format on */

static void
open_ready(struct screen *screen)
{
	static const char *const replies[] = { "coverage", "coverage-changes",
		"modules", "pcs", "pcs-second" };

	screen_open(screen, &view_coverage, "busy");
	screen_draw(screen, 120, 40, false);
	for (size_t i = 0; i < COUNT(replies); i++)
		screen_reply(screen, replies[i]);
	screen_draw(screen, 120, 40, false);
}

/* Reasons for missing names or lines. */
static void
test_reasons(void **state)
{
	struct screen screen;

	helper.dies = true;
	open_ready(&screen);
	assert_true(screen_shows(&screen, 120, 40,
		"the reader of debug information died"));
	screen_close(&screen);
	helper.dies = false;
	helper.blind = true;
	open_ready(&screen);
	assert_true(screen_shows(&screen, 120, 40, "install elfutils"));
	screen_close(&screen);
	helper.blind = false;
	helper.gone = true;
	open_ready(&screen);
	assert_true(screen_shows(&screen, 120, 40, "has changed or is gone"));
	screen_close(&screen);
	helper.gone = false;
	helper.no_debug = true;
	open_ready(&screen);
	assert_true(screen_shows(&screen, 120, 40, "build with -g"));
	screen_close(&screen);
	helper.no_debug = false;
}

/* Does the help in place have an entry for it? */
static bool
has_field(const struct screen *screen, const char *label)
{
	const struct hot_spots *marks = grid_hot_spots(screen->grid);

	for (size_t i = 0; i < marks->n; i++)
		if (marks->items[i].kind == HOT_SPOT_FIELD &&
			strcmp(marks->items[i].text, label) == 0)
			return true;
	return false;
}

/* The last one is reached, and the view says so. */
static void
check_last(struct screen *screen, const char *command, const char *said)
{
	int i;

	for (i = 0; i < 100 && screen->sent[0] == '\0'; i++)
		assert_true(screen_command(screen, command));
	assert_in_range(i, 2, 99);
	assert_non_null(strstr(screen->sent, said));
	screen->sent[0] = '\0';
}

static void
test_frontiers(void **state)
{
	struct screen screen;

	open_ready(&screen);
	assert_true(screen_command(&screen, "next-frontier"));
	assert_non_null(
		strstr(screen.sent, "say the source shows the frontiers"));
	assert_true(screen_command(&screen, "files"));
	for (int i = 0; i < 50 && !screen_shows(&screen, 120, 40, "read_tile(");
		i++) {
		screen_command(&screen, "back");
		screen_command(&screen, "down");
		screen_command(&screen, "open");
	}
	assert_true(screen_shows(&screen, 120, 40, "read_tile("));
	assert_true(screen_shows(&screen, 120, 40, "abort();  \\x1b[2J\\x9b"));
	assert_true(has_field(&screen, "frontier"));
	assert_true(screen_command(&screen, "home"));
	check_last(&screen, "next-frontier", "say no frontier below this line");
	check_last(&screen, "previous-frontier",
		"say no frontier above this line");
	assert_true(screen_command(&screen, "home"));
	assert_true(screen_command(&screen, "right"));
	assert_false(screen_shows(&screen, 120, 40, "#include"));
	assert_true(screen_command(&screen, "left"));
	assert_true(screen_shows(&screen, 120, 40, "#include"));
	assert_true(screen_command(&screen, "back"));
	assert_false(screen_shows(&screen, 120, 40, "#include"));
	assert_false(screen_command(&screen, "back"));
	screen_close(&screen);
}

static void
test_no_ends(void **state)
{
	struct screen screen;

	helper.no_ends = true;
	open_ready(&screen);
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_shows(&screen, 120, 40, "(ends of blocks unknown)"));
	screen_close(&screen);
	helper.no_ends = false;
	open_ready(&screen);
	assert_true(screen_command(&screen, "open"));
	assert_false(screen_shows(&screen, 120, 40, "ends of blocks"));
	screen_close(&screen);
}

/* What tells one row from the next stays: the function's own name, the line. */
static void
test_scopes(void **state)
{
	struct screen screen;

	helper.scoped = true;
	open_ready(&screen);
	assert_true(screen_shows(&screen, 40, 12, "…::read_tile_61 "));
	assert_true(screen_shows(&screen, 80, 24, "…::read_tile_61 "));
	assert_true(screen_shows(&screen, 80, 24, "…g-name.cpp:71 "));
	assert_true(screen_shows(&screen, 120, 40, "…::read_tile_61 "));
	assert_true(screen_shows(&screen, 200, 60,
		"…::chunks<int, a::b>::read_tile_61 "));
	screen_close(&screen);
	helper.scoped = false;
}

/* The open source stays the place of the view, however the list moves. */
static void
test_keeps_opened(void **state)
{
	const struct view_ops *view = &view_coverage;
	struct place before = { 0 }, after = { 0 };
	struct screen screen;

	open_ready(&screen);
	assert_true(screen_command(&screen, "open"));
	view->tell(screen.state, screen.model, &before);
	assert_int_equal(before.page % 4, 1);
	assert_true(screen_command(&screen, "sort-reverse"));
	screen_draw(&screen, 120, 40, false);
	view->tell(screen.state, screen.model, &after);
	assert_string_equal(after.item, before.item);
	screen_close(&screen);
}

/* A console that follows shows the same row, however many functions have its name,
 * and longer names than a place has room for; the row of a recording without its
 * index is the first of that name. */
static void
test_same_names(void **state)
{
	const struct view_ops *view = &view_coverage;
	struct place place = { 0 }, shown = { 0 };
	struct screen screen;
	unsigned seen = 0;

	helper.same = true;
	open_ready(&screen);
	while (seen < 2) { /* the second one */
		assert_true(screen_command(&screen, "down"));
		view->tell(screen.state, screen.model, &place);
		seen += strlen(place.item) == PLACE_ITEM - 1;
	}
	assert_true(screen_command(&screen, "home"));
	view->go(screen.state, screen.model, &place);
	view->tell(screen.state, screen.model, &shown);
	assert_true(place_equal(&shown, &place));
	place.page = 0;
	view->go(screen.state, screen.model, &place);
	place = shown;
	view->tell(screen.state, screen.model, &shown);
	assert_string_equal(shown.item, place.item);
	assert_int_not_equal(shown.page, place.page);
	screen_close(&screen);
	helper.same = false;
}

/* A click in the list beside the source shows the source of that row. */
static void
test_click_beside(void **state)
{
	struct screen screen;

	open_ready(&screen);
	assert_true(screen_command(&screen, "files"));
	assert_false(screen_shows(&screen, 160, 40, "abort();"));
	assert_true(screen_command(&screen, "home"));
	assert_true(screen_command(&screen, "open"));
	assert_false(screen_shows(&screen, 160, 40, "abort();"));
	assert_true(screen_click(&screen, "tile.c"));
	assert_true(screen_shows(&screen, 160, 40, "read_tile("));
	screen_close(&screen);
}

/* After a change of modules, nothing of the old ones is shown. */
static void
test_modules_change(void **state)
{
	struct screen screen;

	open_ready(&screen);
	assert_true(screen_command(&screen, "end"));
	assert_true(screen_command(&screen, "open"));
	screen_draw(&screen, 200, 60, false);
	screen_reply(&screen, "modules-other");
	assert_true(screen_command(&screen, "down"));
	assert_true(screen_command(&screen, "open"));
	screen_draw(&screen, 200, 60, false);
	screen_check_sound(&screen);
	assert_true(screen_shows(&screen, 120, 40,
		"Waiting for the target's PC table"));
	screen_close(&screen);
}

/* Times are the campaign's: hits of an earlier run are not new. */
static void
test_past(void **state)
{
	struct screen screen;
	struct snapshot *s;

	open_ready(&screen);
	s = (struct snapshot *)screen.model->snapshot;
	assert_true(screen_command(&screen, "files"));
	assert_true(screen_shows(&screen, 200, 60, "◆  tile.c"));
	assert_true(screen_shows(&screen, 200, 60, "█▒◆"));
	s->past_s = s->elapsed_s;
	assert_false(screen_shows(&screen, 200, 60, "◆  tile.c"));
	assert_false(screen_shows(&screen, 200, 60, "█▒◆"));
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_frontiers),
		cmocka_unit_test(test_no_ends),
		cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_keeps_opened),
		cmocka_unit_test(test_same_names),
		cmocka_unit_test(test_click_beside),
		cmocka_unit_test(test_modules_change),
		cmocka_unit_test(test_past),
	};

	return screen_run(&view_coverage, cases, COUNT(cases), more,
		COUNT(more));
}
