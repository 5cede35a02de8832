/*
 * load: reads the seeds, the corpus and the dictionary.
 */
#ifndef CFUZZ_ENGINE_LOAD_H
#define CFUZZ_ENGINE_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <event2/event.h>

#include "shared/status.h"

struct engine;
struct rpc_reply;
struct worker;

/* Seeds and corpus being loaded. */
struct load {
	struct seeds *seeds;     /* NULL: all are loaded */
	struct lineage *lineage; /* of earlier runs, while seeds are loaded */
	bool under_way;
	uint64_t warmup_total, warmup_left; /* inputs to execute first */
};

/* Call when the first worker is ready. E_EXISTS: the output directory belongs
 * to a target with other parameter types. */
enum status load_begin(struct engine *e, struct worker *w,
	const struct rpc_reply *ping, struct error *err) MUST_CHECK;
void load_on_turn(evutil_socket_t fd, short what, void *arg);

#endif
