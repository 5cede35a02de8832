/*
 * prompt: the line after `:`, with history and completion.
 *
 * What is being typed stands in the model, so that it can be drawn; what was
 * typed before stands here.
 */
#ifndef CFUZZ_UI_PROMPT_H
#define CFUZZ_UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model.h"

#define PROMPT_HISTORY 100

struct prompt_history {
	char *lines[PROMPT_HISTORY]; /* owned, oldest first */
	size_t n;
	size_t at; /* the line shown, n: the one being typed */
	char typed[FIELD_SIZE];
};

void prompt_history_clear(struct prompt_history *history);

void prompt_open(struct prompt_history *history, struct model *model);

/*
 * A command of KEYS_EDIT. True: the prompt is closed with a line to run,
 * which is in *line ("" = nothing) until the next call.
 */
bool prompt_command(struct prompt_history *history, struct model *model,
	const char *command, const char **line);
void prompt_type(struct model *model, const char *text, size_t len);

#endif
