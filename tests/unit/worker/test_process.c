/*
 * test_process: the orphans of a dead fork server are killed and reaped; other
 * processes live on.
 *
 * FLAGS: -Wl,--wrap=kill
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "worker/proc.h"
#include "worker/process.h"

/* As for a process of another user. */
static bool forbidden;

int __real_kill(pid_t pid, int signo);
int __wrap_kill(pid_t pid, int signo);

int
__wrap_kill(pid_t pid, int signo)
{
	errno = EPERM;
	return forbidden ? -1 : __real_kill(pid, signo);
}

static pid_t
start_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

/* Acts like a fork server: its own session, a child in it, and a sudden end. */
static void
leave_orphan(bool session)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (session)
			setsid();
		start_sleeper();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static pid_t
spawn_sleeper(void)
{
	char name[] = "sleep", time[] = "1000";
	char *argv[] = { name, time, NULL };
	pid_t pid;

	assert_int_equal(spawn_apart(&pid, "/bin/sleep", argv, NULL, NULL, NULL,
				 0),
		0);
	return pid;
}

static pid_t
start_leader(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		setsid();
		close(ends[1]);
		for (;;)
			pause();
	}
	close(ends[1]);
	/* Now it leads its session. */
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	return pid;
}

/* As leave_orphan(), but the child leads a session of its own. */
static void
leave_daemon(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		start_leader();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void
test_orphans(void **state)
{
	struct process_strangers none = { .n = 0 };
	pid_t ours = spawn_sleeper(), left[2];

	process_become_subreaper();
	leave_orphan(true);
	leave_daemon();
	process_kill_orphans(&none);
	/* One child is left, and alive. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), 0);
	assert_int_equal(proc_children(getpid(), left, 2), 1);
	assert_int_equal(left[0], ours);
	leave_orphan(true);
	process_kill_leftovers(&none);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* An orphan is found behind more children than there are workers. */
static void
test_orphan_of_many_workers(void **state)
{
	struct process_strangers strangers = { .n = 0 };
	pid_t children[1000];
	size_t i, n, many = 600;

	process_become_subreaper();
	for (i = 0; i < many; i++)
		start_sleeper();
	process_note_strangers(&strangers);
	assert_int_equal(strangers.n, many);
	leave_daemon();
	process_kill_orphans(&strangers);
	n = proc_children(getpid(), children, 1000);
	for (i = 0; i < n; i++)
		kill(children[i], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	process_kill_leftovers(&strangers);
	assert_int_equal(n, many);
}

/* Orphans are found even when no file can be opened. */
static void
test_orphans_without_descriptors(void **state)
{
	struct process_strangers strangers = { .n = 0 };
	struct rlimit before, none;
	pid_t ours = start_leader();

	process_note_strangers(&strangers);
	process_become_subreaper();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 3;
	leave_orphan(true);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	process_kill_orphans(&strangers);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), 0);
	assert_int_equal(kill(ours, SIGKILL), 0);
	assert_int_equal(waitpid(-1, NULL, 0), ours);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	process_kill_leftovers(&strangers);
	assert_int_equal(strangers.children_fd, 0);
}

/* An orphan that runs as another user cannot be killed: nobody waits for it. */
static void
test_orphan_of_another_user(void **state)
{
	struct process_strangers none = { .n = 0 };
	pid_t orphan;

	process_become_subreaper();
	leave_orphan(true);
	forbidden = true;
	process_kill_orphans(&none);
	process_kill_leftovers(&none);
	forbidden = false;
	assert_int_equal(none.n, 1);
	assert_int_equal(proc_children(getpid(), &orphan, 1), 1);
	assert_int_equal(none.pids[0], orphan);
	kill(orphan, SIGKILL);
	assert_int_equal(waitpid(orphan, NULL, 0), orphan);
}

/* Strangers: a child from before our start, and an orphan that we adopted. */
static void
test_strangers(void **state)
{
	struct process_strangers strangers = { .n = 0 };
	pid_t old = start_sleeper(), lost, fork_server = start_leader(), i;
	siginfo_t info = { .si_pid = 0 };
	pid_t left[8];
	size_t n;

	process_note_strangers(&strangers);
	assert_int_equal(strangers.n, 2); /* the leader counts as well */
	process_become_subreaper();
	/* In our session; then in its own, while all fork servers live. */
	for (i = 0; i < 2; i++) {
		leave_orphan(i == 1);
		process_note_orphans(&strangers, &fork_server, 1);
	}
	assert_int_equal(strangers.n, 3);
	lost = strangers.pids[2];
	kill(fork_server, SIGKILL);
	waitid(P_PID, (id_t)fork_server, &info, WEXITED | WNOWAIT);
	/* Now it may belong to the fork server. */
	leave_orphan(true);
	process_note_orphans(&strangers, &fork_server, 1);
	assert_int_equal(strangers.n, 3);
	process_kill_orphans(&strangers);
	process_kill_leftovers(&strangers);
	assert_int_equal(kill(old, 0), 0);
	assert_int_equal(kill(lost, 0), 0);
	assert_int_equal(waitpid(lost, NULL, WNOHANG), 0);
	assert_int_equal(waitpid(old, NULL, WNOHANG), 0);
	n = proc_children(getpid(), left, 8);
	assert_int_equal(n, 4); /* the adopted one, and zombies */
	while (n-- > 0)
		kill(left[n], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
}

/*
 * A fork server that ends adopts nobody any more, and that may last. Here the
 * first process of a namespace waits, at its end, for another one in there,
 * which nobody reaps.
 */
static void
test_ending_fork_server(void **state)
{
	struct process_strangers strangers = { .n = 0 };
	int outside = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	pid_t fork_server, other;
	siginfo_t info;

	assert_true(outside >= 0);
	process_become_subreaper();
	if (unshare(CLONE_NEWPID) != 0)
		skip();
	fork_server = start_leader();
	other = start_sleeper();
	assert_int_equal(setns(outside, CLONE_NEWPID), 0);
	close(outside);
	process_note_strangers(&strangers);
	assert_int_equal(strangers.n, 2);
	kill(fork_server, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)other, &info, WEXITED | WNOWAIT),
		0);
	assert_int_equal(waitpid(fork_server, NULL, WNOHANG), 0);
	leave_orphan(true);
	process_note_orphans(&strangers, &fork_server, 1);
	assert_int_equal(strangers.n, 2);
	process_kill_orphans(&strangers);
	assert_int_equal(waitpid(other, NULL, 0), other);
	assert_int_equal(waitpid(fork_server, NULL, 0), fork_server);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	process_kill_leftovers(&strangers);
}

static int
open_descriptors(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 64; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* False: not started, for lack of descriptors. Else returns its output. */
static bool
spawn_and_read(const struct process_spec *spec, int from, char *said,
	size_t size)
{
	struct error err = { 0 };
	struct process p;
	ssize_t got = 0;
	int before = open_descriptors();
	enum status status = process_spawn(&p, spec, &err);

	if (status == OK) {
		assert_int_equal(waitpid(p.pid, NULL, 0), p.pid);
		got = read(from, said, size - 1);
		process_close(&p);
	} else {
		assert_int_equal(status, E_BUSY);
		assert_int_equal(p.pid, 0);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
	said[got > 0 ? got : 0] = '\0';
	assert_int_equal(open_descriptors(), before);
	return status == OK;
}

/*
 * Whichever call runs out of descriptors: the process is not started, or gets
 * all its descriptors in their places, and none of ours.
 */
static void
test_few_descriptors(void **state)
{
	static char name[] = "sh", option[] = "-c",
		    script[] =
			    "for i in 0 1 2 3 4 5 6 7\n"
			    "do s=$s$(readlink /proc/$$/fd/$i | tr -d 0-9)' '\n"
			    "done; echo $s >&2";
	char *argv[] = { name, option, script, NULL };
	char *envp[] = { NULL };
	char whole[512], said[512];
	int ends[2], i, limit, refused = 0;
	struct process_spec spec = { .argv = argv, .envp = envp };
	struct rlimit before, few;

	/* As in a console: our standard descriptors are not those passed on. */
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	spec.stderr_fd = ends[1];
	spec.target_fd = open("/bin/sh", O_RDONLY | O_CLOEXEC);
	spec.memory_fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	spec.campaign_fd = open("/dev/full", O_RDWR | O_CLOEXEC);
	spec.report_fd = open("/dev/random", O_RDWR | O_CLOEXEC);
	assert_true(spec.report_fd > 0);
	assert_true(spawn_and_read(&spec, ends[0], whole, sizeof(whole)));
	assert_non_null(strstr(whole, "/dev/zero /dev/full /dev/random"));
	assert_ptr_equal(strstr(whole, "/dev/null /dev/null pipe:"), whole);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (limit = 1; limit < 24; limit++) {
		few = before;
		few.rlim_cur = (rlim_t)(spec.report_fd + limit);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		if (!spawn_and_read(&spec, ends[0], said, sizeof(said)))
			refused++;
		else
			assert_int_equal(strcmp(said, whole), 0);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	}
	assert_true(refused > 4 && refused < 20);
	for (i = ends[0]; i <= spec.report_fd; i++)
		close(i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orphans),
		cmocka_unit_test(test_orphan_of_many_workers),
		cmocka_unit_test(test_orphan_of_another_user),
		cmocka_unit_test(test_orphans_without_descriptors),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_ending_fork_server),
		cmocka_unit_test(test_few_descriptors),
	};

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
