/*
 * engine: the face of the coordinator towards its front ends.
 *
 * A front end gives the settings and a target, then runs the loop; the
 * engine reports events to it as they happen, and serves a control socket
 * if it was given one. It knows of no screen.
 */
#ifndef CFUZZ_ENGINE_ENGINE_H
#define CFUZZ_ENGINE_ENGINE_H

#include <stdbool.h>

#include "control/settings.h"
#include "control/snapshot.h"
#include "shared/status.h"

/* Exit statuses, one list for all front ends. */
enum exit_status {
	EXIT_NOTHING = 0, /* ended, nothing found */
	EXIT_FOUND = 1,   /* a finding in this run */
	EXIT_SETUP = 2,   /* usage, target or set-up: nothing ran */
	EXIT_LOST = 3,    /* something could not be kept or done */
};

enum report_kind {
	REPORT_LINE,      /* a log line as the reference engine prints it */
	REPORT_FINDING,   /* a new bucket; `finding` is set */
	REPORT_MINIMIZED, /* its minimized input is on disk; ditto */
	REPORT_EVENT,     /* one journal line; `event` is set */
	REPORT_ENDED,     /* the last report */
};

struct report {
	enum report_kind kind;
	const char *text; /* without newline */
	const struct snapshot_finding *finding;
	const json_t *event;
	const struct snapshot *snapshot; /* REPORT_ENDED */
};

typedef void engine_report_fn(void *arg, const struct report *report);

struct engine;

struct engine_config {
	const struct settings *settings; /* copied */
	const char *target;              /* path */
	char **args;                     /* of the target, NULL-ended */
	int control_fd;                  /* socket to a console, -1: none */
	bool watch_signals;              /* INT, TERM, HUP stop the campaign */
	engine_report_fn *report;        /* NULL: nobody listens */
	void *arg;
};

/* Checks target, seeds and output directory, and opens them. */
struct engine *engine_create(const struct engine_config *config,
	enum exit_status *status, struct error *err);
/* Runs the campaign to its end; what went wrong is told in err. */
enum exit_status engine_run(struct engine *engine, struct error *err);
void engine_destroy(struct engine *engine); /* NULL is fine */

/* Replays files, a fresh child each, reporting a line each. 0, 1, 2, 3. */
enum exit_status engine_repro(const struct engine_config *config, char **files,
	struct error *err);

#endif
