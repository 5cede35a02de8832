#include "engine/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

uint8_t *
chain_rebuild(const struct chain *chain, const uint8_t *parent,
	size_t parent_len, size_t cap, const struct step_sources *sources,
	size_t *len)
{
	struct mutable m = { .len = parent_len, .cap = cap };
	struct tape tape = { .bytes = chain->tape, .n = chain->tape_n };
	uint32_t i;

	if (chain->n > MEMORY_TRAIL_MAX || chain->tape_n > MEMORY_TAPE_MAX)
		return NULL;
	m.data = xmalloc(parent_len + 1);
	if (parent_len > 0)
		memcpy(m.data, parent, parent_len);
	for (i = 0; i < chain->n; i++) {
		m.data = xrealloc(m.data, steps_room(m.len, m.cap));
		if (!step_repeat(&chain->trail[i], sources, &m, &tape)) {
			free(m.data);
			return NULL;
		}
	}
	*len = m.len;
	return m.data;
}
