/*
 * process_limit: the limit of processes, as text for those who can raise it.
 */
#ifndef CFUZZ_SHARED_PROCESS_LIMIT_H
#define CFUZZ_SHARED_PROCESS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "`ulimit -u` is 30", or, if that of the control group is lower, "`pids.max` of
 * the control group is 8". group: control_group_own(CONTROL_GROUP_PROCESSES).
 * False: there is no limit.
 */
bool process_limit_text(uint64_t group, char *buf, size_t size);

#endif
