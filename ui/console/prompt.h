/*
 * prompt: the line after `:`, with history and completion, and the line after
 * `/`, whose words filter a list while being typed.
 *
 * The model has the line being typed, so that it can be drawn. This module has
 * the lines typed before.
 */
#ifndef CFUZZ_UI_CONSOLE_PROMPT_H
#define CFUZZ_UI_CONSOLE_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model/model.h"

#define PROMPT_HISTORY 100
#define PROMPT_LINE 1200 /* of a whole command */

struct prompt_history {
	char *lines[PROMPT_HISTORY]; /* owned, oldest first */
	size_t n;
	size_t at;    /* index of the line shown, n: the new one */
	size_t fresh; /* number of last lines not saved yet */
	char typed[TEXT_FIELD_SIZE];
	char line[PROMPT_LINE]; /* that was accepted */
};

void prompt_history_clear(struct prompt_history *history);

/* Appends a line, unless it is empty or equal to the last one. */
void prompt_history_add(struct prompt_history *history, const char *line);

void prompt_open(struct prompt_history *history, struct model *model);
/* Asks for the last word of a command; `text` is its current value. */
void prompt_open_word(struct model *model, const char *command,
	const char *text);
void prompt_open_filter(struct model *model, enum key_context view);

/*
 * Handles a command of KEYS_EDIT. True: the prompt is closed, and *line is the
 * line to run ("" = none), valid until the next call.
 */
bool prompt_command(struct prompt_history *history, struct model *model,
	const char *command, const char **line);
/* Inserts typed or pasted text at the cursor. */
void prompt_type(struct model *model, const char *text, size_t len);

#endif
