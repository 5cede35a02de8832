/*
 * console: the process that owns the screen and the keyboard.
 *
 * It connects an engine on a socket with a terminal. Snapshots go into the
 * model, which is painted; keys become command lines. The console paints at
 * most ten times a second, and immediately after a key.
 */
#ifndef CFUZZ_UI_CONSOLE_CONSOLE_H
#define CFUZZ_UI_CONSOLE_CONSOLE_H

#include "control/settings.h"
#include "shared/status.h"

struct console_config {
	const struct settings *settings;
	const char *target; /* as given by the user */
	int control_fd;     /* to the engine; taken */
	/*
	 * Receives the reset text of the terminal with its terminating NUL, and
	 * another NUL once the console has reset the terminal.
	 */
	int report_fd;
	int in_fd, out_fd;
	int record_fd; /* a new file, taken; 0: no recording */
};

/* Runs until the engine has ended or the terminal is gone. */
enum status console_run(const struct console_config *config, struct error *err)
	MUST_CHECK;

#endif
