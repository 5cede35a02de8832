/*
 * reporter: the output of `cfuzz run`: the engine's log lines, a block for each
 * new finding, and a last line that explains the exit status; or, with --json,
 * one event per line.
 */
#ifndef CFUZZ_CLI_REPORTER_H
#define CFUZZ_CLI_REPORTER_H

#include <stdbool.h>

#include "engine/engine.h"

struct cli_reporter {
	bool json;
	bool only_new; /* the exit status is that of new findings */
	const char *target, *output; /* borrowed; for the command to re-run */
};

/* An engine_report_fn; arg is a struct cli_reporter. */
void cli_reporter_report(void *arg, const struct report *report);

#endif
