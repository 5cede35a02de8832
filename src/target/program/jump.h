/*
 * jump: continues at a place of another stack, or of a frame above.
 *
 * The compiler's own jump saves no registers and costs next to nothing, but
 * clang has none for arm64.
 */
#ifndef CFUZZ_TARGET_PROGRAM_JUMP_H
#define CFUZZ_TARGET_PROGRAM_JUMP_H

/* For a function that calls jump_set(): the other side also uses registers that
 * the function itself leaves alone, so its callers may not keep values there. */
#if __has_attribute(noipa)
#define JUMP_SETS __attribute__((noinline, noipa))
#else
#define JUMP_SETS __attribute__((noinline))
#endif

#if defined(__aarch64__) && defined(__clang__)
/* x19 to x30, sp, d8 to d15 */
#define JUMP_WORDS 21

/* Notes the place; returns 0, and 1 after a jump there. The frame of the caller
 * must still exist then. */
int jump_set(void **place) __attribute__((returns_twice));
/* place: JUMP_WORDS that jump_set() has filled, in another function. */
void jump_to(void **place) __attribute__((noreturn));

#else
#define JUMP_WORDS 5
#define jump_set(place) __builtin_setjmp(place)
#define jump_to(place) __builtin_longjmp(place, 1)
#endif

#endif
