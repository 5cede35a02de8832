/*
 * preload: see preload.h. This module knows the start of programs of the GNU C
 * library.
 */

#include "target/traps/preload.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "target/abi.h"
#include "target/hooks/libc_start.h"
#include "target/traps/preload_signals.h"
#include "target/traps/traps.h"

ABI_EXPORT libc_starter __libc_start_main;

/* jansson compares a file with stdin, but the runtime reads no files by it. */
extern FILE *const preload_stdin;
FILE *const preload_stdin = NULL;

/* Set before main(). */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static libc_main *preload_real;

static preload_program *
preload_get_main(void)
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
	/* From here on a signal handler may need them. */
	preload_signals_prepare();
	return libc_start_find()(preload_run, argc, argv, init, fini, rtld_fini,
		stack_end);
}

static const char *
preload_open(struct worker *worker, bool plain)
{
	sigset_t trap;

	worker->kind = PRELOAD_KIND;
	preload_signals_set_plain(plain);
	if (plain)
		return NULL;
	(void)sigemptyset(&trap);
	(void)sigaddset(&trap, SIGTRAP);
	(void)sigprocmask(SIG_UNBLOCK, &trap, NULL);
	plain = traps_find() == 0;
	preload_signals_set_plain(plain);
	if (!plain && !traps_set())
		return "the system does not allow breakpoints in the program's "
		       "code: fuzz without coverage (--coverage none)";
	return NULL;
}

static bool
preload_remove(char *value)
{
	char *rest = strchr(value, ':');

	if (rest == NULL)
		return false;
	memmove(value, rest + 1, strlen(rest));
	return true;
}

const struct preload preload_calls = { .get_main = preload_get_main,
	.open = preload_open,
	.remove = preload_remove };
