/*
 * console: the process that owns the screen and the keyboard.
 *
 * It connects an engine on a socket with a terminal. Snapshots go into the
 * model, which is painted; keys become command lines. The console paints at
 * most ten times a second, and immediately after a key.
 */
#ifndef CFUZZ_UI_CONSOLE_CONSOLE_H
#define CFUZZ_UI_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "control/settings.h"
#include "shared/status.h"

/* How a console ended; the texts are clean. */
struct console_end {
	bool said_bye; /* the engine: the campaign ended, or we may not stay */
	bool left;     /* by a signal, or the terminal is gone */
	bool detached; /* the campaign goes on */
	bool quits;    /* the engine was sent a quit that it did not refuse */
	bool refused;  /* the engine wants no console, or another protocol */
	int exit_status; /* of a campaign that ended */
	uint64_t runs;   /* of the last snapshot; 0: there was none */
	int recording;   /* errno of one that is not complete, 0: it is */
	char text[2048]; /* what the engine said, "": nothing */
};

struct console_config {
	const struct settings *settings;
	const char *target; /* as given by the user */
	const char *output; /* the output directory; NULL: a recording's */
	int control_fd;     /* to the engine; taken */
	bool attached;      /* to a campaign that runs on without us */
	bool past;          /* it is over: `target` is its output directory */
	bool watch, alone;  /* attached: only watch; send the others off */
	bool follow;        /* show what the console that controls shows */
	/*
	 * The user who runs the campaign if it is not us, else "". If set,
	 * nothing that the engine names is opened or started.
	 */
	const char *owner;
	/*
	 * Receives the reset text of the terminal with its terminating NUL, and
	 * another NUL once the console has reset the terminal.
	 */
	int report_fd;
	int record_fd; /* a new file, taken; 0: no recording */
};

/*
 * Runs on the terminal of standard input and output until the engine has ended
 * or the terminal is gone.
 */
enum status console_run(const struct console_config *config,
	struct console_end *end, struct error *err) MUST_CHECK;

#endif
