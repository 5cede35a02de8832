/* files: see files.h. */
#include "lib/files.h"

#include <stdio.h>
#include <sys/resource.h>

bool
files_allow(unsigned n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= n)
		return true;
	limit.rlim_cur = n;
	if (limit.rlim_max >= n && setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return true;
	printf("`ulimit -Hn` is %llu, %u are needed\n",
		(unsigned long long)limit.rlim_max, n);
	return false;
}
