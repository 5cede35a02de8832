/*
 * action: the console's own commands, beside those of the engine.
 *
 * Keys and the `:` prompt use these names. Completion, help and manual are made
 * from this table. ui/console/console_actions.c runs the commands.
 */
#ifndef CFUZZ_UI_MODEL_ACTION_H
#define CFUZZ_UI_MODEL_ACTION_H

#include <stddef.h>

enum action_id {
	ACTION_TOGGLE_PAUSE,
	ACTION_TOGGLE_WORKER,
	ACTION_STOP_WORKER,
	ACTION_SELECT, /* select WORKER */
	ACTION_VIEW,   /* view NAME */
	ACTION_NEXT_VIEW,
	ACTION_PREVIOUS_VIEW,
	ACTION_HELP,
	ACTION_LIMITS,
	ACTION_PROMPT,
	ACTION_FILTER, /* filter [WORDS] */
	ACTION_THEME,  /* theme [NAME] */
	ACTION_KEYS,   /* keys [FILE] */
	ACTION_MOUSE,  /* mouse on | off */
	ACTION_REDRAW,
	ACTION_SUSPEND,
	ACTION_BACK,
	ACTION_EXPLAIN,
	ACTION_TOUR,
	ACTION_SEEK,  /* seek TIME, start, end */
	ACTION_SPEED, /* speed FACTOR, max, ... */
	ACTION_EDIT,  /* edit COMMAND = TEXT */
	ACTION_COPY,  /* copy TEXT */
	ACTION_DEBUG, /* debug FINDING */
	ACTION_STEPS, /* steps INPUT */
	ACTION_SAY,   /* say TEXT */
	ACTION_COUNT
};

struct action_row {
	const char *usage; /* the name, then the arguments if it takes any */
	const char *help;  /* one sentence */
};

const struct action_row *action_row(enum action_id id); /* never NULL */
const struct action_row *action_find(const char *name); /* or NULL */

#endif
