/* test_guardian: the guardian of a worker. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/server/fork_server.h"
#include "target/server/fork_server_state.h"
#include "target/server/guardian.h"
#include "target/server/process_tree.h"

#define STEPS_DONE 42

static void
check(bool good, int step)
{
	if (!good)
		_exit(step);
}

/* A worker's end: all that the target has started is killed, but the guardian is
 * not even stopped. */
static void
end_worker(int in_fd)
{
	struct worker worker = { .in_fd = in_fd };
	struct fork_server server = { .worker = &worker };
	pid_t guardian = guardian_start(&worker), stray = fork();
	char state;

	if (stray == 0)
		for (;;)
			pause();
	worker.guardian = guardian;
	check(guardian > 0 && stray > 0, 1);
	fork_server_close(&server);
	check(kill(stray, 0) != 0 && errno == ESRCH, 2);
	check(process_tree_parent(guardian, &state) == getpid(), 3);
	check(state == 'S' || state == 'R', 4);
	guardian_end(guardian);
	check(kill(guardian, 0) != 0 && errno == ESRCH, 5);
	_exit(STEPS_DONE);
}

static void
play(void (*work)(int in_fd))
{
	int ends[2], status;
	pid_t worker;

	assert_int_equal(pipe(ends), 0);
	worker = fork();
	if (worker == 0)
		work(ends[0]);
	assert_int_equal(waitpid(worker, &status, 0), worker);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), STEPS_DONE);
	close(ends[0]);
	close(ends[1]);
}

/* The target ignores the signal, and the guardian has hardly begun. */
static void
end_at_once(int in_fd)
{
	const struct worker worker = { .in_fd = in_fd };

	(void)signal(SIGTERM, SIG_IGN);
	for (int i = 0; i < 200; i++)
		guardian_end(guardian_start(&worker));
	_exit(STEPS_DONE);
}

/* Somebody has stopped it. */
static void
end_stopped(int in_fd)
{
	const struct worker worker = { .in_fd = in_fd };
	pid_t guardian = guardian_start(&worker);

	(void)alarm(60);
	check(kill(guardian, SIGSTOP) == 0, 1);
	check(waitpid(guardian, NULL, WUNTRACED | __WALL) == guardian, 2);
	guardian_end(guardian);
	_exit(STEPS_DONE);
}

static void
test_end(void **state)
{
	play(end_worker);
}

static void
test_ignored(void **state)
{
	play(end_at_once);
}

static void
test_stopped(void **state)
{
	play(end_stopped);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
