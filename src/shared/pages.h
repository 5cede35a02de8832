/*
 * pages: memory from the kernel, apart from the target's heap.
 */
#ifndef CFUZZ_SHARED_PAGES_H
#define CFUZZ_SHARED_PAGES_H

#include <stddef.h>
#include <sys/mman.h>

static inline void *
pages_map_as(size_t size, int flags)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

/* Zeroed; takes room only where it is written. To be freed with munmap(). NULL:
 * no memory. */
static inline void *
pages_map(size_t size)
{
	return pages_map_as(size, MAP_PRIVATE);
}

/* The same, but processes forked later share it. */
static inline void *
pages_map_shared(size_t size)
{
	return pages_map_as(size, MAP_SHARED);
}

#endif
