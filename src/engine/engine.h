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
	REPORT_SEQUENCE,  /* it takes several inputs in a row; ditto */
	REPORT_MINIMIZED, /* its minimized input is on disk; ditto */
	REPORT_EVENT,     /* one journal line; `event` is set */
	REPORT_PROGRESS,  /* of a tool: the next one takes its place */
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
	bool together;                   /* repro: in one process */
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

/*
 * The tools: what they do beside a campaign. They tell lines for people and,
 * as REPORT_EVENT, the same for programs. What went wrong is told in err.
 */

/*
 * Makes one failing input smaller. The path names a file, or the folder of a
 * finding. NULL for output: "minimized" in that folder.
 */
enum exit_status engine_min(const struct engine_config *config,
	const char *path, const char *output, struct error *err);

/*
 * What an output directory holds; nothing is changed. New references, of
 * which all members are there, all texts clean and all numbers bounded; NULL:
 * see err.
 *
 * Findings: an array of objects, by state, the last seen first. Show: one
 * object, whose "type" is "campaign" (a directory without an id), "finding"
 * (an id, or the folder), "input" (the first digits of a name, or any file).
 */
json_t *engine_findings(const char *output, struct error *err);
json_t *engine_show(const char *path, const char *id, struct error *err);

/*
 * Copies few of the files in these folders to a new one: they reach together
 * what all do. Nothing is removed. What the target fails on is left out.
 */
enum exit_status engine_cmin(const struct engine_config *config, char **places,
	const char *output, struct error *err);

/*
 * Runs the findings of an output directory again, on a target that was built
 * anew: a line for each says whether it still fails. Without a target in
 * config, that of the campaign. 0: none fails.
 */
enum exit_status engine_check(const struct engine_config *config,
	const char *output, struct error *err);

/* Replays files, a fresh child each, reporting a line each. 0, 1, 2, 3. */
enum exit_status engine_repro(const struct engine_config *config, char **files,
	struct error *err);

/* Becomes gdb, with the target running this file. Returns only if it cannot. */
enum exit_status engine_debug(const struct engine_config *config,
	const char *path, struct error *err);

#endif
