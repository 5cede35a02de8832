/*
 * schedule: the queues of inputs, the limits, and the length of calls.
 */
#ifndef CFUZZ_ENGINE_SCHEDULE_SCHEDULE_H
#define CFUZZ_ENGINE_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus_entry;
struct engine;
struct job;
struct slot;
struct worker_result;

/* Executions of a deterministic call, whatever time they take. */
#define SCHEDULE_CALL_EXECUTIONS 5000u
/* With more corpus inputs that are not on disk yet, fuzzing waits. */
#define SCHEDULE_PENDING_WRITES_MAX 20000u

void schedule_open(struct engine *e);
void schedule_close(struct engine *e);

/* Updates selection table and mutator weights for the children, unless they are
 * new enough. */
void schedule_refresh(struct engine *e);
/* Adapts the length of calls to a call that has ended. found: it gave new
 * inputs. */
void schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found);
/* Whether --minimizetime gives time to minimize. */
bool schedule_minimizing_allowed(const struct engine *e);
/* False: minimization is off, or an execution limit is used up. */
bool schedule_may_minimize(const struct engine *e);
/* True while fewer than a quarter of the workers, rounded up, minimize or run
 * sequences. */
bool schedule_minimizer_free(const struct engine *e);
bool schedule_is_fifo(const struct engine *e); /* as Go's fuzzing */

/* The queues of inputs for the next calls, and their lengths. The user's queue
 * is served first. Entries are borrowed. */
void schedule_add_input(struct engine *e, struct corpus_entry *entry);
size_t schedule_inputs(const struct engine *e);
void schedule_add_user_input(struct engine *e, struct corpus_entry *entry);
size_t schedule_user_inputs(const struct engine *e);

/* The job's result is in: its executions of an execution limit are no longer
 * reserved. */
void schedule_end_job(struct engine *e, const struct job *job);
void schedule_note_find(struct engine *e); /* there is a new input */
/* The corpus has an entry of that many bytes. */
void schedule_note_length(struct engine *e, size_t len);
/* Call schedule_begin_write() when the writer gets a corpus input, and
 * schedule_end_write() when it has answered. True: fuzzing waited for the disk
 * and may go on. */
void schedule_begin_write(struct engine *e);
bool schedule_end_write(struct engine *e);

/* When the selection table was made, by clock_now_ns(); 0: never. */
uint64_t schedule_refreshed_ns(const struct engine *e);
/* The present length limit of new inputs, in bytes; 0: not set yet. */
size_t schedule_shown_length(const struct engine *e);

#endif
