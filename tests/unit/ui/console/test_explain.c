/*
 * test_explain: each field on the screens has an explanation, and each
 * explanation has a field.
 */
#include "lib/check.h"
#include "lib/dump.h"
#include "lib/made_reply.h"
#include "lib/screen.h"
#include "ui/console/explain.h"
#include "ui/console/explain_words.h"
#include "ui/term/hot_spot.h"
#include "ui/views/coverage/coverage_table.h"
#include "ui/widgets/draw.h"

static const struct view_ops *const views[] = {
	&view_dashboard,
	&view_workers,
	&view_coverage,
	&view_corpus,
	&view_findings,
	&view_minimization,
	&view_journal,
};

static const char *const snapshots[] = { "busy", "minimizing", "many-workers",
	"no-coverage", "paused", "ended", "empty" };

static const struct {
	int w, h;
} sizes[] = { { 40, 12 }, { 80, 24 }, { 120, 40 }, { 300, 80 } };

/* Entries and labels that were found on some screen. */
#define SEEN_MAX 256
static struct seen {
	char labels[SEEN_MAX][HOT_SPOT_TEXT];
	enum key_context views[SEEN_MAX];
	size_t n, missing;
} seen;

static void
see(const struct model *model, const struct hot_spot *mark, const char *view)
{
	struct explained e;

	if (!explain_find(model, mark->text, &e) || e.text[0] == '\0') {
		print_error("%s: no words for `%s`\n", view, mark->text);
		seen.missing++;
		return;
	}
	for (size_t i = 0; i < seen.n; i++)
		if (strcmp(seen.labels[i], mark->text) == 0 &&
			seen.views[i] == model->view)
			return;
	assert_true(seen.n < SEEN_MAX);
	seen.views[seen.n] = model->view;
	snprintf(seen.labels[seen.n++], HOT_SPOT_TEXT, "%s", mark->text);
}

static void
see_marks(const struct screen *screen)
{
	const struct hot_spots *marks = grid_hot_spots(screen->grid);

	for (size_t i = 0; i < marks->n; i++)
		if (marks->items[i].kind == HOT_SPOT_FIELD)
			see(screen->model, &marks->items[i],
				screen->view->name);
}

static void
see_sizes(struct screen *screen)
{
	for (size_t i = 0; i < ROWS(sizes); i++) {
		screen_draw(screen, sizes[i].w, sizes[i].h, false);
		see_marks(screen);
	}
}

/* The screen at the start, with replies, and with a row opened. */
static void
see_screen(const struct view_ops *view, const char *snapshot)
{
	static const char *const commands[] = { "files", "files", "open",
		"trail", "open" };
	enum made_kind kind = MADE_PLAIN;
	struct screen screen;

	screen_open(&screen, view, snapshot);
	screen.model->view = view->context;
	see_sizes(&screen);
	for (size_t i = 0; i < ROWS(commands); i++) {
		/* A reply may lead to another query. */
		screen_answer(&screen, made_reply, &kind);
		screen_answer(&screen, made_reply, &kind);
		see_sizes(&screen);
		screen_command(&screen, commands[i]);
	}
	screen_answer(&screen, made_reply, &kind);
	see_sizes(&screen);
	screen_close(&screen);
}

/* The columns of a list that is made from files of the target. */
static void
see_coverage_table(void)
{
	struct rect area = { 0, 0, 300, 20 };
	struct coverage_table table;
	struct screen screen;

	screen_open(&screen, &view_coverage, "busy");
	screen.model->view = KEYS_COVERAGE;
	coverage_table_init(&table);
	for (int i = 0; i < 2; i++) {
		screen_draw(&screen, 300, 80, false);
		grid_clear(screen.grid);
		coverage_table_draw(&table, screen.model, screen.grid, area,
			area);
		see_marks(&screen);
		coverage_table_command(&table, "files");
	}
	coverage_table_clear(&table);
	screen_close(&screen);
}

static void
see_trail(void)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	screen.model->view = KEYS_CORPUS;
	screen_reply(&screen, "corpus");
	screen_command(&screen, "trail");
	screen_reply(&screen, "trail");
	see_sizes(&screen);
	screen_close(&screen);
}

static void
see_entry(const char *reply)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	screen.model->view = KEYS_CORPUS;
	screen_reply(&screen, "corpus");
	screen_command(&screen, "open");
	screen_reply(&screen, reply);
	see_sizes(&screen);
	screen_close(&screen);
}

/* A full reply for an entry; or a finding of the snapshot. */
static void
entry_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct reply_entry *entry = &reply->entry;

	if (query->kind != QUERY_ENTRY)
		return;
	snprintf(entry->name, sizeof(entry->name), "%s", query->name);
	entry->finding = *(bool *)arg;
	entry->lineage_n = 1;
	entry->lineage = calloc(1, sizeof(*entry->lineage));
	*entry->lineage = (struct reply_row){ .parent = "3fa9c1",
		.favoured = true,
		.unstable = true,
		.progress = true };
}

static void
see_made_entry(const char *command, bool finding)
{
	struct screen screen;

	screen_open(&screen, &view_corpus, "busy");
	screen.model->view = KEYS_CORPUS;
	screen_command(&screen, command);
	screen_answer(&screen, entry_answer, &finding);
	see_sizes(&screen);
	screen_close(&screen);
}

static void
typed_answer(const struct query *query, struct reply *reply, void *arg)
{
	if (query->kind == QUERY_FINDING)
		reply->finding.typed = true;
}

/*
 * A finding of a typed target with an input sequence; `fixed`, one that the present
 * build has not shown.
 */
static void
see_finding(bool fixed)
{
	struct snapshot *snapshot;
	struct screen screen;

	screen_open(&screen, &view_findings, "busy");
	screen.model->view = KEYS_FINDINGS;
	snapshot = (struct snapshot *)(uintptr_t)screen.model->snapshot;
	for (size_t i = 0; i < snapshot->findings_n; i++) {
		snapshot->findings[i].sequence = 2;
		if (fixed)
			snprintf(snapshot->findings[i].standing,
				sizeof(snapshot->findings[i].standing),
				"fixed");
	}
	screen_command(&screen, "open");
	screen_answer(&screen, typed_answer, NULL);
	see_sizes(&screen);
	screen_close(&screen);
}

static void
see_stopping(void)
{
	struct screen screen;

	screen_open(&screen, &view_workers, "stopping");
	screen.model->view = KEYS_WORKERS;
	screen_draw(&screen, 80, 24, false);
	screen_command(&screen, "down");
	screen_command(&screen, "open");
	see_sizes(&screen);
	screen_close(&screen);
}

static void
test_fields_have_words(void **state)
{
	see_coverage_table();
	see_trail();
	see_entry("entry");
	see_entry("entry-large");
	see_made_entry("entry 3fa9c177d0aa9b01", false);
	see_made_entry("entry 90be77c2", true);
	see_finding(false);
	see_finding(true);
	see_stopping();
	see_screen(&view_minimization, "stepping");
	for (size_t v = 0; v < ROWS(views); v++)
		for (size_t s = 0; s < ROWS(snapshots); s++)
			see_screen(views[v], snapshots[s]);
	assert_int_equal(seen.missing, 0);
}

/* Must run after the test above. */
static void
test_words_have_fields(void **state)
{
	const struct explain_words *words;
	size_t missing = 0;

	for (size_t i = 0; (words = explain_words(i)) != NULL; i++) {
		size_t k = 0;

		while (k < seen.n &&
			(strcmp(seen.labels[k], words->label) != 0 ||
				(words->view != KEYS_COMMON &&
					words->view != seen.views[k])))
			k++;
		/* The singular of another label. */
		if (strcmp(words->label, "word") == 0 ||
			strcmp(words->label, "new input") == 0 ||
			strcmp(words->label, "child died") == 0)
			continue;
		/* In the source pane, see below. */
		if (strcmp(words->label, "signs") == 0)
			continue;
		if (k == seen.n) {
			print_error("%s: nothing is called `%s`\n",
				key_context_name(words->view), words->label);
			missing++;
		}
	}
	assert_int_equal(missing, 0);
}

/* Does a label of that view, or a field of that name, lead to the entry? */
static bool
leads_to(size_t label, const char *entry)
{
	const struct explain_words *words, *found = NULL;

	for (size_t i = 0; (words = explain_words(i)) != NULL; i++)
		if (strcmp(words->label, seen.labels[label]) == 0 &&
			(words->view == seen.views[label] ||
				(words->view == KEYS_COMMON && found == NULL)))
			found = words;
	if (found == NULL)
		return strcmp(seen.labels[label], entry) == 0;
	return found->entry != NULL && strcmp(found->entry, entry) == 0;
}

static void
test_entries_have_fields(void **state)
{
	const struct glossary_entry *entry;
	size_t missing = 0;

	for (size_t i = 0; (entry = glossary_entry(i)) != NULL; i++) {
		size_t k = 0;

		/* In the source pane: test_view_coverage opens it; in the
		 * header: test_screen_frame draws it. */
		if (strcmp(entry->name, "frontier") == 0 ||
			strcmp(entry->name, "kind") == 0)
			continue;
		while (k < seen.n && !leads_to(k, entry->name))
			k++;
		if (k == seen.n) {
			print_error("no field shows `%s`\n", entry->name);
			missing++;
		}
	}
	assert_int_equal(missing, 0);
}

/* A number of one row or view has words for it, and not the value of the campaign
 * or of something else with the same name. */
static void
test_numbers_of_rows(void **state)
{
	static const struct {
		enum key_context view;
		const char *label;
	} rows[] = {
		{ KEYS_DASHBOARD, "execs" },
		{ KEYS_DASHBOARD, "per s" },
		{ KEYS_DASHBOARD, "new" },
		{ KEYS_WORKERS, "execs" },
		{ KEYS_WORKERS, "per s" },
		{ KEYS_WORKERS, "new" },
		{ KEYS_WORKERS, "executions" },
		{ KEYS_WORKERS, "now" },
		{ KEYS_WORKERS, "new input" },
		{ KEYS_WORKERS, "new inputs" },
		{ KEYS_WORKERS, "restarts" },
		{ KEYS_WORKERS, "deaths" },
		{ KEYS_WORKERS, "child died" },
		{ KEYS_WORKERS, "children died" },
		{ KEYS_CORPUS, "gen" },
		{ KEYS_CORPUS, "generation" },
		{ KEYS_CORPUS, "bits" },
		{ KEYS_CORPUS, "execs" },
		{ KEYS_CORPUS, "executions" },
		{ KEYS_CORPUS, "new" },
		{ KEYS_CORPUS, "new inputs" },
		{ KEYS_CORPUS, "favoured" },
		{ KEYS_CORPUS, "unstable" },
		{ KEYS_CORPUS, "mutation" },
		{ KEYS_FINDINGS, "last" },
		{ KEYS_FINDINGS, "replays" },
		{ KEYS_FINDINGS, "build" },
		{ KEYS_FINDINGS, "size" },
		{ KEYS_MINIMIZATION, "for" },
		{ KEYS_MINIMIZATION, "what" },
		{ KEYS_COVERAGE, "edges" },
	};
	struct screen screen;
	size_t wrong = 0;

	screen_open(&screen, &view_dashboard, "busy");
	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct explain_words *words;
		struct explained e;
		size_t k = 0;

		while ((words = explain_words(k)) != NULL &&
			(words->view != rows[i].view ||
				strcmp(words->label, rows[i].label) != 0))
			k++;
		screen.model->view = rows[i].view;
		if (words != NULL &&
			explain_find(screen.model, rows[i].label, &e) &&
			e.value[0] == '\0')
			continue;
		print_error("%s: `%s` is explained as something else\n",
			key_context_name(rows[i].view), rows[i].label);
		wrong++;
	}
	screen_close(&screen);
	assert_int_equal(wrong, 0);
}

/* All of it is readable in the box on a screen of 40x12. */
static void
test_words_fit(void **state)
{
	const struct explain_words *words;

	for (size_t i = 0; (words = explain_words(i)) != NULL; i++)
		check(words->text == NULL ||
				draw_words_rows(words->text, 36) <= 8,
			"%s: %d rows", words->label,
			draw_words_rows(words->text, 36));
}

/* ---- the way through the fields ---- */

static void
test_ways(void **state)
{
	struct model *m;
	struct screen screen;
	char first[HOT_SPOT_TEXT];

	screen_open(&screen, &view_dashboard, "busy");
	screen_draw(&screen, 80, 24, false);
	m = screen.model;
	assert_true(explain_open(m, screen.grid));
	snprintf(first, sizeof(first), "%s", m->explain.label);
	explain_command(m, screen.grid, "next");
	assert_string_not_equal(m->explain.label, first);
	explain_command(m, screen.grid, "previous");
	assert_string_equal(m->explain.label, first);
	explain_command(m, screen.grid, "up"); /* there is nothing */
	assert_string_equal(m->explain.label, first);
	explain_command(m, screen.grid, "down");
	assert_string_equal(m->explain.label, "now");
	explain_command(m, screen.grid, "right");
	assert_string_equal(m->explain.label, "average");
	explain_command(m, screen.grid, "left");
	assert_string_equal(m->explain.label, "now");
	explain_command(m, screen.grid, "back");
	assert_false(m->explain.open);
	screen_close(&screen);
}

/* A long value of an option is cut at the end of a character. */
static void
test_long_value(void **state)
{
	struct screen screen;
	struct snapshot_limit *limit;
	struct explained e;

	screen_open(&screen, &view_dashboard, "busy");
	assert_true(screen.model->snapshot->limits_n > 0);
	limit = &screen.model->snapshot->limits[0];
	snprintf(limit->name, sizeof(limit->name), "input-file");
	memset(limit->value, 0, sizeof(limit->value));
	for (size_t i = 0; i < 50; i++)
		memcpy(limit->value + 1 + 3 * i, "\u20ac", 3);
	limit->value[0] = 'x';
	assert_true(explain_find(screen.model, limit->name, &e));
	assert_int_equal(strlen(e.value) % 3, 1);
	assert_true(strlen(e.value) >= 58);
	screen_close(&screen);
}

/* A click selects a field; a click beside it selects nothing. */
static void
test_pick(void **state)
{
	struct screen screen;
	const struct hot_spots *marks;
	struct rect body = { 0, 0, 80, 22 };

	screen_open(&screen, &view_dashboard, "busy");
	screen_draw(&screen, 80, 24, false);
	assert_true(explain_open(screen.model, screen.grid));
	marks = grid_hot_spots(screen.grid);
	for (size_t i = 0; i < marks->n; i++) {
		const struct hot_spot *m = &marks->items[i];

		if (m->kind != HOT_SPOT_FIELD)
			continue;
		assert_true(explain_pick(screen.model, screen.grid,
			m->x + m->w - 1, m->y));
		assert_string_equal(screen.model->explain.label, m->text);
	}
	assert_false(explain_pick(screen.model, screen.grid, 0, 2));
	assert_false(explain_pick(screen.model, screen.grid, 500, 500));

	/* The panel has a clickable key that closes it. */
	explain_draw(screen.model, screen.grid, body);
	marks = grid_hot_spots(screen.grid);
	assert_string_equal(hot_spots_at(marks, HOT_SPOT_COMMAND, 40, 21)->text,
		"key Esc");
	screen_close(&screen);
}

/* The panel shows name, value and meaning, and does not cover the field. */
static void
test_panel(void **state)
{
	struct screen screen;

	for (size_t i = 0; i < ROWS(sizes); i++) {
		struct rect body = { 0, 0, sizes[i].w, sizes[i].h - 2 };
		char *text;

		screen_open(&screen, &view_dashboard, "busy");
		screen_draw(&screen, sizes[i].w, sizes[i].h, false);
		assert_true(explain_open(screen.model, screen.grid));
		explain_command(screen.model, screen.grid, "down");
		explain_draw(screen.model, screen.grid, body);
		text = grid_dump(screen.grid);
		if (sizes[i].w >= 80) {
			check(strstr(text, "speed now") != NULL, "%s", text);
			check(strstr(text, "Executions of the target") != NULL,
				"%s", text);
		}
		free(text);
		screen_close(&screen);
	}
}

static void
test_nothing_to_explain(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_dashboard, "busy");
	screen_draw(&screen, 1, 1, false);
	grid_clear(screen.grid);
	assert_false(explain_open(screen.model, screen.grid));
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields_have_words),
		cmocka_unit_test(test_words_have_fields),
		cmocka_unit_test(test_entries_have_fields),
		cmocka_unit_test(test_numbers_of_rows),
		cmocka_unit_test(test_words_fit),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_long_value),
		cmocka_unit_test(test_pick),
		cmocka_unit_test(test_panel),
		cmocka_unit_test(test_nothing_to_explain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
