/*
 * memory_limit: how much memory the system gives this process and its children
 * together. Beyond it the kernel kills one of them with SIGKILL.
 */
#ifndef CFUZZ_BASE_MEMORY_LIMIT_H
#define CFUZZ_BASE_MEMORY_LIMIT_H

#include <stdint.h>

/* Bytes: the machine's memory, or the control group's limit if that is lower. */
uint64_t memory_limit(void);

/*
 * The lowest limit of a control group and of all groups around it; UINT64_MAX:
 * there is none. groups: a file like /proc/self/cgroup; mount: a folder like
 * /sys/fs/cgroup. Versions 1 and 2, see cgroups(7).
 */
uint64_t memory_limit_groups(const char *groups, const char *mount);

#endif
