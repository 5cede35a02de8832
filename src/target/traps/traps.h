/*
 * traps: coverage of programs without instrumentation, by breakpoints that
 * vanish when they are hit (Nagy and Hicks: "Full-speed Fuzzing: Reducing
 * Fuzzing Overhead through Coverage-guided Tracing", S&P 2019).
 *
 * Each basic block begins with a breakpoint. The handler counts the block, puts
 * the program's byte back in its own process, and the block runs at full speed.
 * The child does the same for blocks that are known to the campaign, so that
 * such a block costs nothing any more. There is one counter per block, in
 * memory that is shared with all forked processes. The code is writable in all
 * of them: a sandbox that a program makes for itself cannot stop the handler.
 *
 * The handler runs on an alternate stack if there is one. It may interrupt any
 * code. Other threads may meet the same breakpoint at the same time.
 */
#ifndef CFUZZ_TARGET_TRAPS_TRAPS_H
#define CFUZZ_TARGET_TRAPS_TRAPS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory_ring.h"

/*
 * Finds the blocks of the program and of its libraries, except those of the
 * system, and registers their counters. Returns the number of blocks; 0 on a
 * processor that instruction.h does not know.
 */
uint32_t traps_find(void);

/*
 * Sets a breakpoint at each block, and a handler for this process; call it
 * after the handlers of crashes are chosen. False: the system forbids writing
 * to the code; no breakpoint is set, but the handler may be.
 */
bool traps_set(void);

/* Has traps_set() set any breakpoint? */
bool traps_exist(void);

/*
 * Chooses the breakpoints of this process and of the processes that it forks
 * later: those of the blocks that have no bit in `map`, a map like the global
 * coverage map. NULL: all.
 */
void traps_choose(const uint8_t *map);

/* Sets the breakpoints of these features again. */
void traps_renew(const struct feature *features, uint32_t n);

/*
 * Call it in a handler of SIGTRAP. True: it was one of these breakpoints, or
 * the program's own handler has run; return from the handler. False: the signal
 * is to end the process.
 */
bool traps_take(int signo, siginfo_t *info, void *context);

/*
 * Replaces the program's own action for SIGTRAP, which traps_take() calls.
 * action NULL: it stays. old: receives the action before; may be NULL.
 */
void traps_swap_action(const struct sigaction *action, struct sigaction *old);

#endif
