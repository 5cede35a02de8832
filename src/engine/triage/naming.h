/*
 * naming: asks for the names of a finding's frames.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_NAMING_H
#define CFUZZ_ENGINE_TRIAGE_NAMING_H

#include <stdbool.h>

#include "findings/symbols_client.h"

struct engine;
struct failure;
struct finding;
struct pc_table;
struct worker_result;

/* A finding has its names, or waits for them no longer. */
typedef void naming_done_fn(struct engine *e, struct finding *f);
/* modules: PC tables with the paths of libraries, borrowed until
 * naming_close(). */
void naming_open(struct engine *e, naming_done_fn *on_done,
	const struct pc_table *modules);
void naming_close(struct engine *e);

/* Asks for names. The finding stays new until they come: a second at most, in a
 * deterministic run for any time. */
void naming_start(struct engine *e, struct finding *f);
/* Asks for the names of findings that were not asked for yet, a few at a
 * time. */
void naming_next(struct engine *e);
/* The bucket is final: asks for source lines, then for the names in the report,
 * and writes the report. */
void naming_ask_more(struct engine *e, struct finding *f);
/* Call when f->report was replaced: asks for the names in it. */
void naming_renew_report(struct engine *e, struct finding *f);
/* The finding has failed in a newer build, in r. If the names of that failure
 * are the same, its places are those of that build from now on. f->newer_is tells
 * if they are; false: it will not. */
bool naming_renew(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* The same for a finding of the newer build that is merged into f. */
void naming_take(struct engine *e, struct finding *f, struct finding *merged);
/* Asks for the names of a failure's frames, for something that is no finding.
 * As names_ask(): false: `done` will not be called. */
bool naming_ask_once(struct engine *e, const struct failure *failure,
	symbols_done_fn *done, void *arg);
/* Whether a new finding still waits for its names. */
bool naming_is_awaited(const struct engine *e, const struct finding *f);
bool naming_is_full(const struct engine *e); /* asks for no more names now */
bool naming_busy(const struct engine *e);    /* some finding waits for names */

#endif
