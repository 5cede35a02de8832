/*
 * test_keymap: the user's keys, and mistakes in them.
 */
#include "ui/model/keys_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "lib/check.h"
#include "ui/model/keymap.h"

static struct keymap *
parse(const char *text, struct error *err)
{
	error_clear(err);
	return keys_file_parse("f", text, strlen(text), err);
}

static const char *
command_of(enum key_context context, const char *key)
{
	const struct key_row *row = keys_find(context, key);

	return row != NULL ? row->command : "";
}

/* clang-format off */
static const struct {
	const char *name, *text;
	enum key_context context;
	const char *key, *command;
} good[] = {
	{ "nothing", "{}", KEYS_DASHBOARD, "p", "toggle-pause" },
	{ "another command for a key", "{\"common\": {\"p\": \"redraw\"}}",
		KEYS_DASHBOARD, "p", "redraw" },
	{ "the others stay", "{\"common\": {\"p\": \"redraw\"}}",
		KEYS_DASHBOARD, "s", "stop" },
	{ "one more key", "{\"findings\": {\"F5\": \"replay\"}}",
		KEYS_FINDINGS, "F5", "replay" },
	{ "in its view alone", "{\"findings\": {\"F5\": \"replay\"}}",
		KEYS_WORKERS, "F5", "" },
	{ "a view before the common ones",
		"{\"workers\": {\"p\": \"toggle-worker\"}}",
		KEYS_WORKERS, "p", "toggle-worker" },
	{ "taken away", "{\"common\": {\"t\": null}}", KEYS_HELP, "t", "" },
	{ "a command of the engine",
		"{\"common\": {\"F9\": \"set timeout 500\"}}",
		KEYS_DASHBOARD, "F9", "set timeout 500" },
	{ "a command with an argument",
		"{\"common\": {\"F9\": \"theme light\"}}",
		KEYS_DASHBOARD, "F9", "theme light" },
	{ "a character beyond ASCII", "{\"common\": {\"ö\": \"help\"}}",
		KEYS_DASHBOARD, "ö", "help" },
	{ "the wheel", "{\"common\": {\"WheelUp\": \"page-up\"}}",
		KEYS_WORKERS, "WheelUp", "page-up" },
	{ "moved", "{\"common\": {\"q\": null, \"F10\": \"quit\"}}",
		KEYS_DASHBOARD, "F10", "quit" },
	{ "in a field", "{\"edit\": {\"C-y\": \"accept\"}}",
		KEYS_EDIT, "C-y", "accept" },
};

static const struct {
	const char *name, *text, *want;
} bad[] = {
	{ "no object", "[]", "f:1:1: expected {\"common\"" },
	{ "no JSON", "{\n  \"common\": {,}}", "f:2:" },
	{ "empty", "", "f:1:" },
	{ "a name twice", "{\"common\": {\"p\": \"help\",\n\"p\": \"stop\"}}",
		"f:2:" },
	{ "no such context", "{\"common\": {},\n \"comon\": {}}",
		"f:2:2: comon: there is no such group of keys" },
	{ "a context is no list", "{\"common\": [\"p\"]}",
		"f:1:2: common: expected {" },
	{ "no such key", "{\"common\": {\n\t\"Foo\": \"help\"}}",
		"f:2:2: common: `Foo` is not a key" },
	{ "a long key", "{\"common\": {\"abcdefghijklmnopqrstuvw\": \"help\"}}",
		"f:1:13: common: `abc" },
	{ "a key of control characters",
		"{\"common\": {\"\\u001b[2J\": \"help\"}}",
		"f:1:2: common: `\\x1b[2J` is not a key" },
	{ "no such command", "{\"common\": {\n  \"F5\":   \"helpp\"}}",
		"f:2:3: common: `helpp` is not a command in `common`" },
	{ "a command without its argument",
		"{\"common\": {\"F5\": \"set timeout\"}}", "f:1:13: common: " },
	{ "an argument too many", "{\"common\": {\"F5\": \"redraw 3\"}}",
		"f:1:13: common: `redraw 3` is not a command in `common`: redraw "
		"takes no argument" },
	{ "a command of another view", "{\"workers\": {\"F5\": \"replay\"}}",
		"f:1:14: workers: `replay` is not a command in `workers`" },
	{ "a command of a field", "{\"common\": {\"F5\": \"kill-word\"}}",
		"f:1:13: common: `kill-word` is not a command" },
	{ "a common command in a field", "{\"edit\": {\"F5\": \"help\"}}",
		"f:1:11: edit: `help` is not a command in `edit`" },
	{ "no text", "{\"common\": {\"F5\": 3}}",
		"f:1:13: common: the value of a key is a command or null" },
	{ "nothing to take away", "{\"findings\": {\"F5\": null}}",
		"f:1:15: findings: nothing in `findings` has this key" },
	{ "a letter in a field", "{\"edit\": {\"a\": \"accept\"}}",
		"f:1:11: edit: `a` is text in `edit`" },
	{ "a blank in a question", "{\"ask\": {\"Space\": \"accept\"}}",
		"f:1:10: ask: `Space` is text in `ask`" },
	{ "no way out", "{\"common\": {\"q\": null, \"C-c\": null}}",
		"f:1:1: no key is left for `quit` in `common`" },
	{ "no way out of a view",
		"{\"help\": {\"q\": \"redraw\", \"C-c\": \"redraw\"}}",
		"f:1:1: no key is left for `quit` in `help`" },
	{ "no prompt", "{\"common\": {\":\": null}}",
		"f:1:1: no key is left for `prompt`" },
	{ "no way back", "{\"common\": {\"Esc\": \"redraw\"}}",
		"f:1:1: no key is left for `back`" },
	{ "no answer", "{\"ask\": {\"Enter\": null}}",
		"f:1:1: no key is left for `accept` in `ask`" },
	{ "no end of a line", "{\"edit\": {\"Esc\": null, \"C-c\": null}}",
		"f:1:1: no key is left for `cancel` in `edit`" },
	{ "no end of the limits", "{\"limits\": {\"Esc\": null, \"l\": null, "
		"\"q\": null, \"C-c\": null}}",
		"f:1:1: no key is left for `back` in `limits`" },
};
/* clang-format on */

static void
test_good(void **state)
{
	for (size_t i = 0; i < ROWS(good); i++) {
		struct error err;
		struct keymap *map = parse(good[i].text, &err);

		check(map != NULL, "%s: %s", good[i].name, err.text);
		keymap_use(map);
		check_text(command_of(good[i].context, good[i].key),
			good[i].command, good[i].name);
		keys_use(NULL, 0);
		keymap_destroy(map);
	}
}

static void
test_bad(void **state)
{
	for (size_t i = 0; i < ROWS(bad); i++) {
		struct error err;
		struct keymap *map = parse(bad[i].text, &err);

		check(map == NULL, "%s", bad[i].name);
		check(strncmp(err.text, bad[i].want, strlen(bad[i].want)) == 0,
			"%s: got `%s`, want `%s…`", bad[i].name, err.text,
			bad[i].want);
	}
}

/* Footer and help show the new keys: a context's rows are adjacent, and so are
 * two keys of one command. */
static void
test_rows(void **state)
{
	struct error err;
	struct keymap *map = parse("{\"findings\": {\"F5\": \"replay\"}, "
				   "\"common\": {\"F9\": \"set timeout 9\"}}",
		&err);
	const struct key_row *row, *before = NULL;
	bool seen[KEYS_CONTEXT_COUNT] = { false };

	assert_non_null(map);
	keymap_use(map);
	for (size_t i = 0; (row = keys_row(i)) != NULL; before = row, i++) {
		check(before == NULL || before->context == row->context ||
				!seen[row->context],
			"%s", row->key);
		seen[row->context] = true;
		if (strcmp(row->key, "F5") == 0) {
			assert_string_equal(before->command, "replay");
			assert_string_equal(row->note, before->note);
			assert_string_equal(row->word, before->word);
		}
		if (strcmp(row->key, "F9") == 0)
			assert_non_null(row->note);
	}
	keys_use(NULL, 0);
	keymap_destroy(map);
}

/* More keys than the table can hold. */
static void
test_many(void **state)
{
	char text[40000] = "{\"common\": {\"a\": \"help\"";
	struct error err;
	size_t len = strlen(text);

	for (unsigned code = 0x4e00; code < 0x4e00 + 1500; code++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			",\"\\u%04x\":\"help\"", code);
	snprintf(text + len, sizeof(text) - len, "}}");
	assert_null(parse(text, &err));
	assert_non_null(strstr(err.text, "too many keys"));
}

/* A full map still gives up a row, and takes another one in its place. */
static void
test_full(void **state)
{
	struct keymap *map = keymap_create();
	struct error err;
	char key[8] = "";
	unsigned n;

	for (n = 0;; n++) {
		snprintf(key, sizeof(key), "\xe5%c%c", (int)(0x80 + n / 64),
			(int)(0x80 + n % 64));
		error_clear(&err);
		if (keymap_bind(map, KEYS_COMMON, key, "help", &err) != OK)
			break;
	}
	assert_int_equal(err.code, E_FULL);
	snprintf(key, sizeof(key), "\xe5\x80\x80");
	assert_int_equal(keymap_bind(map, KEYS_COMMON, key, "quit", &err), OK);
	assert_int_equal(keymap_bind(map, KEYS_COMMON, key, NULL, &err), OK);
	assert_int_equal(keymap_bind(map, KEYS_COMMON, key, "help", &err), OK);
	keymap_destroy(map);
}

/* ---- files ---- */

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void
test_load(void **state)
{
	char folder[] = "/tmp/test_keymap-XXXXXX", path[256];
	struct error err;

	error_clear(&err);
	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	assert_int_equal(keys_load("", &err), OK);
	assert_string_equal(command_of(KEYS_HELP, "F9"), "");

	snprintf(path, sizeof(path), "%s/cfuzz", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/cfuzz/keys.json", folder);
	write_file(path, "{\"common\": {\"F9\": \"redraw\"}}");
	assert_int_equal(keys_load("", &err), OK);
	assert_string_equal(command_of(KEYS_HELP, "F9"), "redraw");

	/* A file with a mistake changes nothing. */
	write_file(path, "{\"common\": {\"F9\": \"redrawn\"}}");
	assert_int_equal(keys_load("", &err), E_FORMAT);
	assert_non_null(strstr(err.text, "keys.json:1:13: common: "));
	assert_string_equal(command_of(KEYS_HELP, "F9"), "redraw");
	error_clear(&err);
	assert_int_equal(keys_load("/nowhere/keys.json", &err), E_NOT_FOUND);
	assert_string_equal(command_of(KEYS_HELP, "F9"), "redraw");

	keys_reset();
	assert_string_equal(command_of(KEYS_HELP, "F9"), "");
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
