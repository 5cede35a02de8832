/* What a dead keeper leaves is ended and reaped; what we started lives on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/proc.h"
#include "engine/process.h"

static pid_t
start_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

/* As a keeper: a session of its own, a child in it, and a sudden end. */
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
	assert_int_equal(read(ends[0], &byte, 1), 0); /* it leads now */
	close(ends[0]);
	return pid;
}

static void
test_orphans(void **state)
{
	struct process_strangers none = { .n = 0 };
	pid_t ours = start_leader();

	(void)state;
	process_become_subreaper();
	leave_orphan(true);
	process_kill_orphans(&none);
	/* One child is left, and lives. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), 0);
	assert_int_equal(kill(ours, 0), 0);
	leave_orphan(true);
	process_kill_strays(&none);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* One of whoever started us, and another that its child has left to us. */
static void
test_strangers(void **state)
{
	struct process_strangers strangers = { .n = 0 };
	pid_t old = start_sleeper(), lost, keeper = start_leader(), i;
	siginfo_t info = { .si_pid = 0 };
	pid_t left[8];
	size_t n;

	(void)state;
	process_note_strangers(&strangers);
	assert_int_equal(strangers.n, 2); /* the leader is one, too */
	process_become_subreaper();
	/* In our session; then in one of its own, while all keepers live. */
	for (i = 0; i < 2; i++) {
		leave_orphan(i == 1);
		process_note_orphans(&strangers, &keeper, 1);
	}
	assert_int_equal(strangers.n, 3);
	lost = strangers.pids[2];
	kill(keeper, SIGKILL);
	waitid(P_PID, (id_t)keeper, &info, WEXITED | WNOWAIT);
	/* Now it may be the keeper's. */
	leave_orphan(true);
	process_note_orphans(&strangers, &keeper, 1);
	assert_int_equal(strangers.n, 3);
	process_kill_orphans(&strangers);
	process_kill_strays(&strangers);
	assert_int_equal(kill(old, 0), 0);
	assert_int_equal(kill(lost, 0), 0);
	assert_int_equal(waitpid(lost, NULL, WNOHANG), 0);
	assert_int_equal(waitpid(old, NULL, WNOHANG), 0);
	n = proc_children(getpid(), left, 8);
	assert_int_equal(n, 4); /* the one in our session, and the dead */
	while (n-- > 0)
		kill(left[n], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orphans),
		cmocka_unit_test(test_strangers),
	};

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
