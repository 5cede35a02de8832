#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* More than all workers, helpers and commands at once. */
#define SPAWN_MAX 1024

/* A process is reaped wherever it belongs, so those that are gone are found
 * here only when the next one is started. */
static pid_t spawn_pids[SPAWN_MAX];
static size_t spawn_pids_n;

static void
spawn_forget_reaped(void)
{
	siginfo_t info;
	size_t i, kept = 0;

	for (i = 0; i < spawn_pids_n; i++)
		if (waitid(P_PID, (id_t)spawn_pids[i], &info,
			    WEXITED | WNOHANG | WNOWAIT) == 0)
			spawn_pids[kept++] = spawn_pids[i];
	spawn_pids_n = kept;
}

bool
spawn_is_ours(pid_t pid)
{
	size_t i;

	for (i = 0; i < spawn_pids_n; i++)
		if (spawn_pids[i] == pid)
			return true;
	return false;
}

/* Any failure must be reported: the program would inherit our own terminal in
 * place of the missing descriptor. */
static int
spawn_actions(posix_spawn_file_actions_t *actions, const char *folder,
	const struct spawn_fd *fds, size_t n)
{
	size_t i;
	int e = folder != NULL
		? posix_spawn_file_actions_addchdir_np(actions, folder)
		: 0;

	for (i = 0; i < n && e == 0; i++)
		e = fds[i].from >= 0
			? posix_spawn_file_actions_adddup2(actions, fds[i].from,
				  fds[i].to)
			: posix_spawn_file_actions_addopen(actions, fds[i].to,
				  "/dev/null",
				  fds[i].to == 0 ? O_RDONLY : O_WRONLY, 0);
	return e;
}

static int
spawn_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, all;
	int e;

	sigemptyset(&none);
	sigfillset(&all);
	e = posix_spawnattr_setflags(attr,
		POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
			POSIX_SPAWN_SETSIGDEF);
	if (e == 0)
		e = posix_spawnattr_setsigmask(attr, &none);
	if (e == 0)
		e = posix_spawnattr_setsigdefault(attr, &all);
	return e;
}

int
spawn_apart(pid_t *pid, const char *path, char *const *argv, char *const *envp,
	const char *folder, const struct spawn_fd *fds, size_t n)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int e;

	spawn_forget_reaped();
	if (spawn_pids_n == SPAWN_MAX)
		return EAGAIN;
	e = posix_spawn_file_actions_init(&actions);
	if (e != 0)
		return e;
	e = posix_spawnattr_init(&attr);
	if (e == 0) {
		e = spawn_actions(&actions, folder, fds, n);
		if (e == 0)
			e = spawn_attributes(&attr);
		if (e == 0)
			e = posix_spawn(pid, path, &actions, &attr, argv,
				envp != NULL ? envp : environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&actions);
	if (e == 0)
		spawn_pids[spawn_pids_n++] = *pid;
	return e;
}

void
spawn_leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR);

	setsid();
	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}
