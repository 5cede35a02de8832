/*
 * crash_library: what a program that cfuzz did not build needs inside it.
 *
 * The dynamic linker loads it before the program (LD_PRELOAD). It installs the
 * handlers of the runtime for crashes and exits, so that both have stacks. They
 * write to the head of worker memory, which the variable names by its
 * descriptor.
 *
 * The library comes before the C library, so it learns where main() is: stacks
 * end there. It has fork() and waitpid() as well, see run_pages.h.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preload/run_pages.h"
#include "shared/wire/memory.h"
#include "target/abi.h"
#include "target/crash/crash.h"
#include "target/crash/exits.h"
#include "target/crash/unwind.h"
#include "target/hooks/libc_start.h"
#include "target/hooks/modules.h"

ABI_EXPORT libc_starter __libc_start_main;

/* Set before main(). */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct worker_head *preload_head; /* NULL: no worker has started it */

/* Ours comes first in the list; the others are the user's. */
static void
preload_leave_list(void)
{
	const char *list = getenv("LD_PRELOAD");
	const char *rest = list != NULL ? strchr(list, ':') : NULL;

	if (rest != NULL)
		(void)setenv("LD_PRELOAD", rest + 1, 1);
	else
		(void)unsetenv("LD_PRELOAD");
}

/* Maps the head; programs that this one executes do not find it. */
static struct worker_head *
preload_map(void)
{
	const char *text = getenv(WORKER_HEAD_ENVIRONMENT);
	int fd = text != NULL ? atoi(text) : -1;
	void *map;

	if (fd < 0)
		return NULL;
	(void)unsetenv(WORKER_HEAD_ENVIRONMENT);
	preload_leave_list();
	map = mmap(NULL, sizeof(struct worker_head), PROT_READ | PROT_WRITE,
		MAP_SHARED, fd, 0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

__attribute__((constructor)) static void
preload_open(void)
{
	preload_head = preload_map();
	if (preload_head == NULL)
		return;
	crash_prepare();
	crash_install(preload_head);
	exits_register();
	preload_head->map_n =
		modules_list(preload_head->map, FAILURE_MODULES_MAX);
	run_pages_open(preload_head);
}

/* bottom: an address of the stack above the frames of main(). */
static void
preload_note_main(libc_main *main, void *bottom)
{
	struct crash_main range = { .start = (uintptr_t)main,
		.bottom = (uintptr_t)bottom };

	range.end = unwind_function_end(range.start);
	crash_set_main(&range);
	modules_set_main(range.start, range.end);
	crash_install(preload_head);
	preload_head->map_n =
		modules_list(preload_head->map, FAILURE_MODULES_MAX);
}

int
__libc_start_main(libc_main *main, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	if (preload_head != NULL)
		preload_note_main(main, __builtin_frame_address(0));
	return libc_start_find()(main, argc, argv, init, fini, rtld_fini,
		stack_end);
}
