/* guard: see guard.h. */

#include "target/guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/sanitizers.h"

#define GUARD_ALIGN 16u

bool
guard_init(struct guard *g, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (size + GUARD_ALIGN + page - 1) & ~(page - 1);
	uint8_t *map = mmap(NULL, page + room + page, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*g = (struct guard){ .size = size };
	if (map == MAP_FAILED)
		return false;
	if (mprotect(map + page, room, PROT_READ | PROT_WRITE) != 0) {
		munmap(map, page + room + page);
		return false;
	}
	g->end = map + page + room;
	g->align = sanitizers_want_alignment();
	g->poison = sanitizers_can_poison();
	if (g->poison)
		sanitizers_poison(map + page, room);
	g->open = g->end;
	return true;
}

/* Only the input may be touched; all else in the buffer stays poisoned. */
static void
guard_open(struct guard *g, uint8_t *data, size_t len)
{
	if (data == g->open && len == g->open_len)
		return;
	if (g->open_len > 0)
		sanitizers_poison(g->open,
			(g->open_len + GUARD_ALIGN - 1) &
				~(size_t)(GUARD_ALIGN - 1));
	if (len > 0)
		sanitizers_unpoison(data, len);
	g->open = data;
	g->open_len = len;
}

uint8_t *
guard_put(struct guard *g, const uint8_t *value, size_t len)
{
	uint8_t *data = g->end - len;

	if (g->align)
		data -= (uintptr_t)data & (GUARD_ALIGN - 1);
	if (g->poison)
		guard_open(g, data, len);
	memcpy(data, value, len);
	return data;
}
