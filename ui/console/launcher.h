/*
 * launcher: the process that the shell started.
 *
 * It forks the console and the engine before either uses a library, waits for
 * both, resets the terminal even if the console crashed, and prints a summary
 * of the campaign.
 */
#ifndef CFUZZ_UI_CONSOLE_LAUNCHER_H
#define CFUZZ_UI_CONSOLE_LAUNCHER_H

#include "ui/console/console.h"

struct launcher {
	/* The launcher fills in control_fd, report_fd and attached. */
	struct console_config console;
	const char *output; /* the output directory; NULL: none */
	/*
	 * Runs in a process of its own, without a terminal, and returns the
	 * exit status. At most 4 KiB written to note_fd are printed at the end.
	 */
	int (*engine)(void *arg, int control_fd, int note_fd);
	void *arg;
	/*
	 * Connected to an engine that runs already: then `engine` is not
	 * called. Taken; 0: none.
	 */
	int attached_fd;
};

#define LAUNCHER_DROPPED 254 /* exit status: the engine cut the connection */

/*
 * Returns the exit status of the program: the engine's, or the console's if the
 * engine ran already. 0: the console was detached. 2: no process could be
 * started. 3: the process whose status it is died of a signal.
 */
int launcher_run(const struct launcher *launcher);

#endif
