/*
 * warmup: the end of the executions of seeds and earlier inputs.
 */
#ifndef CFUZZ_ENGINE_CORPUS_WARMUP_H
#define CFUZZ_ENGINE_CORPUS_WARMUP_H

struct corpus_entry;
struct engine;

/* Begins fuzzing: all seeds and earlier inputs have run. */
void warmup_finish(struct engine *e);
/* An input has its result. The last one finishes warm-up. */
void warmup_end_input(struct engine *e);
/* The entry's bytes cannot be read any more: an event says so once, the input is
 * lost, see energy_lose(), and counts as executed. */
void warmup_skip_input(struct engine *e, struct corpus_entry *entry);

#endif
