/*
 * ask: commands that one does not want to give by accident ask first.
 *
 * The question is part of the model; its answer is a command line that goes
 * to the engine without a further question.
 */
#ifndef CFUZZ_UI_CONSOLE_ASK_H
#define CFUZZ_UI_CONSOLE_ASK_H

#include <stdbool.h>

#include "ui/model/model.h"

struct ask {
	unsigned processors;
	bool many_workers; /* asked before: more than twice as many are fine */
};

/* Opens the question that belongs to an engine's command; false: none does. */
bool ask_about(struct ask *ask, struct model *model, const char *line);

/* The campaign is over: its result, until a key. */
void ask_ended(struct model *model);

/*
 * A command ("next", "accept", "cancel", "again") or a choice's own key.
 * True: the question is answered and closed; *line is the command to send,
 * "" for none. It lives until the next question.
 */
bool ask_command(struct model *model, const char *command, const char **line);
bool ask_key(struct model *model, const char *key, const char **line);

#endif
