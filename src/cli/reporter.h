/*
 * reporter: what `cfuzz run` prints: the engine's log lines, a block for each
 * new finding, and a last line that says the exit status in words; or, with
 * --json, one event per line.
 */
#ifndef CFUZZ_CLI_REPORTER_H
#define CFUZZ_CLI_REPORTER_H

#include <stdbool.h>

#include "engine/engine.h"

struct cli_reporter {
	bool json;
	const char *target, *output; /* for the command to re-run */
};

/* An engine_report_fn; arg is a struct cli_reporter. */
void cli_reporter_report(void *arg, const struct report *report);

#endif
