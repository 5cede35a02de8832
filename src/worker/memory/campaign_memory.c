#include "worker/memory/campaign_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define ARENA_STEP (64u << 10)
#define ENTRIES_MAX (1u << 20)
#define UNSTABLE_MAX 2

static size_t
memory_page_align(size_t n)
{
	return (n + 4095) & ~(size_t)4095;
}

enum status
campaign_memory_open(struct campaign_memory *m, uint32_t max_len,
	uint64_t arena_size, struct error *err)
{
	size_t map = memory_page_align(sizeof(struct campaign_head));
	size_t entries = map + MEMORY_COUNTERS_MAX;
	size_t words = entries +
		memory_page_align(ENTRIES_MAX * sizeof(struct campaign_entry));
	size_t selection = words +
		memory_page_align(
			MEMORY_WORDS_MAX * sizeof(struct memory_word));
	size_t arena = selection +
		memory_page_align(MEMORY_SELECTION_MAX * sizeof(uint32_t));
	size_t size = arena + memory_page_align(arena_size);

	*m = (struct campaign_memory){ .sealed = { .fd = -1 } };
	if (sealed_create(&m->sealed, "cfuzz-campaign", size, SEALED_READ_ONLY,
		    err) != OK ||
		sealed_allocate(&m->sealed, 0, map, err) != OK) {
		campaign_memory_close(m);
		return err != NULL ? err->code : E_NOMEM;
	}
	m->head = (struct campaign_head *)(void *)m->sealed.map;
	*m->head = (struct campaign_head){
		.version = WIRE_VERSION,
		.max_len = max_len,
		.size = size,
		.coverage_offset = map,
		.entries_offset = entries,
		.entries_max = ENTRIES_MAX,
		.words_offset = words,
		.selection_offset = selection,
		.arena_offset = arena,
		.arena_size = memory_page_align(arena_size),
	};
	return OK;
}

void
campaign_memory_close(struct campaign_memory *m)
{
	free(m->unstable);
	m->unstable = NULL;
	m->unstable_n = 0;
	coverage_log_clear(&m->log);
	sealed_close(&m->sealed);
	m->head = NULL;
}

static uint8_t *
memory_map_of(const struct campaign_memory *m)
{
	return m->sealed.map + m->head->coverage_offset;
}

static bool
memory_map_grow(struct campaign_memory *m, uint64_t counters)
{
	size_t want = memory_page_align(counters);

	if (counters > MEMORY_COUNTERS_MAX)
		return false;
	if (want > m->map_ready) {
		if (sealed_allocate(&m->sealed,
			    m->head->coverage_offset + m->map_ready,
			    want - m->map_ready, NULL) != OK)
			return false;
		m->map_ready = want;
	}
	return true;
}

bool
campaign_memory_add_module(struct campaign_memory *m, uint64_t key, uint32_t n)
{
	struct campaign_head *head = m->head;
	struct counter_module *module;
	uint32_t i, have = head->modules_n;

	for (i = 0; i < have; i++)
		if (head->modules[i].key == key && head->modules[i].n == n)
			return head->modules[i].base != UINT32_MAX;
	if (have == MEMORY_MODULES_MAX)
		return false;
	module = &head->modules[have];
	*module = (struct counter_module){ .key = key, .n = n };
	module->base = UINT32_MAX;
	if (memory_map_grow(m, (uint64_t)head->counters + n)) {
		module->base = head->counters;
		if (key == MEMORY_VALUE_PROFILE_KEY) {
			m->profile_base = module->base;
			m->profile_n = n;
		}
		__atomic_store_n(&head->counters, head->counters + n,
			__ATOMIC_RELEASE);
	}
	__atomic_store_n(&head->modules_n, have + 1, __ATOMIC_RELEASE);
	return module->base != UINT32_MAX;
}

bool
campaign_memory_is_profile(const struct campaign_memory *m, uint32_t counter)
{
	return counter >= m->profile_base &&
		counter - m->profile_base < m->profile_n;
}

static bool
memory_is_unstable(const struct campaign_memory *m, uint32_t counter)
{
	return counter < m->unstable_n && m->unstable[counter].times > 0;
}

uint8_t
campaign_memory_bits(const struct campaign_memory *m, uint32_t counter)
{
	if (counter >= m->head->counters ||
		campaign_memory_is_profile(m, counter))
		return 0;
	if (counter < m->unstable_n &&
		m->unstable[counter].times >= UNSTABLE_MAX)
		return m->unstable[counter].bits;
	return memory_map_of(m)[counter];
}

uint64_t
campaign_memory_merge(struct campaign_memory *m, const struct feature *features,
	size_t n)
{
	uint8_t *map = memory_map_of(m), old, all;
	uint64_t new = 0, bits;
	size_t i;

	for (i = 0; i < n; i++) {
		if (features[i].counter >= m->head->counters)
			continue;
		old = map[features[i].counter];
		all = (uint8_t)(old | (features[i].buckets & 0xff));
		map[features[i].counter] = all;
		bits = (uint64_t)__builtin_popcount(all & ~(uint32_t)old);
		if (campaign_memory_is_profile(m, features[i].counter)) {
			m->profile_bits += bits;
			continue;
		}
		new += bits;
		if (bits > 0)
			coverage_log_add(&m->log, features[i].counter,
				(uint8_t)(all & ~(uint32_t)old), old == 0);
		if (old != 0 || all == 0)
			continue;
		m->counters_hit++;
		m->unstable_apart -= memory_is_unstable(m, features[i].counter);
	}
	m->bits += new;
	return new;
}

bool
campaign_memory_mark_unstable(struct campaign_memory *m, uint32_t counter)
{
	uint32_t n = m->head->counters;
	uint8_t *map = memory_map_of(m);
	bool is_code = !campaign_memory_is_profile(m, counter);

	if (counter >= n)
		return false;
	if (n > m->unstable_n) {
		m->unstable =
			xreallocarray(m->unstable, n, sizeof(*m->unstable));
		memset(m->unstable + m->unstable_n, 0,
			(n - m->unstable_n) * sizeof(*m->unstable));
		m->unstable_n = n;
	}
	if (m->unstable[counter].times >= UNSTABLE_MAX)
		return false;
	if (m->unstable[counter].times++ == 0 && is_code) {
		m->unstable_seen++;
		m->unstable_apart += map[counter] == 0;
	}
	if (m->unstable[counter].times < UNSTABLE_MAX)
		return false;
	m->unstable[counter].bits = map[counter];
	map[counter] = 0xff;
	m->unstable_excluded += is_code;
	return is_code;
}

double
campaign_memory_stability(const struct campaign_memory *m)
{
	uint64_t reached = m->counters_hit + m->unstable_apart;
	uint64_t stable = reached - m->unstable_seen;

	return reached == 0 ? 100 : 100.0 * (double)stable / (double)reached;
}

/* Grows the arena and its table in steps, with allocated pages only. */
static bool
memory_arena_grow(struct campaign_memory *m, uint64_t want, uint32_t entries)
{
	uint64_t from = m->arena_ready, to;

	if (entries >= m->head->entries_max || want > m->head->arena_size)
		return false;
	if (entries % 4096 == 0 &&
		sealed_allocate(&m->sealed,
			m->head->entries_offset +
				entries * sizeof(struct campaign_entry),
			4096 * sizeof(struct campaign_entry), NULL) != OK)
		return false;
	if (want <= from)
		return true;
	to = (want + ARENA_STEP - 1) / ARENA_STEP * ARENA_STEP;
	if (to > m->head->arena_size)
		to = m->head->arena_size;
	if (sealed_allocate(&m->sealed, m->head->arena_offset + from, to - from,
		    NULL) != OK)
		return false;
	m->arena_ready = to;
	return true;
}

uint32_t
campaign_memory_add_entry(struct campaign_memory *m, const uint8_t *data,
	size_t len)
{
	uint32_t index = m->head->entries_n;
	struct campaign_entry *entries;

	if (len > m->head->max_len ||
		!memory_arena_grow(m, m->arena_used + len, index))
		return MEMORY_NO_ENTRY;
	if (len > 0)
		memcpy(m->sealed.map + m->head->arena_offset + m->arena_used,
			data, len);
	entries = (struct campaign_entry *)(void *)(m->sealed.map +
		m->head->entries_offset);
	entries[index] = (struct campaign_entry){
		.offset = m->head->arena_offset + m->arena_used,
		.len = (uint32_t)len,
	};
	m->arena_used += len;
	__atomic_store_n(&m->head->entries_n, index + 1, __ATOMIC_RELEASE);
	return index;
}

const uint8_t *
campaign_memory_entry(const struct campaign_memory *m, uint32_t index,
	size_t *len)
{
	const struct campaign_entry *entries =
		(const void *)(m->sealed.map + m->head->entries_offset);

	if (index >= m->head->entries_n)
		return NULL;
	*len = entries[index].len;
	return m->sealed.map + entries[index].offset;
}

struct tokens
campaign_memory_words(const struct campaign_memory *m)
{
	return (struct tokens){
		.items = (const struct memory_word *)(m->sealed.map +
			m->head->words_offset),
		.n = m->head->words_n,
	};
}

struct mutation_sources
campaign_memory_sources(const struct campaign_memory *m, uint32_t partner,
	uint32_t words_n)
{
	struct mutation_sources sources = { .words = campaign_memory_words(m),
		.tuples = m->tuples };

	if (words_n < sources.words.n)
		sources.words.n = words_n;
	sources.partner =
		campaign_memory_entry(m, partner, &sources.partner_len);
	return sources;
}

bool
campaign_memory_add_word(struct campaign_memory *m, const uint8_t *data,
	size_t len)
{
	uint32_t n = m->head->words_n;
	size_t at = m->head->words_offset + n * sizeof(struct memory_word);
	struct memory_word *word = (struct memory_word *)(m->sealed.map + at);

	if (n == MEMORY_WORDS_MAX || len == 0 || len > MEMORY_WORD_LEN_MAX ||
		sealed_allocate(&m->sealed, at, sizeof(*word), NULL) != OK)
		return false;
	word->len = (uint8_t)len;
	memcpy(word->bytes, data, len);
	__atomic_store_n(&m->head->words_n, n + 1, __ATOMIC_RELEASE);
	return true;
}

uint32_t *
campaign_memory_selection(struct campaign_memory *m, uint32_t n)
{
	if (n > MEMORY_SELECTION_MAX)
		return NULL;
	if (n > m->selection_ready) {
		if (sealed_allocate(&m->sealed, m->head->selection_offset,
			    memory_page_align(n * sizeof(uint32_t)),
			    NULL) != OK)
			return NULL;
		m->selection_ready = n;
	}
	return (uint32_t *)(void *)(m->sealed.map + m->head->selection_offset);
}

void
campaign_memory_publish_selection(struct campaign_memory *m, uint32_t n)
{
	__atomic_store_n(&m->head->selection_n, n, __ATOMIC_RELEASE);
}

void
campaign_memory_end_call(struct campaign_memory *m, uint32_t slot, uint64_t seq)
{
	__atomic_store_n(&m->head->slots[slot].end_seq, seq, __ATOMIC_RELEASE);
}

void
campaign_memory_set_paused(struct campaign_memory *m, uint32_t slot,
	bool paused)
{
	__atomic_store_n(&m->head->slots[slot].paused, paused ? 1u : 0u,
		__ATOMIC_RELEASE);
}
