/*
 * fd: descriptors that no child inherits by accident, see fd.h.
 */

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errnum.h"

#define FD_INHERITED_MAX 1024 /* without CLOSE_RANGE_CLOEXEC, of Linux 5.11 */

void
fd_fill_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	fd_close(&fd);
}

void
fd_mark_inherited(void)
{
	int fd;

#ifdef CLOSE_RANGE_CLOEXEC
	if (close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC) == 0)
		return;
#endif
	for (fd = STDERR_FILENO + 1; fd < FD_INHERITED_MAX; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

enum status
fd_pipe(int fds[2], struct error *err)
{
	if (pipe2(fds, O_CLOEXEC) == 0)
		return OK;
	return error_set(err, E_IO, "cannot make a pipe: %s", strerror(errno));
}

enum status
fd_socketpair(int fds[2], struct error *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0)
		return OK;
	return error_set(err, E_IO, "cannot make a socket pair: %s",
		strerror(errno));
}

enum status
fd_write_all(int fd, const void *data, size_t len, struct error *err)
{
	const uint8_t *next = data;

	while (len) {
		ssize_t n = write(fd, next, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, errnum_status(errno),
				"cannot write: %s", strerror(errno));
		next += n;
		len -= (size_t)n;
	}
	return OK;
}

enum status
fd_check_output(struct error *err)
{
	struct pollfd reader = { .fd = STDOUT_FILENO };

	if (fflush(stdout) == 0 && ferror(stdout) == 0)
		return OK;
	if (poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0)
		return OK;
	return error_set(err, E_IO,
		"not all lines could be written to standard output: is the "
		"disk full?");
}

int
fd_open_regular(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0 && (fstat(fd, st) != 0 || !S_ISREG(st->st_mode)))
		fd_close(&fd);
	return fd;
}

void
fd_close(int *fd)
{
	int errnum = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = errnum;
}
