/*
 * launcher_private: the launcher and what it forks.
 */
#ifndef CFUZZ_UI_CONSOLE_LAUNCHER_PRIVATE_H
#define CFUZZ_UI_CONSOLE_LAUNCHER_PRIVATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "ui/console/launcher.h"

#define LAUNCHER_FAILED 3     /* exit status: something failed */
#define LAUNCHER_SETUP 2      /* exit status: set-up failed */
#define LAUNCHER_DETACHED 100 /* of a console whose engine runs on, … */
#define LAUNCHER_LEFT 101     /* … which the launcher is to say */

struct launched {
	const struct launcher *launcher;
	int control[2]; /* console, engine */
	int reset[2];   /* console to launcher: the reset text, the run */
	int note[2];    /* engine to launcher: its last words */
	struct termios saved;
	bool has_saved;
	sigset_t mask; /* of the children */
	pid_t self, console, engine;
	int console_status, engine_status; /* of waitpid() */
	uint64_t runs;  /* of the console's last snapshot; 0: unknown */
	bool left;      /* the engine runs on, without the console */
	unsigned asked; /* number of requests to end */
};

/*
 * The process of the console: runs it, and says how it ended. Returns the exit
 * status of the program if the engine ran already; else 0, LAUNCHER_DETACHED,
 * LAUNCHER_LEFT, or another one if it could not start.
 */
int launcher_console(struct launched *l);

/* Prints how to come back to the campaign. */
void launcher_say_come_back(const struct launched *l);

#endif
