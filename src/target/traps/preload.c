/*
 * preload: see preload.h.
 *
 * This module knows the start of programs of the GNU C library, and how Linux
 * numbers the call behind sigprocmask().
 */

#include "target/traps/preload.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/hooks/libc_start.h"
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

ABI_EXPORT libc_starter __libc_start_main;

/* jansson compares a file with stdin, but the runtime reads no files by it. */
extern FILE *const preload_stdin;
FILE *const preload_stdin = NULL;

/* Set before main(). */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static libc_main *preload_real;

preload_program *
preload_main(void)
{
	preload_program *main;

	/* A main() with fewer parameters is called in the same way. */
	memcpy(&main, &preload_real, sizeof(main));
	return main;
}

static int
preload_run(int argc, char **argv, char **envp)
{
	__cfuzz_start();
	return preload_real(argc, argv, envp);
}

int
__libc_start_main(libc_main *main, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	preload_real = main;
	return libc_start_find()(preload_run, argc, argv, init, fini, rtld_fini,
		stack_end);
}

const char *
preload_open(struct worker *worker, bool plain)
{
	sigset_t trap;

	worker->kind = PRELOAD_KIND;
	if (plain)
		return NULL;
	(void)sigemptyset(&trap);
	(void)sigaddset(&trap, SIGTRAP);
	(void)sigprocmask(SIG_UNBLOCK, &trap, NULL);
	if (traps_find() > 0 && !traps_set())
		return "the system does not allow breakpoints in the program's "
		       "code: fuzz without coverage (--coverage none)";
	return NULL;
}

bool
preload_remove(char *value)
{
	char *rest = strchr(value, ':');

	if (rest == NULL)
		return false;
	memmove(value, rest + 1, strlen(rest));
	return true;
}

/* ---- SIGTRAP ---- */

int
preload_sigaction(int signo, const struct sigaction *action,
	struct sigaction *old)
{
	struct sigaction open;

	if (!traps_exist())
		return __sigaction(signo, action, old);
	if (signo == SIGTRAP) {
		traps_swap_action(action, old);
		return 0;
	}
	if (action == NULL)
		return __sigaction(signo, NULL, old);
	open = *action;
	(void)sigdelset(&open.sa_mask, SIGTRAP);
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

/* Like the C library, but never blocks SIGTRAP. Returns 0 or an errno. */
static int
preload_mask(int how, const sigset_t *set, sigset_t *old)
{
	/* The C library keeps two signals to itself. */
	uint64_t hidden = (uint64_t)3 << (__SIGRTMIN - 1), mask = 0;

	if (set != NULL) {
		memcpy(&mask, set, sizeof(mask));
		mask &= ~hidden;
		if (how != SIG_UNBLOCK && traps_exist())
			mask &= ~((uint64_t)1 << (SIGTRAP - 1));
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
