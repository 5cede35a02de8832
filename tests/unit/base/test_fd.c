/*
 * test_fd: descriptors are private, and writing is complete.
 */

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/scratch.h"

static void
check_pair(int fds[2])
{
	char buf[8] = "";

	for (int i = 0; i < 2; i++) {
		assert_true(fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
		assert_false(fcntl(fds[i], F_GETFL) & O_NONBLOCK);
	}
	assert_int_equal(fd_write_all(fds[1], "abc", 3, NULL), OK);
	assert_int_equal(read(fds[0], buf, sizeof(buf)), 3);
	assert_string_equal(buf, "abc");
}

static void
test_pairs(void **state)
{
	int fds[2];

	assert_int_equal(fd_pipe(fds, NULL), OK);
	check_pair(fds);
	fd_close(&fds[0]);
	fd_close(&fds[1]);
	assert_int_equal(fd_socketpair(fds, NULL), OK);
	check_pair(fds);
	fd_close(&fds[0]);
	fd_close(&fds[1]);
}

/* In a process of its own: the test's descriptors stay as they are. */
static void
test_inherited(void **state)
{
	static const int fds[] = { 3, 17, 60 };
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		for (size_t i = 0; i < 3; i++)
			if (dup2(STDERR_FILENO, fds[i]) != fds[i])
				_exit(2);
		fd_mark_inherited();
		for (size_t i = 0; i < 3; i++)
			if (fcntl(fds[i], F_GETFD) != FD_CLOEXEC)
				_exit(3);
		_exit(fcntl(STDERR_FILENO, F_GETFD) != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_cannot_write(void **state)
{
	struct error err = { 0 };

	assert_int_equal(fd_write_all(-1, "x", 1, &err), E_IO);
	assert_string_equal(err.text, "cannot write: Bad file descriptor");
}

static void
test_close_keeps_errno(void **state)
{
	int fd = -1;

	errno = EDOM;
	fd_close(&fd);
	fd = 9999;
	fd_close(&fd);
	assert_int_equal(fd, -1);
	assert_int_equal(errno, EDOM);
}

/* What is open stays; what is closed takes and gives nothing. */
static void
test_standard(void **state)
{
	struct stat before[3], after[3], null;
	int saved = dup(STDOUT_FILENO);

	assert_int_equal(stat("/dev/null", &null), 0);
	for (int fd = 0; fd < 3; fd++)
		assert_int_equal(fstat(fd, &before[fd]), 0);
	close(STDOUT_FILENO);
	fd_fill_standard();
	for (int fd = 0; fd < 3; fd++)
		(void)fstat(fd, &after[fd]);
	dup2(saved, STDOUT_FILENO);
	assert_int_equal(after[1].st_rdev, null.st_rdev);
	for (int fd = 0; fd < 3; fd += 2) {
		assert_int_equal(after[fd].st_ino, before[fd].st_ino);
		assert_int_equal(after[fd].st_dev, before[fd].st_dev);
	}
	assert_int_equal(dup(saved), saved + 1); /* nothing else is open */
	close(saved);
	close(saved + 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_cannot_write),
		cmocka_unit_test(test_close_keeps_errno),
		cmocka_unit_test(test_standard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
