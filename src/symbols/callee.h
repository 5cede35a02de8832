/*
 * callee: the properties of a called function, by its name.
 */
#ifndef CFUZZ_SYMBOLS_CALLEE_H
#define CFUZZ_SYMBOLS_CALLEE_H

#include "symbols/flow.h"

/* More bits after FLOW_...: functions with a non-local return. */
#define CALLEE_LEAPS 16u
#define CALLEE_THROWS (CALLEE_LEAPS | 32u) /* to a landing pad */
/* Ends the process, which for a program is no failure. */
#define CALLEE_EXITS (64u | FLOW_ENDS)

/* FLOW_... and CALLEE_... of a function with this symbol name, which may end
 * with "@VERSION"; 0: nothing special. */
unsigned callee_way(const char *name);

#endif
