/* coverage_map: see coverage_map.h. */
#include "coverage/coverage_map.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "coverage/coverage_map_sums.h"

static void
map_clear_module(struct coverage_module *module)
{
	free(module->pcs);
	source_table_clear(&module->table);
	free(module->functions);
	free(module->files);
	free(module->copies);
	memset(module, 0, sizeof(*module));
}

static void
map_clear_modules(struct coverage_map *map)
{
	for (size_t i = 0; i < map->modules_n; i++)
		map_clear_module(&map->modules[i]);
	map->modules_n = 0;
}

void
coverage_map_clear(struct coverage_map *map)
{
	map_clear_modules(map);
	free(map->buckets);
	free(map->first_s);
	free(map->reached);
	memset(map, 0, sizeof(*map));
}

static struct coverage_module *
map_module(struct coverage_map *map, uint32_t counter)
{
	for (size_t i = 0; i < map->modules_n; i++)
		if (counter >= map->modules[i].base &&
			counter - map->modules[i].base < map->modules[i].n)
			return &map->modules[i];
	return NULL;
}

void
coverage_map_checks(const struct coverage_map *map, uint64_t *all,
	uint64_t *hit)
{
	*all = *hit = 0;
	for (size_t i = 0; i < map->modules_n; i++) {
		*all += map->modules[i].checks;
		*hit += map->modules[i].checks_hit;
	}
}

/* ---- the global coverage map ---- */

static void
map_resize(struct coverage_map *map, uint64_t counters)
{
	uint32_t n = counters < COVERAGE_COUNTERS_MAX ? (uint32_t)counters
						      : COVERAGE_COUNTERS_MAX;

	if (n <= map->n)
		return;
	map->buckets = xrealloc(map->buckets, n);
	map->first_s = xreallocarray(map->first_s, n, sizeof(*map->first_s));
	memset(map->buckets + map->n, 0, n - map->n);
	for (uint32_t i = map->n; i < n; i++)
		map->first_s[i] = COVERAGE_NEVER;
	map->n = n;
}

static void
map_hit(struct coverage_map *map, uint32_t counter, uint8_t bits, double at_s)
{
	struct coverage_module *module;
	bool first;

	if (counter >= map->n ||
		(map->buckets[counter] | bits) == map->buckets[counter])
		return;
	first = map->buckets[counter] == 0;
	map->buckets[counter] |= bits;
	map->changed++;
	if (!first)
		return;
	map->first_s[counter] = (float)at_s;
	if (at_s >= 0)
		map->recent[map->recent_n++ % COVERAGE_RECENT_MAX] = counter;
	module = map_module(map, counter);
	if (module != NULL && module->names == NAMES_KNOWN)
		coverage_map_sums_add(module, counter - module->base,
			(float)at_s);
}

static void
map_take_changes(struct coverage_map *map, const struct reply_coverage *c)
{
	for (size_t i = 0; i < c->changes_n; i++)
		map_hit(map, c->changes[i].counter, (uint8_t)c->changes[i].bits,
			c->changes[i].at_s);
	map->revision = c->revision;
	map->whole = true;
}

/*
 * Takes a piece of the whole map. Its hits have no time, as they happened while
 * the view was not open. Later changes are asked for from the first piece's
 * revision on, so that none is lost.
 */
static void
map_take_edges(struct coverage_map *map, const struct reply_coverage *c)
{
	uint64_t end = c->first + c->mask.len;

	if (c->first == 0) {
		map->revision = c->revision;
		map->whole = false;
		map->loaded = 0;
	}
	for (uint64_t i = c->first; i < end && i < map->n; i++)
		map_hit(map, (uint32_t)i, c->mask.data[i - c->first],
			COVERAGE_NEVER);
	if (c->first <= map->loaded && end > map->loaded)
		map->loaded = end < map->n ? (uint32_t)end : map->n;
	map->whole = map->loaded >= map->n || c->mask.len == 0;
}

/* A recording has jumped back: what is hit later is not hit yet. */
static void
map_forget_hits(struct coverage_map *map)
{
	map->n = 0;
	map->loaded = 0;
	map->recent_n = 0;
	map->changed++;
	for (size_t i = 0; i < map->modules_n; i++)
		if (map->modules[i].names == NAMES_KNOWN)
			coverage_map_sums_renew(map, &map->modules[i]);
}

static void
map_take_coverage(struct coverage_map *map, struct reply_coverage *c)
{
	if (c->revision < map->revision)
		map_forget_hits(map);
	map_resize(map, c->counters);
	if (c->whole)
		map_take_edges(map, c);
	else
		map_take_changes(map, c);
	if (c->reached_n != map->reached_n)
		map->changed++;
	free(map->reached);
	map->reached = c->reached;
	map->reached_n = c->reached_n;
	c->reached = NULL;
	c->reached_n = 0;
}

/* ---- modules ---- */

/* Edge counters of a module that get names; the others get none. */
static uint32_t
map_named(uint32_t n)
{
	return n < SOURCE_COUNTERS_MAX ? n : SOURCE_COUNTERS_MAX;
}

static bool
map_same_modules(const struct coverage_map *map, const struct reply_modules *r)
{
	if (r->modules_n != map->modules_n)
		return false;
	for (size_t i = 0; i < map->modules_n; i++)
		if (strcmp(map->modules[i].path, r->modules[i].path) != 0 ||
			strcmp(map->modules[i].id, r->modules[i].id) != 0 ||
			map->modules[i].base != r->modules[i].base ||
			map->modules[i].n != map_named(r->modules[i].n))
			return false;
	return true;
}

static void
map_take_modules(struct coverage_map *map, const struct reply_modules *r)
{
	map->modules_known = true;
	if (map_same_modules(map, r))
		return;
	map_clear_modules(map);
	for (size_t i = 0; i < r->modules_n && i < QUERY_MODULES_MAX; i++) {
		struct coverage_module *m = &map->modules[map->modules_n++];

		memset(m, 0, sizeof(*m));
		snprintf(m->path, sizeof(m->path), "%s", r->modules[i].path);
		snprintf(m->id, sizeof(m->id), "%s", r->modules[i].id);
		m->base = r->modules[i].base;
		m->n = map_named(r->modules[i].n);
	}
	map->changed++;
	map->structure++;
}

/* An empty piece is the last one: the counters after it have no place. */
static void
map_take_pcs(struct coverage_map *map, const struct reply_pcs *r)
{
	size_t n = r->pcs.len / sizeof(uint64_t);
	struct coverage_module *m;
	uint64_t number;

	if (r->module >= map->modules_n)
		return;
	m = &map->modules[r->module];
	if (m->names != NAMES_NO_PLACES || r->first != m->pcs_n)
		return;
	if (m->pcs == NULL)
		m->pcs = xcalloc(m->n + 1, sizeof(*m->pcs));
	for (size_t i = 0; i < n && m->pcs_n < m->n; i++) {
		memcpy(&number, r->pcs.data + i * sizeof(number),
			sizeof(number));
		m->pcs[m->pcs_n++] = le64toh(number);
	}
	if (m->pcs_n == m->n || n == 0)
		m->names = NAMES_TO_ASK;
	map->changed++;
}

/* ---- queries ---- */

static const struct coverage_module *
map_without_table(const struct coverage_map *map)
{
	for (size_t i = 0; i < map->modules_n; i++)
		if (map->modules[i].names == NAMES_NO_PLACES)
			return &map->modules[i];
	return NULL;
}

size_t
coverage_map_query(const struct coverage_map *map, struct query *queries)
{
	const struct coverage_module *module = map_without_table(map);

	queries[0] = (struct query){ .kind = QUERY_COVERAGE,
		.count = QUERY_COUNTERS_MAX };
	if (map->whole)
		queries[0].since = map->revision;
	else
		queries[0].first = map->loaded;
	queries[1] = (struct query){ .kind = QUERY_MODULES };
	if (module == NULL)
		return 2;
	queries[2] = (struct query){ .kind = QUERY_PCS,
		.module = (uint32_t)(module - map->modules),
		.first = module->pcs_n,
		.count = QUERY_COUNTERS_MAX };
	return 3;
}

void
coverage_map_reply(struct coverage_map *map, const struct query *query,
	struct reply *reply)
{
	if (reply->error[0] != '\0') {
		if (query->kind == QUERY_PCS && query->module < map->modules_n)
			snprintf(map->modules[query->module].why, COVERAGE_WHY,
				"%s", reply->error);
		else
			snprintf(map->why, sizeof(map->why), "%s",
				reply->error);
		return;
	}
	if (reply->kind == QUERY_COVERAGE) {
		map->why[0] = '\0';
		map_take_coverage(map, &reply->coverage);
	} else if (reply->kind == QUERY_MODULES) {
		map_take_modules(map, &reply->modules);
	} else if (reply->kind == QUERY_PCS) {
		map_take_pcs(map, &reply->pcs);
	}
}

/* ---- names ---- */

struct coverage_module *
coverage_map_nameless(struct coverage_map *map)
{
	for (size_t i = 0; i < map->modules_n; i++)
		if (map->modules[i].names == NAMES_TO_ASK)
			return &map->modules[i];
	return NULL;
}

void
coverage_map_name(struct coverage_map *map, struct coverage_module *module,
	struct source_table *take_table, const char *why)
{
	module->why[0] = '\0';
	map->changed++;
	map->structure++;
	if (take_table == NULL || take_table->locations_n != module->n) {
		module->names = NAMES_REFUSED;
		snprintf(module->why, sizeof(module->why), "%s",
			why != NULL ? why : "a reply of a wrong size");
		return;
	}
	source_table_clear(&module->table);
	module->table = *take_table;
	memset(take_table, 0, sizeof(*take_table));
	module->names = NAMES_KNOWN;
	coverage_map_sums_make(map, module);
}

const struct source_function *
coverage_map_function(const struct coverage_map *map, uint32_t counter)
{
	const struct coverage_module *m =
		map_module((struct coverage_map *)map, counter);
	uint32_t function;

	if (m == NULL || m->names != NAMES_KNOWN)
		return NULL;
	function = m->table.locations[counter - m->base].function;
	return function != SOURCE_NONE ? &m->table.functions[function] : NULL;
}

bool
coverage_is_hit(const struct coverage_map *map, uint64_t counter)
{
	return counter < map->n && map->buckets[counter] != 0;
}

bool
coverage_is_unused_copy(const struct coverage_module *module, uint32_t copy)
{
	return copy != 0 && module->copies[copy] == 0;
}

bool
coverage_is_new(float first_s, double elapsed_s, double span_s)
{
	return first_s >= 0 && (double)first_s >= elapsed_s - span_s;
}

int
coverage_bucket_of(uint8_t bits)
{
	return bits == 0 ? 0 : 32 - __builtin_clz(bits);
}

const char *
coverage_bucket_name(int bucket)
{
	static const char *const names[COVERAGE_BUCKETS + 1] = { "", "1", "2-3",
		"4-7", "8-15", "16-31", "32-63", "64-127", "128+" };

	return names[bucket < 0 || bucket > COVERAGE_BUCKETS ? 0 : bucket];
}

const char *
coverage_function_name(const struct coverage_module *module, uint32_t function,
	char *buf, size_t size)
{
	const struct source_function *f = &module->table.functions[function];

	if (f->name[0] != '\0')
		return f->name;
	snprintf(buf, size, "%.40s+0x%" PRIx64, basename(module->path),
		f->address);
	return buf;
}
