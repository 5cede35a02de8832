/* rlimits: see rlimits.h. */
#include "base/rlimits.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd.h"
#include "shared/control_group.h"
#include "shared/process_limit.h"

/* With a higher limit the free descriptors are not counted. */
#define RLIMITS_COUNTED 4096u
/* Descriptors that are left for workers and files. */
#define RLIMITS_KEPT 64u
#define RLIMITS_KEPT_PART 3u /* of a low limit */

static const struct rlimits_row {
	int errnum;
	int resource;
	char option;      /* of ulimit */
	const char *unit; /* KB, as ulimit prints it, or a plain number */
} limits_rows[] = {
	{ EMFILE, RLIMIT_NOFILE, 'n', "" },
	{ EFBIG, RLIMIT_FSIZE, 'f', " KB" },
	{ ENOMEM, RLIMIT_AS, 'v', " KB" },
	{ ENOMEM, RLIMIT_DATA, 'd', " KB" },
};

const char *
rlimits_text(int errnum, char *buf, size_t size)
{
	const struct rlimits_row *row;
	rlim_t lowest = RLIM_INFINITY; /* it is met first */
	unsigned long long value;
	struct rlimit limit;
	char text[80];
	size_t i;

	snprintf(buf, size, "%s", strerror(errnum));
	if (errnum == EAGAIN &&
		process_limit_text(control_group_own(CONTROL_GROUP_PROCESSES),
			text, sizeof(text)))
		snprintf(buf, size, "%s; %s: raise it", strerror(errnum), text);
	for (i = 0; i < sizeof(limits_rows) / sizeof(limits_rows[0]); i++) {
		row = &limits_rows[i];
		if (row->errnum != errnum ||
			getrlimit(row->resource, &limit) != 0 ||
			limit.rlim_cur >= lowest)
			continue;
		value = lowest = limit.rlim_cur;
		snprintf(buf, size, "%s; `ulimit -%c` is %llu%s: raise it",
			strerror(errnum), row->option,
			row->unit[0] != '\0' ? value >> 10 : value, row->unit);
	}
	return buf;
}

uint64_t
rlimits_free_descriptors(void)
{
	struct rlimit limit;
	uint64_t n = 0;
	int fd;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
		limit.rlim_cur > RLIMITS_COUNTED)
		return RLIMITS_COUNTED;
	for (fd = 0; fd < (int)limit.rlim_cur; fd++)
		n += fcntl(fd, F_GETFD) < 0;
	return n;
}

bool
rlimits_can_spare(int fd)
{
	struct rlimit limit;
	rlim_t kept;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return true;
	kept = limit.rlim_cur / RLIMITS_KEPT_PART;
	if (kept > RLIMITS_KEPT)
		kept = RLIMITS_KEPT;
	return (rlim_t)fd + kept < limit.rlim_cur;
}

static uint64_t
rlimits_used_address_space(void)
{
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[128];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	fd_close(&fd);
	text[len > 0 ? len : 0] = '\0';
	return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t
rlimits_free_address_space(void)
{
	struct rlimit limit;
	uint64_t used;

	if (getrlimit(RLIMIT_AS, &limit) != 0 ||
		limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	used = rlimits_used_address_space();
	return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

void
rlimits_ignore_file_signal(void)
{
	signal(SIGXFSZ, SIG_IGN);
}
