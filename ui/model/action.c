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
		"Pause all workers, or let them go on." },
	[ACTION_TOGGLE_WORKER] = { ACTION_TOGGLE_WORKER, "toggle-worker", 0,
		"toggle-worker",
		"The same for the selected worker." },
	[ACTION_STOP_WORKER] = { ACTION_STOP_WORKER, "stop-worker", 0,
		"stop-worker",
		"Stop the selected worker; again: interrupt, then kill." },
	[ACTION_SELECT] = { ACTION_SELECT, "select", 1,
		"select WORKER",
		"Select the worker that P and S act on." },
	[ACTION_VIEW] = { ACTION_VIEW, "view", 4,
		"view NAME [COMMAND]",
		"Show another view, and give it a command." },
	[ACTION_NEXT_VIEW] = { ACTION_NEXT_VIEW, "next-view", 0,
		"next-view",
		"Show the next view." },
	[ACTION_PREVIOUS_VIEW] = { ACTION_PREVIOUS_VIEW, "previous-view", 0,
		"previous-view",
		"Show the view before." },
	[ACTION_HELP] = { ACTION_HELP, "help", 0,
		"help",
		"Explain this view and its keys." },
	[ACTION_LIMITS] = { ACTION_LIMITS, "limits", 0,
		"limits",
		"See and change the limits." },
	[ACTION_PROMPT] = { ACTION_PROMPT, "prompt", 0,
		"prompt",
		"Type a command." },
	[ACTION_FILTER] = { ACTION_FILTER, "filter", FILTER_WORDS,
		"filter [WORD]...",
		"Show only rows of this list that have all the words." },
	[ACTION_THEME] = { ACTION_THEME, "theme", 1,
		"theme [NAME]",
		"Use the next theme, or this one." },
	[ACTION_KEYS] = { ACTION_KEYS, "keys", 1,
		"keys [FILE]",
		"Use the keys of this file, or those of your own." },
	[ACTION_MOUSE] = { ACTION_MOUSE, "mouse", 1,
		"mouse on|off",
		"Take the mouse, or leave it to the terminal." },
	[ACTION_REDRAW] = { ACTION_REDRAW, "redraw", 0,
		"redraw",
		"Draw the whole screen anew." },
	[ACTION_SUSPEND] = { ACTION_SUSPEND, "suspend", 0,
		"suspend",
		"Suspend the console; fuzzing goes on." },
	[ACTION_BACK] = { ACTION_BACK, "back", 0,
		"back",
		"Go back to the view before." },
	[ACTION_EXPLAIN] = { ACTION_EXPLAIN, "explain", 0,
		"explain",
		"Explain the fields of this view, one by one." },
	[ACTION_TOUR] = { ACTION_TOUR, "tour", 0,
		"tour",
		"Show around, step by step." },
	[ACTION_SEEK] = { ACTION_SEEK, "seek", 1,
		"seek TIME",
		"In a recording, go to that time; +TIME and -TIME move by it." },
	[ACTION_SPEED] = { ACTION_SPEED, "speed", 1,
		"speed FACTOR",
		"Play a recording at 1/8 to 64 times its speed, or max." },
	[ACTION_EDIT] = { ACTION_EDIT, "edit", FILTER_WORDS,
		"edit COMMAND [= TEXT]",
		"Ask for the last word of a command, which is TEXT so far." },
	[ACTION_COPY] = { ACTION_COPY, "copy", FILTER_WORDS,
		"copy TEXT",
		"Give a text to the terminal's clipboard." },
	[ACTION_DEBUG] = { ACTION_DEBUG, "debug", 1,
		"debug FINDING",
		"Stop in a debugger where the finding fails." },
	[ACTION_STEPS] = { ACTION_STEPS, "steps", 1,
		"steps INPUT",
		"Minimize by steps: nothing is tried before you say so." },
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
