#include "engine/chain.h"

#include <string.h>

#include "base/xmalloc.h"

uint8_t *
chain_rebuild(const uint8_t *parent, size_t parent_len, struct prng rand,
	uint32_t n, size_t cap, const struct words *words,
	struct mutation *trail, size_t *len)
{
	struct mutable m = { .len = parent_len, .cap = cap };
	struct mutation step;
	uint32_t i;

	m.data = xmalloc(parent_len + 1);
	if (parent_len > 0)
		memcpy(m.data, parent, parent_len);
	for (i = 0; i < n; i++) {
		m.data = xrealloc(m.data,
			mutate_room(m.len, m.cap) + MEMORY_WORD_LEN_MAX);
		if (!words_mutate(words, &m, &rand, &step))
			break;
		if (trail != NULL)
			trail[i] = step;
	}
	*len = m.len;
	return m.data;
}
