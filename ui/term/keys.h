/*
 * keys: the key table, which binds keys to commands.
 *
 * A row binds a key in a context to a command line. A key is looked up in the
 * context of the topmost part (view, dialog, prompt), then in the common
 * context. Footer, help and manual are made from the rows or checked against
 * them.
 *
 * A command line goes to the view first ("down", "open", "minimize"), then to
 * the console's own commands ("theme", "view workers", "select 3"), then to the
 * engine ("workers +1"). A line that a view writes into `send` skips the view,
 * so a view can run the console's commands.
 */
#ifndef CFUZZ_UI_TERM_KEYS_H
#define CFUZZ_UI_TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* "C-l", "Up", "PgDn", "F1", "S-Tab", "Space", "WheelUp", or a character. */
#define KEY_NAME_SIZE 16
#define KEY_HINT_SIZE 48

enum key_context {
	KEYS_COMMON,
	KEYS_DASHBOARD,
	KEYS_WORKERS,
	KEYS_COVERAGE,
	KEYS_CORPUS,
	KEYS_FINDINGS,
	KEYS_MINIMIZATION,
	KEYS_JOURNAL,
	KEYS_HELP,
	KEYS_LIMITS,   /* the limits dialog */
	KEYS_EXPLAIN,  /* help in place */
	KEYS_TOUR,     /* the guided tour, in addition to the view's keys */
	KEYS_PLAYBACK, /* a recording, in addition to the view's keys */
	KEYS_EDIT,     /* a text field: the prompt, a value in a dialog */
	KEYS_ASK,      /* a question */
	KEYS_CONTEXT_COUNT
};

struct key_row {
	enum key_context context;
	const char *key;
	const char *command;
	const char *note; /* for help and manual: a phrase */
	const char *word; /* for the footer: "pause"; NULL: not shown */
	int priority;     /* in the footer, greater ones stay longest */
};

/* "common", "dashboard", …; never NULL. */
const char *key_context_name(enum key_context context);

/* In the limits dialog, text fields and questions, only Ctrl keys are looked up
 * in the common context. */
bool key_context_closed(enum key_context context);

/* KEYS_CONTEXT_COUNT: unknown name. */
enum key_context key_context_find(const char *name);

/* Row i of the table in use, or NULL. The rows of a context are adjacent. */
const struct key_row *keys_row(size_t i);

/* Row i of the default table. */
const struct key_row *keys_default_row(size_t i);

/* Uses another table, which stays the caller's; NULL: the default table. */
void keys_use(const struct key_row *rows, size_t n);

/* The row for a key in the context, else in the common one; NULL: unbound. */
const struct key_row *keys_find(enum key_context context, const char *key);

/* The first row for a command in the context, else in the common one. */
const struct key_row *keys_for_command(enum key_context context,
	const char *command);

/* The same in the default table. */
const struct key_row *keys_default_for_command(enum key_context context,
	const char *command);

/* The key of a common command, for a hot spot, or "". */
const char *keys_common(const char *command);

/* May a row use this name of a key? */
bool key_name_valid(const char *key);

/* The name as people read it: "Ctrl-L", "Page Down". Returns a literal, key or
 * buf. */
const char *key_name_spoken(const char *key, char buf[KEY_NAME_SIZE * 2]);

/* For a hint: the command's key as people read it; if no key is bound, the line
 * to type: ":replay". Returns buf. */
const char *keys_hint(enum key_context context, const char *command,
	char buf[KEY_HINT_SIZE]);

/* Replaces each "{COMMAND}" in a text by keys_hint(): "{back} closes". Returns
 * buf, cut to size bytes. */
const char *keys_text(enum key_context context, const char *text, char *buf,
	size_t size);

#endif
