/*
 * leaks: checks whether an execution leaks memory.
 *
 * Counting allocations is cheap. The sanitizer's check of the whole process
 * takes milliseconds, so it runs only after an execution that allocated more
 * than it freed. Memory that is allocated while tracking is off never counts as
 * leaked: that of the runtime, of the initialisation, and of unchecked
 * executions.
 */
#ifndef CFUZZ_TARGET_CHILD_LEAKS_H
#define CFUZZ_TARGET_CHILD_LEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/rpc.h"
#include "target/child/worker.h"

/*
 * Finds out whether leaks can be detected, by a probe process that leaks; takes
 * at most five seconds. If so (LEAKS_FOUND), counts allocations from now on.
 * Call it before the first child.
 */
enum rpc_leaks leaks_prepare(const struct worker *worker);

/* Before an execution: resets the count; watch: tracks its allocations. */
void leaks_begin(bool watch);
/* After an execution: ends tracking. True: it allocated more blocks than it
 * freed. */
bool leaks_end(void);
/* The number of blocks kept by the last execution; 0 at the next call. */
uint32_t leaks_take(void);

/*
 * Clears registers and dead stack frames, which may hold the last pointer to a
 * leaked block and hide the leak. Call it at the depth where the target was
 * called.
 */
void leaks_wipe(void);

/* Is tracked memory leaked? If so, there is a report. */
bool leaks_find(struct worker_head *head);

/*
 * The target has a stack of its own: call runs checks there. The sanitizer then
 * skips the dead frames of that stack, which may hide a leak. Call it before
 * leaks_prepare().
 */
void leaks_check_by(void (*call)(void (*errand)(void)));

/* Does the report say that the sanitizer cannot check? */
bool leaks_is_refusal(const char *report, size_t len);

#endif
