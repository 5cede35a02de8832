/* traced: see traced.h. */

#include "target/server/traced.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>

static bool
traced_is_stop(int signo)
{
	return signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN ||
		signo == SIGTTOU;
}

/* The kernel tells a tracer that the process executes a program, by a signal that
 * the program must not get. A SIGTRAP that a process sends itself with kill()
 * looks like it. */
static bool
traced_is_exec(pid_t pid, int signo)
{
	siginfo_t info;

	return signo == SIGTRAP &&
		ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) == 0 &&
		info.si_code == SI_USER && info.si_pid == pid;
}

bool
traced_go_on(pid_t pid, int signo)
{
	intptr_t with =
		traced_is_stop(signo) || traced_is_exec(pid, signo) ? 0 : signo;

	return ptrace(PTRACE_CONT, pid, NULL, (void *)with) == 0;
}
