/*
 * set_up_past: a campaign that is over, from its output directory.
 */
#ifndef CFUZZ_ENGINE_SET_UP_PAST_H
#define CFUZZ_ENGINE_SET_UP_PAST_H

#include "shared/status.h"

struct engine;

/* Call set_up_past_load() afterwards. Nothing is executed and nothing is
 * changed; a missing target is no failure. */
enum status set_up_past(struct engine *e, const char *target, char *const *args,
	struct error *err) MUST_CHECK;

/* Findings, numbers, events; inputs are loaded in turns of the loop. */
void set_up_past_load(struct engine *e);

#endif
