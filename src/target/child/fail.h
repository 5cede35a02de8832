/*
 * fail: executions that fail without dying, and other services that the
 * target asks of the runtime while it runs.
 */
#ifndef CFUZZ_TARGET_CHILD_FAIL_H
#define CFUZZ_TARGET_CHILD_FAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/mutate/mutate.h"
#include "shared/prng.h"
#include "shared/wire/memory.h"

/*
 * One change of the value, as mutate_bytes(), for LLVMFuzzerMutate() inside
 * of a mutator. It touches nothing behind m->cap - 1 bytes.
 */
typedef bool fail_steps(void *arg, struct mutable *m, struct prng *prng);

/* Failures are written into this head from now on; none so far. */
void fail_reset(struct worker_head *head);

/* Has cfuzz_fail() been called since? */
bool fail_happened(void);

/* LLVMFuzzerMutate draws from a stream of its own, made from these. */
void fail_seed(const struct prng *prng, uint64_t seq);

/*
 * For this thread, until it is taken back with NULL: LLVMFuzzerMutate has
 * these steps beside mutate_bytes().
 */
void fail_lend(fail_steps *steps, void *arg);

/* An execution that does not die fails with this text, if none did before. */
void fail_claim(const char *text);

#endif
