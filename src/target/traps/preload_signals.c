/*
 * preload_signals: see preload_signals.h. This module knows how Linux numbers
 * the call behind sigprocmask().
 */

#include "target/traps/preload_signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/traps/traps.h"

/* Other names of sigaction() and signal() in the C library. */
extern int __sigaction(int signo, const struct sigaction *action,
	struct sigaction *old);
extern sighandler_t preload_next_signal(int signo,
	sighandler_t handler) __asm__("ssignal");

/* The program finds these in place of the C library's. */
ABI_EXPORT int preload_sigaction(int signo, const struct sigaction *action,
	struct sigaction *old) __asm__("sigaction");
ABI_EXPORT sighandler_t preload_signal(int signo, sighandler_t handler) __asm__(
	"signal");
ABI_EXPORT int preload_pthread_sigmask(int how, const sigset_t *set,
	sigset_t *old) __asm__("pthread_sigmask");
ABI_EXPORT int preload_sigprocmask(int how, const sigset_t *set,
	sigset_t *old) __asm__("sigprocmask");
ABI_EXPORT int preload_sigsuspend(const sigset_t *mask) __asm__("sigsuspend");
ABI_EXPORT int preload_ppoll(struct pollfd *fds, nfds_t n,
	const struct timespec *timeout, const sigset_t *mask) __asm__("ppoll");
ABI_EXPORT int preload_ppoll_chk(struct pollfd *fds, nfds_t n,
	const struct timespec *timeout, const sigset_t *mask,
	size_t size) __asm__("__ppoll_chk");
ABI_EXPORT int preload_pselect(int n, fd_set *in, fd_set *out, fd_set *odd,
	const struct timespec *timeout,
	const sigset_t *mask) __asm__("pselect");
ABI_EXPORT int preload_epoll_pwait(int fd, struct epoll_event *events, int n,
	int timeout, const sigset_t *mask) __asm__("epoll_pwait");
ABI_EXPORT int preload_epoll_pwait2(int fd, struct epoll_event *events, int n,
	const struct timespec *timeout,
	const sigset_t *mask) __asm__("epoll_pwait2");
ABI_EXPORT int preload_attr_setsigmask(pthread_attr_t *attr,
	const sigset_t *mask) __asm__("pthread_attr_setsigmask_np");

/* There are no breakpoints, and will be none. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static bool preload_plain;

/* The C library's functions that take a mask; an old one lacks the last two. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct preload_next {
	__typeof__(preload_sigsuspend) *sigsuspend;
	__typeof__(preload_ppoll) *ppoll;
	__typeof__(preload_ppoll_chk) *ppoll_chk;
	__typeof__(preload_pselect) *pselect;
	__typeof__(preload_epoll_pwait) *epoll_pwait;
	__typeof__(preload_epoll_pwait2) *epoll_pwait2;
	__typeof__(preload_attr_setsigmask) *attr_setsigmask;
} preload_found;

static void
preload_find(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

static const struct preload_next *
preload_next(void)
{
	struct preload_next *next = &preload_found;

	if (next->sigsuspend != NULL)
		return next;
	preload_find("ppoll", &next->ppoll);
	preload_find("__ppoll_chk", &next->ppoll_chk);
	preload_find("pselect", &next->pselect);
	preload_find("epoll_pwait", &next->epoll_pwait);
	preload_find("epoll_pwait2", &next->epoll_pwait2);
	preload_find("pthread_attr_setsigmask_np", &next->attr_setsigmask);
	preload_find("sigsuspend", &next->sigsuspend);
	return next;
}

void
preload_signals_prepare(void)
{
	(void)preload_next();
}

void
preload_signals_set_plain(bool plain)
{
	preload_plain = plain;
}

/*
 * A breakpoint ends a process that blocks SIGTRAP, and a fault one that blocks
 * its signal: then nobody sees the place. What a constructor sets before there
 * are any breakpoints holds later as well.
 */
static void
preload_open(sigset_t *mask)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS };

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		(void)sigdelset(mask, faults[i]);
	if (!preload_plain)
		(void)sigdelset(mask, SIGTRAP);
}

static const sigset_t *
preload_unblock(const sigset_t *mask, sigset_t *open)
{
	if (mask == NULL)
		return mask;
	*open = *mask;
	preload_open(open);
	return open;
}

int
preload_sigaction(int signo, const struct sigaction *action,
	struct sigaction *old)
{
	struct sigaction open;

	if (traps_exist() && signo == SIGTRAP) {
		traps_swap_action(action, old);
		return 0;
	}
	if (action == NULL)
		return __sigaction(signo, action, old);
	open = *action;
	preload_open(&open.sa_mask);
	return __sigaction(signo, &open, old);
}

sighandler_t
preload_signal(int signo, sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler,
		.sa_flags = SA_RESTART };
	struct sigaction old;

	if (!traps_exist() || signo != SIGTRAP)
		return preload_next_signal(signo, handler);
	traps_swap_action(&action, &old);
	return old.sa_handler;
}

/* Like the C library, but blocks no fault. Returns 0 or an errno. */
static int
preload_mask(int how, const sigset_t *set, sigset_t *old)
{
	/* The C library keeps two signals to itself. */
	uint64_t hidden = (uint64_t)3 << (__SIGRTMIN - 1), mask = 0;
	sigset_t open;

	if (set != NULL) {
		open = *set;
		if (how != SIG_UNBLOCK)
			preload_open(&open);
		memcpy(&mask, &open, sizeof(mask));
		mask &= ~hidden;
	}
	return syscall(SYS_rt_sigprocmask, (long)how,
		       set != NULL ? &mask : NULL, old, sizeof(mask)) == 0
		? 0
		: errno;
}

int
preload_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	int saved = errno, errnum = preload_mask(how, set, old);

	errno = saved;
	return errnum;
}

int
preload_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	int errnum = preload_mask(how, set, old);

	if (errnum == 0)
		return 0;
	errno = errnum;
	return -1;
}

int
preload_sigsuspend(const sigset_t *mask)
{
	sigset_t open;

	return preload_next()->sigsuspend(preload_unblock(mask, &open));
}

int
preload_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	const sigset_t *mask)
{
	sigset_t open;

	return preload_next()->ppoll(fds, n, timeout,
		preload_unblock(mask, &open));
}

int
preload_ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	const sigset_t *mask, size_t size)
{
	sigset_t open;

	return preload_next()->ppoll_chk(fds, n, timeout,
		preload_unblock(mask, &open), size);
}

int
preload_pselect(int n, fd_set *in, fd_set *out, fd_set *odd,
	const struct timespec *timeout, const sigset_t *mask)
{
	sigset_t open;

	return preload_next()->pselect(n, in, out, odd, timeout,
		preload_unblock(mask, &open));
}

int
preload_epoll_pwait(int fd, struct epoll_event *events, int n, int timeout,
	const sigset_t *mask)
{
	sigset_t open;

	return preload_next()->epoll_pwait(fd, events, n, timeout,
		preload_unblock(mask, &open));
}

int
preload_epoll_pwait2(int fd, struct epoll_event *events, int n,
	const struct timespec *timeout, const sigset_t *mask)
{
	const struct preload_next *next = preload_next();
	sigset_t open;

	if (next->epoll_pwait2 != NULL)
		return next->epoll_pwait2(fd, events, n, timeout,
			preload_unblock(mask, &open));
	errno = ENOSYS;
	return -1;
}

/* Returns 0 or an errno. */
int
preload_attr_setsigmask(pthread_attr_t *attr, const sigset_t *mask)
{
	const struct preload_next *next = preload_next();
	sigset_t open;

	return next->attr_setsigmask == NULL
		? ENOSYS
		: next->attr_setsigmask(attr, preload_unblock(mask, &open));
}
