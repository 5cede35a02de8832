/*
 * preload_signals: keeps SIGTRAP for breakpoints, and faults open.
 *
 * The program finds the functions of this module in place of the C library's:
 * all that install a handler for SIGTRAP, or that block signals. A breakpoint
 * ends a process that blocks SIGTRAP. What the program sets before there are
 * breakpoints holds later, so until then SIGTRAP is not blocked, either.
 */
#ifndef CFUZZ_TARGET_TRAPS_PRELOAD_SIGNALS_H
#define CFUZZ_TARGET_TRAPS_PRELOAD_SIGNALS_H

#include <stdbool.h>

/* Finds the functions of the C library; before a signal handler may need them. */
void preload_signals_prepare(void);

/* plain: there are no breakpoints, and will be none: SIGTRAP may be blocked. */
void preload_signals_set_plain(bool plain);

#endif
