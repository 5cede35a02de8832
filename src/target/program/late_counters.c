/* late_counters: see late_counters.h. */

#include "target/program/late_counters.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/hooks/counters.h"
#include "target/hooks/modules.h"
#include "target/hooks/plain.h"
#include "target/program/fork_pages.h"

#define LATE_MAX 16u
#define LATE_ROOM (64u << 20) /* bytes; only what is used takes memory */

struct late_entry {
	uint64_t key;
	uint32_t n, offset; /* counters; the first one's place in its page */
	uint32_t at, table; /* in the room; table 0: not known */
	struct module_info module;
};

/* Runs write it, so the child trusts nothing in it. */
struct late_shared {
	uint32_t n, used; /* entries; bytes of the room */
	struct late_entry entries[LATE_MAX];
};

struct late_counters {
	struct late_shared *shared;
	uint8_t *room;
	uint32_t taken; /* entries that this process has as regions */
	struct module_info modules[LATE_MAX];
};

/* Hooks take no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct late_counters *late;

static uintptr_t
late_mask(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
}

static size_t
late_pages(size_t len)
{
	return (len + late_mask()) & ~late_mask();
}

void
late_counters_open(void)
{
	struct late_counters *l = pages_map(sizeof(*l));
	size_t head = late_pages(sizeof(*l->shared));

	if (l == NULL)
		return;
	/* Each mapping makes the forks of runs slower. */
	l->shared = pages_map_shared(head + LATE_ROOM);
	if (l->shared == NULL)
		return;
	l->room = (uint8_t *)l->shared + head;
	late = l;
}

/* The target may have overwritten offset or length: the part must lie in the
 * room. */
static bool
late_fits(uint32_t at, size_t len)
{
	return at <= LATE_ROOM && len <= LATE_ROOM - at;
}

static bool
late_is_sound(const struct late_entry *entry)
{
	size_t rows = 2 * sizeof(uintptr_t) * (size_t)entry->n;

	return entry->key != 0 && entry->n > 0 &&
		entry->n <= MEMORY_COUNTERS_MAX &&
		entry->offset <= late_mask() &&
		late_fits(entry->at,
			late_pages(entry->offset + (size_t)entry->n)) &&
		entry->table % sizeof(uintptr_t) == 0 &&
		late_fits(entry->table, rows);
}

/* ---- in a run ---------------------------------------------------------- */

/* False: no room. The first page stays free: 0 means none. */
static bool
late_take_room(size_t len, uint32_t *at)
{
	size_t page = late_mask() + 1;

	if (late->shared->used < page)
		late->shared->used = (uint32_t)page;
	if (!late_fits(late->shared->used, late_pages(len)))
		return false;
	*at = late->shared->used;
	late->shared->used += (uint32_t)late_pages(len);
	return true;
}

/* The region's entry, or a new one; NULL: no room. */
static struct late_entry *
late_find(const struct counter_region *region)
{
	struct late_shared *s = late->shared;
	struct late_entry new = { .key = region->key,
		.n = region->n,
		.offset = (uint32_t)((uintptr_t)region->start & late_mask()) };

	for (uint32_t i = 0; i < s->n && i < LATE_MAX; i++) {
		struct late_entry *entry = &s->entries[i];

		if (entry->key != new.key || entry->n != new.n)
			continue;
		if (!late_is_sound(entry) || entry->offset != new.offset)
			return NULL;
		return entry;
	}
	if (s->n >= LATE_MAX || !modules_find(region->code, &new.module) ||
		!late_take_room(new.offset + (size_t) new.n, &new.at))
		return NULL;
	s->entries[s->n] = new;
	return &s->entries[s->n++];
}

/* Moves shared pages over those of the counters. Other variables on them are
 * of this run: they are copied anew in each. */
static void
late_share(const struct counter_region *region, const struct late_entry *entry)
{
	uint8_t *first = region->start - entry->offset;
	uint8_t *pages = late->room + entry->at;
	size_t len = late_pages(entry->offset + (size_t)entry->n);

	plain_copy(pages, first, len);
	if (mremap(pages, 0, len, MREMAP_MAYMOVE | MREMAP_FIXED, first) !=
		MAP_FAILED)
		fork_pages_add(region->start, pages + entry->offset, region->n);
}

static void
late_put_table(const struct counter_region *region, struct late_entry *entry)
{
	uintptr_t *table;
	uint32_t at;

	if (!late_take_room(2 * sizeof(*table) * (size_t)region->n, &at))
		return;
	table = (uintptr_t *)(void *)(late->room + at);
	for (uint32_t i = 0; i < region->n; i++) {
		table[2 * i] = region->table[2 * i] - entry->module.bias;
		table[2 * i + 1] = region->table[2 * i + 1];
	}
	entry->table = at;
}

/* Called by the dynamic linker, which runs one constructor at a time. */
static void
late_on_region(const struct counter_region *region)
{
	struct late_entry *entry =
		region->kind == COUNTERS_INLINE ? late_find(region) : NULL;

	if (entry == NULL)
		return;
	if (region->table == NULL)
		late_share(region, entry);
	else if (entry->table == 0)
		late_put_table(region, entry);
}

/* ---- in the child ------------------------------------------------------ */

void
late_counters_watch(void)
{
	if (late != NULL)
		counters_watch(late_on_region);
}

static void
late_take(const struct late_entry *entry, struct module_info *module)
{
	struct counter_region region = { .key = entry->key,
		.n = entry->n,
		.kind = COUNTERS_INLINE,
		.module = module };

	if (!late_is_sound(entry))
		return;
	*module = entry->module;
	module->bias = 0;
	module->path[sizeof(module->path) - 1] = '\0';
	if (module->id_len > sizeof(module->id))
		module->id_len = 0;
	region.start = late->room + entry->at + entry->offset;
	if (entry->table != 0)
		region.table = (const void *)(late->room + entry->table);
	counters_add_region(&region);
}

void
late_counters_take(void)
{
	uint32_t n;

	if (late == NULL)
		return;
	n = late->shared->n < LATE_MAX ? late->shared->n : LATE_MAX;
	for (; late->taken < n; late->taken++) {
		struct late_entry entry = late->shared->entries[late->taken];

		late_take(&entry, &late->modules[late->taken]);
	}
}
