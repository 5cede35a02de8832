/* pool_private: struct pool, for pool.c and pool_workers.c. */
#ifndef CFUZZ_ENGINE_POOL_POOL_PRIVATE_H
#define CFUZZ_ENGINE_POOL_POOL_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/pool/pool.h"
#include "shared/wire/memory.h"
#include "worker/process.h"
#include "worker/worker.h"

struct pool {
	struct slot slots[MEMORY_WORKERS_MAX];
	uint32_t n;                         /* slots that were ever used */
	struct process_strangers strangers; /* children that are no worker's */
	struct worker_handlers handlers;
	void (*on_wake)(struct engine *e); /* NULL: no worker yet */
	/* Why the last worker was given up; NULL: none was. */
	const char *lost_why;
	bool any_ready; /* a worker has answered its first ping */
	bool refused;   /* the directory is of a target of other types */
};

#endif
