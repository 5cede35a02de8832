/*
 * engine_end_check: when a run ends.
 */
#ifndef CFUZZ_ENGINE_ENGINE_END_CHECK_H
#define CFUZZ_ENGINE_ENGINE_END_CHECK_H

#include <stdbool.h>

#include "engine/engine_end.h"

/* Begins a drain, which ends in a stop with this reason: no further inputs run,
 * but findings known so far are replayed, and minimized if `minimizations`. */
void engine_drain(struct engine *e, enum end_reason why, bool minimizations);
/* Begins a drain at a limit, and ends the loop when a stop is complete. The
 * engine's tick calls this function too, so engine_stop() needs no call after
 * it. */
void engine_check_end(struct engine *e);

/* No worker has a job, and no permitted work is left: a drain is over. */
bool engine_drained(const struct engine *e);
/* No name of a frame is awaited, or their time is over: missing names must
 * not delay the end for ever. A deterministic run waits for any time. */
bool engine_names_settled(const struct engine *e);

#endif
