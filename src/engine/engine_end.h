/*
 * engine_end: when and how a run ends.
 */
#ifndef CFUZZ_ENGINE_ENGINE_END_H
#define CFUZZ_ENGINE_ENGINE_END_H

#include <stdbool.h>
#include <stdint.h>

#include "control/command.h"
#include "engine/engine.h"
#include "shared/status.h"

struct engine;

enum end_reason {
	END_NONE,
	END_TIME,
	END_LIMIT,
	END_USER,
	END_CRASH, /* --stop-on-crash */
	END_SEED,  /* a failing seed under --stop-on-crash */
	END_ERROR,
};

struct engine_end {
	bool stopping, ended;
	bool draining;       /* no new executions; replays still run */
	bool drain_minimize; /* minimizations still run, too */
	uint64_t drain_ns;   /* deadline of the drain; 0: none */
	enum stop_step stop_step;
	uint64_t stop_ns; /* when the stop began; 0: not stopping */
	enum end_reason why;
	struct error fatal;
	enum exit_status fatal_status;
	bool found; /* a seed failed; findings: see triage_found() */
	bool lost;  /* something could not be kept or done */
};

void engine_stop(struct engine *e, enum end_reason why);
void engine_fail(struct engine *e, enum exit_status status, const char *fmt,
	...) __attribute__((format(printf, 3, 4)));
void engine_drain(struct engine *e, enum end_reason why, bool minimizations);
void engine_check_end(struct engine *e);
uint64_t engine_drain_left_ms(const struct engine *e);
enum exit_status engine_status(const struct engine *e);
uint64_t engine_limit(const struct engine *e); /* executions; 0: no limit */

#endif
