/*
 * debugger: a program that has the terminal while the console waits.
 *
 * It is a job of its own, as a shell would start it: in the foreground, so the
 * keys of the terminal are its own, and ^C does not reach us. When it ends in
 * trouble, what it wrote stays until a key.
 */
#ifndef CFUZZ_UI_CONSOLE_DEBUGGER_H
#define CFUZZ_UI_CONSOLE_DEBUGGER_H

#include <stdbool.h>

#include <event2/event.h>

#include "shared/status.h"

struct debugger;

/* The terminal is ours again; status as waitpid() has it. The debugger is
 * gone after that. */
typedef void debugger_done_fn(void *arg, int status);

/* A program of that name in PATH? */
bool debugger_is_installed(const char *name);

/* "cfuzz" beside this executable; a new string. */
char *debugger_cfuzz(void);

/*
 * Runs argv on the terminal, which nobody uses: terminal_lend(). E_IO: it does
 * not run.
 */
enum status debugger_start(struct debugger **debugger, struct event_base *base,
	int terminal_fd, char *const argv[], debugger_done_fn *done, void *arg,
	struct error *err) MUST_CHECK;

/* Ends it without ado, and takes the terminal back. NULL is fine. */
void debugger_destroy(struct debugger *debugger);

#endif
