/*
 * engine_report: what the engine reports to its front end, and how it exits.
 */
#ifndef CFUZZ_ENGINE_LOG_ENGINE_REPORT_H
#define CFUZZ_ENGINE_LOG_ENGINE_REPORT_H

#include "control/snapshot.h"

/* Exit statuses, one list for all front ends. */
enum exit_status {
	EXIT_NOTHING = 0, /* ended, nothing found */
	EXIT_FOUND = 1,   /* a finding in this run */
	EXIT_SETUP = 2,   /* usage, target or set-up: nothing ran */
	EXIT_LOST = 3,    /* something could not be kept or done */
};

enum report_kind {
	REPORT_LINE,      /* a log line, worded as by Go's fuzzing */
	REPORT_FINDING,   /* a new bucket; sets `finding` */
	REPORT_SEQUENCE,  /* it takes several inputs in a row; sets `finding` */
	REPORT_MINIMIZED, /* its minimized input is on disk; sets `finding` */
	REPORT_EVENT,     /* one journal line; sets `event` */
	REPORT_PROGRESS,  /* of a tool: the next one replaces it */
	REPORT_ENDED,     /* the last report */
};

/* All pointers are borrowed for the call of engine_report_fn. */
struct report {
	enum report_kind kind;
	const char *text; /* without newline */
	const struct snapshot_finding *finding;
	const json_t *event;
	const struct snapshot *snapshot; /* with REPORT_ENDED */
};

typedef void engine_report_fn(void *arg, const struct report *report);

#endif
