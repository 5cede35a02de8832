/* process_limit: see process_limit.h. */
#include "shared/process_limit.h"

#include <stdio.h>
#include <sys/resource.h>

bool
process_limit_text(uint64_t group, char *buf, size_t size)
{
	uint64_t user = UINT64_MAX;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NPROC, &limit) == 0 &&
		limit.rlim_cur != RLIM_INFINITY)
		user = limit.rlim_cur;
	(void)snprintf(buf, size,
		group < user ? "`pids.max` of the control group is %llu"
			     : "`ulimit -u` is %llu",
		(unsigned long long)(group < user ? group : user));
	return group != UINT64_MAX || user != UINT64_MAX;
}
