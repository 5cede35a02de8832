/*
 * clock: the two clocks of the host programs.
 *
 * Everything that measures or waits uses clock_now_ns(); the wall clock is for
 * stamps that people read.
 */
#ifndef CFUZZ_BASE_CLOCK_H
#define CFUZZ_BASE_CLOCK_H

#include <stdint.h>

/* 64 bits wide: 5 * CLOCK_NS_PER_S would overflow in 32. */
#define CLOCK_NS_PER_MS 1000000ull
#define CLOCK_NS_PER_S 1000000000ull
#define CLOCK_ISO_SIZE 32 /* bytes of clock_wall_iso() */

uint64_t clock_now_ns(void); /* monotonic, since an arbitrary moment */

uint64_t clock_wall_ns(void); /* since 1970, UTC; may jump */

/* The time now in UTC, `2026-08-01T12:34:56.789Z`. */
void clock_wall_iso(char buf[CLOCK_ISO_SIZE]);

#endif
