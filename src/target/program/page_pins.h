/*
 * page_pins: has fork() itself copy pages that both processes write.
 *
 * After a fork a process and its copy share each page until one of them writes
 * there, and that costs a page fault, often one in each process. A page that
 * the kernel has pinned, as it does for devices, cannot be shared: fork()
 * copies it at once, which costs less than a fault. The kernel pins the buffers
 * of an io_uring. The ring does nothing else; it is disabled.
 */
#ifndef CFUZZ_TARGET_PROGRAM_PAGE_PINS_H
#define CFUZZ_TARGET_PROGRAM_PAGE_PINS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/* The most ranges that may be pinned at once. */
#define PAGE_PINS_MAX 256u

/*
 * Pins n ranges (1 to PAGE_PINS_MAX) of whole, writable, private pages until
 * the next call or the end of this process; unpins those of the call before.
 * False: nothing is pinned, because the system lacks io_uring, forbids it, or
 * limits locked memory. Programs run all the same, but slower.
 */
bool page_pins_set(const struct iovec *ranges, uint32_t n);

#endif
