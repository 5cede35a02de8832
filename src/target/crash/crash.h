/*
 * crash: the report that a dying process leaves in worker memory.
 *
 * The handler takes only crash signals that the target leaves at their default.
 * It notes signal, address and frames, then lets the process die of the signal.
 */
#ifndef CFUZZ_TARGET_CRASH_CRASH_H
#define CFUZZ_TARGET_CRASH_CRASH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"
#include "target/crash/guard.h"

/*
 * Prepares stack walks and finds the signals that have no handler: once, for all
 * children, because loading the unwinder, binding symbols and filling a
 * sanitizer's tables is slow the first time. Call it after the target is
 * initialised, before the first fork.
 */
void crash_prepare(void);

/* Installs the handlers; in each child. head is borrowed from now on. */
void crash_install(struct worker_head *head);

/* Changes where the installed handlers write the crash of this process to; NULL:
 * nowhere. */
void crash_report_to(struct worker_head *head);

/*
 * The current input: its copy in worker memory (value), its length, and the
 * guard that holds the target's copy; all borrowed while the process lives. If
 * the target overwrites worker memory and leaves an impossible length there,
 * the handler restores the input from the target's copy.
 */
struct crash_input {
	const struct guard *guard;
	const size_t *len;
	uint8_t *value;
};
void crash_protect(const struct crash_input *input);

/*
 * main(), if each input runs it: its code, and an address of the stack above
 * its frames. Without it, the function that calls the target ends a stack.
 */
struct crash_main {
	uintptr_t start, end; /* end: behind main(); equal: unknown */
	uintptr_t bottom;     /* 0: unknown */
};
void crash_set_main(const struct crash_main *main);

/* Does the action call the runtime's crash handler? */
bool crash_is_handler(const struct sigaction *action);

/* Is this the code that calls the target, or a return address in it? */
bool crash_calls_target(uintptr_t code);

/* Is the process dying of a signal? Then the failure is reported already. */
bool crash_is_dying(void);

/*
 * For the handler of the engine's sampling signal: if a crash handler still
 * works in this thread, completes its report and lets the process die, because
 * the engine does not wait any longer.
 */
void crash_hurry(void);

/*
 * Stores the callers of the present function, at most max (1 or more),
 * beginning with the call that returns to "from". Returns their number, at
 * least 1. Each address lies inside its call instruction.
 */
uint32_t crash_walk(uint64_t *frames, uint32_t max, const void *from);

/* A number of this thread. Makes no system call: a program that forbids them
 * would be ended before its crash is noted. */
uintptr_t crash_thread(void);

#endif
