/* fork_server: forks children and waits for the outcome of their calls. */

#include "target/server/fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/crash/crash.h"
#include "target/crash/crash_modules.h"
#include "target/crash/exits.h"
#include "target/crash/sanitizers.h"
#include "target/hooks/modules.h"
#include "target/server/examine.h"
#include "target/server/guardian.h"
#include "target/server/watch.h"

/* A child with more threads, files of its own or descendants than this is
 * replaced. */
#define FORK_SERVER_THREADS_MAX 64
#define FORK_SERVER_FILES_MAX 64
#define FORK_SERVER_ORPHANS_MAX 64
/* Short calls are frequent: check the child only after so many of them. */
#define FORK_SERVER_TRIM_CALLS 32
/* Attempts to fork, and the time between two. */
#define FORK_SERVER_FORKS 20
#define FORK_SERVER_FORK_MS 50

/* Takes over signals; keeps their old actions for the child. */
static bool
fork_server_take_signals(struct fork_server *server)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigemptyset(&action.sa_mask);
	(void)sigaction(SIGCHLD, &action, &server->on_child);
	action.sa_handler = SIG_IGN;
	(void)sigaction(SIGINT, &action, &server->on_int);
	(void)sigaction(SIGPIPE, &action, &server->on_pipe);
	(void)sigprocmask(SIG_BLOCK, &child, &server->mask);
	server->signal_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (server->signal_fd >= 0)
		server->signal_fd = worker_raise_fd(server->signal_fd);
	return server->signal_fd >= 0;
}

/* No child has the timers that the target has set: a fork clears them. */
static void
fork_server_stop_timers(void)
{
	const struct itimerval none = { .it_value = { .tv_sec = 0 } };

	(void)setitimer(ITIMER_REAL, &none, NULL);
	(void)setitimer(ITIMER_VIRTUAL, &none, NULL);
	(void)setitimer(ITIMER_PROF, &none, NULL);
}

bool
fork_server_open(struct fork_server *server, struct worker *w,
	struct child *runner)
{
	*server = (struct fork_server){ .worker = w,
		.runner = runner,
		.link_fd = -1,
		.signal_fd = -1,
		.self = getpid() };
	server->report = pages_map(FORK_SERVER_REPORT_MAX);
	process_tree_adopt();
	process_tree_exempt(&server->exempt);
	server->files_n = process_tree_files(server->self);
	/* The modules of another program are in the child's list alone. */
	if (w->foreign == NULL)
		server->modules_n =
			modules_list(server->modules, FAILURE_MODULES_MAX);
	crash_modules_set_known(server->modules, server->modules_n);
	if (server->report == NULL)
		return false;
	(void)madvise(server->report, FORK_SERVER_REPORT_MAX, MADV_DONTFORK);
	/* Without fork, the target runs in this process and keeps its own
	 * signals. */
	if (!w->no_fork) {
		fork_server_stop_timers();
		/* SIGCONT, because a stopped process does not notice that the
		 * engine is gone. */
		(void)prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
		return fork_server_take_signals(server);
	}
	memcpy(w->head->map, server->modules, sizeof(server->modules));
	w->head->map_n = server->modules_n;
	return true;
}

/* Restores the signals as the target left them, and keeps only its own link. */
static void
fork_server_become_child(struct fork_server *server, int link_fd)
{
	struct worker *w = server->worker;
	struct rlimit none = { 0, 0 };

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != server->self)
		_exit(0); /* the fork server died before */
	close(w->in_fd);
	close(w->out_fd);
	close(server->signal_fd);
	if (server->link_fd >= 0)
		close(server->link_fd);
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)sigaction(SIGCHLD, &server->on_child, NULL);
	(void)sigaction(SIGINT, &server->on_int, NULL);
	(void)sigaction(SIGPIPE, &server->on_pipe, NULL);
	(void)sigprocmask(SIG_SETMASK, &server->mask, NULL);
	(void)sanitizers_set_report_fd(w->report_fd);
	crash_install(w->head);
	exits_watch(w->head);
	child_claim(server->runner);
	child_serve(server->runner, link_fd);
}

/* Stores errno as the reason why there is no child; returns false. */
static bool
fork_server_refuse(struct fork_server *server)
{
	server->refused = errno;
	(void)snprintf(server->refusal, sizeof(server->refusal),
		"the worker cannot fork: %s", strerror(errno));
	return false;
}

static bool
fork_server_fork(struct fork_server *server)
{
	uint64_t start_ns = worker_now_ns();
	int ends[2];

	server->refused = 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return fork_server_refuse(server);
	server->link_fd = ends[0];
	/* Only the child's descriptor must be out of the target's way. */
	ends[1] = worker_raise_fd(ends[1]);
	if (ends[1] < 0) {
		(void)fork_server_refuse(server);
		close(server->link_fd);
		server->link_fd = -1;
		return false;
	}
	server->worker->head->map_n = 0;
	server->worker->head->log = (struct exec_log){ .turns = 0 };
	sanitizers_show();
	server->pid = fork();
	if (server->pid == 0)
		fork_server_become_child(server, ends[1]);
	if (server->pid < 0)
		(void)fork_server_refuse(server);
	sanitizers_hide();
	close(ends[1]);
	if (server->pid < 0) {
		server->pid = 0;
		close(server->link_fd);
		server->link_fd = -1;
		return false;
	}
	(void)setpgid(server->pid, server->pid);
	__atomic_store_n(&server->worker->head->child_pid, server->pid,
		__ATOMIC_RELEASE);
	server->fork_ns += worker_now_ns() - start_ns;
	return true;
}

/*
 * The process limit may be reached for a moment. Tries again until the engine
 * closes its pipe; it sends nothing during a call.
 */
static bool
fork_server_try_fork(struct fork_server *server)
{
	struct pollfd pfd = { .fd = server->worker->in_fd, .events = 0 };
	int tries = 0;

	while (!fork_server_fork(server)) {
		if (server->refused != EAGAIN || ++tries == FORK_SERVER_FORKS ||
			poll(&pfd, 1, FORK_SERVER_FORK_MS) > 0)
			return false;
	}
	return true;
}

/* Kills the child's group and its other descendants; returns its status. */
static int
fork_server_reap(struct fork_server *server)
{
	int status = 0;
	pid_t pid;

	/* Kill the group first: its number stays reserved while the leader is a
	 * zombie. */
	(void)kill(-server->pid, SIGKILL);
	(void)kill(server->pid, SIGKILL);
	do
		pid = waitpid(server->pid, &status, 0);
	while (pid < 0 && errno == EINTR);
	__atomic_store_n(&server->worker->head->child_pid, 0, __ATOMIC_RELEASE);
	close(server->link_fd);
	server->link_fd = -1;
	server->pid = 0;
	process_tree_kill(&server->exempt);
	return status;
}

void
fork_server_discard_child(struct fork_server *server)
{
	if (server->pid != 0)
		(void)fork_server_reap(server);
}

void
fork_server_close(struct fork_server *server)
{
	struct process_tree_exempt_list guardian = {
		.pids = { server->worker->guardian },
		.n = server->worker->guardian != 0,
	};

	fork_server_discard_child(server);
	if (server->worker->foreign != NULL)
		server->worker->foreign->stop();
	/* If the engine is gone, the guardian stops this process: who stopped
	 * the guardian would stay stopped for ever. */
	process_tree_kill(&guardian);
}

void
fork_server_exit(struct fork_server *server, int status)
{
	fork_server_close(server);
	_exit(status);
}

/* _exit() in a program's loop ends the execution, as exit() does. */
static bool
fork_server_was_left(const struct fork_server *server, int status,
	const struct failure *f)
{
	const struct worker *w = server->worker;

	return w->loops && f->kind == FAILURE_EXIT &&
		(status == 0 || !w->fail_on_exit);
}

/* Has the child lost the program that it runs? Then there is a reason: the
 * status alone may be the program's. */
static bool
fork_server_is_lost(const struct fork_server *server, int status)
{
	const struct worker_foreign *foreign = server->worker->foreign;

	return foreign != NULL && WIFEXITED(status) &&
		WEXITSTATUS(status) == WORKER_EXIT_LOST &&
		foreign->why[0] != '\0';
}

/* Starts the program of another fuzzer again. */
static void
fork_server_revive(struct fork_server *server,
	struct fork_server_result *result)
{
	const struct worker_foreign *foreign = server->worker->foreign;

	foreign->stop();
	process_tree_kill(NULL);
	examine_suspect(FAILURE_PROTOCOL, foreign->why, &result->failure);
	/* start() waits for the program, and would not notice the engine's end.
	 * The guardian does, or, if none can be started, the kernel's signal. */
	guardian_prepare(server->worker->in_fd);
	guardian_start(server->worker);
	foreign->start();
	guardian_end(server->worker);
	/* From here on the closed pipe tells; the signal only wakes, as at the
	 * first start. */
	(void)prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
	process_tree_exempt(&server->exempt);
}

/* Reaps the child and finds out what it died of. */
static void
fork_server_examine(struct fork_server *server, enum watch_event event,
	int stop_signo, struct fork_server_result *result)
{
	int status = 0;

	result->died = true;
	switch (event) {
	case WATCH_DEATH:
		status = fork_server_reap(server);
		if (fork_server_is_lost(server, status)) {
			fork_server_revive(server, result);
			return;
		}
		examine_death(server, status, &result->failure);
		if (!fork_server_was_left(server, status, &result->failure))
			return;
		*result = (struct fork_server_result){
			.total_ns = result->total_ns,
			.outcome = result->outcome,
		};
		result->outcome.end = CALL_LIMIT;
		return;
	case WATCH_STOP:
		(void)fork_server_reap(server);
		examine_death(server, stop_signo << 8 | 0x7f, &result->failure);
		return;
	case WATCH_LINK_LOST:
		(void)fork_server_reap(server);
		examine_suspect(FAILURE_LINK,
			"the child closed its link to the worker",
			&result->failure);
		return;
	default:
		(void)fork_server_reap(server);
		examine_suspect(FAILURE_PROTOCOL,
			"the child wrote nonsense on its link",
			&result->failure);
		return;
	}
}

/* Wakes the child for a call. */
static void
fork_server_wake(struct fork_server *server)
{
	ssize_t n;

	server->token = (uint8_t)(server->token * 5 + 113);
	do
		n = send(server->link_fd, &server->token, 1, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
}

/* Half of what the limit leaves is many. A child is replaced sooner: without
 * fork, another process costs a start. */
static bool
fork_server_has_many_files(const struct fork_server *server)
{
	pid_t pid = server->pid != 0 ? server->pid : server->self;
	uint64_t many = server->pid != 0
		? FORK_SERVER_FILES_MAX + server->files_n
		: UINT64_MAX;
	struct rlimit limit;
	uint64_t half;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		half = limit.rlim_cur / 2 + server->files_n / 2;
		many = half < many ? half : many;
	}
	return process_tree_files(pid) > many;
}

/*
 * Replaces a child that has gathered threads, files or processes. Without
 * fork, the target's threads may wait for children of their own, so only a
 * large number of dead orphans is reaped.
 */
static void
fork_server_trim(struct fork_server *server)
{
	char path[64];
	struct stat st;

	if (server->pid == 0) {
		server->worker->spent |= server->worker->no_fork &&
			fork_server_has_many_files(server);
		if (server->worker->no_fork &&
			process_tree_count(server->self) >
				FORK_SERVER_ORPHANS_MAX + server->exempt.n)
			watch_reap_orphans(server);
		return;
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)server->pid);
	if ((stat(path, &st) == 0 &&
		    st.st_nlink > FORK_SERVER_THREADS_MAX + 2) ||
		fork_server_has_many_files(server) ||
		process_tree_count(server->pid) > FORK_SERVER_ORPHANS_MAX ||
		process_tree_count(server->self) >
			FORK_SERVER_ORPHANS_MAX + server->exempt.n)
		fork_server_discard_child(server);
}

void
fork_server_call(struct fork_server *server, const struct call *call,
	struct fork_server_result *result)
{
	struct worker_head *head = server->worker->head;
	uint64_t start_ns = worker_now_ns(), before = head->count;
	enum watch_event event;
	int stop_signo = 0;

	server->refused = 0;
	*result = (struct fork_server_result){ .died = false };
	memset(&head->outcome, 0, sizeof(head->outcome));
	head->leaks.looking = 0;
	head->call = *call;
	examine_prepare(server);
	if (server->worker->no_fork) {
		sanitizers_show();
		child_call(server->runner);
		sanitizers_hide();
		event = WATCH_ANSWER;
	} else if (server->pid == 0 && !fork_server_try_fork(server)) {
		result->outcome.end = CALL_REFUSED;
		return;
	} else {
		__atomic_store_n(&head->child_pid, server->pid,
			__ATOMIC_RELEASE);
		fork_server_wake(server);
		event = watch_wait(server, &stop_signo);
		/* A thread of the child has begun a report. */
		if (event == WATCH_ANSWER && examine_is_ending(server))
			event = watch_wait(server, &stop_signo);
		if (event == WATCH_ENGINE_GONE)
			fork_server_exit(server, 0);
	}
	result->total_ns = worker_now_ns() - start_ns;
	result->outcome = head->outcome;
	if (event != WATCH_ANSWER) {
		fork_server_examine(server, event, stop_signo, result);
	} else {
		examine_answer(server, result);
		examine_refusal(server, call, before, result);
	}
	server->has_failed = result->failure.kind != FAILURE_NONE;
	/* In the same child, the leaked memory would be reported again, and a
	 * sanitizer may still end it after its report. */
	if (result->failure.kind == FAILURE_LEAK ||
		result->failure.kind == FAILURE_SANITIZER ||
		result->outcome.spent != 0)
		fork_server_discard_child(server);
	if (call->kind == CALL_FUZZ ||
		++server->calls % FORK_SERVER_TRIM_CALLS == 0)
		fork_server_trim(server);
}

enum call_leaks
fork_server_leaks(const struct fork_server *server, bool always)
{
	if (server->leaks != LEAKS_FOUND)
		return CALL_LEAKS_NOT;
	return always ? CALL_LEAKS_ALWAYS : CALL_LEAKS_USUAL;
}

bool
fork_server_wait_for_engine(struct fork_server *server)
{
	struct pollfd pfds[2] = {
		{ .fd = server->worker->in_fd, .events = POLLIN },
		{ .fd = server->signal_fd, .events = POLLIN },
	};
	struct fork_server_result result = { .died = false };
	enum watch_event event;
	int stop_signo = 0;

	for (;;) {
		if (poll(pfds, 2, -1) < 0)
			continue;
		if (pfds[1].revents != 0) {
			event = watch_look(server, &stop_signo);
			if (event != WATCH_NOTHING) {
				fork_server_examine(server, event, stop_signo,
					&result);
				server->idle_death = result.died;
				server->idle_failure = result.failure;
			}
		}
		if (pfds[0].revents & POLLIN)
			return true;
		if (pfds[0].revents != 0)
			return false;
	}
}
