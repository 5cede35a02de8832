#include "worker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/harden.h"
#include "base/rlimits.h"
#include "base/spawn.h"
#include "base/xmalloc.h"
#include "shared/wire/memory.h"
#include "worker/proc.h"

/* Descriptors to pass on must lie above their final range. */
#define PROCESS_FD_SAFE (WORKER_FD_PROGRAM + 1)

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

#define PROCESS_ROUNDS 1000
#define PROCESS_PERSONALITY_ASK 0xfffffffful /* changes nothing */
#define PROCESS_FDS_MAX (3 + WORKER_FD_COUNT + 1)
/* For files and folders, the start of a worker and the symbol helper. */
#define PROCESS_SPARE_FDS 20

uint64_t
process_workers_room(uint64_t n, uint64_t starts, char *why, size_t size)
{
	uint64_t left = rlimits_free_descriptors(), room = 0;
	uint64_t kept = PROCESS_SPARE_FDS + starts * PROCESS_START_FDS;

	if (left > kept)
		room = (left - kept) / PROCESS_WORKER_FDS;
	if (room < n)
		rlimits_text(EMFILE, why, size);
	return room < n ? room : n;
}

/* Descriptors passed to a worker. */
enum process_fd {
	FD_TARGET,
	FD_STDERR,
	FD_GIVEN, /* first of several, in the order of enum worker_fd */
	FD_COUNT = FD_GIVEN + WORKER_FD_COUNT
};

static void
process_close_all(int *fds, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fd_close(&fds[i]);
}

/* Moves a descriptor above the range. Returns 0 or an errno; *take_fd becomes
 * the new one, or -1. */
static int
process_raise(int *take_fd)
{
	int fd = fcntl(*take_fd, F_DUPFD_CLOEXEC, PROCESS_FD_SAFE);
	/* The limit is below PROCESS_FD_SAFE. */
	int e = fd >= 0 ? 0 : errno == EINVAL ? EMFILE : errno;

	fd_close(take_fd);
	*take_fd = fd;
	return e;
}

/* Puts our ends into p and the other ends into fds. */
static int
process_pipes(struct process *p, int *fds)
{
	int ends[2], e;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	p->in_fd = ends[1];
	fds[FD_GIVEN + WORKER_FD_IN] = ends[0];
	e = process_raise(&fds[FD_GIVEN + WORKER_FD_IN]);
	if (e != 0)
		return e;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	p->out_fd = ends[0];
	fds[FD_GIVEN + WORKER_FD_OUT] = ends[1];
	e = process_raise(&fds[FD_GIVEN + WORKER_FD_OUT]);
	if (e == 0 &&
		(fcntl(p->in_fd, F_SETFL, O_NONBLOCK) < 0 ||
			fcntl(p->out_fd, F_SETFL, O_NONBLOCK) < 0))
		e = errno;
	return e;
}

/* Duplicates the descriptors to pass on, above their final range. */
static int
process_copies(const struct process_spec *spec, int *fds)
{
	const struct {
		enum process_fd to;
		int from;
	} copies[] = {
		{ FD_TARGET, spec->target_fd },
		{ FD_STDERR, spec->stderr_fd },
		{ FD_GIVEN + WORKER_FD_MEMORY, spec->memory_fd },
		{ FD_GIVEN + WORKER_FD_CAMPAIGN, spec->campaign_fd },
		{ FD_GIVEN + WORKER_FD_REPORT, spec->report_fd },
	};
	size_t i;
	int fd;

	for (i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
		fd = fcntl(copies[i].from, F_DUPFD_CLOEXEC, PROCESS_FD_SAFE);
		if (fd < 0)
			return errno == EINVAL ? EMFILE : errno;
		fds[copies[i].to] = fd;
	}
	return 0;
}

/* Returns the number of descriptors of the new process. */
static size_t
process_fds(const int *fds, struct spawn_fd to[PROCESS_FDS_MAX])
{
	size_t n = 0;
	int i;

	to[n++] = (struct spawn_fd){ 0, -1 };
	to[n++] = (struct spawn_fd){ 1, -1 };
	to[n++] = (struct spawn_fd){ 2, fds[FD_STDERR] };
	for (i = 0; i < WORKER_FD_COUNT; i++)
		to[n++] = (struct spawn_fd){ WORKER_FD_DEFAULT + i,
			fds[FD_GIVEN + i] };
	to[n++] = (struct spawn_fd){ WORKER_FD_PROGRAM, fds[FD_TARGET] };
	return n;
}

/*
 * Keeps the target's files from filling the disk. A lower limit set by the user
 * stays; the target may raise ours again.
 */
static void
process_limit_files(pid_t pid, uint64_t limit_mb)
{
	struct rlimit limit;

	if (limit_mb == 0 || prlimit(pid, RLIMIT_FSIZE, NULL, &limit) != 0 ||
		limit.rlim_cur <= limit_mb << 20)
		return;
	limit.rlim_cur = limit_mb << 20;
	(void)prlimit(pid, RLIMIT_FSIZE, &limit, NULL);
}

static int
process_start(struct process *p, const struct process_spec *spec,
	const int *fds)
{
	char path[64] = "/proc/self/exe", number[ISOLATE_NUMBER];
	struct spawn_fd to[PROCESS_FDS_MAX];
	struct isolate_spec isolate;
	char **argv = spec->argv, **envp = spec->envp;
	int before = spec->fixed_addresses
		? personality(PROCESS_PERSONALITY_ASK)
		: -1;
	pid_t pid = 0;
	int e;

	if (spec->isolate == NULL) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d",
			WORKER_FD_PROGRAM);
	} else {
		isolate = *spec->isolate;
		isolate.file_limit_mb = spec->file_limit_mb;
		argv = isolate_argv(&isolate, spec->argv, number);
		envp = isolate_envp(spec->envp);
	}
	/* A process inherits its personality, also one that is isolated. A
	 * container may forbid the change: then addresses stay random. */
	if (before != -1)
		(void)personality((unsigned long)before | ADDR_NO_RANDOMIZE);
	e = spawn_apart(&pid, path, argv, envp,
		spec->isolate == NULL ? spec->folder : NULL, to,
		process_fds(fds, to));
	if (before != -1)
		(void)personality((unsigned long)before);
	if (spec->isolate != NULL) {
		free(argv);
		xfree_list(envp);
	}
	if (e != 0)
		return e;
	p->pid = pid;
	if (spec->isolate != NULL)
		return 0;
	p->fork_server = pid;
	process_limit_files(pid, spec->file_limit_mb);
	return 0;
}

/* Kills a process that cannot be watched: its end would go unnoticed. */
static int
process_watch(struct process *p)
{
	int e;

	p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	if (p->pidfd >= 0)
		return 0;
	e = errno;
	process_signal(p, SIGKILL);
	waitpid(p->pid, NULL, 0);
	p->pid = p->fork_server = 0;
	return e;
}

/* E_BUSY: the system has no resources now; E_TARGET: it will never start. */
static enum status
process_failed(const struct process_spec *spec, int errnum, struct error *err)
{
	char why[RLIMITS_TEXT_MAX];

	rlimits_text(errnum, why, sizeof(why));
	if (errnum == EAGAIN || errnum == ENOMEM || errnum == EMFILE ||
		errnum == ENFILE)
		return error_set(err, E_BUSY, "cannot start a process: %s",
			why);
	return error_set(err, E_TARGET, "start %s: %s", spec->argv[0], why);
}

enum status
process_spawn(struct process *p, const struct process_spec *spec,
	struct error *err)
{
	int fds[FD_COUNT], e;
	size_t i;

	*p = (struct process){ .pidfd = -1, .in_fd = -1, .out_fd = -1 };
	for (i = 0; i < FD_COUNT; i++)
		fds[i] = -1;
	e = process_pipes(p, fds);
	if (e == 0)
		e = process_copies(spec, fds);
	if (e == 0)
		e = process_start(p, spec, fds);
	process_close_all(fds, FD_COUNT);
	if (e == 0)
		e = process_watch(p);
	if (e == 0)
		return OK;
	process_close(p);
	return process_failed(spec, e, err);
}

/* The helper has one child, the init; its first child is the target. */
void
process_find_fork_server(struct process *p)
{
	pid_t init;

	if (p->fork_server != 0 || p->pid == 0 ||
		proc_children(p->pid, &init, 1) != 1 ||
		proc_children(init, &p->fork_server, 1) != 1)
		return;
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
	p->pid = p->fork_server = 0;
	return pid < 0 ? 0 : status;
}

void
process_close(struct process *p)
{
	fd_close(&p->in_fd);
	fd_close(&p->out_fd);
	fd_close(&p->pidfd);
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
	/* The group exists only after the child has called setpgid(). */
	if (kill(-leader, signo) < 0)
		kill(leader, signo);
}

void
process_become_subreaper(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool
process_is_stranger(const struct process_strangers *s, pid_t pid)
{
	pid_t session = getsid(pid);
	size_t i;

	/* Processes that we start lead their own sessions and cannot join an
	 * existing one. */
	if (session == getsid(0))
		return true;
	for (i = 0; i < s->n; i++)
		if (s->pids[i] == pid || s->sessions[i] == session)
			return true;
	return false;
}

/*
 * Lists our children. The list is kept open: when no descriptor is left, orphans
 * must be found all the same. False: it cannot be read.
 */
static bool
process_children(struct process_strangers *s, pid_t *children, size_t *n)
{
	*n = 0;
	if (s->children_fd <= 0)
		s->children_fd = proc_open_children(getpid());
	return s->children_fd > 0 &&
		proc_read_children(s->children_fd, children,
			PROCESS_STRANGERS_MAX, n);
}

static void
process_add_stranger(struct process_strangers *s, pid_t pid)
{
	pid_t session = getsid(pid);

	if (s->n == PROCESS_STRANGERS_MAX)
		return;
	s->pids[s->n] = pid;
	s->sessions[s->n++] = session > 0 ? session : pid;
}

void
process_note_strangers(struct process_strangers *s)
{
	pid_t children[PROCESS_STRANGERS_MAX];
	size_t i, n;

	s->n = 0;
	(void)process_children(s, children, &n);
	for (i = 0; i < n; i++)
		process_add_stranger(s, children[i]);
}

/* Forgets strangers that have ended: they are no longer our children. */
static void
process_forget_strangers(struct process_strangers *s, const pid_t *children,
	size_t n)
{
	size_t i, k, kept = 0;

	for (i = 0; i < s->n; i++) {
		for (k = 0; k < n && children[k] != s->pids[i]; k++)
			continue;
		if (k == n)
			continue;
		s->pids[kept] = s->pids[i];
		s->sessions[kept++] = s->sessions[i];
	}
	s->n = kept;
}

void
process_note_orphans(struct process_strangers *s, const pid_t *fork_servers,
	size_t fork_servers_n)
{
	pid_t children[PROCESS_STRANGERS_MAX];
	struct proc_times times;
	size_t i, n;

	if (!process_children(s, children, &n))
		return;
	/* One of which nothing can be read may be at its end as well. */
	for (i = 0; i < fork_servers_n; i++)
		if (!proc_times(fork_servers[i], &times) || times.ends)
			return;
	if (n < PROCESS_STRANGERS_MAX)
		process_forget_strangers(s, children, n);
	for (i = 0; i < n && !s->unsettled; i++) {
		if (getsid(children[i]) == children[i] ||
			process_is_stranger(s, children[i]))
			continue;
		process_add_stranger(s, children[i]);
	}
}

/*
 * Kills a process of the target with its whole process group at once, so that
 * none can escape by forking. Its own children become ours. False: it may not
 * be killed, as it runs as another user.
 */
static bool
process_kill_stray(pid_t pid)
{
	pid_t group = getpgid(pid);

	if (group > 1)
		kill(-group, SIGKILL);
	if (kill(pid, SIGKILL) != 0 && errno == EPERM)
		return false;
	waitpid(pid, NULL, 0);
	return true;
}

static void
process_kill_children(struct process_strangers *s, bool ours_too)
{
	pid_t children[PROCESS_STRANGERS_MAX];
	size_t i, n, round;

	for (round = 0; round < PROCESS_ROUNDS; round++) {
		size_t orphans = 0;

		if (!process_children(s, children, &n)) {
			s->unsettled = true;
			return;
		}
		for (i = 0; i < n; i++) {
			if ((!ours_too && spawn_is_ours(children[i])) ||
				process_is_stranger(s, children[i]))
				continue;
			if (process_kill_stray(children[i]))
				orphans++;
			else
				process_add_stranger(s, children[i]);
		}
		s->unsettled = orphans > 0;
		if (orphans == 0)
			return;
	}
}

void
process_kill_leftovers(struct process_strangers *s)
{
	process_kill_children(s, true);
	if (s->children_fd > 0)
		close(s->children_fd);
	s->children_fd = 0;
}

void
process_kill_orphans(struct process_strangers *s)
{
	process_kill_children(s, false);
}

void
process_harden(void)
{
	rlimits_ignore_file_signal();
	/* If SIGCHLD is ignored, the system reaps our children and their exit
	 * status is lost. */
	signal(SIGCHLD, SIG_DFL);
	harden_process();
}
