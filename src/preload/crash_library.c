/*
 * crash_library: what a program that cfuzz did not build needs inside it.
 *
 * The dynamic linker loads it before the program (LD_PRELOAD). It installs the
 * crash handler of the runtime, so that a crash has a stack. The handler writes
 * to the head of worker memory, which the variable names by its descriptor.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/wire/memory.h"
#include "target/crash/crash.h"
#include "target/hooks/modules.h"

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
	struct worker_head *head = preload_map();

	if (head == NULL)
		return;
	crash_prepare();
	crash_install(head);
	head->map_n = modules_list(head->map, FAILURE_MODULES_MAX);
}
