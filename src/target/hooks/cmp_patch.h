/*
 * cmp_patch: calls of hooks that nobody listens to become no-operations.
 *
 * A program that is built with trace-cmp calls a hook at nearly every
 * comparison; that alone can halve its speed, even if each hook returns at
 * once. So calls that were seen are overwritten while nobody listens, and put
 * back before somebody does. That costs microseconds, not nanoseconds: it is
 * for stretches of many executions.
 *
 * Only what is certain is touched: the instruction before a return address,
 * if it is a call of that very hook, in a loaded module, while the process has
 * one thread. Where code cannot be written, calls stay what they are.
 */
#ifndef CFUZZ_TARGET_HOOKS_CMP_PATCH_H
#define CFUZZ_TARGET_HOOKS_CMP_PATCH_H

#include <stdbool.h>
#include <stdint.h>

/* By a hook: it was called, and will return to this address. */
void cmp_patch_learn(uintptr_t returns, uintptr_t hook);

/*
 * Overwrites the calls that are known, or puts all back. Not while the target
 * runs. Returns how many calls are overwritten now.
 */
uint32_t cmp_patch_set(bool on);

#endif
