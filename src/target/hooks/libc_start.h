/*
 * libc_start: the function of the C library that calls main().
 *
 * A shared object that is loaded before the C library takes its place, and so
 * learns where main() is.
 */
#ifndef CFUZZ_TARGET_HOOKS_LIBC_START_H
#define CFUZZ_TARGET_HOOKS_LIBC_START_H

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#define LIBC_START "__libc_start_main"
#define LIBC_START_EXIT 127 /* exit status */

typedef int libc_main(int argc, char **argv, char **envp);
typedef int libc_starter(libc_main *main, int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
	void *stack_end);

/* The C library's own; without one, ends the process with LIBC_START_EXIT. */
static inline libc_starter *
libc_start_find(void)
{
	void *next = dlsym(RTLD_NEXT, LIBC_START);
	libc_starter *start;

	if (next == NULL)
		_exit(LIBC_START_EXIT);
	memcpy(&start, &next, sizeof(start));
	return start;
}

#endif
