/*
 * crash_sample: the stack of an execution that does not end.
 *
 * The engine writes a request to worker memory and sends a signal that is
 * ignored by default (SIGURG). The handler notes the stack, lets the execution
 * go on, and watches which functions return. The innermost function that never
 * returns is the one that hangs, wherever the signal arrived. On another
 * processor than x86-64, and in a thread while frames of another one are watched,
 * the handler only notes the stack and waits. The engine kills the child soon
 * after.
 */
#ifndef CFUZZ_TARGET_CRASH_CRASH_SAMPLE_H
#define CFUZZ_TARGET_CRASH_CRASH_SAMPLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "shared/wire/memory.h"

/* Checks whether the target handles the signal itself; then nothing here does.
 * Call it before the first fork. */
void crash_sample_prepare(void);

/* Installs the handler; in each child. */
void crash_sample_install(struct worker_head *head);

/*
 * From now on, this process passes the engine's signal on to the process *pid,
 * which executes the inputs and has inherited the handler. *pid 0: there is
 * none now, and the signal is for this process. pid must stay valid while this
 * process lives; in memory that both share, a new value costs no page fault.
 */
void crash_sample_pass_to(const pid_t *pid);

/*
 * Called on a fault. If the stack walk has faulted, publishes the frames found
 * so far and does not return.
 */
void crash_sample_on_fault(void);

/* Handles a SIGTRAP, given its context. True: it was a watched return. Once
 * frames are watched, the engine's signal is blocked meanwhile. */
bool crash_sample_on_trap(void *context);
/* Unblocks the engine's signal, in this thread. Makes no system call if no frame
 * was ever watched: a sandbox may forbid it. */
void crash_sample_allow(void);

#endif
