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
	/* The address of this return address on the stack; 0: unknown, as on
	 * other processors than x86-64. */
	uintptr_t slot;
};

/* Loads what a walk needs, and walks once; before the first fork. */
void unwind_prepare(void);

/* Receives one frame, valid during the call; false ends the walk. */
typedef bool unwind_fn(void *arg, const struct unwind_frame *frame);
/*
 * Walks from the innermost frame outwards, at most 256 frames. slots: fills in
 * the slots. Ask for them only if the whole stack is readable; the memory below
 * an overflowed stack is not.
 */
void unwind_walk(unwind_fn *on_frame, void *arg, bool slots);

/* The start of the function that contains code; 0: unknown. */
uintptr_t unwind_function(uintptr_t code);

/* Does an unwinding of the program's begin in the function that starts there? What
 * this function calls looks for its rules by a return address. */
bool unwind_begins_at(uintptr_t function);

/* The address behind the function that starts at `start`; `start` itself if
 * that is unknown. */
uintptr_t unwind_function_end(uintptr_t start);

#endif
