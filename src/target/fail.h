/*
 * fail: executions that fail without dying, and other services that the
 * target asks of the runtime while it runs.
 */
#ifndef CFUZZ_TARGET_FAIL_H
#define CFUZZ_TARGET_FAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/memory.h"
#include "shared/prng.h"

/* Failures are written into this head from now on; none so far. */
void fail_reset(struct worker_head *head);

/* Has cfuzz_fail() been called since? */
bool fail_happened(void);

/* LLVMFuzzerMutate draws from a stream of its own, made from these. */
void fail_seed(const struct prng *prng, uint64_t seq);

#endif
