/*
 * schedule_next: chooses what a worker does next.
 */
#ifndef CFUZZ_ENGINE_SCHEDULE_SCHEDULE_NEXT_H
#define CFUZZ_ENGINE_SCHEDULE_SCHEDULE_NEXT_H

#include <stdbool.h>

struct engine;
struct job;
struct slot;

/* Fills the slot's next job, which borrows its bytes: call worker_assign(),
 * which copies them, before other inputs are loaded. False: there is no job
 * now. */
bool schedule_next(struct engine *e, struct slot *slot, struct job *job);
/* Call right before worker_assign(): takes the job from its queue, and reserves
 * its executions of an execution limit. */
void schedule_taken(struct engine *e, struct slot *slot, struct job *job);

#endif
