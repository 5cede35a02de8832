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

/* Whether workers can be created for inputs of max_len bytes. E_STATE: no
 * worker has started yet. Other errors, as of sealed_create(): there is not
 * enough memory. */
enum status grow_memory_check(const struct engine *e, uint64_t max_len,
	struct error *err) MUST_CHECK;
/* Bytes of the longest input that --max-len allows and that every worker can
 * hold. */
uint64_t grow_memory_max_len(const struct engine *e);
/* Whether the job's input, made by a worker with more room, is too long for
 * this one, which must restart then: the slot notes that. */
bool grow_memory_needed(struct slot *slot, const struct job *job);
/* Restarts the next worker whose memory is too small. */
void grow_memory_tick(struct engine *e);

#endif
