/*
 * new_inputs: takes the inputs with new coverage from a worker's result.
 */
#ifndef CFUZZ_ENGINE_CORPUS_NEW_INPUTS_H
#define CFUZZ_ENGINE_CORPUS_NEW_INPUTS_H

struct engine;
struct slot;
struct worker_result;

/* Makes corpus entries of the new inputs in the result, in their order. */
void new_inputs_take(struct engine *e, struct slot *slot,
	const struct worker_result *r);

#endif
