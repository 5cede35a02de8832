/*
 * late_counters: the counters of libraries that a program loads with dlopen().
 *
 * Such a library is in a run only, and is gone with it. So the run moves the
 * pages of its counters to memory that the child has as well, and describes the
 * library there. The child never loads it: constructors run where the program
 * wants it. At most 16 libraries with clang's inline counters are taken.
 */
#ifndef CFUZZ_TARGET_PROGRAM_LATE_COUNTERS_H
#define CFUZZ_TARGET_PROGRAM_LATE_COUNTERS_H

/* In the fork server. Without memory, such counters do not count. */
void late_counters_open(void);
/* In the child: from now on, its runs share what they register. */
void late_counters_watch(void);
/* In the child: adds the regions that runs have registered since. */
void late_counters_take(void);

#endif
