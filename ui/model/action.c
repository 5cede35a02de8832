/*
 * action: the table of the console's own commands.
 */
#include "ui/model/action.h"

#include <string.h>

#define FILTER_WORDS 32

/* clang-format off */
static const struct action_row action_table[ACTION_COUNT] = {
	[ACTION_TOGGLE_PAUSE] = { ACTION_TOGGLE_PAUSE, "toggle-pause", 0,
		"toggle-pause",
		"Pause or resume all workers." },
	[ACTION_TOGGLE_WORKER] = { ACTION_TOGGLE_WORKER, "toggle-worker", 0,
		"toggle-worker",
		"Pause or resume the selected worker." },
	[ACTION_STOP_WORKER] = { ACTION_STOP_WORKER, "stop-worker", 0,
		"stop-worker",
		"Restart the selected worker; again: interrupt, then kill." },
	[ACTION_SELECT] = { ACTION_SELECT, "select", 1,
		"select WORKER",
		"Select the worker that P and S act on." },
	[ACTION_VIEW] = { ACTION_VIEW, "view", 4,
		"view NAME [COMMAND]",
		"Show a view, and run a command of it." },
	[ACTION_NEXT_VIEW] = { ACTION_NEXT_VIEW, "next-view", 0,
		"next-view",
		"Show the next view." },
	[ACTION_PREVIOUS_VIEW] = { ACTION_PREVIOUS_VIEW, "previous-view", 0,
		"previous-view",
		"Show the previous view." },
	[ACTION_HELP] = { ACTION_HELP, "help", 0,
		"help",
		"Explain this view and its keys." },
	[ACTION_LIMITS] = { ACTION_LIMITS, "limits", 0,
		"limits",
		"Show and change the limits." },
	[ACTION_PROMPT] = { ACTION_PROMPT, "prompt", 0,
		"prompt",
		"Type a command." },
	[ACTION_FILTER] = { ACTION_FILTER, "filter", FILTER_WORDS,
		"filter [WORD]...",
		"Show only rows of this list that have all the words." },
	[ACTION_THEME] = { ACTION_THEME, "theme", 1,
		"theme [NAME]",
		"Use the next theme, or the named one." },
	[ACTION_KEYS] = { ACTION_KEYS, "keys", 1,
		"keys [FILE]",
		"Load the key bindings of this file, or your own." },
	[ACTION_MOUSE] = { ACTION_MOUSE, "mouse", 1,
		"mouse on|off",
		"Use the mouse, or leave it to the terminal." },
	[ACTION_REDRAW] = { ACTION_REDRAW, "redraw", 0,
		"redraw",
		"Redraw the screen." },
	[ACTION_SUSPEND] = { ACTION_SUSPEND, "suspend", 0,
		"suspend",
		"Suspend the console; fuzzing goes on." },
	[ACTION_BACK] = { ACTION_BACK, "back", 0,
		"back",
		"Go back to the previous view." },
	[ACTION_EXPLAIN] = { ACTION_EXPLAIN, "explain", 0,
		"explain",
		"Explain the fields of this view, one by one." },
	[ACTION_TOUR] = { ACTION_TOUR, "tour", 0,
		"tour",
		"Start the guided tour." },
	[ACTION_SEEK] = { ACTION_SEEK, "seek", 1,
		"seek TIME",
		"Go to a time in a recording; +TIME and -TIME are relative." },
	[ACTION_SPEED] = { ACTION_SPEED, "speed", 1,
		"speed FACTOR",
		"Play a recording at 1/8 to 64 times its speed, or max." },
	[ACTION_EDIT] = { ACTION_EDIT, "edit", FILTER_WORDS,
		"edit COMMAND [= TEXT]",
		"Ask for the last word of a command; TEXT is its value now." },
	[ACTION_COPY] = { ACTION_COPY, "copy", FILTER_WORDS,
		"copy TEXT",
		"Copy a text to the terminal's clipboard." },
	[ACTION_DEBUG] = { ACTION_DEBUG, "debug", 1,
		"debug FINDING",
		"Run a finding in a debugger, which stops where it fails." },
	[ACTION_STEPS] = { ACTION_STEPS, "steps", 1,
		"steps INPUT",
		"Minimize an input step by step, held before the first try." },
	[ACTION_SAY] = { ACTION_SAY, "say", FILTER_WORDS,
		"say TEXT",
		"Show a text as a message." },
};
/* clang-format on */

const struct action_row *
action_row(enum action_id id)
{
	return &action_table[id];
}

const struct action_row *
action_find(const char *name)
{
	for (size_t i = 0; i < ACTION_COUNT; i++)
		if (strcmp(action_table[i].name, name) == 0)
			return &action_table[i];
	return NULL;
}
