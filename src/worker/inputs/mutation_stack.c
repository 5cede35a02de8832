#include "worker/inputs/mutation_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/mutate/mutation_part.h"

/* Memory that the next mutation may need. */
static size_t
mutation_stack_room(const struct mutation_sources *sources,
	const struct mutable *m)
{
	size_t plain = mutations_room(m->len, m->cap);
	size_t part = sources->tuples ? mutation_part_room(m->len, m->cap) : 0;

	return plain > part ? plain : part;
}

uint8_t *
mutation_stack_replay(const struct replay *replay, size_t *len)
{
	struct mutable m = { .len = replay->parent_len, .cap = replay->cap };
	struct literals literals = { .bytes = replay->literals,
		.n = replay->literals_n };
	struct mutation_sources sources = replay->sources;
	uint32_t i;

	if (replay->n > MEMORY_MUTATIONS_MAX ||
		replay->literals_n > MEMORY_LITERALS_MAX)
		return NULL;
	if (literals.bytes == NULL)
		literals = (struct literals){ .bytes = (const uint8_t *)"" };
	m.data = xmalloc(replay->parent_len + 1);
	if (replay->parent_len > 0)
		memcpy(m.data, replay->parent, replay->parent_len);
	mutation_cut(&m, sources.tuples);
	if (replay->on_step != NULL)
		replay->on_step(replay->arg, NULL, &m);
	for (i = 0; i < replay->n; i++) {
		sources.room = mutation_stack_room(&sources, &m);
		m.data = xrealloc(m.data, sources.room);
		if (!mutation_repeat(&replay->mutations[i], &sources, &m,
			    &literals)) {
			free(m.data);
			return NULL;
		}
		if (replay->on_step != NULL)
			replay->on_step(replay->arg, &replay->mutations[i], &m);
	}
	*len = m.len;
	return m.data;
}

uint8_t *
mutation_stack_rebuild(const struct mutation_stack *stack,
	const uint8_t *parent, size_t parent_len, size_t cap,
	const struct mutation_sources *sources, size_t *len)
{
	const struct replay replay = {
		.mutations = stack->mutations,
		.n = stack->n,
		.literals = stack->literals,
		.literals_n = stack->literals_n,
		.parent = parent,
		.parent_len = parent_len,
		.cap = cap,
		.sources = *sources,
	};

	return mutation_stack_replay(&replay, len);
}
