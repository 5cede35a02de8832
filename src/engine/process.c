#include "engine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/proc.h"
#include "shared/memory.h"

/* Descriptors to hand over lie above the range they are copied to. */
#define PROCESS_FD_SAFE 32

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static int
process_high_fd(int take_fd)
{
	int fd = fcntl(take_fd, F_DUPFD_CLOEXEC, PROCESS_FD_SAFE);

	close(take_fd);
	return fd;
}

static enum status
process_pipes(int in[2], int out[2], struct error *err)
{
	if (pipe2(in, O_CLOEXEC) < 0)
		return error_set(err, E_NOMEM, "make a pipe: %s",
			strerror(errno));
	if (pipe2(out, O_CLOEXEC) < 0) {
		close(in[0]);
		close(in[1]);
		return error_set(err, E_NOMEM, "make a pipe: %s",
			strerror(errno));
	}
	in[0] = process_high_fd(in[0]);
	out[1] = process_high_fd(out[1]);
	return OK;
}

/* Copies of all that is handed over, above the range they go to. */
struct process_fds {
	int target, memory, campaign, stderr_file, report;
};

static struct process_fds
process_copy_fds(const struct process_spec *spec)
{
	const int from[] = { spec->target_fd, spec->memory_fd,
		spec->campaign_fd, spec->stderr_fd, spec->report_fd };
	int to[5], i;

	for (i = 0; i < 5; i++)
		to[i] = fcntl(from[i], F_DUPFD_CLOEXEC, PROCESS_FD_SAFE);
	return (struct process_fds){ to[0], to[1], to[2], to[3], to[4] };
}

static void
process_close_fds(const struct process_fds *fds)
{
	close(fds->target);
	close(fds->memory);
	close(fds->campaign);
	close(fds->stderr_file);
	close(fds->report);
}

static void
process_actions(posix_spawn_file_actions_t *actions,
	const struct process_fds *from, int in_fd, int out_fd)
{
	const int fds[WORKER_FD_COUNT] = {
		[WORKER_FD_IN] = in_fd,
		[WORKER_FD_OUT] = out_fd,
		[WORKER_FD_MEMORY] = from->memory,
		[WORKER_FD_CAMPAIGN] = from->campaign,
		[WORKER_FD_REPORT] = from->report,
	};
	int i;

	posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(actions, from->stderr_file, 2);
	for (i = 0; i < WORKER_FD_COUNT; i++)
		posix_spawn_file_actions_adddup2(actions, fds[i],
			WORKER_FD_DEFAULT + i);
}

static int
process_exec(struct process *p, const struct process_spec *spec, int in_fd,
	int out_fd)
{
	struct process_fds fds = process_copy_fds(spec);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	char path[64];
	int e;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds.target);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	process_actions(&actions, &fds, in_fd, out_fd);
	posix_spawnattr_setflags(&attr,
		POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
			POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	e = posix_spawn(&p->pid, path, &actions, &attr, spec->argv, spec->envp);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	process_close_fds(&fds);
	return e;
}

enum status
process_spawn(struct process *p, const struct process_spec *spec,
	struct error *err)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, e;

	*p = (struct process){ .pidfd = -1, .in_fd = -1, .out_fd = -1 };
	if (process_pipes(in, out, err) != OK)
		return E_NOMEM;
	e = process_exec(p, spec, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	p->in_fd = in[1];
	p->out_fd = out[0];
	if (e != 0) {
		p->pid = 0;
		process_close(p);
		return error_set(err, E_TARGET, "start %s: %s", spec->argv[0],
			strerror(e));
	}
	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (p->pidfd < 0) {
		/* Nobody would notice its end. */
		e = errno;
		process_signal(p, SIGKILL);
		waitpid(p->pid, NULL, 0);
		p->pid = 0;
		process_close(p);
		return error_set(err, E_TARGET, "watch %s: %s", spec->argv[0],
			strerror(e));
	}
	fcntl(p->in_fd, F_SETFL, O_NONBLOCK);
	fcntl(p->out_fd, F_SETFL, O_NONBLOCK);
	return OK;
}

void
process_close_in(struct process *p)
{
	if (p->in_fd >= 0)
		close(p->in_fd);
	p->in_fd = -1;
}

int
process_reap(struct process *p)
{
	int status;
	pid_t pid;

	if (p->pid == 0)
		return -1;
	do
		pid = waitpid(p->pid, &status, WNOHANG);
	while (pid < 0 && errno == EINTR);
	if (pid == 0)
		return -1;
	p->pid = 0;
	return pid < 0 ? 0 : status;
}

void
process_close(struct process *p)
{
	process_close_in(p);
	if (p->out_fd >= 0)
		close(p->out_fd);
	if (p->pidfd >= 0)
		close(p->pidfd);
	p->out_fd = p->pidfd = -1;
}

void
process_signal(const struct process *p, int signo)
{
	if (p->pid > 0)
		kill(p->pid, signo);
}

void
process_signal_group(pid_t leader, int signo)
{
	if (leader <= 1)
		return;
	/* The group is the child's own once it has called setpgid(). */
	if (kill(-leader, signo) < 0)
		kill(leader, signo);
}

void
process_become_subreaper(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static void
process_kill_children(bool leaders_too)
{
	pid_t children[256];
	size_t i, n, round;

	/* What is killed hands its own children to us: look again. */
	for (round = 0; round < 16; round++) {
		size_t strays = 0;

		n = proc_children(getpid(), children, 256);
		for (i = 0; i < n; i++) {
			if (!leaders_too && getsid(children[i]) == children[i])
				continue;
			strays++;
			kill(children[i], SIGKILL);
			waitpid(children[i], NULL, 0);
		}
		if (strays == 0)
			return;
	}
}

void
process_kill_strays(void)
{
	process_kill_children(true);
}

void
process_kill_orphans(void)
{
	process_kill_children(false);
}

void
process_harden(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
