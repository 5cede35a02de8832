/*
 * test_keys: the key table is correct, and look-ups find the right row.
 */
#include "ui/term/keys.h"

#include "control/command.h"
#include "lib/check.h"
#include "ui/model/action.h"

/* Commands of views, lists, fields and questions that a row may use. */
static const char *const view_commands[] = { "up", "down", "left", "right",
	"page-up", "page-down", "home", "end", "open", "back", "sort",
	"sort-reverse", "minimize", "replay", "accept", "cancel", "again",
	"next", "previous", "complete", "rubout", "delete", "kill-word",
	"kill-line", "kill-end", "trail", "fuzz", "hex", "kind", "clock",
	"files", "next-frontier", "previous-frontier", "note", "export",
	"step toggle", "steps" };

static bool
is_view_command(const char *command)
{
	for (size_t i = 0; i < ROWS(view_commands); i++)
		if (strcmp(view_commands[i], command) == 0)
			return true;
	return false;
}

static bool
is_action(const char *command)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, " "),
		command);
	return action_find(name) != NULL;
}

static void
test_rows(void **state)
{
	const struct key_row *row, *other;
	struct command command;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++) {
		check(key_name_valid(row->key), "%s", row->key);
		check(strlen(row->key) < KEY_NAME_SIZE, "%s", row->key);
		check(row->note != NULL && row->note[0] != '\0', "%s",
			row->key);
		check((row->word != NULL) == (row->priority > 0),
			"%s: word and priority belong together", row->key);
		check(is_view_command(row->command) ||
				is_action(row->command) ||
				command_parse(row->command, &command, NULL) ==
					OK,
			"%s: no such command: %s", row->key, row->command);
		for (size_t j = 0; j < i; j++) {
			other = keys_row(j);
			check(other->context != row->context ||
					strcmp(other->key, row->key) != 0,
				"%s twice in %s", row->key,
				key_context_name(row->context));
		}
		/* Rows of a context are adjacent. */
		other = i > 0 ? keys_row(i - 1) : row;
		check(other->context <= row->context, "%s", row->key);
	}
}

static void
test_find(void **state)
{
	static const struct {
		enum key_context context;
		const char *key, *command; /* NULL: unbound */
	} rows[] = {
		{ KEYS_DASHBOARD, "p", "toggle-pause" },
		{ KEYS_DASHBOARD, "s", "stop" },
		{ KEYS_DASHBOARD, "C-c", "quit" },
		{ KEYS_DASHBOARD, "q", "quit" },
		{ KEYS_DASHBOARD, "x", NULL },
		{ KEYS_DASHBOARD, "m", NULL },
		{ KEYS_FINDINGS, "m", "minimize" },
		{ KEYS_FINDINGS, "p", "toggle-pause" },
		{ KEYS_HELP, "Esc", "back" },
		{ KEYS_LIMITS, "q", "back" },
		{ KEYS_LIMITS, "s", NULL },
		{ KEYS_LIMITS, "C-l", "redraw" },
		{ KEYS_EDIT, "p", NULL },
		{ KEYS_EDIT, "C-c", "cancel" },
		{ KEYS_EDIT, "C-z", "suspend" },
		{ KEYS_ASK, "s", NULL },
		{ KEYS_ASK, "Enter", "accept" },
		{ KEYS_COMMON, "6", "view minimization" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct key_row *row =
			keys_find(rows[i].context, rows[i].key);

		check((row == NULL) == (rows[i].command == NULL), "%s",
			rows[i].key);
		if (row != NULL)
			check_text(row->command, rows[i].command, rows[i].key);
	}
}

static void
test_for_command(void **state)
{
	assert_string_equal(keys_for_command(KEYS_DASHBOARD, "explain")->key,
		"?");
	assert_string_equal(keys_for_command(KEYS_FINDINGS, "minimize")->key,
		"m");
	assert_null(keys_for_command(KEYS_DASHBOARD, "minimize"));
	assert_null(keys_for_command(KEYS_DASHBOARD, "no such thing"));
}

static void
test_names(void **state)
{
	static const struct {
		const char *key;
		bool valid;
		const char *spoken;
	} rows[] = {
		{ "p", true, "p" },
		{ "?", true, "?" },
		{ "ö", true, "ö" },
		{ "C-l", true, "Ctrl-L" },
		{ "S-Tab", true, "Shift-Tab" },
		{ "PgUp", true, "Page Up" },
		{ "F12", true, "F12" },
		{ "Space", true, "Space" },
		{ " ", false, NULL },
		{ "", false, NULL },
		{ "C-", false, NULL },
		{ "C-L", false, NULL },
		{ "C-ll", false, NULL },
		{ "pp", false, NULL },
		{ "\033", false, NULL },
	};
	char buf[KEY_NAME_SIZE * 2];

	for (size_t i = 0; i < ROWS(rows); i++) {
		check(key_name_valid(rows[i].key) == rows[i].valid, "`%s`",
			rows[i].key);
		if (rows[i].valid)
			check_text(key_name_spoken(rows[i].key, buf),
				rows[i].spoken, rows[i].key);
	}
}

static void
test_contexts(void **state)
{
	for (int c = 0; c < KEYS_CONTEXT_COUNT; c++)
		assert_non_null(key_context_name((enum key_context)c));
	assert_string_equal(key_context_name((enum key_context)99), "common");
	assert_true(key_context_closed(KEYS_EDIT));
	assert_false(key_context_closed(KEYS_WORKERS));
}

/* Keys that must not change; views may add others. */
static void
test_promised(void **state)
{
	static const struct {
		enum key_context context;
		const char *keys, *command;
	} rows[] = {
		/* clang-format off */
		{ KEYS_COMMON, "p", "toggle-pause" },
		{ KEYS_COMMON, "P", "toggle-worker" },
		{ KEYS_COMMON, "+", "workers +1" },
		{ KEYS_COMMON, "-", "workers -1" },
		{ KEYS_COMMON, "l", "limits" },
		{ KEYS_COMMON, "s", "stop" },
		{ KEYS_COMMON, "S", "stop-worker" },
		{ KEYS_COMMON, "q C-c", "quit" },
		{ KEYS_COMMON, ":", "prompt" },
		{ KEYS_COMMON, "/", "filter" },
		{ KEYS_COMMON, "o", "sort" },
		{ KEYS_COMMON, "O", "sort-reverse" },
		{ KEYS_COMMON, "t", "theme" },
		{ KEYS_COMMON, "C-l", "redraw" },
		{ KEYS_COMMON, "C-z", "suspend" },
		{ KEYS_COMMON, "Esc", "back" },
		{ KEYS_COMMON, "?", "explain" },
		{ KEYS_COMMON, "Tab", "next-view" },
		{ KEYS_COMMON, "S-Tab", "previous-view" },
		{ KEYS_COMMON, "1", "view dashboard" },
		{ KEYS_COMMON, "2", "view workers" },
		{ KEYS_COMMON, "3", "view coverage" },
		{ KEYS_COMMON, "4", "view corpus" },
		{ KEYS_COMMON, "5", "view findings" },
		{ KEYS_COMMON, "6", "view minimization" },
		{ KEYS_COMMON, "7", "view journal" },
		{ KEYS_COMMON, "Up k WheelUp", "up" },
		{ KEYS_COMMON, "Down j WheelDown", "down" },
		/* `l` is not "right": it opens the limits. */
		{ KEYS_COMMON, "Left h", "left" },
		{ KEYS_COMMON, "Right", "right" },
		{ KEYS_COMMON, "PgUp", "page-up" },
		{ KEYS_COMMON, "PgDn", "page-down" },
		{ KEYS_COMMON, "Home", "home" },
		{ KEYS_COMMON, "End", "end" },
		{ KEYS_COMMON, "Enter", "open" },
		{ KEYS_FINDINGS, "m", "minimize" },
		{ KEYS_FINDINGS, "r", "replay" },
		{ KEYS_FINDINGS, "x", "hex" },
		{ KEYS_FINDINGS, "a", "accept" },
		{ KEYS_CORPUS, "f", "fuzz" },
		{ KEYS_CORPUS, "T", "trail" },
		/* clang-format on */
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char copy[64], *rest = copy, *key;

		snprintf(copy, sizeof(copy), "%s", rows[i].keys);
		while ((key = strsep(&rest, " ")) != NULL) {
			const struct key_row *row =
				keys_find(rows[i].context, key);

			check(row != NULL, "%s", key);
			check_text(row->command, rows[i].command, key);
		}
	}
}

/* Texts name the keys that are bound at the moment. */
static void
test_texts(void **state)
{
	static const struct {
		const char *text, *now, *rebound;
	} texts[] = {
		{ "", "", "" },
		{ "no key", "no key", "no key" },
		{ "{back} closes", "Esc closes", "F9 closes" },
		{ "press {back}", "press Esc", "press F9" },
		{ "{back}{theme}", "Esct", "F9:theme" },
		{ "{nothing known} x", ":nothing known x", ":nothing known x" },
		{ "{back", "Esc", "F9" },
		{ "}{", "}:", "}:" },
	};
	static const struct key_row rows[] = {
		{ KEYS_COMMON, "F9", "back", "back", NULL, 0 },
	};
	char buf[64], tiny[6];

	for (size_t i = 0; i < ROWS(texts); i++) {
		keys_use(NULL, 0);
		assert_string_equal(keys_text(KEYS_JOURNAL, texts[i].text, buf,
					    sizeof(buf)),
			texts[i].now);
		keys_use(rows, ROWS(rows));
		assert_string_equal(keys_text(KEYS_JOURNAL, texts[i].text, buf,
					    sizeof(buf)),
			texts[i].rebound);
	}
	keys_use(NULL, 0);
	keys_text(KEYS_JOURNAL, "{back} closes", tiny, sizeof(tiny));
	assert_string_equal(tiny, "Esc c");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_promised),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_for_command),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_contexts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
