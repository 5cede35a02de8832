/* traced: the signal of an executed program is the kernel's, others are kept. */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/rows.h"
#include "target/server/traced.h"

#define FORBIDDEN 77 /* exit status: nothing may be traced here */

struct trap_case {
	const char *name;
	bool executes;
	int signo; /* that ends the process; 0: none */
};

/* clang-format off */
static const struct trap_case CASES[] = {
	{ "a program",        true,  0 },
	{ "kill() to itself", false, SIGTRAP },
};
/* clang-format on */

static void
be_traced(const struct trap_case *c)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(FORBIDDEN);
	if (c->executes)
		(void)execl("/bin/sh", "sh", "-c", ":", (char *)NULL);
	else
		(void)kill(getpid(), SIGTRAP);
	_exit(1);
}

static void
test_trap(void **state)
{
	const struct trap_case *c = *state;
	pid_t pid = fork();
	int status;

	assert_return_code(pid, 0);
	if (pid == 0)
		be_traced(c);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == FORBIDDEN)
		skip();
	assert_true(WIFSTOPPED(status));
	assert_int_equal(WSTOPSIG(status), SIGTRAP);
	assert_true(traced_go_on(pid, SIGTRAP));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, c->signo);
	if (c->signo == 0)
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int
main(void)
{
	return rows_run("traced", ROWS_OF(CASES, name, test_trap));
}
