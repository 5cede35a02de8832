/* proc: see proc.h. */
#include "worker/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/proc_private.h"

#define PROC_INSIDE_MAX 256
#define PROC_CHILDREN_TEXT 12288 /* for more than a thousand numbers */
#define PROC_EXITING 4ul         /* PF_EXITING of the kernel */

/* ---- one file ----------------------------------------------------------- */

int
proc_open(pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool
proc_read_fd(int fd, char *buf, size_t size)
{
	ssize_t len = pread(fd, buf, size - 1, 0);

	buf[len > 0 ? len : 0] = '\0';
	return len > 0;
}

bool
proc_read(pid_t pid, const char *name, char *buf, size_t size)
{
	int fd = proc_open(pid, name);
	bool found;

	if (fd < 0)
		return false;
	found = proc_read_fd(fd, buf, size);
	close(fd);
	return found;
}

/* ---- times and relations ------------------------------------------------ */

/* Parses /proc/PID/stat after the process name, which may hold any bytes. */
bool
proc_times(pid_t pid, struct proc_times *times)
{
	unsigned long flags, user, system;
	long ended_user, ended_system;
	char buf[1024], *at;
	int parent;

	if (!proc_read(pid, "stat", buf, sizeof(buf)))
		return false;
	at = strrchr(buf, ')');
	if (at == NULL ||
		sscanf(at + 1,
			" %c %d %*d %*d %*d %*d %lu %*u %*u %*u %*u %lu %lu "
			"%ld %ld",
			&times->state, &parent, &flags, &user, &system,
			&ended_user, &ended_system) != 7)
		return false;
	times->ends = (flags & PROC_EXITING) != 0;
	times->parent = parent;
	times->cpu_ticks =
		user + system + (unsigned long)(ended_user + ended_system);
	return true;
}

bool
proc_is_child(pid_t pid, pid_t parent)
{
	struct proc_times times;

	return pid > 1 && proc_times(pid, &times) && times.parent == parent &&
		times.state != 'Z';
}

bool
proc_is_descendant(pid_t pid, pid_t root)
{
	struct proc_times times;

	if (pid <= 1 || !proc_times(pid, &times) || times.state == 'Z')
		return false;
	return times.parent == root || proc_is_child(times.parent, root);
}

static size_t
proc_parse_children(const char *text, pid_t *children, size_t max)
{
	const char *at = text;
	size_t n = 0;
	char *end;
	long child;

	while (n < max) {
		child = strtol(at, &end, 10);
		/* A number that the end of the text has cut is another one. */
		if (end == at || *end != ' ')
			break;
		children[n++] = (pid_t)child;
		at = end;
	}
	return n;
}

int
proc_open_children(pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "task/%d/children", (int)pid);
	return proc_open(pid, name);
}

bool
proc_read_children(int fd, pid_t *children, size_t max, size_t *n)
{
	char buf[PROC_CHILDREN_TEXT];
	ssize_t len;
	size_t got = 0;

	/* The system gives one page at a time. */
	do {
		len = pread(fd, buf + got, sizeof(buf) - 1 - got, (off_t)got);
		got += len > 0 ? (size_t)len : 0;
	} while (len > 0);
	buf[got] = '\0';
	*n = proc_parse_children(buf, children, max);
	return len >= 0;
}

size_t
proc_children(pid_t pid, pid_t *children, size_t max)
{
	int fd = proc_open_children(pid);
	size_t n = 0;

	if (fd >= 0)
		(void)proc_read_children(fd, children, max, &n);
	if (fd >= 0)
		close(fd);
	return n;
}

/* The last number of the line NSpid is the one in the innermost namespace. */
static pid_t
proc_number_inside(pid_t pid)
{
	char status[4096], *line, *end, *number;

	if (!proc_read(pid, "status", status, sizeof(status)))
		return 0;
	line = strstr(status, "\nNSpid:");
	if (line == NULL)
		return 0;
	end = strchr(line + 1, '\n');
	if (end != NULL)
		*end = '\0';
	number = strrchr(line, '\t');
	return number != NULL ? (pid_t)strtol(number, NULL, 10) : 0;
}

/* The newest child is the likeliest. */
static pid_t
proc_find_inside(pid_t parent, pid_t inner)
{
	pid_t children[PROC_INSIDE_MAX];
	size_t n = proc_children(parent, children, PROC_INSIDE_MAX);

	while (n-- > 0)
		if (proc_number_inside(children[n]) == inner)
			return children[n];
	return 0;
}

pid_t
proc_descendant_inside(pid_t root, pid_t inner)
{
	pid_t children[PROC_INSIDE_MAX], found;
	size_t n;

	if (root <= 0 || inner <= 0)
		return 0;
	found = proc_find_inside(root, inner);
	n = found == 0 ? proc_children(root, children, PROC_INSIDE_MAX) : 0;
	while (n-- > 0 && found == 0)
		found = proc_find_inside(children[n], inner);
	return found;
}
