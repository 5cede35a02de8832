/*
 * debugger: a program that owns the terminal while the console waits.
 *
 * It is a foreground job of its own, as if started by a shell: it receives the
 * keys of the terminal, and ^C does not reach the console. If it fails, its
 * output stays until a key is pressed.
 */
#ifndef CFUZZ_UI_CONSOLE_DEBUGGER_H
#define CFUZZ_UI_CONSOLE_DEBUGGER_H

#include <stdbool.h>

#include <event2/event.h>

#include "shared/status.h"

struct debugger;

/*
 * Called when the console owns the terminal again; status as from waitpid(),
 * with exit status 127 if the program could not be run. The debugger is freed
 * before the call.
 */
typedef void debugger_done_fn(void *arg, int status);

/* Is there a program of that name in PATH? */
bool debugger_is_installed(const char *name);

/* The path of "cfuzz" beside this executable or where it is installed, else
 * "cfuzz"; a new string. */
char *debugger_cfuzz(void);

/*
 * Runs argv, whose first text is a path, on the terminal, which must be unused:
 * see terminal_leave(). E_IO: no process could be started, and done is not
 * called.
 */
enum status debugger_start(struct debugger **debugger, struct event_base *base,
	int terminal_fd, char *const argv[], debugger_done_fn *done, void *arg,
	struct error *err) MUST_CHECK;

/* Kills the debugger and takes the terminal back. NULL is fine. */
void debugger_destroy(struct debugger *debugger);

#endif
