/*
 * action: the table of the console's own commands.
 */
#include "ui/model/action.h"

#include <string.h>

/* clang-format off */
static const struct action_row action_table[ACTION_COUNT] = {
	[ACTION_TOGGLE_PAUSE] = { "toggle-pause",
		"Pause or resume all workers." },
	[ACTION_TOGGLE_WORKER] = { "toggle-worker",
		"Pause or resume the selected worker." },
	[ACTION_STOP_WORKER] = { "stop-worker",
		"Restart the selected worker; again: interrupt, then kill." },
	[ACTION_SELECT] = { "select WORKER",
		"Select the worker that P and S act on." },
	[ACTION_VIEW] = { "view NAME [COMMAND]",
		"Show a view, and run a command of it." },
	[ACTION_NEXT_VIEW] = { "next-view", "Show the next view." },
	[ACTION_PREVIOUS_VIEW] = { "previous-view", "Show the previous view." },
	[ACTION_HELP] = { "help", "Explain this view and its keys." },
	[ACTION_LIMITS] = { "limits", "Show and change the limits." },
	[ACTION_PROMPT] = { "prompt", "Type a command." },
	[ACTION_FILTER] = { "filter [WORD]...",
		"Show only rows of this list that have all the words." },
	[ACTION_THEME] = { "theme [NAME]",
		"Use the next theme, or the named one." },
	[ACTION_KEYS] = { "keys [FILE]",
		"Load the keys of this file, or those of the start." },
	[ACTION_MOUSE] = { "mouse on|off",
		"Use the mouse, or leave it to the terminal." },
	[ACTION_REDRAW] = { "redraw", "Redraw the screen." },
	[ACTION_SUSPEND] = { "suspend",
		"Suspend the console; fuzzing goes on." },
	[ACTION_BACK] = { "back", "Close a page, remove a filter, or go back to the view that led here." },
	[ACTION_EXPLAIN] = { "explain",
		"Explain the fields of this view, one by one." },
	[ACTION_TOUR] = { "tour", "Start the guided tour." },
	[ACTION_SEEK] = { "seek TIME|start|end",
		"Go to a time in a recording; +TIME and -TIME are relative." },
	[ACTION_SPEED] = { "speed FACTOR|max|slower|faster",
		"Play a recording at 1/8 to 64 times its speed, or as fast as it can." },
	[ACTION_EDIT] = { "edit COMMAND [= TEXT]",
		"Ask for the last word of a command; TEXT is its value now." },
	[ACTION_COPY] = { "copy TEXT",
		"Copy a text to the terminal's clipboard." },
	[ACTION_DEBUG] = { "debug FINDING",
		"Run a finding in a debugger, which stops where it fails." },
	[ACTION_STEPS] = { "steps INPUT",
		"Minimize an input step by step, held before the first try." },
	[ACTION_SAY] = { "say TEXT", "Show a text as a message." },
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
	size_t len = strlen(name);

	for (size_t i = 0; i < ACTION_COUNT; i++)
		if (strcspn(action_table[i].usage, " ") == len &&
			strncmp(action_table[i].usage, name, len) == 0)
			return &action_table[i];
	return NULL;
}
