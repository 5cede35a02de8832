/* schedule_private: struct schedule, for schedule.c and schedule_*.c. */
#ifndef CFUZZ_ENGINE_SCHEDULE_SCHEDULE_PRIVATE_H
#define CFUZZ_ENGINE_SCHEDULE_SCHEDULE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "corpus/queue.h"

struct schedule {
	/* When the selection table was made, 0: never; how long that took. */
	uint64_t refreshed_ns, refresh_ns;
	uint64_t pending_writes; /* corpus inputs not yet on disk */
	struct queue inputs;     /* struct corpus_entry, borrowed */
	struct queue user_queue; /* same type, served first */
	size_t longest;          /* bytes of the longest entry */
	uint64_t reserved;       /* executions that jobs under way may use */
	size_t len_cap; /* bytes that new inputs may have; 0: not set */
	/* Executions when len_cap was raised, and at the last new input. */
	uint64_t len_count, find_count;
	double len_idle_s; /* schedule_idle_s() when len_cap was raised */
	uint64_t call_ms; /* time of the next call, on a processor of its own */
	uint64_t processors; /* number that this process may use */
};

struct corpus_entry;
struct engine;
struct job;
struct slot;

/* schedule.c */
/* Executions that may still be handed out; UINT64_MAX without a limit. */
uint64_t schedule_executions_left(const struct engine *e);

/* schedule_call.c */
/* Sets executions, duration and input lengths of a fuzzing call that begins
 * with this entry. */
void schedule_fill_call(struct engine *e, const struct slot *slot,
	const struct corpus_entry *entry, struct job *job);

#endif
