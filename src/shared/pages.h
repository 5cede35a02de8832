/*
 * pages: memory from the kernel, apart from the target's heap.
 */
#ifndef CFUZZ_SHARED_PAGES_H
#define CFUZZ_SHARED_PAGES_H

#include <stddef.h>
#include <sys/mman.h>

/* Zeroed; takes room only where it is written. NULL: no memory. */
static inline void *
pages_map(size_t size)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

#endif
