/* process: see process.h. */
#include "symbols/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "symbols/helper.h"

extern char **environ;

/* What would not be put in its place would stay our own terminal. */
static int
process_describe(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attr,
	int fd)
{
	sigset_t none, all;
	int e;

	sigemptyset(&none);
	sigfillset(&all);
	e = posix_spawn_file_actions_adddup2(actions, fd, 0);
	if (e == 0)
		e = posix_spawn_file_actions_addopen(actions, 1, "/dev/null",
			O_WRONLY, 0);
	if (e == 0)
		e = posix_spawn_file_actions_addopen(actions, 2, "/dev/null",
			O_WRONLY, 0);
	if (e == 0)
		e = posix_spawnattr_setflags(attr,
			POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
				POSIX_SPAWN_SETSIGDEF);
	if (e == 0)
		e = posix_spawnattr_setsigmask(attr, &none);
	if (e == 0)
		e = posix_spawnattr_setsigdefault(attr, &all);
	return e;
}

static int
process_exec(struct symbols_process *process, int fd, const char *program,
	char **args)
{
	static char name[] = "cfuzz", option[] = SYMBOLS_HELPER_OPTION;
	char *argv[] = { name, option, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int e;

	e = posix_spawn_file_actions_init(&actions);
	if (e != 0)
		return e;
	e = posix_spawnattr_init(&attr);
	if (e == 0) {
		e = process_describe(&actions, &attr, fd);
		if (e == 0)
			e = posix_spawn(&process->pid,
				program != NULL ? program : "/proc/self/exe",
				&actions, &attr, args != NULL ? args : argv,
				environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&actions);
	return e;
}

int
symbols_process_start(struct symbols_process *process, const char *program,
	char **argv)
{
	int fds[2], e;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
		return errno;
	e = process_exec(process, fds[1], program, argv);
	close(fds[1]);
	if (e != 0) {
		process->pid = 0;
		close(fds[0]);
		return e;
	}
	process->fd = fds[0];
	return 0;
}

void
symbols_process_kill(struct symbols_process *process)
{
	if (process->pid == 0)
		return;
	fd_close(&process->fd);
	kill(process->pid, SIGKILL);
	if (process->dying_n == SYMBOLS_DYING_MAX)
		waitpid(process->dying[--process->dying_n], NULL, 0);
	process->dying[process->dying_n++] = process->pid;
	process->pid = 0;
}

bool
symbols_process_bury(struct symbols_process *process)
{
	uint32_t i = 0;

	while (i < process->dying_n) {
		if (waitpid(process->dying[i], NULL, WNOHANG) == 0)
			i++;
		else
			process->dying[i] = process->dying[--process->dying_n];
	}
	return process->dying_n > 0;
}

void
symbols_process_clear(struct symbols_process *process)
{
	symbols_process_kill(process);
	while (process->dying_n > 0)
		waitpid(process->dying[--process->dying_n], NULL, 0);
}
