/*
 * returns: return addresses that are replaced by traps.
 *
 * A function whose return address is a trap comes to that trap when it returns.
 * Whoever unwinds the stack meanwhile, as an exception does, finds call frame
 * information for the trap and goes on at the address that it stands for.
 * x86-64 only: elsewhere there are no traps. For signal handlers: nothing here
 * takes a lock or allocates memory.
 */
#ifndef CFUZZ_TARGET_CRASH_RETURNS_H
#define CFUZZ_TARGET_CRASH_RETURNS_H

#include <stdint.h>

#define RETURNS_MAX 256u /* traps; there is none with number 0 */

/* From now on, left is called when an exception leaves the frame that returns to
 * trap i. Needed before the first trap is set. */
void returns_watch(void (*left)(uint32_t i));

/* Puts trap i into the slot, in place of the return address code, which it
 * stands for until it is set again. */
void returns_set(uint32_t i, uintptr_t *slot, uintptr_t code);

/* The number of the trap at this address; 0: there is none. */
uint32_t returns_find(uintptr_t address);

/* The return address that the trap at this address stands for; 0: there is none. */
uintptr_t returns_code(uintptr_t address);

#endif
