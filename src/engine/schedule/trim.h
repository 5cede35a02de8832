/*
 * trim: makes the coverage inputs of the corpus smaller.
 */
#ifndef CFUZZ_ENGINE_SCHEDULE_TRIM_H
#define CFUZZ_ENGINE_SCHEDULE_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus_entry;
struct feature;
struct engine;
struct ring_input;
struct job;
struct minimize_task;

/* A coverage input that waits for trimming or is being trimmed. */
struct trim_job {
	struct corpus_entry *entry;
	struct feature *keep; /* owned */
	uint32_t keep_n;
	struct minimize_task *minimization; /* the user's; NULL: automatic */
};

/* Queues a new input for trimming if there is room; copies its features. */
void trim_add(struct engine *e, struct corpus_entry *entry,
	const struct ring_input *input);
/* Fills the job for the next trim. The trim stays queued until trim_pop().
 * False: none may run now. */
bool trim_next(struct engine *e, struct job *job);
/* Takes that trim from the queue; NULL: it is empty. Who handles the job's
 * result destroys it. */
struct trim_job *trim_pop(struct engine *e);
void trim_job_destroy(struct trim_job *job); /* NULL is fine */
/* Destroys all trims in the queue. */
void trim_drop_all(struct engine *e);
size_t trim_waiting(const struct engine *e); /* inputs in the queue */
/* Executions that were spent on a trim. */
void trim_add_executions(struct engine *e, uint64_t n);

#endif
