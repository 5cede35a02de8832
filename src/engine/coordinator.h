/*
 * coordinator: decides what a result means.
 */
#ifndef CFUZZ_ENGINE_COORDINATOR_H
#define CFUZZ_ENGINE_COORDINATOR_H

#include <stdint.h>

struct corpus_entry;
struct counter_module;
struct engine;
struct worker;
struct worker_result;

void coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r);
void coordinator_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n);
void coordinator_finish_warmup(struct engine *e);
/* Call when the entry's bytes cannot be read any more. */
void coordinator_skip_input(struct engine *e, struct corpus_entry *entry);

#endif
