/*
 * keymap: the key table with the user's changes.
 */
#include "ui/model/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/model/action.h"

#define KEYMAP_MAX 1024
#define KEYMAP_SHOWN 64

struct keymap {
	struct key_row rows[KEYMAP_MAX];
	size_t n;
	char *texts[2 * KEYMAP_MAX]; /* owned: the user's keys and commands */
	size_t texts_n;
};

/* Commands that must keep a key: without one, the user could not leave. */
static const struct {
	enum key_context context;
	const char *command;
} keymap_needed[] = {
	{ KEYS_COMMON, "quit" },
	{ KEYS_COMMON, "prompt" },
	{ KEYS_COMMON, "back" },
	{ KEYS_LIMITS, "back" },
	{ KEYS_EDIT, "accept" },
	{ KEYS_EDIT, "cancel" },
	{ KEYS_ASK, "accept" },
	{ KEYS_ASK, "cancel" },
};

struct keymap *
keymap_create(void)
{
	struct keymap *map = xcalloc(1, sizeof(*map));
	const struct key_row *row;

	while ((row = keys_default_row(map->n)) != NULL)
		map->rows[map->n++] = *row;
	return map;
}

void
keymap_destroy(struct keymap *map)
{
	if (map == NULL)
		return;
	for (size_t i = 0; i < map->texts_n; i++)
		free(map->texts[i]);
	free(map);
}

void
keymap_use(const struct keymap *map)
{
	keys_use(map->rows, map->n);
}

/* Returns map->n if there is none. */
static size_t
keymap_find(const struct keymap *map, enum key_context context, const char *key)
{
	size_t i = 0;

	while (i < map->n &&
		(map->rows[i].context != context ||
			strcmp(map->rows[i].key, key) != 0))
		i++;
	return i;
}

static void
keymap_remove(struct keymap *map, size_t at)
{
	map->n--;
	memmove(&map->rows[at], &map->rows[at + 1],
		(map->n - at) * sizeof(map->rows[0]));
}

/* Index for a new row: after the last row of the same command, so that the
 * footer can name both keys; else after the context's last row. */
static size_t
keymap_index(const struct keymap *map, const struct key_row *row)
{
	size_t same = 0, last = map->n, i;

	for (i = 0; i < map->n; i++) {
		if (map->rows[i].context != row->context)
			continue;
		last = i + 1;
		if (strcmp(map->rows[i].command, row->command) == 0)
			same = i + 1;
	}
	return same > 0 ? same : last;
}

static void
keymap_insert(struct keymap *map, const struct key_row *row)
{
	size_t at = keymap_index(map, row);

	memmove(&map->rows[at + 1], &map->rows[at],
		(map->n - at) * sizeof(map->rows[0]));
	map->rows[at] = *row;
	map->n++;
}

static const char *
keymap_keep(struct keymap *map, const char *text)
{
	return map->texts[map->texts_n++] = xstrdup(text);
}

/* ---- commands ---- */

/* The default row of a command: the context's own, or a common one unless the
 * context is closed. */
static const struct key_row *
keymap_model(enum key_context context, const char *command)
{
	const struct key_row *row = keys_default_for_command(context, command);

	return row != NULL && row->context != context &&
			key_context_closed(context)
		? NULL
		: row;
}

/* Help for a command without a default row. NULL: no command; err may say
 * why. */
static const char *
keymap_note(const char *command, struct error *err)
{
	char name[KEYMAP_SHOWN];
	const struct action_row *action;
	struct command parsed;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, " "),
		command);
	action = action_find(name);
	if (action != NULL && strchr(command, ' ') != NULL &&
		strchr(action->usage, ' ') == NULL) {
		error_set(err, E_USAGE, "%s takes no argument", name);
		return NULL;
	}
	if (action != NULL)
		return action->help;
	if (command_parse(command, &parsed, err) != OK)
		return NULL;
	return command_row(parsed.id)->help;
}

static enum status
keymap_make_row(struct key_row *row, const char *command, struct error *err)
{
	const struct key_row *model = keymap_model(row->context, command);
	char shown[KEYMAP_SHOWN];
	struct error why = { 0 };

	row->command = command;
	if (model != NULL) {
		row->note = model->note;
		row->word = model->word;
		row->priority = model->priority;
		return OK;
	}
	if (!key_context_closed(row->context))
		row->note = keymap_note(command, &why);
	if (row->note != NULL)
		return OK;
	text_clean_string(command, shown, sizeof(shown));
	return error_set(err, E_USAGE, "`%s` is not a command in `%s`%s%s",
		shown, key_context_name(row->context),
		why.text[0] != '\0' ? ": " : "", why.text);
}

/* ---- changes ---- */

/* In these contexts a character is text or an answer, not a key. */
static bool
keymap_takes_text(enum key_context context)
{
	return context == KEYS_EDIT || context == KEYS_ASK;
}

/* A key's name is ASCII and longer than one character. */
static bool
keymap_is_text(const char *key)
{
	return key[0] == '\0' || key[1] == '\0' || (key[0] & 0x80) != 0 ||
		strcmp(key, "Space") == 0;
}

static enum status
keymap_check_key(enum key_context context, const char *key, struct error *err)
{
	char shown[KEYMAP_SHOWN];

	text_clean_string(key, shown, sizeof(shown));
	if (strlen(key) >= KEY_NAME_SIZE || !key_name_valid(key))
		return error_set(err, E_USAGE,
			"`%s` is not a key; a key is a character or a name "
			"such as C-l, F5, Up, PgDn, Enter, Space, S-Tab",
			shown);
	if (keymap_takes_text(context) && keymap_is_text(key))
		return error_set(err, E_USAGE, "`%s` is text in `%s`", shown,
			key_context_name(context));
	return OK;
}

enum status
keymap_bind(struct keymap *map, enum key_context context, const char *key,
	const char *command, struct error *err)
{
	size_t old = keymap_find(map, context, key);
	struct key_row row = { .context = context };
	enum status status = keymap_check_key(context, key, err);

	if (status != OK)
		return status;
	if (command == NULL && old == map->n)
		return error_set(err, E_USAGE, "nothing in `%s` has this key",
			key_context_name(context));
	if (command != NULL && keymap_make_row(&row, command, err) != OK)
		return E_USAGE;
	if (command != NULL &&
		(map->n - (old < map->n) == KEYMAP_MAX ||
			map->texts_n + 2 > 2 * KEYMAP_MAX))
		return error_set(err, E_FULL, "there are too many keys");
	if (old < map->n)
		keymap_remove(map, old);
	if (command == NULL)
		return OK;
	row.key = keymap_keep(map, key);
	row.command = keymap_keep(map, command);
	keymap_insert(map, &row);
	return OK;
}

/* ---- check ---- */

/* Does a key of `from` still run the command in `context`? */
static bool
keymap_reaches(const struct keymap *map, enum key_context context,
	enum key_context from, const char *command)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct key_row *row = &map->rows[i];
		size_t own;

		if (row->context != from || strcmp(row->command, command) != 0)
			continue;
		own = keymap_find(map, context, row->key);
		if (own == map->n ||
			strcmp(map->rows[own].command, command) == 0)
			return true;
	}
	return false;
}

static enum status
keymap_check_needed(const struct keymap *map, enum key_context from,
	const char *command, struct error *err)
{
	for (int c = 0; c < KEYS_CONTEXT_COUNT; c++) {
		enum key_context context = (enum key_context)c;

		if (from != KEYS_COMMON && context != from)
			continue;
		if (from == KEYS_COMMON && key_context_closed(context))
			continue;
		if (!keymap_reaches(map, context, from, command))
			return error_set(err, E_USAGE,
				"no key is left for `%s` in `%s`; it must have "
				"one",
				command, key_context_name(context));
	}
	return OK;
}

enum status
keymap_check(const struct keymap *map, struct error *err)
{
	enum status status = OK;
	size_t n = sizeof(keymap_needed) / sizeof(keymap_needed[0]);

	for (size_t i = 0; i < n && status == OK; i++)
		status = keymap_check_needed(map, keymap_needed[i].context,
			keymap_needed[i].command, err);
	return status;
}
