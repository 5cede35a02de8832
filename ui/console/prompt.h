/*
 * prompt: the line after `:`, with history and completion, and the one after
 * `/`, whose words filter the list at once.
 *
 * What is being typed stands in the model, so that it can be drawn; what was
 * typed before stands here.
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
	size_t at;    /* the line shown, n: the one being typed */
	size_t fresh; /* the last so many are not saved yet */
	char typed[FIELD_SIZE];
	char line[PROMPT_LINE]; /* that was accepted */
};

void prompt_history_clear(struct prompt_history *history);

/* The line stands last, unless it stands there already or is empty. */
void prompt_history_add(struct prompt_history *history, const char *line);

void prompt_open(struct prompt_history *history, struct model *model);
/* For the last word of a command; it is `text` so far. */
void prompt_open_word(struct model *model, const char *command,
	const char *text);
void prompt_open_filter(struct model *model, enum key_context view);

/*
 * A command of KEYS_EDIT. True: the prompt is closed with a line to run,
 * which is in *line ("" = nothing) until the next call.
 */
bool prompt_command(struct prompt_history *history, struct model *model,
	const char *command, const char **line);
void prompt_type(struct model *model, const char *text, size_t len);

#endif
