/*
 * keys: look-ups in the key table.
 */
#include "ui/term/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8_width.h"

/* clang-format off */
static const struct {
	const char *name, *spoken;
} keys_named[] = {
	{ "Up", "Up" }, { "Down", "Down" }, { "Left", "Left" },
	{ "Right", "Right" }, { "PgUp", "Page Up" }, { "PgDn", "Page Down" },
	{ "Home", "Home" }, { "End", "End" }, { "Enter", "Enter" },
	{ "Esc", "Esc" }, { "Tab", "Tab" }, { "S-Tab", "Shift-Tab" },
	{ "Space", "Space" }, { "BSpace", "Backspace" }, { "Del", "Delete" },
	{ "Ins", "Insert" }, { "F1", "F1" }, { "F2", "F2" }, { "F3", "F3" },
	{ "F4", "F4" }, { "F5", "F5" }, { "F6", "F6" }, { "F7", "F7" },
	{ "F8", "F8" }, { "F9", "F9" }, { "F10", "F10" }, { "F11", "F11" },
	{ "F12", "F12" }, { "WheelUp", "Wheel up" },
	{ "WheelDown", "Wheel down" },
};

static const struct {
	const char *name;
	bool closed;
} keys_contexts[KEYS_CONTEXT_COUNT] = {
	[KEYS_COMMON]		= { "common", false },
	[KEYS_DASHBOARD]	= { "dashboard", false },
	[KEYS_WORKERS]		= { "workers", false },
	[KEYS_COVERAGE]		= { "coverage", false },
	[KEYS_CORPUS]		= { "corpus", false },
	[KEYS_FINDINGS]		= { "findings", false },
	[KEYS_MINIMIZATION]	= { "minimization", false },
	[KEYS_JOURNAL]		= { "journal", false },
	[KEYS_HELP]		= { "help", false },
	[KEYS_LIMITS]		= { "limits", true },
	[KEYS_EDIT]		= { "edit", true },
	[KEYS_EXPLAIN]		= { "explain", false },
	[KEYS_TOUR]		= { "tour", false },
	[KEYS_PLAYBACK]		= { "playback", false },
	[KEYS_ASK]		= { "ask", true },
};
/* clang-format on */

#define KEYS_NAMED_N (sizeof(keys_named) / sizeof(keys_named[0]))

const char *
key_context_name(enum key_context context)
{
	if ((unsigned)context >= KEYS_CONTEXT_COUNT)
		context = KEYS_COMMON;
	return keys_contexts[context].name;
}

bool
key_context_closed(enum key_context context)
{
	return (unsigned)context < KEYS_CONTEXT_COUNT &&
		keys_contexts[context].closed;
}

enum key_context
key_context_find(const char *name)
{
	int context = 0;

	while (context < KEYS_CONTEXT_COUNT &&
		strcmp(keys_contexts[context].name, name) != 0)
		context++;
	return (enum key_context)context;
}

/* The table in use; NULL: the default table. */
static const struct key_row *keys_rows;
static size_t keys_n;

void
keys_use(const struct key_row *rows, size_t n)
{
	keys_rows = rows;
	keys_n = rows != NULL ? n : 0;
}

const struct key_row *
keys_row(size_t i)
{
	if (keys_rows == NULL)
		return keys_default_row(i);
	return i < keys_n ? &keys_rows[i] : NULL;
}

static const struct key_row *
keys_find_own(enum key_context context, const char *key)
{
	const struct key_row *row;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++)
		if (row->context == context && strcmp(row->key, key) == 0)
			return row;
	return NULL;
}

const struct key_row *
keys_find(enum key_context context, const char *key)
{
	const struct key_row *row = keys_find_own(context, key);

	if (row != NULL || context == KEYS_COMMON)
		return row;
	/* Control keys, for redrawing and suspending, work in every context. */
	if (key_context_closed(context) && strncmp(key, "C-", 2) != 0)
		return NULL;
	return keys_find_own(KEYS_COMMON, key);
}

/* The first row for the command in the context, else in the common one.
 * row_at() reads the table. */
static const struct key_row *
keys_search(const struct key_row *(*row_at)(size_t i), enum key_context context,
	const char *command)
{
	const struct key_row *row, *common = NULL;

	for (size_t i = 0; (row = row_at(i)) != NULL; i++) {
		if (strcmp(row->command, command) != 0)
			continue;
		if (row->context == context)
			return row;
		if (row->context == KEYS_COMMON && common == NULL)
			common = row;
	}
	return common;
}

const struct key_row *
keys_for_command(enum key_context context, const char *command)
{
	return keys_search(keys_row, context, command);
}

const struct key_row *
keys_default_for_command(enum key_context context, const char *command)
{
	return keys_search(keys_default_row, context, command);
}

const char *
keys_common(const char *command)
{
	const struct key_row *row = keys_for_command(KEYS_COMMON, command);

	return row != NULL ? row->key : "";
}

static bool
keys_one_character(const char *key)
{
	uint32_t code;
	size_t len = strlen(key);

	return len > 0 && utf8_decode(key, len, &code) == len && code > ' ' &&
		utf8_width(code) > 0;
}

bool
key_name_valid(const char *key)
{
	for (size_t i = 0; i < KEYS_NAMED_N; i++)
		if (strcmp(key, keys_named[i].name) == 0)
			return true;
	if (strncmp(key, "C-", 2) == 0)
		return key[2] >= 'a' && key[2] <= 'z' && key[3] == '\0';
	return keys_one_character(key);
}

const char *
key_name_spoken(const char *key, char buf[KEY_NAME_SIZE * 2])
{
	for (size_t i = 0; i < KEYS_NAMED_N; i++)
		if (strcmp(key, keys_named[i].name) == 0)
			return keys_named[i].spoken;
	if (strncmp(key, "C-", 2) != 0 || key[2] == '\0')
		return key;
	snprintf(buf, KEY_NAME_SIZE * 2, "Ctrl-%s", key + 2);
	buf[5] = (char)(buf[5] - 'a' + 'A');
	return buf;
}

const char *
keys_hint(enum key_context context, const char *command,
	char buf[KEY_HINT_SIZE])
{
	const struct key_row *row = keys_for_command(context, command);
	char spoken[KEY_NAME_SIZE * 2];

	if (row != NULL)
		snprintf(buf, KEY_HINT_SIZE, "%s",
			key_name_spoken(row->key, spoken));
	else
		snprintf(buf, KEY_HINT_SIZE, ":%s", command);
	return buf;
}

const char *
keys_text(enum key_context context, const char *text, char *buf, size_t size)
{
	char command[KEY_HINT_SIZE], hint[KEY_HINT_SIZE];
	size_t len = 0;

	buf[0] = '\0';
	while (*text != '\0' && len + 1 < size) {
		size_t plain = strcspn(text, "{"), name;

		snprintf(buf + len, size - len, "%.*s", (int)plain, text);
		len += strlen(buf + len);
		text += plain;
		if (*text == '\0')
			break;
		name = strcspn(++text, "}");
		snprintf(command, sizeof(command), "%.*s", (int)name, text);
		snprintf(buf + len, size - len, "%s",
			keys_hint(context, command, hint));
		len += strlen(buf + len);
		text += name + (text[name] == '}');
	}
	return buf;
}
