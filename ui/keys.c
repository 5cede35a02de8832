/*
 * keys: the table, and the look into it.
 */
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* clang-format off */
static const struct key_row keys_table[] = {
	/* context	key	command		note			word	priority */
	{ KEYS_COMMON, "p", "toggle-pause",
		"pause or resume all workers",		"pause",	95 },
	{ KEYS_COMMON, "P", "toggle-worker",
		"pause or resume the selected worker",	NULL,		0 },
	{ KEYS_COMMON, "+", "workers +1",
		"one worker more",			"workers",	70 },
	{ KEYS_COMMON, "-", "workers -1",
		"one worker less",			"workers",	70 },
	{ KEYS_COMMON, "l", "limits",
		"see and change the limits",		"limits",	80 },
	{ KEYS_COMMON, "s", "stop",
		"stop; again: interrupt now; again: kill now",
							"stop",		90 },
	{ KEYS_COMMON, "S", "stop-worker",
		"the same for the selected worker alone", NULL,		0 },
	{ KEYS_COMMON, "q", "quit",
		"quit (asks first)",			"quit",		100 },
	{ KEYS_COMMON, "C-c", "quit",
		"quit (asks first)",			NULL,		0 },
	{ KEYS_COMMON, ":", "prompt",
		"type a command",			"command",	40 },
	{ KEYS_COMMON, "?", "help",
		"help on this view, and back",		"help",		60 },
	{ KEYS_COMMON, "F1", "help",
		"help on this view, and back",		NULL,		0 },
	{ KEYS_COMMON, "1", "view dashboard",
		"dashboard",				"dashboard",	72 },
	{ KEYS_COMMON, "2", "view workers",
		"workers",				"workers",	50 },
	{ KEYS_COMMON, "5", "view findings",
		"findings",				"findings",	76 },
	{ KEYS_COMMON, "6", "view minimization",
		"minimization",				"minimize",	74 },
	{ KEYS_COMMON, "Tab", "next-view",
		"next view",				"views",	45 },
	{ KEYS_COMMON, "S-Tab", "previous-view",
		"previous view",			NULL,		0 },
	{ KEYS_COMMON, "Up", "up",	"up",		NULL,		0 },
	{ KEYS_COMMON, "k", "up",	"up",		NULL,		0 },
	{ KEYS_COMMON, "Down", "down",	"down",		NULL,		0 },
	{ KEYS_COMMON, "j", "down",	"down",		NULL,		0 },
	{ KEYS_COMMON, "Left", "left",	"left",		NULL,		0 },
	{ KEYS_COMMON, "h", "left",	"left",		NULL,		0 },
	{ KEYS_COMMON, "Right", "right", "right",	NULL,		0 },
	{ KEYS_COMMON, "PgUp", "page-up", "a page up",	NULL,		0 },
	{ KEYS_COMMON, "PgDn", "page-down", "a page down", NULL,	0 },
	{ KEYS_COMMON, "Home", "home",	"to the start",	NULL,		0 },
	{ KEYS_COMMON, "g", "home",	"to the start",	NULL,		0 },
	{ KEYS_COMMON, "End", "end",	"to the end",	NULL,		0 },
	{ KEYS_COMMON, "G", "end",	"to the end",	NULL,		0 },
	{ KEYS_COMMON, "Enter", "open",
		"open the selected row",		NULL,		0 },
	{ KEYS_COMMON, "Esc", "back",
		"back",					NULL,		0 },
	{ KEYS_COMMON, "t", "theme",
		"next theme",				NULL,		0 },
	{ KEYS_COMMON, "C-l", "redraw",
		"draw the screen anew",			NULL,		0 },
	{ KEYS_COMMON, "C-z", "suspend",
		"suspend the console; fuzzing goes on",	NULL,		0 },

	{ KEYS_WORKERS, "Enter", "open",
		"the worker in detail, and back",	"detail",	86 },
	{ KEYS_WORKERS, "P", "toggle-worker",
		"pause or resume the selected worker",	"this one",	84 },
	{ KEYS_WORKERS, "S", "stop-worker",
		"stop the selected worker; again: interrupt, kill",
							"stop it",	82 },
	{ KEYS_WORKERS, "o", "sort",
		"sort by the next column",		"sort",		78 },
	{ KEYS_WORKERS, "O", "sort-reverse",
		"turn the order round",			NULL,		0 },

	{ KEYS_FINDINGS, "Enter", "open",
		"the finding in detail, and back",	"detail",	88 },
	{ KEYS_FINDINGS, "m", "minimize",
		"minimize the selected finding",	"minimize",	86 },
	{ KEYS_FINDINGS, "r", "replay",
		"replay it: does it still fail?",	"replay",	84 },
	{ KEYS_FINDINGS, "i", "ignore",
		"ignore it from now on (asks first)",	"ignore",	78 },

	{ KEYS_LIMITS, "Up", "up",	"up",		NULL,		0 },
	{ KEYS_LIMITS, "k", "up",	"up",		NULL,		0 },
	{ KEYS_LIMITS, "Down", "down",	"down",		NULL,		0 },
	{ KEYS_LIMITS, "j", "down",	"down",		NULL,		0 },
	{ KEYS_LIMITS, "PgUp", "page-up", "a page up",	NULL,		0 },
	{ KEYS_LIMITS, "PgDn", "page-down", "a page down", NULL,	0 },
	{ KEYS_LIMITS, "Home", "home",	"to the start",	NULL,		0 },
	{ KEYS_LIMITS, "End", "end",	"to the end",	NULL,		0 },
	{ KEYS_LIMITS, "Enter", "open",
		"change the selected limit (or type the value)",
							"change",	90 },
	{ KEYS_LIMITS, "Esc", "back",	"close",	"close",	100 },
	{ KEYS_LIMITS, "l", "back",	"close",	NULL,		0 },
	{ KEYS_LIMITS, "q", "back",	"close",	NULL,		0 },
	{ KEYS_LIMITS, "C-c", "back",	"close",	NULL,		0 },

	{ KEYS_EDIT, "Enter", "accept",	"accept",	"accept",	90 },
	{ KEYS_EDIT, "Esc", "cancel",	"leave as it was", "cancel",	100 },
	{ KEYS_EDIT, "C-c", "cancel",	"leave as it was", NULL,	0 },
	{ KEYS_EDIT, "Tab", "complete",	"complete the word", "complete", 80 },
	{ KEYS_EDIT, "Up", "previous",	"the line before, of this session",
							"history",	70 },
	{ KEYS_EDIT, "C-p", "previous",	"the line before, of this session",
							NULL,		0 },
	{ KEYS_EDIT, "Down", "next",	"the line after it", NULL,	0 },
	{ KEYS_EDIT, "C-n", "next",	"the line after it", NULL,	0 },
	{ KEYS_EDIT, "Left", "left",	"left",		NULL,		0 },
	{ KEYS_EDIT, "C-b", "left",	"left",		NULL,		0 },
	{ KEYS_EDIT, "Right", "right",	"right",	NULL,		0 },
	{ KEYS_EDIT, "C-f", "right",	"right",	NULL,		0 },
	{ KEYS_EDIT, "Home", "home",	"to the start",	NULL,		0 },
	{ KEYS_EDIT, "C-a", "home",	"to the start",	NULL,		0 },
	{ KEYS_EDIT, "End", "end",	"to the end",	NULL,		0 },
	{ KEYS_EDIT, "C-e", "end",	"to the end",	NULL,		0 },
	{ KEYS_EDIT, "BSpace", "rubout", "delete to the left", NULL,	0 },
	{ KEYS_EDIT, "Del", "delete",	"delete to the right", NULL,	0 },
	{ KEYS_EDIT, "C-d", "delete",	"delete to the right", NULL,	0 },
	{ KEYS_EDIT, "C-w", "kill-word", "delete a word", NULL,		0 },
	{ KEYS_EDIT, "C-u", "kill-line", "delete to the start", NULL,	0 },
	{ KEYS_EDIT, "C-k", "kill-end",	"delete to the end", NULL,	0 },

	{ KEYS_ASK, "Enter", "accept",	"the marked answer", "choose",	90 },
	{ KEYS_ASK, "Esc", "cancel",	"do nothing",	"cancel",	100 },
	{ KEYS_ASK, "C-c", "again",
		"stop, if the question is whether to quit; else do nothing",
							NULL,		0 },
	{ KEYS_ASK, "Up", "previous",	"the answer before", NULL,	0 },
	{ KEYS_ASK, "Left", "previous",	"the answer before", NULL,	0 },
	{ KEYS_ASK, "S-Tab", "previous", "the answer before", NULL,	0 },
	{ KEYS_ASK, "Down", "next",	"the next answer", NULL,	0 },
	{ KEYS_ASK, "Right", "next",	"the next answer", NULL,	0 },
	{ KEYS_ASK, "Tab", "next",	"the next answer", NULL,	0 },
};

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
	{ "F12", "F12" },
};

static const struct {
	const char *name;
	bool closed;
} keys_contexts[KEYS_CONTEXT_COUNT] = {
	[KEYS_COMMON]		= { "common", false },
	[KEYS_DASHBOARD]	= { "dashboard", false },
	[KEYS_WORKERS]		= { "workers", false },
	[KEYS_FINDINGS]		= { "findings", false },
	[KEYS_MINIMIZATION]	= { "minimization", false },
	[KEYS_HELP]		= { "help", false },
	[KEYS_LIMITS]		= { "limits", true },
	[KEYS_EDIT]		= { "edit", true },
	[KEYS_ASK]		= { "ask", true },
};
/* clang-format on */

#define KEYS_N (sizeof(keys_table) / sizeof(keys_table[0]))
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

const struct key_row *
keys_row(size_t i)
{
	return i < KEYS_N ? &keys_table[i] : NULL;
}

static const struct key_row *
keys_find_own(enum key_context context, const char *key)
{
	for (size_t i = 0; i < KEYS_N; i++)
		if (keys_table[i].context == context &&
			strcmp(keys_table[i].key, key) == 0)
			return &keys_table[i];
	return NULL;
}

const struct key_row *
keys_find(enum key_context context, const char *key)
{
	const struct key_row *row = keys_find_own(context, key);

	if (row != NULL || context == KEYS_COMMON)
		return row;
	/* Redrawing and suspending work everywhere. */
	if (key_context_closed(context) && strncmp(key, "C-", 2) != 0)
		return NULL;
	return keys_find_own(KEYS_COMMON, key);
}

const struct key_row *
keys_for_command(enum key_context context, const char *command)
{
	const struct key_row *common = NULL;

	for (size_t i = 0; i < KEYS_N; i++) {
		const struct key_row *row = &keys_table[i];

		if (strcmp(row->command, command) != 0)
			continue;
		if (row->context == context)
			return row;
		if (row->context == KEYS_COMMON && common == NULL)
			common = row;
	}
	return common;
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
