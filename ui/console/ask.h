/*
 * ask: questions before commands that are easily given by accident.
 *
 * The question is part of the model. Its answer is a command line, which goes
 * to the engine without another question.
 */
#ifndef CFUZZ_UI_CONSOLE_ASK_H
#define CFUZZ_UI_CONSOLE_ASK_H

#include <stdbool.h>

#include "control/command.h"
#include "ui/model/model.h"

struct ask {
	unsigned processors; /* of this machine */
	/* The question about more than two workers for each was asked. */
	bool many_workers;
};

/*
 * Opens the question for a parsed engine command, whose line an answer sends;
 * false: the command needs none.
 */
bool ask_about(struct ask *ask, struct model *model,
	const struct command *command, const char *line);

/* Is the open question the one about the end of the campaign? */
bool ask_is_quit(const struct model *model);

/* Shows the result of the ended campaign until a key is pressed. */
void ask_ended(struct model *model);

/*
 * Handles a command ("next", "accept", "cancel", "again") or the key of a
 * choice. True: the question is answered and closed; *line is the command to
 * send, "" for none, valid until the next question.
 */
bool ask_command(struct model *model, const char *command, const char **line);
bool ask_key(struct model *model, const char *key, const char **line);

#endif
