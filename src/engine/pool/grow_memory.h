/*
 * grow_memory: restarts workers whose memory is too small for longer inputs.
 */
#ifndef CFUZZ_ENGINE_POOL_GROW_MEMORY_H
#define CFUZZ_ENGINE_POOL_GROW_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/status.h"

struct engine;
struct job;
struct slot;

/* Whether workers can be created for inputs of that length. E_STATE: no worker
 * has started yet; other errors: there is not enough memory. */
enum status grow_memory_check(const struct engine *e, uint64_t max_len,
	struct error *err) MUST_CHECK;
uint64_t grow_memory_max_len(const struct engine *e); /* room in all workers */
/* Whether the job's input, made by a worker with more room, is too long for
 * this one. */
bool grow_memory_needed(struct slot *slot, const struct job *job);
/* Restarts the next worker whose memory is too small. */
void grow_memory_tick(struct engine *e);

#endif
