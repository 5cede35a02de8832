/* capture: reads the output of another program, see capture.h. */
#include "cc/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int
capture_spawn(char *const *argv, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
		O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
		O_WRONLY, 0);
	error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Keeps the start and reads the rest: a closed pipe would kill the writer. */
static void
capture_read(int fd, char *buf, size_t size)
{
	char rest[4096];
	size_t len = 0;
	ssize_t got;

	do {
		bool room = len + 1 < size;

		got = room ? read(fd, buf + len, size - 1 - len)
			   : read(fd, rest, sizeof(rest));
		if (got > 0 && room)
			len += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	buf[len] = '\0';
}

static int
capture_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

enum status
capture(char *const *argv, char *buf, size_t size, struct error *err)
{
	int fds[2], error;
	pid_t pid = -1;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set(err, E_IO, "pipe: %s", strerror(errno));
	error = capture_spawn(argv, fds[1], &pid);
	close(fds[1]);
	if (error == 0)
		capture_read(fds[0], buf, size);
	close(fds[0]);
	if (error != 0)
		return error_set(err, E_NOT_FOUND, "cannot run %s: %s", argv[0],
			strerror(error));
	if (capture_wait(pid) != 0)
		return error_set(err, E_STATE, "%s failed", argv[0]);
	return OK;
}
