/*
 * coordinator: decides what a worker's result means for the campaign.
 */
#ifndef CFUZZ_ENGINE_COORDINATOR_H
#define CFUZZ_ENGINE_COORDINATOR_H

#include <stdint.h>

struct counter_module;
struct worker;
struct worker_result;

/* Callbacks of struct worker_handlers; arg: the engine. The result and the
 * modules are borrowed for the call. */
void coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r);
void coordinator_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n);

#endif
