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
leave_orphan(void)
{
	pid_t pid = fork();

	if (pid == 0) {
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
	pid_t ours = start_leader();

	(void)state;
	process_become_subreaper();
	leave_orphan();
	process_kill_orphans();
	/* One child is left, and lives. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), 0);
	assert_int_equal(kill(ours, 0), 0);
	leave_orphan();
	process_kill_strays();
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_orphans) };

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
