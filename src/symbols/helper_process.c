/* helper_process: see helper_process.h. */
#include "symbols/helper_process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/spawn.h"
#include "symbols/helper.h"

int
symbols_process_start(struct symbols_process *process, const char *program,
	char **argv)
{
	static char name[] = "cfuzz", option[] = SYMBOLS_HELPER_OPTION;
	char *own[] = { name, option, NULL };
	int fds[2], e;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
		return errno;
	e = spawn_apart(&process->pid,
		program != NULL ? program : "/proc/self/exe",
		argv != NULL ? argv : own, NULL, NULL,
		(struct spawn_fd[]){ { 0, fds[1] }, { 1, -1 }, { 2, -1 } }, 3);
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
symbols_process_reap(struct symbols_process *process)
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
