/*
 * fail: failures without a crash, and other services for the running target.
 */
#ifndef CFUZZ_TARGET_CHILD_FAIL_H
#define CFUZZ_TARGET_CHILD_FAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/mutate/mutate.h"
#include "shared/prng.h"
#include "shared/wire/memory.h"

/*
 * A mutation like mutate_bytes(), for LLVMFuzzerMutate() inside a custom
 * mutator. Touches at most m->cap - 1 bytes.
 */
typedef bool fail_mutator(void *arg, struct mutable *m, struct prng *prng);

/* Writes failures to this head from now on, and clears the present one. */
void fail_reset(struct worker_head *head);

/* Has the target failed since fail_reset()? */
bool fail_happened(void);
/* Takes over a failure that a forked process has recorded. False: there is
 * none. */
bool fail_find(void);

/* Seeds the random streams of LLVMFuzzerMutate; seq tells calls of one PRNG
 * state apart. */
void fail_seed(const struct prng *prng, uint64_t seq);

/*
 * Lets LLVMFuzzerMutate use this mutator besides mutate_bytes(), in this
 * thread, until the next call with NULL.
 */
void fail_lend(fail_mutator *mutator, void *arg);

/* Reports a failure of this kind, FAILURE_ERROR or FAILURE_PROTOCOL, with this
 * text (copied, cut to the size of failure_block.text) and no frames, unless one
 * is reported already. */
void fail_claim(enum failure_kind kind, const char *text);

#endif
