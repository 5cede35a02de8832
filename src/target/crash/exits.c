/*
 * exits: see exits.h. A handler that the target registers later runs earlier
 * and may end the process itself; the failure then has no stack.
 */

#include "target/crash/exits.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/crash/crash.h"
#include "target/crash/crash_modules.h"
#include "target/crash/sanitizers.h"

/* Absent from other C libraries than glibc. */
ABI_WEAK int exits_on_exit(void (*handler)(int status, void *arg),
	void *arg) __asm__("on_exit");

/* Global, because a function that exit() calls takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct exits {
	struct worker_head *head;
	pid_t pid;    /* children of the target are ignored */
	bool failing; /* only a status other than 0 counts */
	bool forked;  /* for exits_fork_flag() */
	void (*leave)(int status);
} exits;

static void
exits_note_from(const void *from)
{
	struct failure_block *block;

	if (exits.head == NULL || exits.pid != getpid() || crash_is_dying())
		return;
	block = &exits.head->failure;
	block->frames_n = crash_walk(block->frames, FAILURE_FRAMES_MAX, from);
	crash_modules_add(exits.head);
	block->kind = FAILURE_EXIT;
}

static void
exits_note(void)
{
	exits_note_from(__builtin_return_address(0));
}

static void
exits_note_status(int status, void *arg)
{
	if (exits.leave != NULL && exits.pid == getpid())
		exits.leave(status);
	if (status != 0 || !exits.failing)
		exits_note_from(__builtin_return_address(0));
}

/*
 * The memory is still shared with the process that runs the input. A sanitizer
 * uses its descriptor only in the process that has set it, and makes a file in
 * any other.
 */
static void
exits_on_fork(void)
{
	crash_report_to(NULL);
	(void)sanitizers_set_report_fd(STDERR_FILENO);
}

static void
exits_note_fork(void)
{
	exits.forked = true;
}

bool *
exits_fork_flag(void)
{
	return &exits.forked;
}

void
exits_register(void)
{
	if (exits_on_exit == NULL ||
		exits_on_exit(exits_note_status, NULL) != 0)
		(void)atexit(exits_note);
	(void)at_quick_exit(exits_note);
}

void
exits_prepare(void)
{
	(void)pthread_atfork(NULL, exits_note_fork, exits_on_fork);
	exits_register();
}

void
exits_watch(struct worker_head *head)
{
	exits.head = head;
	exits.pid = getpid();
}

void
exits_watch_failing(struct worker_head *head)
{
	exits_watch(head);
	exits.failing = true;
	/* The run before may have ended by quick_exit(0). */
	head->failure.kind = FAILURE_NONE;
	head->failure.frames_n = 0;
}

void
exits_catch(void (*leave)(int status))
{
	exits.leave = leave;
}
