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
#ifndef CFUZZ_UI_TERM_KEYS_H
#define CFUZZ_UI_TERM_KEYS_H

#include <stdbool.h>
#include <stddef.h>

/* "p", "C-l", "Up", "PgDn", "F1", "S-Tab", "Space", "WheelUp", or a character.
 */
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
	KEYS_TOUR,     /* the guided tour, beside those of the view */
	KEYS_PLAYBACK, /* of a recording, beside those of the view */
	KEYS_EDIT,     /* a text field: the prompt, a value in the dialog */
	KEYS_ASK,      /* a question */
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

/* KEYS_CONTEXT_COUNT: there is none of that name. */
enum key_context key_context_find(const char *name);

/* The table; NULL beyond its end. Rows of a context stand together. */
const struct key_row *keys_row(size_t i);

/* The same, before any change. */
const struct key_row *keys_default_row(size_t i);

/* Another table from now on, which stays the caller's; NULL: the default. */
void keys_use(const struct key_row *rows, size_t n);

/* The row for a key, the context's own or a common one; NULL: unbound. */
const struct key_row *keys_find(enum key_context context, const char *key);

/* The first row of the context, or a common one, with that command. */
const struct key_row *keys_for_command(enum key_context context,
	const char *command);

/* The same, before any change. */
const struct key_row *keys_default_for_command(enum key_context context,
	const char *command);

/* Is it a name that a row may use? */
bool key_name_valid(const char *key);

/* How people read the name: "Ctrl-L", "Page Down"; else the name itself. */
const char *key_name_spoken(const char *key, char buf[KEY_NAME_SIZE * 2]);

/* For a hint in a text: the key of that command as people read it, or what
 * to type if none has it: ":replay". */
const char *keys_hint(enum key_context context, const char *command,
	char buf[KEY_HINT_SIZE]);

/* A text in which "{COMMAND}" stands for the key of that command: "{back}
 * closes". Cut where buf ends. */
const char *keys_text(enum key_context context, const char *text, char *buf,
	size_t size);

#endif
