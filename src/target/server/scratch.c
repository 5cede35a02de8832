/*
 * scratch: see scratch.h. Pieces are cut from one map in a row and released all
 * at once. A piece that does not fit comes from malloc().
 */

#include "target/server/scratch.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "shared/pages.h"
#include "shared/wire/rpc.h"

#define SCRATCH_SIZE ((size_t)1 << 20)
#define SCRATCH_ALIGN ((size_t)16)

/* Global, because the JSON library's memory functions take no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct scratch {
	uint8_t *start;
	size_t used;
} scratch;

static void *
scratch_take(size_t n)
{
	void *piece = scratch.start + scratch.used;

	/* The rest is a multiple of the alignment, so rounding up cannot
	 * overflow. */
	if (n > SCRATCH_SIZE - scratch.used)
		return malloc(n);
	scratch.used += (n + SCRATCH_ALIGN - 1) & ~(SCRATCH_ALIGN - 1);
	return piece;
}

static void
scratch_give(void *piece)
{
	uintptr_t at = (uintptr_t)piece, start = (uintptr_t)scratch.start;

	if (at < start || at - start >= SCRATCH_SIZE)
		free(piece);
}

void
scratch_init(void)
{
	void *map = pages_map(SCRATCH_SIZE);

	if (map == NULL)
		return;
	(void)madvise(map, SCRATCH_SIZE, MADV_DONTFORK);
	scratch.start = map;
	rpc_set_memory(scratch_take, scratch_give);
}

void
scratch_reset(void)
{
	scratch.used = 0;
}
