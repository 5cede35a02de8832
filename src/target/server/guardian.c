/*
 * guardian: see guardian.h. It is cloned without an exit signal, so that the
 * target's wait() does not see it and no fork handlers run. It has a process
 * group of its own, so that no signal to the worker's group reaches it. It
 * stays in the worker's session, by which the engine finds orphans.
 */

#include "target/server/guardian.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "target/server/process_tree.h"

/* Is the other end of the pipe closed? */
static bool
guardian_is_closed(int in_fd)
{
	struct pollfd pfd = { .fd = in_fd, .events = 0 };
	struct timespec none = { 0, 0 };

	return syscall(SYS_ppoll, &pfd, 1, &none, NULL, 0) > 0 &&
		(pfd.revents & POLLHUP) != 0;
}

void
guardian_prepare(int in_fd)
{
	(void)syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* If the engine is gone already, no signal comes. */
	if (guardian_is_closed(in_fd))
		(void)syscall(SYS_exit_group, 0);
}

/*
 * It takes a SIGTERM only while it waits: once it has stopped the worker, it must
 * live to kill it.
 */
static void __attribute__((noreturn)) guardian_run(int engine_fd, pid_t parent)
{
	struct pollfd pfd = { .fd = engine_fd, .events = POLLIN };
	sigset_t waiting;

	(void)setpgid(0, 0);
	(void)signal(SIGTERM, SIG_DFL);
	(void)sigfillset(&waiting);
	(void)sigdelset(&waiting, SIGTERM);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* Pipes that the guardian held open would hide the worker's end. */
	for (int fd = 0; fd < engine_fd; fd++)
		close(fd);
#ifdef SYS_close_range
	(void)syscall(SYS_close_range, (unsigned)engine_fd + 1, ~0u, 0u);
#endif
	while (getppid() == parent) {
		if (ppoll(&pfd, 1, NULL, &waiting) > 0) {
			process_tree_kill_tree(parent);
			break;
		}
	}
	for (;;)
		(void)syscall(SYS_exit_group, 0);
}

pid_t
guardian_start(const struct worker *w)
{
	pid_t self = getpid(), pid = -1;
	int engine_fd = (int)syscall(SYS_pidfd_open, getppid(), 0);
	sigset_t all, before;

	/* If the engine is gone, getppid() was not the engine. */
	if (guardian_is_closed(w->in_fd))
		_exit(0);
	process_tree_adopt();
	/* A SIGTERM that the target ignores would be lost before it runs. */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if (engine_fd >= 0)
		pid = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		guardian_run(engine_fd, self);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	if (engine_fd >= 0)
		close(engine_fd);
	if (pid < 0)
		return 0; /* rely on the kernel's signal */
	/* A worker that is killed at once would leave its descendants
	 * behind. */
	(void)prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
	return pid;
}

void
guardian_end(pid_t guardian)
{
	if (guardian == 0)
		return;
	(void)kill(guardian, SIGTERM);
	/* Whoever has stopped it may never let it go on. */
	(void)kill(guardian, SIGCONT);
	while (waitpid(guardian, NULL, __WALL) < 0 && errno == EINTR)
		continue;
}
