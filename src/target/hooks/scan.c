/* scan: see scan.h; scan_skip.h skips counters that have nothing new. */

#include "target/hooks/scan.h"

#include <string.h>

#include "shared/pages.h"
#include "target/hooks/counters.h"
#include "target/hooks/scan_skip.h"

#define SCAN_BLOCK COUNTERS_BLOCK
#define SCAN_WORD sizeof(uint64_t)
#define SCAN_EACH(byte) ((byte)*0x0101010101010101u)

typedef uint64_t scan_vector __attribute__((vector_size(16), aligned(1)));

bool
scan_init(struct scan *s)
{
	s->features = pages_map(SCAN_FEATURES_MAX * sizeof(*s->features));
	s->counters = pages_map(SCAN_FEATURES_MAX * sizeof(*s->counters));
	s->skip = scan_skip_best();
	s->n = 0;
	return s->features != NULL && s->counters != NULL;
}

void
scan_keep_from_forks(const struct scan *s)
{
	(void)madvise(s->features, SCAN_FEATURES_MAX * sizeof(*s->features),
		MADV_DONTFORK);
	(void)madvise(s->counters, SCAN_FEATURES_MAX * sizeof(*s->counters),
		MADV_DONTFORK);
}

static inline bool
scan_is_zero(const uint8_t *at)
{
	const scan_vector *v = (const void *)at;
	scan_vector all = (v[0] | v[1]) | (v[2] | v[3]);

	return (all[0] | all[1]) == 0;
}

/* Do the region's counters count for the campaign now? */
static inline bool
scan_is_heard(const struct counter_region *region)
{
	return region->assigned && !region->quiet;
}

static void __attribute__((cold)) scan_add(struct scan *s,
	const struct scan_span *span, size_t at, uint8_t buckets)
{
	if (buckets == 0 || s->n == SCAN_FEATURES_MAX)
		return;
	s->features[s->n].counter = span->base + (uint32_t)at;
	s->features[s->n].buckets = buckets;
	s->counters[s->n++] = span->counters + at;
}

static inline uint64_t
scan_load_word(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* The bucket of each of eight counters: its highest set bit. */
static inline uint64_t
scan_buckets(uint64_t word)
{
	word |= (word >> 1) & SCAN_EACH(0x7fu);
	word |= (word >> 2) & SCAN_EACH(0x3fu);
	word |= (word >> 4) & SCAN_EACH(0x0fu);
	return word - ((word >> 1) & SCAN_EACH(0x7fu));
}

static inline uint8_t
scan_bucket(uint8_t counter)
{
	return (uint8_t)scan_buckets(counter);
}

static inline void
scan_word(struct scan *s, const struct scan_span *span, size_t at)
{
	uint64_t word = scan_load_word(span->counters + at);
	uint8_t fresh[SCAN_WORD];

	if (word == 0)
		return;
	memset(span->counters + at, 0, SCAN_WORD);
	word = scan_buckets(word) & ~scan_load_word(span->map + at);
	if (__builtin_expect(word == 0, 1))
		return;
	memcpy(fresh, &word, sizeof(fresh));
	for (size_t i = 0; i < SCAN_WORD; i++)
		scan_add(s, span, at + i, fresh[i]);
}

static inline void
scan_byte(struct scan *s, const struct scan_span *span, size_t at)
{
	uint8_t *counter = span->counters + at;

	if (*counter == 0)
		return;
	scan_add(s, span, at, scan_bucket(*counter) & ~span->map[at]);
	*counter = 0;
}

/* Reads a block of counters at most; returns the position behind it. */
static size_t
scan_take(struct scan *s, const struct scan_span *span, size_t at)
{
	size_t end = span->n - at > SCAN_BLOCK ? at + SCAN_BLOCK : span->n;

	for (; end - at >= SCAN_WORD; at += SCAN_WORD)
		scan_word(s, span, at);
	for (; at < end; at++)
		scan_byte(s, span, at);
	return at;
}

static inline void
scan_look(struct scan *s, const struct scan_span *span)
{
	for (size_t at = 0; at < span->n;) {
		at = s->skip(span, at);
		if (at < span->n)
			at = scan_take(s, span, at);
	}
}

/*
 * Finds the next touched block from *word on and clears its bit; false: none.
 */
static bool
scan_next_touched(const struct counter_region *region, uint32_t *word,
	struct scan_span *block)
{
	const uint32_t blocks = (region->n + SCAN_BLOCK - 1) / SCAN_BLOCK;
	const uint32_t words = (blocks + 63) / 64;
	uint32_t at;

	while (*word < words && region->touched[*word] == 0)
		(*word)++;
	if (*word == words)
		return false;
	at = *word * 64 + (uint32_t)__builtin_ctzll(region->touched[*word]);
	at *= SCAN_BLOCK;
	region->touched[*word] &= region->touched[*word] - 1;
	block->counters = region->start + at;
	block->n = region->n - at < SCAN_BLOCK ? region->n - at : SCAN_BLOCK;
	block->base = region->base + at;
	return true;
}

static void
scan_touched(struct scan *s, const struct counter_region *region,
	const uint8_t *map)
{
	struct scan_span block;

	for (uint32_t word = 0; scan_next_touched(region, &word, &block);) {
		block.map = map + block.base;
		scan_look(s, &block);
	}
}

static inline void
scan_whole(struct scan *s, const struct counter_region *region,
	const uint8_t *map)
{
	struct scan_span span = { .counters = region->start,
		.map = map + region->base,
		.n = region->n,
		.base = region->base };

	scan_look(s, &span);
}

uint32_t
scan_collect(struct scan *s, const uint8_t *map)
{
	const struct counters *counters = counters_get();

	s->n = 0;
	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];

		if (!scan_is_heard(region))
			continue;
		if (region->touched != NULL)
			scan_touched(s, region, map);
		else
			scan_whole(s, region, map);
	}
	return s->n;
}

/* Writes only if needed, so that pages of zeros stay shared. */
static inline void
scan_clear_block(uint8_t *at)
{
	if (!scan_is_zero(at))
		memset(at, 0, SCAN_BLOCK);
}

/* The last block may overlap the one before. */
static void
scan_clear_region(const struct counter_region *region)
{
	uint8_t *at = region->start, *end = at + region->n;

	for (; end - at >= (ptrdiff_t)SCAN_BLOCK; at += SCAN_BLOCK)
		scan_clear_block(at);
	if (at < end && region->n >= SCAN_BLOCK) {
		scan_clear_block(end - SCAN_BLOCK);
		return;
	}
	for (; at < end; at++) {
		if (*at != 0)
			*at = 0;
	}
}

static void
scan_clear_touched(const struct counter_region *region)
{
	struct scan_span block;

	for (uint32_t word = 0; scan_next_touched(region, &word, &block);)
		memset(block.counters, 0, block.n);
}

void
scan_clear(void)
{
	const struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];

		if (region->quiet)
			continue;
		if (region->touched != NULL)
			scan_clear_touched(region);
		else
			scan_clear_region(region);
	}
}

/* Lists the nonzero counters in [at, end). */
static uint32_t
scan_list(const struct counter_region *region, uint32_t at, uint32_t end,
	uint32_t *edges, uint32_t max)
{
	uint32_t n = 0;

	for (; at < end && n < max; at++) {
		if (region->start[at] != 0)
			edges[n++] = region->base + at;
	}
	return n;
}

static uint32_t
scan_list_region(const struct counter_region *region, uint32_t *edges,
	uint32_t max)
{
	uint32_t at = 0, n = 0;

	for (; region->n - at >= SCAN_BLOCK; at += SCAN_BLOCK) {
		if (!scan_is_zero(region->start + at))
			n += scan_list(region, at, at + SCAN_BLOCK, edges + n,
				max - n);
	}
	return n + scan_list(region, at, region->n, edges + n, max - n);
}

uint32_t
scan_edges_hit(uint32_t *edges, uint32_t max)
{
	const struct counters *counters = counters_get();
	uint32_t n = 0;

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];

		if (scan_is_heard(region))
			n += scan_list_region(region, edges + n, max - n);
	}
	return n;
}

/* Keeps feature i by swapping it to position *n. */
static void
scan_keep(struct scan *s, uint32_t i, uint32_t *n)
{
	struct feature feature = s->features[*n];
	uint8_t *counter = s->counters[*n];

	s->features[*n] = s->features[i];
	s->counters[*n] = s->counters[i];
	s->features[i] = feature;
	s->counters[i] = counter;
	(*n)++;
}

void
scan_filter(struct scan *s, const uint8_t *map)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		s->features[i].buckets &=
			~(uint32_t)map[s->features[i].counter];
		if (s->features[i].buckets != 0)
			scan_keep(s, i, &n);
	}
	s->n = n;
}

static bool
scan_has_pair(const struct scan *s, uint32_t i)
{
	return (scan_bucket(*s->counters[i]) & s->features[i].buckets) != 0;
}

uint32_t
scan_confirm(struct scan *s)
{
	uint32_t n = 0, before = s->n;

	for (uint32_t i = 0; i < s->n; i++) {
		if (scan_has_pair(s, i))
			scan_keep(s, i, &n);
	}
	s->n = n;
	scan_clear();
	return before - n;
}

void
scan_merge(const struct scan *s, uint8_t *map)
{
	for (uint32_t i = 0; i < s->n; i++)
		map[s->features[i].counter] |= (uint8_t)s->features[i].buckets;
}

static uint8_t *
scan_find(uint32_t index)
{
	const struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];

		if (region->assigned && index >= region->base &&
			index - region->base < region->n)
			return region->start + (index - region->base);
	}
	return NULL;
}

bool
scan_load(struct scan *s, const struct feature *features, uint32_t n)
{
	s->n = 0;
	for (uint32_t i = 0; i < n && i < SCAN_FEATURES_MAX; i++) {
		uint8_t *counter = scan_find(features[i].counter);

		if (counter == NULL)
			return false;
		s->features[s->n] = features[i];
		s->counters[s->n++] = counter;
	}
	return true;
}

uint32_t
scan_missing(const struct scan *s, uint32_t most)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < s->n && missing < most; i++)
		missing += !scan_has_pair(s, i);
	return missing;
}
