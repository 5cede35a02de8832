/*
 * counted: keeps the counters of a build with --coverage, for `make coverage`.
 *
 * gcov writes them at exit(). Many processes end in another way, or no longer
 * see the folder. So all processes that a program forks share one copy, which
 * the last one writes.
 */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

/* The linker places the counters between these two. */
static char first[PAGE]
	__attribute__((section(".bss.__gcov_first"), used, aligned(PAGE)));
static char last[PAGE] __attribute__((section(".bss.__gcov_last"), used));

__attribute__((constructor)) static void
counted_share(void)
{
	uintptr_t end = ((uintptr_t)last + PAGE) / PAGE * PAGE;
	size_t len = end - (uintptr_t)first;

	(void)mmap(first, len, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
}

void
__wrap__exit(int status)
{
	/* In a root of its own it has no files to write to. */
	if (access(TEST_DATA, F_OK) == 0)
		__gcov_dump();
	__real__exit(status);
}
