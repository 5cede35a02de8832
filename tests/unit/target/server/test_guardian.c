/* test_guardian: the guardian of a worker. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/wire/memory.h"
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
	pid_t guardian, stray;
	char state;

	guardian_start(&worker);
	guardian = worker.guardian;
	stray = fork();
	if (stray == 0)
		for (;;)
			pause();
	check(guardian > 0 && stray > 0, 1);
	fork_server_close(&server);
	check(kill(stray, 0) != 0 && errno == ESRCH, 2);
	check(process_tree_parent(guardian, &state) == getpid(), 3);
	check(state != 'T' && state != 'Z' && state != 'X', 4);
	guardian_end(&worker);
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
	struct worker worker = { .in_fd = in_fd };

	(void)signal(SIGCONT, SIG_IGN);
	for (int i = 0; i < 200; i++) {
		guardian_start(&worker);
		guardian_end(&worker);
	}
	_exit(STEPS_DONE);
}

/* Somebody has stopped it. */
static void
end_stopped(int in_fd)
{
	struct worker worker = { .in_fd = in_fd };
	pid_t guardian;

	(void)alarm(60);
	guardian_start(&worker);
	guardian = worker.guardian;
	check(kill(guardian, SIGSTOP) == 0, 1);
	check(waitpid(guardian, NULL, WUNTRACED | __WALL) == guardian, 2);
	guardian_end(&worker);
	_exit(STEPS_DONE);
}

/* A SIGCONT of somebody else does not end it. */
static void
end_continued(int in_fd)
{
	struct worker worker = { .in_fd = in_fd };
	pid_t guardian;
	int status;

	(void)alarm(60);
	guardian_start(&worker);
	guardian = worker.guardian;
	for (int i = 0; i < 20; i++) {
		check(kill(guardian, SIGSTOP) == 0, 1);
		check(waitpid(guardian, &status, WUNTRACED | __WALL) ==
					guardian &&
				WIFSTOPPED(status),
			2);
		check(kill(guardian, SIGCONT) == 0, 3);
		check(waitpid(guardian, &status, WCONTINUED | __WALL) ==
					guardian &&
				WIFCONTINUED(status),
			4);
	}
	guardian_end(&worker);
	_exit(STEPS_DONE);
}

/* The target has given up root, which its guardian still is. */
static void
end_as_another(int in_fd)
{
	struct worker worker = { .in_fd = in_fd };

	(void)alarm(60);
	guardian_start(&worker);
	check(setuid(65534) == 0, 1);
	guardian_end(&worker);
	_exit(STEPS_DONE);
}

static void
name_memory(pid_t worker, char *name, size_t size)
{
	snprintf(name, size, "/" WORKER_SHM_NAME "map", (int)worker);
}

/* A worker that makes memory with a name, tells its number and that of its
 * guardian, and waits. */
static void
be_worker(int in_fd, int tell_fd)
{
	struct worker worker = { .in_fd = in_fd };
	char name[64];
	pid_t pids[2];

	(void)alarm(60);
	guardian_start(&worker);
	name_memory(getpid(), name, sizeof(name));
	close(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600));
	pids[0] = getpid();
	pids[1] = worker.guardian;
	(void)!write(tell_fd, pids, sizeof(pids));
	for (;;)
		pause();
}

/* An engine that is killed while its worker starts. Nobody reaps that worker:
 * the names of its memory end with it all the same. */
static void
test_names(void **state)
{
	int in[2], tell[2], status;
	pid_t engine, pids[2];
	char name[64];

	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(tell), 0);
	engine = fork();
	if (engine == 0) {
		if (fork() == 0)
			be_worker(in[0], tell[1]);
		for (;;)
			pause();
	}
	assert_int_equal(read(tell[0], pids, sizeof(pids)), sizeof(pids));
	assert_true(pids[1] > 0);
	assert_int_equal(kill(engine, SIGKILL), 0);
	assert_int_equal(waitpid(engine, &status, 0), engine);
	assert_int_equal(waitpid(pids[0], &status, 0), pids[0]);
	assert_int_equal(waitpid(pids[1], &status, __WALL), pids[1]);
	name_memory(pids[0], name, sizeof(name));
	assert_int_equal(shm_unlink(name), -1);
	assert_int_equal(errno, ENOENT);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(tell[i]);
	}
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

static void
test_continued(void **state)
{
	play(end_continued);
}

static void
test_as_another(void **state)
{
	if (getuid() != 0)
		skip();
	play(end_as_another);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_continued),
		cmocka_unit_test(test_as_another),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
