/*
 * fault: system calls that fail on demand. A test that wants it is linked
 * with these flags:
 *
 *	-Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 *	-Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 *	-Wl,--wrap=mkdirat -Wl,--wrap=ftruncate
 */
#ifndef CFUZZ_TESTS_ENGINE_FAULT_H
#define CFUZZ_TESTS_ENGINE_FAULT_H

#include <stdbool.h>

/*
 * The call with this number fails, counted from now on over all of them and
 * all threads; for good: and each one after it. A write fails in its middle.
 */
void fault_set(int fails_at, int errnum, bool for_good);
void fault_stop(void);
bool fault_was_hit(void); /* since fault_set() */

/* fsync does not come back before this is taken back. */
void fault_block_fsync(bool block);
/* The same for write(), in the middle: half of the bytes are in the file. */
void fault_block_write(bool block);
/* Does a call not come back since the last of these two? */
bool fault_has_blocked(void);

#endif
