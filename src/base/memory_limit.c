/* memory_limit: see memory_limit.h. The files are those of Linux. */
#include "base/memory_limit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

/* Reads what fits. False: the file is empty or cannot be read. */
static bool
memory_limit_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

	fd_close(&fd);
	text[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/* The limit in a file. UINT64_MAX: no such file, or "max". */
static uint64_t
memory_limit_value(const char *path)
{
	char text[64];

	if (!memory_limit_read(path, text, sizeof(text)) || text[0] < '0' ||
		text[0] > '9')
		return UINT64_MAX;
	return strtoull(text, NULL, 10);
}

/*
 * A group and those around it. In a container the group's name may be the one
 * outside, and its folder is missing: then only the folder of the mount exists.
 */
static uint64_t
memory_limit_of(const char *mount, const char *group, const char *file)
{
	uint64_t lowest = UINT64_MAX, value;
	char path[2 * PATH_MAX];
	int len = (int)strlen(group);

	while (len >= 0) {
		snprintf(path, sizeof(path), "%s%.*s/%s", mount, len, group,
			file);
		value = memory_limit_value(path);
		if (value < lowest)
			lowest = value;
		do
			len--;
		while (len > 0 && group[len] != '/');
	}
	return lowest;
}

/* Is "memory" in a list with commas? */
static bool
memory_limit_is_controlled(const char *controllers)
{
	size_t len;

	for (; *controllers != '\0'; controllers += len) {
		controllers += *controllers == ',';
		len = strcspn(controllers, ",");
		if (len == 6 && strncmp(controllers, "memory", len) == 0)
			return true;
	}
	return false;
}

/* A line such as "0::/user.slice" (version 2) or "4:memory:/docker/1f" (1). */
static uint64_t
memory_limit_of_line(char *line, const char *mount)
{
	char *controllers = strchr(line, ':');
	char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
	char path[PATH_MAX];

	if (group == NULL)
		return UINT64_MAX;
	controllers++;
	*group++ = '\0';
	if (controllers[0] == '\0')
		return memory_limit_of(mount, group, "memory.max");
	if (!memory_limit_is_controlled(controllers))
		return UINT64_MAX;
	snprintf(path, sizeof(path), "%s/memory", mount);
	return memory_limit_of(path, group, "memory.limit_in_bytes");
}

uint64_t
memory_limit_groups(const char *groups, const char *mount)
{
	uint64_t lowest = UINT64_MAX, value;
	char text[8192], *rest = NULL, *line;

	if (!memory_limit_read(groups, text, sizeof(text)))
		return UINT64_MAX;
	for (line = strtok_r(text, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		value = memory_limit_of_line(line, mount);
		if (value < lowest)
			lowest = value;
	}
	return lowest;
}

uint64_t
memory_limit(void)
{
	uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		(uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t groups =
		memory_limit_groups("/proc/self/cgroup", "/sys/fs/cgroup");

	return groups < machine ? groups : machine;
}
