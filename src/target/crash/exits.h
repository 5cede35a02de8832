/*
 * exits: the stack of a target that calls exit() or quick_exit().
 *
 * Both run the registered handlers on the caller's stack. The runtime's handler
 * stores that stack in worker memory. _exit() runs no handlers; the failure
 * then has no stack.
 */
#ifndef CFUZZ_TARGET_CRASH_EXITS_H
#define CFUZZ_TARGET_CRASH_EXITS_H

#include <stdbool.h>

#include "shared/wire/memory.h"

/* Registers the handlers alone; once. */
void exits_register(void);

/*
 * Registers the handlers; once, when the target is initialised, before the
 * first fork. From then on, a process that is forked reports neither exits nor
 * crashes, unless it calls crash_install() or crash_report_to(), and its
 * sanitizer writes to standard error.
 */
void exits_prepare(void);

/* The flag that fork() sets in the process that calls it: what it has forked may
 * write a report later. Not set by vfork() and what uses it, such as system(). The
 * caller clears it. */
bool *exits_fork_flag(void);

/* Reports exits of this process from now on; call it in each child. NULL: none,
 * and without a system call at its end. */
void exits_watch(struct worker_head *head);

/*
 * The same, but exit(0) reports nothing. quick_exit(0) still does, and so does
 * exit(0) on a C library without on_exit().
 */
void exits_watch_failing(struct worker_head *head);

/*
 * From now on, exit() in a watched process calls leave() with the status before
 * it reports anything. leave() need not return. Not called by quick_exit(), nor
 * on a C library without on_exit().
 */
void exits_catch(void (*leave)(int status));

#endif
