/*
 * recall: the lines typed at the prompt, from one session to the next.
 *
 * They stand in $XDG_STATE_HOME/cfuzz/history, or in ~/.local/state, one per
 * line, the oldest first, readable by their owner alone. Consoles at the same
 * time keep each other's lines. That it cannot be read or written is no
 * reason to say a word: then there is no history.
 */
#ifndef CFUZZ_UI_CONSOLE_RECALL_H
#define CFUZZ_UI_CONSOLE_RECALL_H

#include "ui/console/prompt.h"

/* What is no line that one could have typed is left out. */
void recall_load(struct prompt_history *history);

/* Adds the fresh lines to those that are there now. */
void recall_save(struct prompt_history *history);

#endif
