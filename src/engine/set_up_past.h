/*
 * set_up_past: a campaign that is over, from its output directory.
 */
#ifndef CFUZZ_ENGINE_SET_UP_PAST_H
#define CFUZZ_ENGINE_SET_UP_PAST_H

#include "shared/status.h"

struct engine;

/* Opens the output directory, and the target to work on findings. Nothing is
 * executed and nothing is changed; a missing target is no failure. Errors as of
 * store_open_past(), set_up_memory() and set_up_corpus(). */
enum status set_up_past(struct engine *e, const char *target, char *const *args,
	struct error *err) MUST_CHECK;

/* Call after set_up_past(): reads findings, numbers and events. Inputs are
 * loaded in turns of the loop. */
void set_up_past_load(struct engine *e);

#endif
