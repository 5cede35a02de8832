/*
 * test_manual: the manual says what the tables say.
 *
 * Options, keys and commands of man/cfuzz-tui.1 are made here from the
 * tables and compared; with UPDATE_MANUAL=1 in the environment they are
 * written into the page instead. The help view is checked for every key. What
 * the tables of JSON name is looked up in the pages.
 */
#include "lib/check.h"

#include "control/command.h"
#include "control/query_fields.h"
#include "control/settings.h"
#include "control/snapshot_fields.h"
#include "lib/dump.h"
#include "lib/files.h"
#include "lib/screen.h"
#include "ui/model/action.h"
#include "ui/term/keys.h"

#define PAGE "man/cfuzz-tui.1"
#define PAGE_MAX (256u << 10)

static void add(char *to, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void
add(char *to, const char *fmt, ...)
{
	size_t len = strlen(to);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(to + len, PAGE_MAX - len, fmt, ap);
	va_end(ap);
}

/* Text for a line of mdoc: no request, no escape, no delimiter. */
static void
add_text(char *to, const char *text)
{
	if (strchr(".'", text[0]) != NULL)
		add(to, "\\&");
	for (; *text != '\0'; text++) {
		if (*text == '\\')
			add(to, "\\e");
		else
			add(to, "%c", *text);
	}
}

static void
add_word(char *to, const char *word)
{
	if (strlen(word) == 1 && strchr(".,:;?!()[]|", word[0]) != NULL)
		add(to, "\\&");
	if (strcmp(word, "-") == 0)
		add(to, "\\-");
	else
		add_text(to, word);
}

/* ---- options ---- */

static void
add_option_names(char *to, const struct option *o)
{
	add(to, ".It ");
	if (o->letter != 0) {
		add(to, "Fl %c", o->letter);
		if (o->arg != NULL)
			add(to, " Ar %s", o->arg);
		add(to, " , ");
	}
	add(to, "Fl Fl %s", o->name);
	if (o->arg != NULL && o->bare)
		add(to, " Ns Op = Ns Ar %s", o->arg);
	else if (o->arg != NULL)
		add(to, " Ar %s", o->arg);
	add(to, "\n");
}

static void
add_option(char *to, const struct option *o)
{
	add_option_names(to, o);
	add_text(to, o->help);
	if (o->words != NULL && strchr(o->words, '|') != NULL)
		add(to, "\nOne of %s.", o->words);
	if (o->def[0] != '\0' && o->type != OPTION_FLAG &&
		o->type != OPTION_SEED)
		add(to, "\nThe default is %s.", o->def);
	if (o->flags & OPTION_LIVE)
		add(to, "\nIt may be changed while a campaign runs.");
	add(to, "\n");
}

static void
add_options(char *to)
{
	add(to, ".Bl -tag -width Ds\n");
	for (int i = 0; i < OPT_COUNT_; i++) {
		const struct option *o = settings_option((enum option_id)i);
		unsigned owners = o->flags & (OPTION_CONSOLE | OPTION_RUN);

		if (owners == 0 || (owners & OPTION_CONSOLE))
			add_option(to, o);
	}
	add(to, ".El\n");
}

/* ---- keys ---- */

static const char *const headings[KEYS_CONTEXT_COUNT] = {
	[KEYS_COMMON] = "Everywhere",
	[KEYS_DASHBOARD] = "Dashboard",
	[KEYS_WORKERS] = "View of the workers",
	[KEYS_COVERAGE] = "View of the coverage",
	[KEYS_CORPUS] = "View of the corpus",
	[KEYS_FINDINGS] = "View of the findings",
	[KEYS_MINIMIZATION] = "View of the minimization",
	[KEYS_JOURNAL] = "View of the journal",
	[KEYS_HELP] = "Help",
	[KEYS_LIMITS] = "Limits dialog",
	[KEYS_EXPLAIN] = "Help in place",
	[KEYS_TOUR] = "Guided tour",
	[KEYS_PLAYBACK] = "Recordings",
	[KEYS_EDIT] = "Text fields",
	[KEYS_ASK] = "Questions",
};

/* The key is an earlier row's, with the same command: it stands there. */
static bool
is_repeated(size_t at)
{
	const struct key_row *row = keys_row(at);

	for (size_t i = 0; i < at; i++)
		if (keys_row(i)->context == row->context &&
			strcmp(keys_row(i)->command, row->command) == 0)
			return true;
	return false;
}

static void
add_keys_of(char *to, enum key_context context)
{
	const struct key_row *row, *other;
	char spoken[KEY_NAME_SIZE * 2];

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++) {
		if (row->context != context || is_repeated(i))
			continue;
		add(to, ".It Ic ");
		for (size_t j = i; (other = keys_row(j)) != NULL; j++) {
			if (other->context != context ||
				strcmp(other->command, row->command) != 0)
				continue;
			add(to, j > i ? " , " : "");
			add_word(to, key_name_spoken(other->key, spoken));
		}
		add(to, "\n");
		add_text(to, row->note);
		add(to, "\n");
	}
}

static void
add_keys(char *to)
{
	const struct key_row *row;
	int context = -1;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++) {
		if ((int)row->context == context)
			continue;
		if (context >= 0)
			add(to, ".El\n");
		context = (int)row->context;
		add(to, ".Ss %s\n.Bl -tag -width \"Page Down\"\n",
			headings[context]);
		add_keys_of(to, row->context);
	}
	add(to, ".El\n");
}

/* ---- commands ---- */

static void
add_command(char *to, const char *usage, const char *help)
{
	add(to, ".It Li \"%s\"\n", usage);
	add_text(to, help);
	add(to, "\n");
}

static void
add_commands(char *to)
{
	add(to, ".Bl -tag -width Ds\n");
	for (int i = 0; i < COMMAND_COUNT; i++) {
		const struct command_row *row = command_row((enum command_id)i);

		add_command(to, row->usage, row->help);
	}
	for (int i = 0; i < ACTION_COUNT; i++) {
		const struct action_row *row = action_row((enum action_id)i);

		add_command(to, row->usage, row->help);
	}
	add(to, ".El\n");
}

/* ---- the page ---- */

static const struct part {
	const char *name;
	void (*make)(char *to);
} parts[] = {
	{ "options", add_options },
	{ "keys", add_keys },
	{ "commands", add_commands },
};

static char *
page_read(const char *path)
{
	char *page = files_read(path, NULL);

	check(page != NULL, "%s is missing", path);
	return page;
}

/* A part stands between two comments. */
static void
part_find(const char *page, const char *name, const char **from,
	const char **to)
{
	char mark[64];

	snprintf(mark, sizeof(mark), ".\\\" table: %s\n", name);
	*from = strstr(page, mark);
	check(*from != NULL, "%s has no %s", PAGE, mark);
	*from += strlen(mark);
	*to = strstr(*from, ".\\\" end\n");
	check(*to != NULL, "%s: the %s have no end", PAGE, name);
}

static void
part_update(const char *page, const struct part *part, const char *made)
{
	const char *from, *to;
	FILE *file;

	part_find(page, part->name, &from, &to);
	file = fopen(PAGE, "w");
	assert_non_null(file);
	fprintf(file, "%.*s%s%s", (int)(from - page), page, made, to);
	fclose(file);
}

static void
test_page(void **state)
{
	for (size_t i = 0; i < ROWS(parts); i++) {
		char *page = page_read(PAGE), *made = calloc(1, PAGE_MAX);
		const char *from, *to;

		parts[i].make(made);
		part_find(page, parts[i].name, &from, &to);
		if (getenv("UPDATE_MANUAL") != NULL)
			part_update(page, &parts[i], made);
		else
			check(strlen(made) == (size_t)(to - from) &&
					memcmp(from, made, strlen(made)) == 0,
				"%s: the %s are not those of the table; run "
				"this test with UPDATE_MANUAL=1",
				PAGE, parts[i].name);
		free(page);
		free(made);
	}
}

/* ---- members of JSON ---- */

/* The line begins with a dot. Does it have the word, as in ".Cm a , word"? */
static bool
request_names(const char *line, const char *word)
{
	size_t len = strlen(word);

	for (line += strcspn(line, " \n"); line[0] == ' ';
		line += 1 + strcspn(line + 1, " \n"))
		if (strncmp(line + 1, word, len) == 0 &&
			strchr(" \n", line[1 + len]) != NULL)
			return true;
	return false;
}

static bool
section_names(const char *page, const char *section, const char *word)
{
	char mark[64];
	const char *line;

	snprintf(mark, sizeof(mark), "\n.Sh %s\n", section);
	line = strstr(page, mark);
	check(line != NULL, "there is no section %s", section);
	line += strlen(mark);
	while (line[0] != '\0' && strncmp(line, ".Sh ", 4) != 0) {
		if (line[0] == '.' && request_names(line, word))
			return true;
		line += strcspn(line, "\n");
		line += line[0] != '\0';
	}
	return false;
}

/* Counts the names that are missing, and prints them. */
static size_t
count_missing(const char *page, const char *section, const char *name)
{
	bool missing = !section_names(page, section, name);

	if (missing)
		print_error("%s lacks %s\n", section, name);
	return missing;
}

static size_t
count_fields(const char *page, const char *section, const struct fields *fields)
{
	size_t n = 0;

	for (const struct field_row *row = fields->rows; row->name != NULL;
		row++) {
		n += count_missing(page, section, row->name);
		for (size_t i = 0; row->words != NULL && i < row->words->n; i++)
			n += count_missing(page, section, row->words->items[i]);
		if (row->fields != NULL)
			n += count_fields(page, section, row->fields);
	}
	return n;
}

/* Scripts read these: each member has a name in the manual. */
static void
test_members(void **state)
{
	char *output = page_read("man/cfuzz-output.5");
	char *page = page_read("man/cfuzz.1");

	size_t n = count_fields(output, "STATS.JSON", &SNAPSHOT_FIELDS);

	n += count_fields(page, "CONTROL SOCKET", &QUERY_FIELDS);
	n += count_fields(page, "CONTROL SOCKET", &REPLY_FIELDS);
	for (size_t i = 0; i < QUERY_KIND_COUNT; i++)
		n += count_fields(page, "CONTROL SOCKET", REPLY_BODIES[i]);
	assert_int_equal(n, 0);
	free(page);
	free(output);
}

/* ---- the help ---- */

/* The whole help, from a view; the caller frees it. */
static char *
help_text(enum key_context view, bool playback)
{
	struct screen screen;
	char *text;

	screen_open(&screen, &view_help, "busy");
	screen.model->view = view;
	screen.model->playback.on = playback;
	screen_draw(&screen, 100, 400, false);
	text = grid_dump(screen.grid);
	screen_close(&screen);
	return text;
}

/* The help of a view has the note of each key that works there. */
static void
test_help(void **state)
{
	static const struct {
		enum key_context context;
		const struct view_ops *view;
	} views[] = {
		{ KEYS_DASHBOARD, &view_dashboard },
		{ KEYS_WORKERS, &view_workers },
		{ KEYS_COVERAGE, &view_coverage },
		{ KEYS_CORPUS, &view_corpus },
		{ KEYS_FINDINGS, &view_findings },
		{ KEYS_MINIMIZATION, &view_minimization },
		{ KEYS_JOURNAL, &view_journal },
	};

	for (size_t v = 0; v < ROWS(views); v++) {
		const struct key_row *row;
		char *text = help_text(views[v].context, false);

		assert_int_equal(views[v].view->context, views[v].context);
		for (size_t i = 0; (row = keys_row(i)) != NULL; i++)
			if (keys_find(views[v].context, row->key) == row)
				check(strstr(text, row->note) != NULL,
					"%s: no word of %s: %s",
					key_context_name(views[v].context),
					row->key, row->note);
		free(text);
	}
}

/* So has every help of what takes the keys now and then. */
static void
test_help_of_others(void **state)
{
	static const struct {
		const char *heading; /* what stands after "keys of " */
		enum key_context context;
	} others[] = {
		{ "the limits", KEYS_LIMITS },
		{ "the help in place", KEYS_EXPLAIN },
		{ "a text field", KEYS_EDIT },
		{ "a question", KEYS_ASK },
		{ "the tour", KEYS_TOUR },
		{ "a recording", KEYS_PLAYBACK },
	};
	char *text = help_text(KEYS_DASHBOARD, false);

	for (size_t o = 0; o < ROWS(others); o++) {
		char heading[64];
		const struct key_row *row;
		const char *part;

		snprintf(heading, sizeof(heading), "keys of %s",
			others[o].heading);
		part = strstr(text, heading);
		check(part != NULL, "no %s", heading);
		for (size_t i = 0; (row = keys_row(i)) != NULL; i++)
			if (row->context == others[o].context)
				check(strstr(part, row->note) != NULL,
					"%s: no word of %s: %s", heading,
					row->key, row->note);
	}
	free(text);
}

/* While a recording is played, a key means what it does there. */
static void
test_help_of_recording(void **state)
{
	char *text = help_text(KEYS_DASHBOARD, true);
	const char *first = strstr(text, "keys of a recording");

	assert_non_null(first);
	assert_null(strstr(first + 1, "keys of a recording"));
	assert_true(first < strstr(text, "keys everywhere"));
	assert_non_null(strstr(text, "ten seconds back"));
	assert_null(strstr(text, "pause or resume all workers"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_help_of_others),
		cmocka_unit_test(test_help_of_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
