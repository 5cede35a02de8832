/*
 * pool_workers: starts, restarts and retires workers.
 */
#ifndef CFUZZ_ENGINE_POOL_POOL_WORKERS_H
#define CFUZZ_ENGINE_POOL_POOL_WORKERS_H

#include <stdint.h>

#include "shared/status.h"

struct engine;
struct slot;

/* Makes the workers that the settings want, or as many as the system's limits
 * allow; pool_tick() starts them. E_USAGE: not even one is possible. Other
 * errors as of worker_create(). */
enum status pool_open(struct engine *e, struct error *err) MUST_CHECK;
/* The same without a worker, for a campaign that is over. */
void pool_open_past(struct engine *e);
/* Makes a worker for work on findings, unless there is one. Errors as of
 * pool_open(). */
enum status pool_start_one(struct engine *e, struct error *err) MUST_CHECK;
/* Destroys all workers, and kills what their targets have left behind. */
void pool_close(struct engine *e);
/*
 * Notes orphans that appear while all workers live: they belong to no worker.
 */
void pool_note_orphans(struct engine *e);
/* Makes or retires workers until n are there, at most MEMORY_WORKERS_MAX; those
 * that are there stay first. Returns how many are there; fewer than n: an event
 * says why, and no more are wanted. */
uint32_t pool_resize(struct engine *e, uint32_t n);
/* Stops a wanted worker, which starts again then, or starts it now. */
void pool_restart(struct engine *e, struct slot *slot);
/* Starts the workers that are due. now: of clock_now_ns(). */
void pool_tick(struct engine *e, uint64_t now);

#endif
