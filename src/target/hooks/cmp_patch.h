/*
 * cmp_patch: overwrites calls of comparison hooks by no-operations.
 *
 * A program built with trace-cmp calls a hook at nearly every comparison. Even
 * if each hook returns at once, the calls can halve the speed. So known calls
 * are overwritten while nothing is recorded and restored before the next
 * recording. Patching takes microseconds, so it pays only for many executions.
 *
 * A call is overwritten only if it is certain: the instruction before a return
 * address calls this very hook, lies in a loaded module, and the process has
 * one thread. If the code cannot be made writable, the calls stay.
 */
#ifndef CFUZZ_TARGET_HOOKS_CMP_PATCH_H
#define CFUZZ_TARGET_HOOKS_CMP_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called by a hook, with its return address. */
void cmp_patch_learn(uintptr_t returns, uintptr_t hook);

/* All that cmp_patch_learn() writes to, in *len bytes. */
void *cmp_patch_memory(size_t *len);

/*
 * Overwrites all known calls, or restores them; not while the target runs.
 * Returns the number of calls that are overwritten now.
 */
uint32_t cmp_patch_set(bool on);

#endif
