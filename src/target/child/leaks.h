/*
 * leaks: does an execution lose memory?
 *
 * Allocations are counted, which is cheap; only an execution after which more
 * was allocated than freed is worth the leak sanitizer's look at the whole
 * process, which takes milliseconds. What is allocated while nobody watches
 * is nobody's leak: our own memory, that of the initialisation, of executions
 * that are not looked at.
 */
#ifndef CFUZZ_TARGET_CHILD_LEAKS_H
#define CFUZZ_TARGET_CHILD_LEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/rpc.h"
#include "target/child/worker.h"

/*
 * Can leaks be looked for? A process made for it finds out, with a leak of
 * its own. Then allocations are counted from now on. Before the first child.
 */
enum rpc_leaks leaks_prepare(const struct worker *worker);

/* Before an execution: counts from zero. What it allocates is watched. */
void leaks_begin(bool watch);
/* After it: nothing is watched. True: it kept more than it gave back. */
bool leaks_end(void);
/* So many pieces; told once for each execution. */
uint32_t leaks_take(void);

/*
 * Dead frames and registers may hold the last pointer to what is lost, and
 * what comes next takes them over as they are. To be called where the target
 * was called.
 */
void leaks_wipe(void);

/* Is anything lost that was watched? Then there is a report. */
bool leaks_find(struct worker_head *head);

/* Is this what the sanitizer says when it cannot look? */
bool leaks_is_refusal(const char *report, size_t len);

#endif
