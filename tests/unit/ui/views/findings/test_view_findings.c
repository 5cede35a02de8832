/*
 * test_view_findings: the findings view's screens as text, see screen.h.
 */
#include "lib/dump.h"
#include "lib/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
static const struct screen_case cases[] = {
	{ "none", "no-coverage", NULL, KEYS_COMMON },
	{ "nothing-ran", "empty", NULL, KEYS_COMMON },
	{ "busy", "busy", NULL, KEYS_COMMON },
	{ "asked", "busy", "down open", KEYS_COMMON },
	{ "refused", "busy", "down open <finding-refused", KEYS_COMMON },
	{ "detail", "busy", "down open <finding", KEYS_COMMON },
	{ "stack", "busy", "down open <finding right down down", KEYS_COMMON },
	{ "report", "busy", "down open <finding right right", KEYS_COMMON },
	{ "input", "busy", "down hex <finding <entry-finding", KEYS_COMMON },
	{ "minimized", "busy", "down hex hex <finding <entry-finding",
	  KEYS_COMMON },
	{ "no-bytes", "busy", "down hex <finding", KEYS_COMMON },
	{ "little-known", "busy", "open <finding-little", KEYS_COMMON },
	{ "no-report", "busy", "open right right <finding-little",
	  KEYS_COMMON },
	{ "many", "many-workers", "page-down", KEYS_COMMON },
	{ "hostile", "hostile", "open <finding-hostile", KEYS_COMMON },
	{ "hostile-report", "hostile", "open right right <finding-hostile",
	  KEYS_COMMON },
};
/* clang-format on */

static void
test_commands(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_findings, "busy");
	screen_draw(&screen, 80, 24, false);
	assert_true(screen_command(&screen, "minimize"));
	assert_string_equal(screen.sent, "minimize 90be77c2");
	assert_true(screen_command(&screen, "down"));
	assert_true(screen_command(&screen, "replay"));
	assert_string_equal(screen.sent, "edit replay d2204f11 = 5");
	/* An unknown note must not be edited. */
	assert_true(screen_command(&screen, "note"));
	assert_true(strncmp(screen.sent, "say ", 4) == 0);
	assert_true(screen_command(&screen, "steps"));
	assert_string_equal(screen.sent, "steps d2204f11");
	assert_true(screen_command(&screen, "export"));
	assert_string_equal(screen.sent, "export d2204f11");
	assert_true(screen_command(&screen, "debug"));
	assert_string_equal(screen.sent, "debug d2204f11");
	assert_true(screen_command(&screen, "accept"));
	assert_string_equal(screen.sent, "accept d2204f11");
	assert_true(screen_command(&screen, "trail"));
	assert_string_equal(screen.sent, "view corpus trail d2204f11 findings");
	assert_true(screen_command(&screen, "show 90be77c2"));
	assert_true(screen_command(&screen, "minimize"));
	assert_string_equal(screen.sent, "minimize 90be77c2");
	assert_true(screen_command(&screen, "sort"));
	assert_false(screen_command(&screen, "unknown"));
	screen_close(&screen);
}

/* What becomes of the selected finding, which is d2204f11, the second one. */
static void
selected_stays(const struct snapshot *s, struct model *model)
{
}

static void
selected_moves(const struct snapshot *s, struct model *model)
{
	double first_s = s->findings[0].first_s;

	s->findings[0].first_s = s->findings[1].first_s;
	s->findings[1].first_s = first_s;
}

static void
selected_vanishes(const struct snapshot *s, struct model *model)
{
	snprintf(s->findings[1].id, sizeof(s->findings[1].id), "11111111");
}

static void
selected_hidden(const struct snapshot *s, struct model *model)
{
	filter_set(&model->filters[KEYS_FINDINGS], "90be77c2");
}

#define NOT_ANY_MORE "This finding is not in the list any more."

/* An open page stays with its finding, and keys act on no other one. In the
 * list the row stays. */
static void
test_keeps_selected(void **state)
{
	static const struct {
		const char *name, *command;
		void (*change)(const struct snapshot *s, struct model *model);
		const char *sent; /* "": nothing */
	} rows[] = {
		{ "page, same", "open", selected_stays, "minimize d2204f11" },
		{ "page, moved", "open", selected_moves, "minimize d2204f11" },
		{ "page, hidden", "open", selected_hidden,
			"minimize d2204f11" },
		{ "page, gone", "open", selected_vanishes, "" },
		{ "bytes, moved", "hex", selected_moves, "minimize d2204f11" },
		{ "bytes, gone", "hex", selected_vanishes, "" },
		{ "list, moved", NULL, selected_moves, "minimize d2204f11" },
		{ "list, gone", NULL, selected_vanishes, "minimize 11111111" },
	};
	struct screen s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i].name);
		screen_open(&s, &view_findings, "busy");
		assert_true(screen_command(&s, "down"));
		if (rows[i].command != NULL)
			assert_true(screen_command(&s, rows[i].command));
		screen_draw(&s, 80, 24, false);
		rows[i].change(s.model->snapshot, s.model);
		assert_int_equal(screen_shows(&s, 80, 24, NOT_ANY_MORE),
			rows[i].sent[0] == '\0');
		screen_draw(&s, 80, 60, false);
		assert_true(screen_command(&s, "minimize"));
		assert_string_equal(s.sent, rows[i].sent);
		assert_true(
			rows[i].command == NULL || screen_command(&s, "back"));
		screen_close(&s);
	}
}

/* The page of the newest finding stays, too, though the list follows. */
static void
test_keeps_newest(void **state)
{
	struct screen s;

	screen_open(&s, &view_findings, "busy");
	selected_moves(s.model->snapshot, s.model);
	assert_true(screen_command(&s, "minimize"));
	assert_string_equal(s.sent, "minimize d2204f11");
	assert_true(screen_command(&s, "open"));
	selected_moves(s.model->snapshot, s.model);
	assert_true(screen_command(&s, "minimize"));
	assert_string_equal(s.sent, "minimize d2204f11");
	screen_close(&s);
}

/* A click in the list beside the page is for the list. */
static void
test_click_beside(void **state)
{
	struct screen s;

	screen_open(&s, &view_findings, "busy");
	assert_true(screen_command(&s, "open"));
	screen_reply(&s, "finding");
	assert_true(screen_command(&s, "right"));
	assert_true(screen_shows(&s, 100, 40, "what "));
	assert_true(screen_click(&s, "next_chunk"));
	assert_true(screen_command(&s, "minimize"));
	assert_string_equal(s.sent, "minimize d2204f11");
	/* It is selected: the page stays open. */
	screen_draw(&s, 100, 40, false);
	assert_true(screen_click(&s, "next_chunk"));
	assert_true(screen_shows(&s, 100, 40, "Esc closes"));
	screen_close(&s);
}

/* A click in the page selects; it opens nothing, and closes nothing. */
static void
test_click_in_page(void **state)
{
	static const struct row {
		const char *tab, *text;
	} rows[] = {
		{ "tab 0", "chunk_len  chunk.c:31" },
		{ "tab 0", "next_chunk  chunk.c:57" },
		{ "tab 1", "chunk_len  chunk.c:31" },
		{ "tab 1", "read_png" },
		{ "tab 2", "==71==ERROR" },
		{ "tab 2", "where, by name" },
	};
	struct screen s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s: %s\n", rows[i].tab, rows[i].text);
		screen_open(&s, &view_findings, "busy");
		screen_draw(&s, 80, 24, false);
		assert_true(screen_command(&s, "down"));
		assert_true(screen_command(&s, "open"));
		screen_reply(&s, "finding");
		assert_true(screen_command(&s, rows[i].tab));
		screen_draw(&s, 80, 24, false);
		assert_true(screen_click(&s, rows[i].text));
		screen_draw(&s, 80, 24, false);
		assert_true(screen_click(&s, rows[i].text));
		assert_true(screen_shows(&s, 80, 24, "Esc closes"));
		screen_close(&s);
	}
}

/* 64 rows of hex, or lines of text, each with its number. */
static void
long_bytes_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct field_blob *bytes = &reply->entry.bytes;

	if (query->kind == QUERY_FINDING)
		reply->finding.typed = *(bool *)arg;
	if (query->kind != QUERY_ENTRY)
		return;
	reply->entry.len = bytes->len = 64 * 16;
	bytes->data = malloc(bytes->len + 1);
	for (size_t i = 0; i < 64; i++)
		snprintf((char *)bytes->data + 16 * i, 17,
			"row number: %02zu.\n", i);
}

/* Up and down move the bytes by a row, to the last screenful, and the page
 * stays with its finding. */
static void
test_bytes_scroll(void **state)
{
	bool typed[] = { false, true };
	struct screen s;

	for (size_t i = 0; i < 2; i++) {
		screen_open(&s, &view_findings, "busy");
		screen_draw(&s, 80, 24, false);
		assert_true(screen_command(&s, "hex"));
		assert_true(screen_command(&s, "down")); /* no bytes yet */
		screen_answer(&s, long_bytes_answer, &typed[i]);
		assert_true(screen_shows(&s, 80, 24, "row number: 00."));
		for (int n = 0; n < 2; n++) {
			assert_true(screen_command(&s, "down"));
			screen_draw(&s, 80, 24, false);
		}
		assert_false(screen_shows(&s, 80, 24, "row number: 01."));
		assert_true(screen_shows(&s, 80, 24, "row number: 02."));
		assert_true(screen_command(&s, "up"));
		assert_true(screen_shows(&s, 80, 24, "row number: 01."));
		assert_false(screen_shows(&s, 80, 24, "row number: 00."));
		for (int n = 0; n < 70; n++) {
			assert_true(screen_command(&s, "down"));
			screen_draw(&s, 80, 24, false);
		}
		assert_true(screen_shows(&s, 80, 24, "row number: 63."));
		assert_true(screen_shows(&s, 80, 24, "row number: 48."));
		assert_true(screen_command(&s, "end"));
		assert_true(screen_command(&s, "down"));
		assert_true(screen_command(&s, "up"));
		assert_false(screen_shows(&s, 80, 24, "row number: 63."));
		assert_true(screen_shows(&s, 80, 24, "row number: 62."));
		for (int n = 0; n < 70; n++)
			assert_true(screen_command(&s, "up"));
		assert_true(screen_shows(&s, 80, 24, "row number: 00."));
		assert_true(screen_command(&s, "minimize"));
		assert_string_equal(s.sent, "minimize 90be77c2");
		screen_close(&s);
	}
}

/* The lines use the engine's reply about the finding. */
static void
test_known(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_findings, "busy");
	screen_draw(&screen, 80, 24, false);
	assert_true(screen_command(&screen, "down"));
	/* Its paths may be relative to the engine's working directory. */
	assert_true(screen_command(&screen, "copy"));
	assert_string_equal(screen.sent,
		"say waiting for the command from the engine");
	screen.model->playback.on = true;
	assert_true(screen_command(&screen, "copy"));
	assert_string_equal(screen.sent,
		"copy cfuzz repro ./png_reader "
		"png_reader.cfuzz/crashes/SIGSEGV-next_chunk-d2204f11/minimized");
	screen.model->playback.on = false;
	screen_reply(&screen, "finding");
	assert_true(screen_command(&screen, "note"));
	assert_string_equal(screen.sent,
		"edit note d2204f11 = no check of the length after the type; "
		"ask Ann whether chunk_len() may return 0 here");
	assert_true(screen_command(&screen, "copy"));
	assert_non_null(strstr(screen.sent, "copy cfuzz repro --timeout"));
	assert_true(screen_command(&screen, "up"));
	assert_true(screen_command(&screen, "note"));
	assert_string_equal(screen.sent, "edit note 90be77c2 = ");
	screen_close(&screen);
}

static void
refused_answer(const struct query *query, struct reply *reply, void *arg)
{
	if (query->kind == QUERY_ENTRY)
		snprintf(reply->error, sizeof(reply->error), "it is away");
}

/* Each tab has its own bytes, and its own error, which the others do not show,
 * though the engine says nothing more. */
static void
test_tab_bytes(void **state)
{
	static const struct {
		const char *name;
		bool refused;
		enum model_link link;
		const char *shown, *next; /* in the first tab, in the next */
	} rows[] = {
		{ "bytes", false, LINK_UP, "89 50 4e 47", "Waiting for the" },
		{ "bytes, ended", false, LINK_ENDED, "89 50 4e 47",
			"The engine has ended." },
		{ "an error", true, LINK_UP, "it is away", "Waiting for the" },
		{ "an error, ended", true, LINK_ENDED, "it is away",
			"The engine has ended." },
	};
	struct screen s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i].name);
		screen_open(&s, &view_findings, "busy");
		assert_true(screen_command(&s, "down"));
		assert_true(screen_command(&s, "hex"));
		screen_reply(&s, "finding");
		if (rows[i].refused)
			screen_answer(&s, refused_answer, NULL);
		else
			screen_reply(&s, "entry-finding");
		s.model->link = rows[i].link;
		assert_true(screen_shows(&s, 80, 24, rows[i].shown));
		assert_true(screen_command(&s, "right"));
		assert_true(screen_shows(&s, 80, 24, rows[i].next));
		assert_false(screen_shows(&s, 80, 24, rows[i].shown));
		assert_true(screen_command(&s, "left"));
		assert_true(screen_shows(&s, 80, 24, rows[i].shown));
		screen_close(&s);
	}
}

/* A command of that length. */
static void
long_answer(const struct query *query, struct reply *reply, void *arg)
{
	const size_t *len = arg;

	if (query->kind == QUERY_FINDING)
		memset(reply->finding.command, 'x', *len);
}

/* A command that is too long is refused, not cut. "": the engine's did not
 * fit. */
static void
test_long_command(void **state)
{
	static const struct {
		size_t len;
		bool copies;
	} rows[] = { { 0, false }, { 1000, true }, { 1001, true },
		{ 1018, true }, { 1019, false }, { 1023, false } };
	struct screen s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t len = rows[i].len;

		screen_open(&s, &view_findings, "busy");
		assert_true(screen_command(&s, "open"));
		screen_answer(&s, long_answer, &len);
		assert_true(screen_command(&s, "copy"));
		if (rows[i].copies)
			assert_int_equal(strlen(s.sent), len + 5);
		assert_int_equal(strncmp(s.sent, "copy x", 6) == 0,
			rows[i].copies);
		assert_int_equal(screen_shows(&s, 80, 24,
					 "long; e writes a script of it"),
			!rows[i].copies);
		screen_close(&s);
	}
}

/* A note that was sent makes the known one old, until there is a reply. */
static void
test_old_note(void **state)
{
	const struct view_ops *view = &view_findings;
	struct screen screen;

	screen_open(&screen, view, "busy");
	screen_draw(&screen, 80, 24, false);
	assert_true(screen_command(&screen, "down"));
	screen_reply(&screen, "finding");
	assert_true(view->offers(screen.state, screen.model, "note"));
	screen.model->notes++;
	for (int i = 0; i < 2; i++) {
		assert_false(view->offers(screen.state, screen.model, "note"));
		assert_true(screen_command(&screen, "note"));
		assert_string_equal(screen.sent,
			"say waiting for the present note from the engine");
		/* The snapshot may be old, too. */
		screen.model->snapshot->findings[1].noted = false;
	}
	screen_reply(&screen, "finding");
	assert_true(view->offers(screen.state, screen.model, "note"));
	screen_close(&screen);
}

static void
test_one_byte(void **state)
{
	struct screen screen;
	struct snapshot_finding *f;

	screen_open(&screen, &view_findings, "busy");
	f = screen.model->snapshot->findings;
	f->len = 2;
	f->minimized_len = 1;
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_shows(&screen, 80, 24, "→ 1 byte "));
	f->len = 1;
	assert_true(screen_shows(&screen, 80, 24, " 1 byte → 1 byte "));
	screen_close(&screen);
}

/* A snapshot has only the newest ones: the title says so. */
static void
test_newest(void **state)
{
	static const struct {
		uint64_t crashes; /* and 1 hang; the list has 3 rows */
		const char *filter;
		int w;
		const char *title;
	} rows[] = {
		{ 2, "", 80, "─ 3 distinct, seen 19 times" },
		{ 2, "chunk", 80, "─ filter: chunk  1 of 3 ─" },
		{ 3411, "", 80,
			"─ the newest 3 of 3 412 distinct, seen 19 times ─" },
		{ 3411, "", 40, "─ the newest 3 of 3 412 ─" },
		{ 3411, "chunk", 80,
			"─ filter: chunk  1 of 3, the newest of 3 412 ─" },
	};
	struct screen s;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&s, &view_findings, "busy");
		((struct snapshot *)s.model->snapshot)->crashes =
			rows[i].crashes;
		filter_set(&s.model->filters[KEYS_FINDINGS], rows[i].filter);
		print_message("%s\n", rows[i].title);
		assert_true(screen_shows(&s, rows[i].w, 24, rows[i].title));
		screen_close(&s);
	}
}

/* Where they do not fit, down and up scroll them; elsewhere, frames. */
static void
test_values_scroll(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_findings, "busy");
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_shows(&screen, 40, 9, "seen "));
	assert_false(screen_shows(&screen, 40, 9, "/minimized"));
	for (int i = 0; i < 9; i++) {
		assert_true(screen_command(&screen, "down"));
		screen_draw(&screen, 40, 9, false);
	}
	assert_true(screen_shows(&screen, 40, 9, "to re-run "));
	assert_false(screen_shows(&screen, 40, 9, "seen "));
	for (int i = 0; i < 9; i++)
		assert_true(screen_command(&screen, "up"));
	assert_true(screen_shows(&screen, 40, 9, "report "));
	assert_true(screen_command(&screen, "end"));
	assert_false(screen_shows(&screen, 40, 9, "report "));
	/* More room: from the start again. */
	assert_true(screen_shows(&screen, 80, 24, "report "));
	screen_close(&screen);
}

/* ---- a report in pieces -------------------------------------------------- */

struct pieces {
	uint64_t len;
	unsigned asked;
};

static void
pieces_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct pieces *pieces = arg;
	struct reply_finding *r = &reply->finding;

	if (query->kind != QUERY_FINDING)
		return;
	pieces->asked += query->count > 0;
	r->report_len = pieces->len;
	r->first = query->first;
	r->report.len = (size_t)(pieces->len - query->first);
	if (r->report.len > query->count)
		r->report.len = query->count;
	r->report.data = malloc(r->report.len + 1);
	memset(r->report.data, '\n', r->report.len);
}

/* Asks for each piece once, for no more than is shown, and for all pieces of
 * another report. */
static void
test_pieces(void **state)
{
	static const struct {
		uint64_t len;
		unsigned asked;
	} rows[] = { { 0, 1 }, { 10, 1 }, { 65536, 1 }, { 65537, 2 },
		{ 200000, 4 }, { 1u << 30, 16 } };
	struct pieces pieces;
	struct screen screen;

	screen_open(&screen, &view_findings, "busy");
	assert_true(screen_command(&screen, "open"));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pieces = (struct pieces){ rows[i].len, 0 };
		screen_close(&screen);
		screen_open(&screen, &view_findings, "busy");
		assert_true(screen_command(&screen, "open"));
		for (int n = 0; n < 30; n++)
			screen_answer(&screen, pieces_answer, &pieces);
		assert_int_equal(pieces.asked, rows[i].asked);
	}
	pieces = (struct pieces){ 100, 0 };
	for (int n = 0; n < 5; n++)
		screen_answer(&screen, pieces_answer, &pieces);
	assert_int_equal(pieces.asked, 1);
	screen_close(&screen);
}

/* ---- source -------------------------------------------------------------- */

static void
source_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct reply_finding *r = &reply->finding;

	if (query->kind != QUERY_FINDING)
		return;
	r->frames = calloc(2, sizeof(*r->frames));
	r->frames_n = 2;
	r->frames[0].library = true;
	for (size_t i = 0; i < 2; i++) {
		snprintf(r->frames[i].file, sizeof(r->frames[i].file), "%s",
			(const char *)arg);
		r->frames[i].line = 40 + 40 * (uint32_t)i;
	}
}

static bool
is_shown(struct screen *screen, const char *text)
{
	char *dump;
	bool found;

	screen_draw(screen, 80, 24, false);
	dump = grid_dump(screen->grid);
	found = strstr(dump, text) != NULL;
	free(dump);
	return found;
}

/* A new file of 100 lines; path: a template of mkstemp(). */
static void
make_source(char *path)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	for (int i = 1; i <= 100; i++)
		dprintf(fd, "\tline<%d>\033[31m\n", i);
	close(fd);
}

/* The source of the selected frame, at first the target's own. */
static void
test_source(void **state)
{
	char path[] = "/tmp/cfuzz-test-XXXXXX";
	struct screen screen;

	make_source(path);
	screen_open(&screen, &view_findings, "busy");
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_command(&screen, "right"));
	screen_answer(&screen, source_answer, path);
	assert_true(is_shown(&screen, "   80         line<80>\\x1b[31m"));
	assert_false(is_shown(&screen, "line<40>"));
	assert_true(screen_command(&screen, "up"));
	assert_true(is_shown(&screen, "line<40>"));
	for (int i = 0; i < 20; i++) {
		assert_true(screen_command(&screen, "page-down"));
		screen_draw(&screen, 80, 24, false);
	}
	assert_true(is_shown(&screen, "line<100>"));
	assert_true(screen_command(&screen, "page-up"));
	assert_false(is_shown(&screen, "line<100>"));
	assert_true(screen_command(&screen, "down"));
	assert_true(is_shown(&screen, "line<80>"));
	screen_close(&screen);
	assert_int_equal(unlink(path), 0);
}

/* Of another user's campaign nothing is read, wherever the stack is shown. */
static void
test_foreign_source(void **state)
{
	char path[] = "/tmp/cfuzz-test-XXXXXX";
	struct screen screen;

	make_source(path);
	screen_open(&screen, &view_findings, "busy");
	screen.model->foreign = true;
	assert_true(screen_command(&screen, "open"));
	screen_answer(&screen, source_answer, path);
	for (int i = 0; i < 2; i++) {
		assert_false(screen_shows(&screen, 80, 60, "line<80>"));
		assert_true(screen_shows(&screen, 80, 60, "not opened"));
		assert_true(screen_command(&screen, "right"));
	}
	screen_close(&screen);
	assert_int_equal(unlink(path), 0);
}

/* ---- texts --------------------------------------------------------------- */

struct texts {
	bool typed;
	char asked[24]; /* name in the last query */
};

static void
texts_answer(const struct query *query, struct reply *reply, void *arg)
{
	static const char call[] = "slice(cfuzz_bytes_of(\"key\", 3));\n";
	struct texts *texts = arg;

	if (query->kind == QUERY_FINDING)
		reply->finding.typed = texts->typed;
	if (query->kind != QUERY_ENTRY)
		return;
	snprintf(texts->asked, sizeof(texts->asked), "%s", query->name);
	reply->entry.len = reply->entry.bytes.len = sizeof(call) - 1;
	reply->entry.bytes.data = malloc(sizeof(call));
	memcpy(reply->entry.bytes.data, call, sizeof(call));
}

static void
turn_to(struct screen *screen, struct texts *texts, const char *suffix)
{
	for (int i = 0; i < 10; i++) {
		screen_answer(screen, texts_answer, texts);
		if (strcmp(texts->asked + strcspn(texts->asked, "/"), suffix) ==
			0)
			return;
		assert_true(screen_command(screen, "right"));
	}
	fail_msg("nobody asks for %s", suffix);
}

/* Only a typed target has a call, which is text. */
static void
test_call(void **state)
{
	struct texts texts = { .typed = false };
	struct screen screen;

	screen_open(&screen, &view_findings, "busy");
	assert_true(screen_command(&screen, "open"));
	screen_answer(&screen, texts_answer, &texts);
	assert_false(is_shown(&screen, "call"));
	texts.typed = true;
	turn_to(&screen, &texts, "/call");
	assert_true(is_shown(&screen, "slice(cfuzz_bytes_of(\"key\", 3));"));
	assert_true(screen_command(&screen, "right"));
	screen_answer(&screen, texts_answer, &texts);
	assert_false(is_shown(&screen, "slice("));
	screen_close(&screen);
}

/* Replays with another build do not count for this one. */
static void
test_standing(void **state)
{
	struct snapshot_finding *f;
	struct screen s;

	screen_open(&s, &view_findings, "busy");
	f = s.model->snapshot->findings;
	assert_true(screen_shows(&s, 120, 40, "confirmed"));
	for (size_t i = 0; i < s.model->snapshot->findings_n; i++)
		snprintf(f[i].standing, sizeof(f[i].standing), "fixed");
	assert_true(screen_shows(&s, 120, 40, "fixed"));
	assert_false(screen_shows(&s, 120, 40, "confirmed"));
	f[0].replays = f[0].replays_before = f[0].reproduced_before = 5;
	f[0].reproduced = 0;
	assert_true(
		screen_shows(&s, 200, 40, "5/5 before, 0/5 with this build"));
	screen_close(&s);
}

/* A page of 80 columns says that the input fails only after others. */
static void
test_sequence(void **state)
{
	struct snapshot_finding *f;
	struct screen s;

	screen_open(&s, &view_findings, "busy");
	f = s.model->snapshot->findings;
	f->sequence = 1234;
	f->replays = f->reproduced = 5;
	snprintf(f->replays_build, sizeof(f->replays_build), "01234567");
	assert_true(screen_command(&s, "open"));
	assert_true(is_shown(&s, "the last of 1234 inputs in a row"));
	screen_close(&s);
}

/* From day 10 on, a time has a short form, as it is not cut. */
static void
test_days(void **state)
{
	struct screen s;

	screen_open(&s, &view_findings, "busy");
	s.model->snapshot->findings[0].first_s = 9 * 86400 + 7384;
	s.model->snapshot->findings[0].last_s = 10 * 86400 + 7384;
	assert_true(screen_shows(&s, 200, 40, " 9d 02:03:04 "));
	assert_true(screen_shows(&s, 200, 40, " 10d02:03 "));
	screen_close(&s);
}

/* Commands that would have an effect. */
static void
test_offers(void **state)
{
	static const struct {
		size_t len, minimized_len;
		uint32_t sequence;
		bool minimizing, minimize, steps, debug;
		const char *kind; /* of the target */
	} rows[] = {
		{ 2, 0, 0, false, true, true, true, "function" },
		{ 1, 0, 0, false, false, false, true, "function" },
		{ 9, 1, 0, false, false, false, true, "main()" },
		{ 9, 0, 2, false, false, false, true, "function" },
		{ 9, 0, 2, false, false, false, true, "" },
		{ 9, 0, 2, false, false, false, false, "main()" },
		{ 9, 0, 0, true, false, true, true, "main()" },
	};
	const struct view_ops *view = &view_findings;
	struct snapshot_finding *f;
	struct screen s;

	screen_open(&s, view, "busy");
	screen_draw(&s, 80, 24, false);
	f = s.model->snapshot->findings;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		strcpy((char *)(uintptr_t)s.model->snapshot->kind,
			rows[i].kind);
		f->len = rows[i].len;
		f->minimized_len = rows[i].minimized_len;
		f->sequence = rows[i].sequence;
		f->minimizing = rows[i].minimizing;
		assert_int_equal(view->offers(s.state, s.model, "minimize"),
			rows[i].minimize);
		assert_int_equal(view->offers(s.state, s.model, "steps"),
			rows[i].steps);
		assert_int_equal(view->offers(s.state, s.model, "debug"),
			rows[i].debug);
	}
	/* No debugger runs a target of another user. */
	s.model->foreign = true;
	assert_false(view->offers(s.state, s.model, "debug"));
	assert_true(view->offers(s.state, s.model, "sort"));
	assert_true(screen_command(&s, "open"));
	assert_false(view->offers(s.state, s.model, "sort"));
	assert_false(view->offers(s.state, s.model, "filter"));
	assert_false(view->offers(s.state, s.model, "open"));
	screen_close(&s);
}

/* Without a finding, nothing is sent. */
static void
test_commands_none(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_findings, "no-coverage");
	assert_true(screen_command(&screen, "minimize"));
	assert_string_equal(screen.sent, "");
	assert_true(screen_command(&screen, "down"));
	screen_close(&screen);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_keeps_selected),
		cmocka_unit_test(test_keeps_newest),
		cmocka_unit_test(test_click_beside),
		cmocka_unit_test(test_click_in_page),
		cmocka_unit_test(test_bytes_scroll),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_one_byte),
		cmocka_unit_test(test_newest),
		cmocka_unit_test(test_values_scroll),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_foreign_source),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_standing),
		cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_tab_bytes),
		cmocka_unit_test(test_long_command),
		cmocka_unit_test(test_old_note),
		cmocka_unit_test(test_offers),
		cmocka_unit_test(test_commands_none),
	};

	return screen_run(&view_findings, cases, COUNT(cases), more,
		COUNT(more));
}
