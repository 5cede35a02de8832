/*
 * first_answer: a worker's answer to its first ping.
 */
#ifndef CFUZZ_ENGINE_POOL_FIRST_ANSWER_H
#define CFUZZ_ENGINE_POOL_FIRST_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

struct counter_module;
struct engine;
struct rpc_reply;
struct worker;

/* Whether the worker has the parameter types of the first one; else warns. */
bool first_answer_fits(struct engine *e, const struct worker *w);
/* Reserves room in the global coverage map for the counters of modules, which a
 * worker has loaded at its start or later. Warns if there is no room. Also a
 * callback of struct worker_handlers; arg: the engine. */
void first_answer_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n);
/* Notes whether a leak would be unseen in this worker. */
void first_answer_note_leaks(struct engine *e, const struct rpc_reply *ping);
/* Call for the first worker of all: notes how the target was built, and gives
 * warnings and hints. */
void first_answer_note_build(struct engine *e, const struct rpc_reply *ping);

#endif
