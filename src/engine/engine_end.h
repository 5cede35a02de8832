/*
 * engine_end: why and how a run ends.
 */
#ifndef CFUZZ_ENGINE_ENGINE_END_H
#define CFUZZ_ENGINE_ENGINE_END_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/log/engine_report.h"
#include "shared/status.h"

struct engine;

enum end_reason {
	END_NONE,  /* not decided yet */
	END_TIME,  /* --fuzztime, a duration */
	END_IDLE,  /* --stop-after-idle */
	END_LIMIT, /* --fuzztime, a number of executions */
	END_USER,  /* a command or a signal */
	END_CRASH, /* --stop-on-crash */
	END_SEED,  /* a failing seed under --stop-on-crash */
	END_ERROR, /* engine_fail() */
};

/* Ends all calls and workers. The first call begins the stop; each later one
 * with END_USER takes the next step: SIGINT, SIGKILL. */
void engine_stop(struct engine *e, enum end_reason why);
/* Stops the run with an exit status and a reason. Of several failures the first
 * counts. After the end of the campaign a failure is an event only, and ends what
 * was begun since. */
void engine_fail(struct engine *e, enum exit_status status, const char *fmt,
	...) __attribute__((format(printf, 3, 4)));
/* A seed failed under --stop-on-crash. */
void engine_fail_seed(struct engine *e, const char *text);
/* The time that is left for a drain; UINT64_MAX: no limit. */
uint64_t engine_drain_left_ms(const struct engine *e);
/* As of now: EXIT_LOST goes before a failure, a failure before findings. */
enum exit_status engine_status(const struct engine *e);
uint64_t engine_limit(const struct engine *e); /* executions; 0: no limit */

bool engine_stopping(const struct engine *e);
enum stop_step engine_stop_step(const struct engine *e);
/* A drain: no new inputs run, but replays of findings do, and minimizations if
 * engine_drain_minimizes(). */
bool engine_draining(const struct engine *e);
bool engine_drain_minimizes(const struct engine *e);
/* Findings of other builds may begin in this drain as well: it is that of
 * `cfuzz ci` at a limit, and has time left. */
bool engine_drain_reruns(const struct engine *e);
bool engine_ended(const struct engine *e);
/* The failure that ended the run, borrowed; "": none. */
const char *engine_failure(const struct engine *e);
/* The user wants to leave: no front end stays after the end. */
void engine_leave(struct engine *e);
bool engine_leaves(const struct engine *e);
/*
 * The campaign is over and only shown, see engine_over.h. Its work on findings
 * is a drain that begins with engine_reopen() and ends with engine_stop().
 */
bool engine_over(const struct engine *e);
void engine_set_over(struct engine *e);
void engine_reopen(struct engine *e);
/* "time limit reached", static; "": not ended, or by a failure. */
const char *engine_ended_by(const struct engine *e);
/* Something could not be kept or done: the exit status is EXIT_LOST. */
void engine_note_lost(struct engine *e);
/* The same of files in memory, as long as the disk does not take them. */
void engine_note_unsaved(struct engine *e, bool unsaved);
bool engine_unsaved(const struct engine *e);

#endif
