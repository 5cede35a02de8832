/* allocate: sets the allocators of jansson and libevent, see allocate.h. */
#include "control/allocate.h"

#include <stdlib.h>

#include <event2/event.h>
#include <jansson.h>

#include "base/xmalloc.h"

void
allocate_for_libraries(void)
{
	json_set_alloc_funcs(xmalloc, free);
	event_set_mem_functions(xmalloc, xrealloc, free);
}
