/* own_memory: see own_memory.h. */
#include "lib/own_memory.h"

#include "lib/rows.h"
#include "worker/memory/campaign_memory.h"

int
own_memory_open(void **state)
{
	static struct campaign_memory m;

	assert_int_equal(campaign_memory_open(&m, OWN_MEMORY_MAX_LEN,
				 OWN_MEMORY_ARENA, NULL),
		OK);
	*state = &m;
	return 0;
}

int
own_memory_close(void **state)
{
	campaign_memory_close(*state);
	return 0;
}
