/*
 * schedule: chooses what a worker does next.
 */
#ifndef CFUZZ_ENGINE_SCHEDULE_H
#define CFUZZ_ENGINE_SCHEDULE_H

#include "corpus/queue.h"

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct job;
struct slot;
struct worker_result;

/* Executions of a deterministic call, whatever time they take. */
#define CALL_EXECUTIONS 5000u
#define PENDING_WRITES_MAX 20000u /* pending writes at which fuzzing waits */

struct schedule {
	uint64_t refreshed_ns, refresh_ns; /* selection table: when, how long */
	uint64_t pending_writes;           /* corpus inputs not yet on disk */
	struct queue inputs;               /* struct corpus_entry, borrowed */
	struct queue user_queue;           /* same type, served first */
	uint64_t waiting;                  /* executions that calls reserve */
	size_t len_cap;                    /* length control; 0: not begun */
	uint64_t len_count, find_count; /* executions at last step, new input */
	uint64_t call_ms; /* time of the next call, on a processor of its own */
	uint64_t processors;
};

bool schedule_next(struct engine *e, struct slot *slot, struct job *job);
void schedule_taken(struct engine *e, struct slot *slot, struct job *job);
/* Updates the selection table and mutator statistics for the children. */
void schedule_refresh(struct engine *e);
/* A fuzzing call is over. found: it gave new inputs. */
void schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found);
bool schedule_may_minimize(const struct engine *e);
/* True while fewer than a quarter of the workers, rounded up, minimize or run
 * sequences. */
bool schedule_minimizer_free(const struct engine *e);
bool schedule_is_fifo(const struct engine *e); /* like the reference */

#endif
