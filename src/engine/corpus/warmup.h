/*
 * warmup: the end of the executions of seeds and earlier inputs.
 */
#ifndef CFUZZ_ENGINE_CORPUS_WARMUP_H
#define CFUZZ_ENGINE_CORPUS_WARMUP_H

#include <stdbool.h>

struct corpus_entry;
struct engine;

/* Begins fuzzing: all seeds and earlier inputs have run. */
void warmup_finish(struct engine *e);
/* An input has its result. The last one finishes warm-up. */
void warmup_end_input(struct engine *e);
/* The entry's bytes cannot be read: an event says so, and the input counts as
 * executed. gone: they never will be, see energy_lose(). */
void warmup_skip_input(struct engine *e, struct corpus_entry *entry, bool gone);

#endif
