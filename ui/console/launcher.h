/*
 * launcher: what the shell started.
 *
 * It forks the console and the engine before either has a library in use,
 * waits for both, puts the terminal in order whatever became of the console,
 * and says in a few lines what the campaign brought.
 */
#ifndef CFUZZ_UI_CONSOLE_LAUNCHER_H
#define CFUZZ_UI_CONSOLE_LAUNCHER_H

#include "control/settings.h"

struct launcher {
	const struct settings *settings;
	const char *target; /* as the user wrote it */
	const char *output; /* the campaign's directory; NULL: none */
	/*
	 * Runs in a process of its own, without a terminal, and returns its
	 * exit status. What it writes to note_fd, at most 4 KiB, is printed
	 * at the end.
	 */
	int (*engine)(void *arg, int control_fd, int note_fd);
	void *arg;
	int record_fd; /* of console_config */
};

/* Returns the exit status of the program: the engine's. */
int launcher_run(const struct launcher *launcher);

#endif
