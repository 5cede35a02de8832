/*
 * pool_workers: starts, restarts and retires workers.
 */
#ifndef CFUZZ_ENGINE_POOL_POOL_WORKERS_H
#define CFUZZ_ENGINE_POOL_POOL_WORKERS_H

#include <stdint.h>

#include "shared/status.h"

struct engine;

enum status pool_open(struct engine *e, struct error *err) MUST_CHECK;
/* Without a worker, for a campaign that is over. */
void pool_open_past(struct engine *e);
/* Starts a worker, unless there is one, for work on findings. */
enum status pool_start_one(struct engine *e, struct error *err) MUST_CHECK;
void pool_close(struct engine *e);
/*
 * Notes orphans that appear while all workers live: they belong to no worker.
 */
void pool_note_orphans(struct engine *e);
/* Starts or retires workers until n are wanted. A failure is an event, and the
 * number of workers is smaller then. */
void pool_resize(struct engine *e, uint32_t n);
/* Starts the workers that are due. */
void pool_tick(struct engine *e, uint64_t now);
/* Gives all workers the limits of the settings, which have changed. */
void pool_set_limits(struct engine *e);

#endif
