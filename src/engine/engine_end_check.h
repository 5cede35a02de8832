/*
 * engine_end_check: when a run ends.
 */
#ifndef CFUZZ_ENGINE_ENGINE_END_CHECK_H
#define CFUZZ_ENGINE_ENGINE_END_CHECK_H

#include <stdbool.h>

#include "engine/engine_end.h"

/* Starts no further inputs; findings known so far are still checked. */
void engine_drain(struct engine *e, enum end_reason why, bool minimizations);
/* Begins a drain at a limit, and ends the loop after a stop. The engine's tick
 * calls it too, so it need not be called after engine_stop(). */
void engine_check_end(struct engine *e);

/* No worker has a job, and no permitted work is left: a drain is over. */
bool engine_drained(const struct engine *e);
/* No name is awaited, or it is late: missing names must not delay the end for
 * ever. */
bool engine_names_settled(const struct engine *e);

#endif
