/* memory_limit: see memory_limit.h. */
#include "base/memory_limit.h"

#include <unistd.h>

#include "shared/control_group.h"

uint64_t
memory_limit(void)
{
	uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		(uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t groups = control_group_own(CONTROL_GROUP_MEMORY);

	return groups < machine ? groups : machine;
}
