/*
 * engine_over_state: what the engine knows of a campaign that is over.
 */
#ifndef CFUZZ_ENGINE_ENGINE_OVER_STATE_H
#define CFUZZ_ENGINE_ENGINE_OVER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

struct engine;
struct reply_new_function;

/*
 * Begins to show a campaign from its output directory. take_stats: its
 * stats.json, an object. no_target, copied: why no worker can start; its code
 * is OK if one can.
 */
void over_begin_past(struct engine *e, json_t *take_stats,
	const struct error *no_target);
/* Frees what over_begin_past() and over_set_new_functions() have kept. */
void over_clear(struct engine *e);
/* Its stats.json, borrowed; NULL: this engine ran the campaign itself. */
const json_t *over_stats(const struct engine *e);

/* Keeps a copy of the functions newly reached in that run, at most
 * QUERY_NEW_FUNCTIONS_MAX. over_new_functions() copies them to a list of that
 * size and returns their number. */
void over_set_new_functions(struct engine *e,
	const struct reply_new_function *list, size_t n);
uint32_t over_new_functions(const struct engine *e,
	struct reply_new_function *list);
/* Work for a finding is under way. */
bool over_works(const struct engine *e);

#endif
