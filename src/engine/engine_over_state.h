/*
 * engine_over_state: what is known of a campaign that is over.
 */
#ifndef CFUZZ_ENGINE_ENGINE_OVER_STATE_H
#define CFUZZ_ENGINE_ENGINE_OVER_STATE_H

#include <stdbool.h>

#include <jansson.h>

#include "shared/status.h"

struct engine;

/*
 * A campaign that is shown from its output directory. take_stats:
 * its stats.json, an object. no_target: why no worker can start; OK: one can.
 */
void over_begin_past(struct engine *e, json_t *take_stats,
	const struct error *no_target);
void over_clear(struct engine *e);
/* Its stats.json; NULL: this engine ran the campaign itself. */
const json_t *over_stats(const struct engine *e);

/* Work for a finding is under way. */
bool over_works(const struct engine *e);

#endif
