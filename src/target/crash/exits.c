/*
 * exits: see exits.h. What the target has registered later runs before, and may
 * end the process by itself: then there is no place.
 */

#include "target/crash/exits.h"

#include <stdlib.h>
#include <unistd.h>

#include "target/crash/crash.h"

/* A function that exit() calls gets no argument of ours. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct exits {
	struct worker_head *head;
	pid_t pid; /* what the target forks is of no interest */
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
