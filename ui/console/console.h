/*
 * console: the process that owns the screen and the keyboard.
 *
 * It joins an engine at the other end of a socket with a terminal: snapshots
 * go into the model and from there onto the screen, keys become command
 * lines. It paints at most ten times a second, and at once after a key.
 */
#ifndef CFUZZ_UI_CONSOLE_CONSOLE_H
#define CFUZZ_UI_CONSOLE_CONSOLE_H

#include "control/settings.h"
#include "shared/status.h"

struct console_config {
	const struct settings *settings;
	const char *target; /* as the user wrote it */
	int control_fd;     /* to the engine; taken */
	/*
	 * Gets the reset text of the terminal and a 0, and one more 0 when
	 * the terminal is in order again.
	 */
	int report_fd;
	int in_fd, out_fd;
	int record_fd; /* a new file, taken; 0: nothing is recorded */
};

/* Runs until the engine has ended or the terminal is gone. */
enum status console_run(const struct console_config *config, struct error *err)
	MUST_CHECK;

#endif
