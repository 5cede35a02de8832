/*
 * unwind: walking the stack of the present thread.
 *
 * By the library that unwinds exceptions, which most programs have loaded;
 * else by what the C library offers. A walk hands out each frame as soon as
 * it is known, so that what a broken stack still tells is not lost with it.
 */
#ifndef CFUZZ_TARGET_CRASH_UNWIND_H
#define CFUZZ_TARGET_CRASH_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct unwind_frame {
	uintptr_t code; /* where it goes on; of the first: where it is */
	/* Where this address stands, as something to return to; 0: nowhere,
	 * or not known. */
	uintptr_t slot;
};

/* Loads what a walk needs, and walks once. */
void unwind_prepare(void);

/*
 * One frame, the innermost first; false: enough. Slots are looked for only if
 * that is wanted: below the place where a stack is used up there is nothing
 * that could be read.
 */
typedef bool unwind_fn(void *arg, const struct unwind_frame *frame);
void unwind_walk(unwind_fn *on_frame, void *arg, bool slots);

/* Where the function of this code begins; 0: not known. */
uintptr_t unwind_function(uintptr_t code);

#endif
