/*
 * exits: see exits.h. A handler that the target registers later runs earlier
 * and may end the process itself; the failure then has no stack.
 */

#include "target/crash/exits.h"

#include <stdlib.h>
#include <unistd.h>

#include "target/crash/crash.h"

/* Global, because a function that exit() calls takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct exits {
	struct worker_head *head;
	pid_t pid; /* children of the target are ignored */
} exits;

static void
exits_note(void)
{
	struct failure_block *block;

	if (exits.head == NULL || exits.pid != getpid() || crash_is_dying())
		return;
	block = &exits.head->failure;
	block->frames_n = crash_walk(block->frames, FAILURE_FRAMES_MAX,
		__builtin_return_address(0));
	block->kind = FAILURE_EXIT;
}

void
exits_prepare(void)
{
	(void)atexit(exits_note);
	(void)at_quick_exit(exits_note);
}

void
exits_watch(struct worker_head *head)
{
	exits.head = head;
	exits.pid = getpid();
}
