/*
 * unwind: walks the stack of the current thread.
 *
 * It uses the library that unwinds exceptions: the program's, the runtime's own
 * copy, or one that it loads; or else backtrace() of the C library. Frames are
 * passed on one by one as they are found, so that a damaged stack still yields
 * its first frames.
 */
#ifndef CFUZZ_TARGET_CRASH_UNWIND_H
#define CFUZZ_TARGET_CRASH_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct unwind_frame {
	uintptr_t code; /* return address; first frame: pc */
	/* The address of this return address on the stack; 0: unknown. */
	uintptr_t slot;
};

/* Loads what a walk needs, and walks once. */
void unwind_prepare(void);

/*
 * Receives one frame, the innermost first; false ends the walk. Ask for slots
 * only if the whole stack is readable: after a stack overflow, nothing below
 * its end is.
 */
typedef bool unwind_fn(void *arg, const struct unwind_frame *frame);
void unwind_walk(unwind_fn *on_frame, void *arg, bool slots);

/* The start of the function that contains code; 0: unknown. */
uintptr_t unwind_function(uintptr_t code);

/* The address behind the function that starts there; the start: unknown. */
uintptr_t unwind_function_end(uintptr_t start);

#endif
