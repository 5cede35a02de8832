/*
 * test_view_corpus: the corpus view's screens as text (see screen.h), and its
 * queries.
 */
#include "lib/dump.h"
#include "lib/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "nothing-ran", "empty", NULL, KEYS_COMMON },
	{ "asked", "busy", NULL, KEYS_COMMON },
	{ "empty", "busy", "<corpus-none", KEYS_COMMON },
	{ "list", "busy", "<corpus", KEYS_COMMON },
	{ "selected", "busy", "<corpus down down down", KEYS_COMMON },
	{ "sorted", "busy", "<corpus sort sort-reverse", KEYS_COMMON },
	{ "entry", "busy", "<corpus open <entry down", KEYS_COMMON },
	{ "entry-text", "busy", "<corpus open <entry hex", KEYS_COMMON },
	{ "entry-large", "busy", "<corpus open <entry-large page-down",
	  KEYS_COMMON },
	{ "entry-asked", "busy", "<corpus open", KEYS_COMMON },
	{ "trail", "busy", "<corpus trail <trail up up", KEYS_COMMON },
	{ "trail-text", "busy", "<corpus trail <trail hex", KEYS_COMMON },
	{ "trail-seed", "busy", "<corpus trail <trail-seed", KEYS_COMMON },
	{ "trail-unknown", "busy", "<corpus trail <trail-unknown",
	  KEYS_COMMON },
};
/* clang-format on */

/* ---- an engine with 100 000 entries ---- */

#define MANY 100000u

struct many {
	unsigned asked;
	uint64_t added; /* before all others */
	struct query last;
};

static void
many_name(uint64_t entry, char name[17])
{
	snprintf(name, 17, "%08llxdeadbeef", (unsigned long long)entry);
}

/* The newest entry, which has the highest number, comes first. */
static void
many_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct many *many = arg;
	struct reply_corpus *corpus = &reply->corpus;
	uint64_t all = MANY + many->added;

	many->asked++;
	many->last = *query;
	if (query->kind != QUERY_CORPUS)
		return;
	assert_true(query->count <= QUERY_ROWS_MAX);
	corpus->total = corpus->matching = all;
	corpus->first = query->first < all ? query->first : all;
	if (query->name[0] != '\0')
		corpus->place = all - (strtoull(query->name, NULL, 16) >> 32);
	corpus->rows = xcalloc(query->count, sizeof(*corpus->rows));
	while (corpus->rows_n < query->count &&
		corpus->first + corpus->rows_n < all) {
		struct reply_row *row = &corpus->rows[corpus->rows_n];

		row->index =
			(uint32_t)(all - 1 - corpus->first - corpus->rows_n);
		many_name(row->index, row->name);
		corpus->rows_n++;
	}
}

static void
many_open(struct screen *screen, struct many *many)
{
	memset(many, 0, sizeof(*many));
	screen_open(screen, &view_corpus, "busy");
	/* Twice: the first draw sets the page size. */
	for (int i = 0; i < 2; i++) {
		screen_draw(screen, 80, 24, false);
		screen_answer(screen, many_answer, many);
	}
	screen_draw(screen, 80, 24, false);
}

static bool
is_entry_shown(struct screen *screen, uint64_t entry)
{
	char name[17];

	many_name(entry, name);
	name[8] = '\0'; /* the part that fits */
	return screen_shows(screen, 80, 24, name);
}

/* `fuzz` takes the selected entry. */
static void
check_selected(struct screen *screen, uint64_t entry)
{
	char line[32] = "fuzz ";

	many_name(entry, line + 5);
	assert_true(screen_command(screen, "fuzz"));
	assert_string_equal(screen->sent, line);
}

/* Moving by rows and by a page needs no new reply. */
static void
test_window(void **state)
{
	struct screen screen;
	struct query before;
	struct many many;

	many_open(&screen, &many);
	before = many.last;
	for (int i = 0; i < 3; i++) {
		assert_true(screen_command(&screen, "down"));
		screen_draw(&screen, 80, 24, false);
		screen_answer(&screen, many_answer, &many);
		assert_true(query_equal(&many.last, &before));
	}
	assert_true(screen_command(&screen, "page-down"));
	assert_true(is_entry_shown(&screen, MANY - 20));
	screen_close(&screen);
}

/* The old rows stay until the new ones arrive: no empty screen. */
static void
test_far(void **state)
{
	struct screen screen;
	struct many many;

	many_open(&screen, &many);
	assert_true(screen_command(&screen, "end"));
	assert_false(is_entry_shown(&screen, 0));
	assert_true(screen_shows(&screen, 80, 24, "000186"));
	screen_answer(&screen, many_answer, &many);
	assert_true(is_entry_shown(&screen, 0));
	check_selected(&screen, 0);
	assert_true(screen_command(&screen, "home"));
	screen_draw(&screen, 80, 24, false);
	screen_answer(&screen, many_answer, &many);
	check_selected(&screen, MANY - 1);
	screen_close(&screen);
}

/* The first row selects the newest entry; in other rows the entry stays. */
static void
test_moving(void **state)
{
	struct screen screen;
	struct many many;

	many_open(&screen, &many);
	many.added = 3;
	screen_answer(&screen, many_answer, &many);
	check_selected(&screen, MANY + 2);
	assert_true(screen_command(&screen, "down"));
	check_selected(&screen, MANY + 1);
	many.added = 8;
	screen_answer(&screen, many_answer, &many);
	check_selected(&screen, MANY + 1);
	assert_true(is_entry_shown(&screen, MANY + 1));
	/* The entry has left the held rows: the view asks for its row. */
	many.added = 5000;
	screen_answer(&screen, many_answer, &many);
	screen_answer(&screen, many_answer, &many);
	assert_string_not_equal(many.last.name, "");
	screen_draw(&screen, 80, 24, false);
	screen_answer(&screen, many_answer, &many);
	check_selected(&screen, MANY + 1);
	assert_true(is_entry_shown(&screen, MANY + 1));
	screen_close(&screen);
}

/* The second newest entry was minimized: it has another name, and is found by
 * both. */
static void
shorter_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct reply_corpus *corpus = &reply->corpus;

	many_answer(query, reply, arg);
	for (size_t i = 0; i < corpus->rows_n; i++)
		if (corpus->rows[i].index == MANY - 2)
			memcpy(corpus->rows[i].name + 8, "0badcafe", 8);
}

/* A selected entry stays selected, and the view does not ask for ever. */
static void
test_shorter(void **state)
{
	static const uint64_t added[] = { 0, 5000 }; /* held, or far away */
	struct query before;
	struct screen screen;
	struct many many;

	for (size_t i = 0; i < 2; i++) {
		many_open(&screen, &many);
		assert_true(screen_command(&screen, "down"));
		screen_answer(&screen, many_answer, &many);
		many.added = added[i];
		for (int n = 0; n < 6; n++)
			screen_answer(&screen, shorter_answer, &many);
		for (int n = 0; n < 2; n++) {
			before = many.last;
			assert_string_equal(before.name, "");
			screen_answer(&screen, shorter_answer, &many);
			assert_true(query_equal(&many.last, &before));
		}
		assert_true(screen_command(&screen, "fuzz"));
		assert_string_equal(screen.sent, "fuzz 0001869e0badcafe");
		screen_close(&screen);
	}
}

static void
test_sort(void **state)
{
	struct screen screen;
	struct many many;

	many_open(&screen, &many);
	assert_string_equal(many.last.sort, "found_at_s");
	assert_true(many.last.falling);
	assert_true(screen_command(&screen, "sort-reverse"));
	screen_answer(&screen, many_answer, &many);
	assert_false(many.last.falling);
	for (int i = 0; i < 12; i++) {
		assert_true(screen_command(&screen, "sort"));
		screen_answer(&screen, many_answer, &many);
		assert_string_not_equal(many.last.sort, "");
	}
	screen_close(&screen);
}

/* A reply in an old order is not shown. */
static void
test_late(void **state)
{
	struct reply reply = { .kind = QUERY_CORPUS };
	struct query query = { .kind = QUERY_CORPUS, .count = 64 };
	struct screen screen;
	struct many many;

	many_open(&screen, &many);
	snprintf(query.sort, sizeof(query.sort), "len");
	view_corpus.reply(screen.state, &query, &reply);
	assert_true(is_entry_shown(&screen, MANY - 1));
	reply_clear(&reply);
	screen_close(&screen);
}

static void
test_filter(void **state)
{
	struct screen screen;
	struct many many;

	many_open(&screen, &many);
	filter_set(&screen.model->filters[KEYS_CORPUS], "fav seed");
	screen_answer(&screen, many_answer, &many);
	assert_string_equal(many.last.filter, "fav seed");
	assert_true(screen_shows(&screen, 80, 24, "fav seed"));
	assert_true(screen_shows(&screen, 80, 24, "100 000 of 100 000"));
	screen_close(&screen);
}

/* ---- pages ---- */

static void
test_pages(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	assert_false(screen_command(&screen, "back"));
	assert_true(screen_command(&screen, "open"));
	assert_false(screen_command(&screen, "back"));
	screen_reply(&screen, "corpus");
	assert_true(screen_command(&screen, "open"));
	screen_reply(&screen, "entry");
	assert_true(screen_shows(&screen, 80, 24, "entry 77d0aa12c4b9e801"));
	/* An ancestor, and its mutation log. */
	assert_true(screen_command(&screen, "down"));
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_command(&screen, "fuzz"));
	assert_string_not_equal(screen.sent, "fuzz 77d0aa12c4b9e801");
	assert_true(screen_command(&screen, "trail"));
	assert_true(screen_shows(&screen, 80, 24, "mutations of "));
	assert_true(screen_command(&screen, "back"));
	assert_true(screen_shows(&screen, 80, 24, "entry "));
	assert_true(screen_command(&screen, "back"));
	assert_true(screen_shows(&screen, 80, 24, "530 entries"));
	assert_false(screen_command(&screen, "back"));
	screen_close(&screen);
}

/* Opened by another view, and back to it. */
static void
test_led_here(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	assert_true(screen_command(&screen, "trail 90be77c2 findings"));
	assert_true(screen_shows(&screen, 80, 24, "mutations of 90be77c2"));
	assert_true(screen_command(&screen, "back"));
	assert_string_equal(screen.sent, "view findings");
	assert_true(screen_command(&screen, "entry 3fa9c177d0aa9b01 journal"));
	assert_true(screen_shows(&screen, 80, 24, "entry 3fa9c177d0aa9b01"));
	assert_true(screen_command(&screen, "trail"));
	assert_true(screen_command(&screen, "back"));
	assert_string_equal(screen.sent, "");
	assert_true(screen_command(&screen, "back"));
	assert_string_equal(screen.sent, "view journal");
	screen_close(&screen);
}

static void
refuse(const struct query *query, struct reply *reply, void *arg)
{
	snprintf(reply->error, sizeof(reply->error), "it is gone");
}

static void
test_refused(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	screen_answer(&screen, refuse, NULL);
	assert_true(screen_shows(&screen, 80, 24,
		"The list cannot be shown: it is gone."));
	assert_true(screen_command(&screen, "entry 3fa9c177d0aa9b01"));
	screen_answer(&screen, refuse, NULL);
	assert_true(screen_shows(&screen, 80, 24,
		"The entry cannot be shown: it is gone."));
	assert_true(screen_command(&screen, "trail"));
	screen_answer(&screen, refuse, NULL);
	assert_true(screen_shows(&screen, 80, 24,
		"The mutations cannot be shown: it is gone."));
	screen_close(&screen);
}

/* The page of a refused log has nothing to open, whatever was shown before. */
static void
test_refused_after_another(void **state)
{
	const struct view_ops *view = &view_corpus;
	static const char *const commands[] = { "open", "hex" };
	struct screen s;

	screen_open(&s, view, "busy");
	screen_reply(&s, "corpus");
	assert_true(screen_command(&s, "trail"));
	screen_reply(&s, "trail");
	for (size_t i = 0; i < 2; i++)
		assert_true(view->offers(s.state, s.model, commands[i]));
	assert_true(screen_command(&s, "trail 3fa9c177d0aa9b01"));
	screen_answer(&s, refuse, NULL);
	for (size_t i = 0; i < 2; i++)
		assert_false(view->offers(s.state, s.model, commands[i]));
	assert_true(screen_command(&s, "open"));
	assert_true(screen_shows(&s, 80, 24,
		"The mutations cannot be shown: it is gone."));
	screen_close(&s);
}

/* The same entry again moves neither its bytes nor the lineage's selection. */
static void
test_entry_again(void **state)
{
	static const char *const commands[] = { "open", "page-down", "down" };
	char *before, *after;
	struct screen s;

	screen_open(&s, &view_corpus, "busy");
	screen_reply(&s, "corpus");
	for (size_t i = 0; i < 3; i++) {
		assert_true(screen_command(&s, commands[i]));
		screen_reply(&s, "entry-large");
		screen_draw(&s, 80, 24, false);
	}
	before = grid_dump(s.grid);
	assert_null(strstr(before, " 000000  "));
	screen_reply(&s, "entry-large");
	screen_draw(&s, 80, 24, false);
	after = grid_dump(s.grid);
	assert_string_equal(after, before);
	free(before);
	free(after);
	screen_close(&s);
}

/* The same log again does not move the selection. */
static void
test_log_again(void **state)
{
	const struct view_ops *view = &view_corpus;
	struct place before = { 0 }, after = { 0 };
	struct screen s;

	screen_open(&s, view, "busy");
	assert_true(screen_command(&s, "trail 77d0aa12c4b9e801"));
	screen_reply(&s, "trail");
	assert_true(screen_command(&s, "up"));
	view->tell(s.state, s.model, &before);
	screen_reply(&s, "trail");
	view->tell(s.state, s.model, &after);
	assert_int_not_equal(before.row, 0);
	assert_int_equal(after.row, before.row);
	screen_close(&s);
}

static void
renamed_answer(const struct query *query, struct reply *reply, void *arg)
{
	if (query->kind == QUERY_ENTRY)
		snprintf(reply->entry.name, sizeof(reply->entry.name), "%s",
			(const char *)arg);
}

/* The page of an entry that was minimized since shows it under its new name. */
static void
test_renamed(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	assert_true(screen_command(&screen, "entry 3fa9c177d0aa9b01"));
	screen_answer(&screen, renamed_answer, "0123456789abcdef");
	assert_true(screen_shows(&screen, 80, 24, "entry 0123456789abcdef"));
	assert_true(screen_command(&screen, "fuzz"));
	assert_string_equal(screen.sent, "fuzz 0123456789abcdef");
	screen_close(&screen);
}

static void
parentless_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct reply_entry *entry = &reply->entry;

	if (query->kind != QUERY_ENTRY)
		return;
	snprintf(entry->name, sizeof(entry->name), "%s", query->name);
	entry->lineage_n = 1;
	entry->lineage = xcalloc(1, sizeof(*entry->lineage));
	*entry->lineage = *(const struct reply_row *)arg;
}

/* Only a seed is called so, not all whose parent is unknown, as after a resume
 * without the seeds. */
static void
test_parentless(void **state)
{
	static const struct {
		struct reply_row row;
		const char *says, *lineage;
	} rows[] = {
		{ { .seed = true }, "it is a seed ", "0 B  seed " },
		{ { .generation = 0 }, "parent none known   generation 0 ",
			"0 B  gen 0 " },
		{ { .generation = 3 }, "parent none known   generation 3 ",
			"0 B  gen 3 " },
	};
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&screen, &view_corpus, "busy");
		assert_true(screen_command(&screen, "entry 3fa9c177d0aa9b01"));
		screen_answer(&screen, parentless_answer, (void *)&rows[i].row);
		assert_true(screen_shows(&screen, 80, 24, rows[i].says));
		assert_true(screen_shows(&screen, 80, 24, rows[i].lineage));
		screen_close(&screen);
	}
}

static void
minimized_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct reply_mutation_log *log = &reply->mutation_log;

	if (query->kind != QUERY_MUTATION_LOG)
		return;
	log->steps = xcalloc(1, sizeof(*log->steps));
	log->steps_n = 1;
	log->steps[0].minimized = true;
	snprintf(log->steps[0].entry, sizeof(log->steps[0].entry), "%s",
		(const char *)arg);
}

/* What a minimization kept: the failure of a finding, else the coverage. */
static void
test_minimized(void **state)
{
	static const char failure[] = "got shorter and fails as before.";
	static const char coverage[] = "got shorter and kept its coverage.";
	static const struct {
		const char *command, *entry, *says;
	} rows[] = {
		{ "trail 77d0aa12c4b9e801", "77d0aa12c4b9e801", coverage },
		{ "trail 90be77c2", "77d0aa12c4b9e801", coverage },
		{ "trail 90be77c2/min", "77d0aa12c4b9e801", coverage },
		{ "trail 90be77c2/min", "90be77c2", failure },
		{ "trail 90be/min", "90be77c2", failure },
	};
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&screen, &view_corpus, "busy");
		assert_true(screen_command(&screen, rows[i].command));
		screen_answer(&screen, minimized_answer, (void *)rows[i].entry);
		assert_true(screen_shows(&screen, 120, 40, rows[i].says));
		screen_close(&screen);
	}
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_shorter),
		cmocka_unit_test(test_sort),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_led_here),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_refused_after_another),
		cmocka_unit_test(test_entry_again),
		cmocka_unit_test(test_log_again),
		cmocka_unit_test(test_renamed),
		cmocka_unit_test(test_parentless),
		cmocka_unit_test(test_minimized),
	};

	return screen_run(&view_corpus, cases, COUNT(cases), more, COUNT(more));
}
