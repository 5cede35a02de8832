/* traced: see traced.h. */

#include "target/server/traced.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

static bool
traced_is_stop(int signo)
{
	return signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN ||
		signo == SIGTTOU;
}

/* Is the last system call of this stopped process one that executes a program?
 * True also if that is not known: far more programs do that. */
#if defined(__aarch64__)
/* /proc/PID/syscall has forgotten it, but x8 still has its number. The registers
 * of a new program are 0. */
static bool
traced_is_in_exec(pid_t pid)
{
	struct user_regs_struct user;
	struct iovec part = { &user, sizeof(user) };

	return ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &part) != 0 ||
		user.regs[8] != SYS_kill;
}
#else
/* /proc/PID/syscall begins with its number. */
static bool
traced_is_in_exec(pid_t pid)
{
	char path[40], text[24];
	int fd, number;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	n = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	number = atoi(text);
	return n <= 0 || number == SYS_execve || number == SYS_execveat;
}
#endif

/* The kernel tells a tracer that the process executes a program, by a signal that
 * the program must not get. A SIGTRAP that a process sends itself with kill()
 * looks like it. */
static bool
traced_is_exec(pid_t pid, int signo)
{
	siginfo_t info;

	return signo == SIGTRAP &&
		ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) == 0 &&
		info.si_code == SI_USER && info.si_pid == pid &&
		traced_is_in_exec(pid);
}

bool
traced_go_on(pid_t pid, int signo)
{
	intptr_t with =
		traced_is_stop(signo) || traced_is_exec(pid, signo) ? 0 : signo;

	return ptrace(PTRACE_CONT, pid, NULL, (void *)with) == 0;
}
