/* own_code: see own_code.h. */

#include "lib/own_code.h"

#include <link.h>
#include <stddef.h>

static int
own_code_on_first(struct dl_phdr_info *info, size_t size, void *arg)
{
	*(uintptr_t *)arg = info->dlpi_addr;
	return 1;
}

uint64_t
own_code_offset(void (*function)(int))
{
	uintptr_t bias = 0;

	dl_iterate_phdr(own_code_on_first, &bias);
	return (uintptr_t)function - bias;
}
