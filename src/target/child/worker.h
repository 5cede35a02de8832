/*
 * worker: what keeper and child of one worker process have in common.
 *
 * Opened from the descriptors that the engine handed over, before the
 * target's own code runs. Worker memory is written by hostile code from the
 * first execution on: what must be true is kept here, not there.
 */
#ifndef CFUZZ_TARGET_CHILD_WORKER_H
#define CFUZZ_TARGET_CHILD_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "shared/wire/memory.h"
#include "target/abi.h"

struct worker {
	int in_fd, out_fd; /* requests and replies */
	int report_fd;     /* where sanitizers write */
	int stderr_fd;     /* a copy of the memfd behind 2; -1: none */
	uint8_t *memory;
	struct worker_head *head; /* into memory */
	struct worker_layout layout;
	const struct campaign_head *campaign;
	uint32_t slot;
	target_function *target;
	struct tuple_types types; /* of a typed target; n 0: plain bytes */
	int32_t threads;          /* of the target, after its initialisation */
	bool no_fork;             /* there are others than the main one */
	pid_t guardian;           /* 0: none; see guardian.h */
};

/* Takes the descriptors from base on and maps both memories. */
enum status worker_open(struct worker *worker, int base, struct error *err)
	MUST_CHECK;

/* Counts threads; call when the target is initialised. */
void worker_count_threads(struct worker *worker);

/* Has the engine raised the end word of the call? */
static inline bool
worker_call_is_over(const struct worker *worker, uint64_t seq)
{
	const struct campaign_slot *slot =
		&worker->campaign->slots[worker->slot];

	return __atomic_load_n(&slot->end_seq, __ATOMIC_RELAXED) >= seq;
}

/* Is the worker being held by the engine? */
bool worker_is_paused(const struct worker *worker);

/*
 * Moves a descriptor out of the way of targets that close or write to low
 * ones: to 1024 or above if the limits allow, else as high as they do.
 * Returns the new one, close-on-exec, or -1; the old one is closed.
 */
int worker_raise_fd(int take_fd);

uint64_t worker_now_ns(void);

#endif
