/*
 * guardian: see guardian.h. It is cloned without an exit signal, so that the
 * target's wait() does not see it and no fork handlers run. It has a process
 * group of its own, so that no signal to the worker's group reaches it. It
 * stays in the worker's session, by which the engine finds orphans. It blocks all
 * signals. A worker whose initialisation has given up root may send it none but
 * SIGCONT: that wakes it, and a word in shared memory tells it to end.
 */

#include "target/server/guardian.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shared/pages.h"
#include "shared/wire/shm_names.h"
#include "target/server/process_tree.h"

#define GUARDIAN_END_MS 1000 /* from SIGKILL to the end of the worker */

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

/* Ends the worker of an engine that is gone, and then the names of its memory,
 * which the engine would have removed. */
static void
guardian_kill(pid_t parent, struct pollfd *signals)
{
	struct signalfd_siginfo info;

	process_tree_kill_tree(parent);
	/* When it has ended, its children have another parent, and a signal. */
	while (getppid() == parent && poll(signals, 1, GUARDIAN_END_MS) > 0)
		while (read(signals->fd, &info, sizeof(info)) > 0)
			continue;
	shm_names_unlink(parent);
}

/* Waits until it is told to end, or has killed the worker of an engine that is
 * gone. */
static void
guardian_watch(int engine_fd, int signal_fd, pid_t parent, const uint32_t *over)
{
	struct signalfd_siginfo info;
	struct pollfd pfds[] = {
		{ .fd = engine_fd, .events = POLLIN },
		{ .fd = signal_fd, .events = POLLIN },
	};

	while (getppid() == parent &&
		__atomic_load_n(over, __ATOMIC_ACQUIRE) == 0) {
		if (poll(pfds, 2, -1) > 0 && pfds[0].revents != 0) {
			/* The number of a parent that is gone may be another's. */
			if (getppid() == parent)
				guardian_kill(parent, &pfds[1]);
			return;
		}
		/* Others may have sent it. */
		while (read(signal_fd, &info, sizeof(info)) > 0)
			continue;
	}
}

/* All signals are blocked. */
static void __attribute__((noreturn))
guardian_run(int engine_fd, pid_t parent, const uint32_t *over)
{
	int signal_fd;
	sigset_t wake;

	(void)setpgid(0, 0);
	(void)sigemptyset(&wake);
	(void)sigaddset(&wake, SIGCONT);
	/* A worker that has given up root has no right to any other. */
	(void)prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
	/* Pipes that the guardian held open would hide the worker's end. */
	for (int fd = 0; fd < engine_fd; fd++)
		close(fd);
#ifdef SYS_close_range
	(void)syscall(SYS_close_range, (unsigned)engine_fd + 1, ~0u, 0u);
#endif
	signal_fd = signalfd(-1, &wake, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signal_fd >= 0)
		guardian_watch(engine_fd, signal_fd, parent, over);
	for (;;)
		(void)syscall(SYS_exit_group, 0);
}

void
guardian_start(struct worker *w)
{
	pid_t self = getpid(), pid = -1;
	int engine_fd = (int)syscall(SYS_pidfd_open, getppid(), 0);
	uint32_t *over = pages_map_shared(sizeof(*over));
	sigset_t all, before;

	/* If the engine is gone, getppid() was not the engine. */
	if (guardian_is_closed(w->in_fd))
		_exit(0);
	process_tree_adopt();
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &before);
	if (engine_fd >= 0 && over != NULL)
		pid = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
	if (pid == 0)
		guardian_run(engine_fd, self, over);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	if (engine_fd >= 0)
		close(engine_fd);
	if (pid <= 0 && over != NULL) {
		(void)munmap(over, sizeof(*over));
		over = NULL;
	}
	w->guardian = pid > 0 ? pid : 0;
	w->guardian_over = over;
	/* A worker that is killed at once would leave its descendants behind.
	 * Without a guardian, rely on the kernel's signal. */
	if (pid > 0)
		(void)prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
}

void
guardian_end(struct worker *w)
{
	if (w->guardian == 0)
		return;
	__atomic_store_n(w->guardian_over, 1, __ATOMIC_RELEASE);
	/* In a session this one is allowed to all, and whoever has stopped the
	 * guardian may never let it go on. */
	if (kill(w->guardian, SIGCONT) != 0)
		return; /* in another session it is not: the guardian stays */
	while (waitpid(w->guardian, NULL, __WALL) < 0 && errno == EINTR)
		continue;
	w->guardian = 0;
	/* Each mapping makes the forks of runs slower. */
	(void)munmap(w->guardian_over, sizeof(*w->guardian_over));
	w->guardian_over = NULL;
}
