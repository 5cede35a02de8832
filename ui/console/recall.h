/*
 * recall: saves the lines typed at the prompt between sessions.
 *
 * The file is $XDG_STATE_HOME/cfuzz/history, or in ~/.local/state: one line
 * each, the oldest first, readable only by the owner. Consoles that run at the
 * same time keep each other's lines. Errors are not reported: without the file
 * there is no history.
 */
#ifndef CFUZZ_UI_CONSOLE_RECALL_H
#define CFUZZ_UI_CONSOLE_RECALL_H

#include "ui/console/prompt.h"

/* Adds the lines of the file, without the characters that cannot be typed. */
void recall_load(struct prompt_history *history);

/* Appends the new lines to the current content of the file. */
void recall_save(struct prompt_history *history);

#endif
