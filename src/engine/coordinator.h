/*
 * coordinator: decides what a worker's result means for the campaign.
 */
#ifndef CFUZZ_ENGINE_COORDINATOR_H
#define CFUZZ_ENGINE_COORDINATOR_H

struct worker;
struct worker_result;

/* A callback of struct worker_handlers; arg: the engine. The result is borrowed
 * for the call. */
void coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r);

#endif
