/*
 * log: the debug log, see log.h.
 *
 * A line is built in one bounded buffer and written by one call to a descriptor
 * in append mode, so lines of several processes do not mix.
 */

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errnum.h"
#include "base/fd.h"
#include "base/text.h"

#define LOG_TEXT_MAX 2048
#define LOG_LINE_MAX (4 * LOG_TEXT_MAX + 64)

static int log_fd = -1; /* NOLINT(*-non-const-global-*) */

enum status
log_open(const char *path, struct error *err)
{
	int fd = open(path,
		O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY |
			O_NONBLOCK,
		0600);
	int errnum = errno;

	if (fd < 0)
		return error_set(err, errnum_status(errnum),
			"cannot open the debug log %s: %s", path,
			strerror(errnum));
	if (isatty(fd)) {
		close(fd);
		return error_set(err, E_USAGE,
			"the debug log %s must be a file, not a terminal",
			path);
	}
	log_close();
	log_fd = fd;
	return OK;
}

void
log_close(void)
{
	fd_close(&log_fd);
}

bool
log_is_open(void)
{
	return log_fd >= 0;
}

static size_t
log_stamp(char *buf, size_t size)
{
	uint64_t now_ns = clock_wall_ns();
	time_t seconds = (time_t)(now_ns / CLOCK_NS_PER_S);
	unsigned ms = (unsigned)(now_ns % CLOCK_NS_PER_S / CLOCK_NS_PER_MS);
	struct tm tm;
	size_t len;

	if (!localtime_r(&seconds, &tm))
		tm = (struct tm){ .tm_mday = 1 };
	len = strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm);
	return len +
		(size_t)snprintf(buf + len, size - len, ".%03u DEBUG ", ms);
}

void
log_debug(const char *fmt, ...)
{
	int errnum = errno;
	char text[LOG_TEXT_MAX], line[LOG_LINE_MAX];
	ssize_t written;
	va_list ap;
	size_t len;

	if (log_fd < 0)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	len = log_stamp(line, sizeof(line));
	len += text_clean_string(text, line + len, sizeof(line) - len - 1);
	line[len++] = '\n';
	written = write(log_fd, line, len);
	(void)written; /* a log that cannot be written must not stop us */
	errno = errnum;
}
