/*
 * control_group: the limits that control groups set, such as those of a
 * container.
 */
#ifndef CFUZZ_SHARED_CONTROL_GROUP_H
#define CFUZZ_SHARED_CONTROL_GROUP_H

#include <stdint.h>

enum control_group_kind {
	CONTROL_GROUP_MEMORY,    /* bytes */
	CONTROL_GROUP_PROCESSES, /* with threads */
};

/* The limit of this process and its children together; UINT64_MAX: none. */
uint64_t control_group_own(enum control_group_kind kind);

/*
 * The lowest limit of a control group and of all groups around it; UINT64_MAX:
 * there is none. groups: a file like /proc/self/cgroup; mount: a folder like
 * /sys/fs/cgroup. Versions 1 and 2, see cgroups(7).
 */
uint64_t control_group_limit(enum control_group_kind kind, const char *groups,
	const char *mount);

#endif
