/*
 * engine_over_state: what is known of a campaign that is over.
 */
#ifndef CFUZZ_ENGINE_ENGINE_OVER_STATE_H
#define CFUZZ_ENGINE_ENGINE_OVER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

struct engine;
struct reply_reached;

/*
 * A campaign that is shown from its output directory. take_stats:
 * its stats.json, an object. no_target: why no worker can start; OK: one can.
 */
void over_begin_past(struct engine *e, json_t *take_stats,
	const struct error *no_target);
void over_clear(struct engine *e);
/* Its stats.json; NULL: this engine ran the campaign itself. */
const json_t *over_stats(const struct engine *e);

/* The functions newly reached in that run: at most QUERY_REACHED_MAX. */
void over_set_reached(struct engine *e, const struct reply_reached *list,
	size_t n);
uint32_t over_reached(const struct engine *e, struct reply_reached *list);
/* Work for a finding is under way. */
bool over_works(const struct engine *e);

#endif
