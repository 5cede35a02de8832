/*
 * keys: what each key does, as data.
 *
 * A row binds a key in a context to a command line. A key is looked up in
 * the context of what is on top (view, dialog, prompt), then in the common
 * one. Footer, help and manual are made from, or checked against, the rows.
 *
 * A command line is first offered to the view ("down", "open", "minimize"),
 * then looked up among the console's own commands ("theme", "view workers",
 * "select 3"), and goes to the engine otherwise ("workers +1"). A line that a
 * view writes into `send` takes the second step, so a view may send commands
 * of the console too.
 */
#ifndef CFUZZ_UI_KEYS_H
#define CFUZZ_UI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* "p", "C-l", "Up", "PgDn", "F1", "S-Tab", "Space", or a character. */
#define KEY_NAME_SIZE 16

enum key_context {
	KEYS_COMMON,
	KEYS_DASHBOARD,
	KEYS_WORKERS,
	KEYS_FINDINGS,
	KEYS_MINIMIZATION,
	KEYS_HELP,
	KEYS_LIMITS, /* the limits dialog */
	KEYS_EDIT,   /* a text field: the prompt, a value in the dialog */
	KEYS_ASK,    /* a question */
	KEYS_CONTEXT_COUNT
};

struct key_row {
	enum key_context context;
	const char *key;
	const char *command;
	const char *note; /* help and manual: what it does, a phrase */
	const char *word; /* footer: "pause"; NULL: not there */
	int priority;     /* footer: the greater stays when room is short */
};

/* "common", "dashboard", …; never NULL. */
const char *key_context_name(enum key_context context);

/* Fields and questions take every key: no look into the common rows. */
bool key_context_closed(enum key_context context);

/* The table; NULL beyond its end. Rows of a context stand together. */
const struct key_row *keys_row(size_t i);

/* The row for a key, the context's own or a common one; NULL: unbound. */
const struct key_row *keys_find(enum key_context context, const char *key);

/* The first row of the context, or a common one, with that command. */
const struct key_row *keys_for_command(enum key_context context,
	const char *command);

/* Is it a name that a row may use? */
bool key_name_valid(const char *key);

/* How people read the name: "Ctrl-L", "Page Down"; else the name itself. */
const char *key_name_spoken(const char *key, char buf[KEY_NAME_SIZE * 2]);

#endif
