/* control_group: see control_group.h. The files are those of Linux. */
#include "shared/control_group.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct control_group_row {
	const char *controller, *file; /* of version 2 */
	const char *file_1;            /* of version 1 */
} CONTROL_GROUP_ROWS[] = {
	[CONTROL_GROUP_MEMORY] = { "memory", "memory.max",
		"memory.limit_in_bytes" },
	[CONTROL_GROUP_PROCESSES] = { "pids", "pids.max", "pids.max" },
};

/* Reads what fits. False: the file is empty or cannot be read. */
static bool
control_group_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	return len > 0;
}

/* The limit in a file. UINT64_MAX: no such file, or "max". */
static uint64_t
control_group_value(const char *path)
{
	char text[64];

	if (!control_group_read(path, text, sizeof(text)) || text[0] < '0' ||
		text[0] > '9')
		return UINT64_MAX;
	return strtoull(text, NULL, 10);
}

/*
 * A group and those around it. In a container the group's name may be the one
 * outside, and its folder is missing: then only the folder of the mount exists.
 */
static uint64_t
control_group_of(const char *mount, const char *group, const char *file)
{
	uint64_t lowest = UINT64_MAX, value;
	char path[2 * PATH_MAX];
	int len = (int)strlen(group);

	while (len >= 0) {
		(void)snprintf(path, sizeof(path), "%s%.*s/%s", mount, len,
			group, file);
		value = control_group_value(path);
		if (value < lowest)
			lowest = value;
		do
			len--;
		while (len > 0 && group[len] != '/');
	}
	return lowest;
}

/* Is the controller in a list with commas? */
static bool
control_group_has(const char *controllers, const char *controller)
{
	size_t len;

	for (; *controllers != '\0'; controllers += len) {
		controllers += *controllers == ',';
		len = strcspn(controllers, ",");
		if (len == strlen(controller) &&
			strncmp(controllers, controller, len) == 0)
			return true;
	}
	return false;
}

/* A line such as "0::/user.slice" (version 2) or "4:memory:/docker/1f" (1). */
static uint64_t
control_group_of_line(const struct control_group_row *row, char *line,
	const char *mount)
{
	char *controllers = strchr(line, ':');
	char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
	char path[PATH_MAX];

	if (group == NULL)
		return UINT64_MAX;
	controllers++;
	*group++ = '\0';
	if (controllers[0] == '\0')
		return control_group_of(mount, group, row->file);
	if (!control_group_has(controllers, row->controller))
		return UINT64_MAX;
	(void)snprintf(path, sizeof(path), "%s/%s", mount, row->controller);
	return control_group_of(path, group, row->file_1);
}

uint64_t
control_group_limit(enum control_group_kind kind, const char *groups,
	const char *mount)
{
	uint64_t lowest = UINT64_MAX, value;
	char text[8192], *rest = NULL, *line;

	if (!control_group_read(groups, text, sizeof(text)))
		return UINT64_MAX;
	for (line = strtok_r(text, "\n", &rest); line != NULL;
		line = strtok_r(NULL, "\n", &rest)) {
		value = control_group_of_line(&CONTROL_GROUP_ROWS[kind], line,
			mount);
		if (value < lowest)
			lowest = value;
	}
	return lowest;
}

uint64_t
control_group_own(enum control_group_kind kind)
{
	return control_group_limit(kind, "/proc/self/cgroup", "/sys/fs/cgroup");
}
