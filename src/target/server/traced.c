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

bool
traced_go_on(pid_t pid, int signo)
{
	intptr_t with = traced_is_stop(signo) ? 0 : signo;

	return ptrace(PTRACE_CONT, pid, NULL, (void *)with) == 0;
}
