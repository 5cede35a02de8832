/*
 * scan: see scan.h. The inner loop takes 64 bytes at a time; it is the one
 * place where a wider instruction set would be chosen at start.
 */

#include "target/scan.h"

#include <string.h>
#include <sys/mman.h>

#include "shared/coverage.h"
#include "target/counters.h"

#define SCAN_BLOCK 64u
#define SCAN_WORD sizeof(uint64_t)
#define SCAN_EACH(byte) ((byte)*0x0101010101010101u)

typedef uint64_t scan_vector __attribute__((vector_size(16), aligned(1)));

static void *
scan_map(size_t size)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

bool
scan_init(struct scan *s)
{
	s->pairs = scan_map(SCAN_PAIRS_MAX * sizeof(*s->pairs));
	s->counters = scan_map(SCAN_PAIRS_MAX * sizeof(*s->counters));
	s->n = 0;
	return s->pairs != NULL && s->counters != NULL;
}

static inline uint64_t
scan_load_word(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* As coverage_classify(), inlined: it runs for each word that was hit. */
static inline uint64_t
scan_buckets(uint64_t word)
{
	word |= (word >> 1) & SCAN_EACH(0x7fu);
	word |= (word >> 2) & SCAN_EACH(0x3fu);
	word |= (word >> 4) & SCAN_EACH(0x0fu);
	return word - ((word >> 1) & SCAN_EACH(0x7fu));
}

static inline bool
scan_is_zero(const uint8_t *at)
{
	const scan_vector *v = (const void *)at;
	scan_vector all = (v[0] | v[1]) | (v[2] | v[3]);

	return (all[0] | all[1]) == 0;
}

static void
scan_add(struct scan *s, uint8_t *counter, uint32_t index, uint8_t bucket)
{
	if (bucket == 0 || s->n == SCAN_PAIRS_MAX)
		return;
	s->pairs[s->n].counter = index;
	s->pairs[s->n].buckets = bucket;
	s->counters[s->n++] = counter;
}

/* Eight counters at once; new ones are rare and taken one by one. */
static inline void
scan_word(struct scan *s, uint8_t *counters, uint32_t index,
	const uint8_t *mask)
{
	uint64_t word = scan_load_word(counters), fresh;

	if (word == 0)
		return;
	memset(counters, 0, SCAN_WORD);
	fresh = scan_buckets(word) & ~scan_load_word(mask + index);
	if (__builtin_expect(fresh == 0, 1))
		return;
	for (uint32_t i = 0; i < SCAN_WORD; i++) {
		uint8_t buckets[SCAN_WORD];

		memcpy(buckets, &fresh, sizeof(buckets));
		scan_add(s, counters + i, index + i, buckets[i]);
	}
}

static inline void
scan_byte(struct scan *s, uint8_t *counter, uint32_t index, const uint8_t *mask)
{
	if (*counter == 0)
		return;
	scan_add(s, counter, index,
		(uint8_t)(coverage_bucket(*counter) & ~mask[index]));
	*counter = 0;
}

static void
scan_region(struct scan *s, const struct counter_region *region,
	const uint8_t *mask)
{
	uint32_t i = 0;

	for (; i + SCAN_BLOCK <= region->n; i += SCAN_BLOCK) {
		if (scan_is_zero(region->start + i))
			continue;
		for (uint32_t j = i; j < i + SCAN_BLOCK; j += SCAN_WORD)
			scan_word(s, region->start + j, region->base + j, mask);
	}
	for (; i + SCAN_WORD <= region->n; i += SCAN_WORD)
		scan_word(s, region->start + i, region->base + i, mask);
	for (; i < region->n; i++)
		scan_byte(s, region->start + i, region->base + i, mask);
}

uint32_t
scan_collect(struct scan *s, const uint8_t *mask)
{
	const struct counters *counters = counters_get();

	s->n = 0;
	for (uint32_t i = 0; i < counters->n; i++) {
		if (counters->regions[i].placed)
			scan_region(s, &counters->regions[i], mask);
	}
	return s->n;
}

void
scan_clear(void)
{
	const struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];
		uint32_t at = 0;

		for (; at + SCAN_BLOCK <= region->n; at += SCAN_BLOCK) {
			/* Pages that are zero anyway stay shared. */
			if (!scan_is_zero(region->start + at))
				memset(region->start + at, 0, SCAN_BLOCK);
		}
		memset(region->start + at, 0, region->n - at);
	}
}

/* Moves pair i to place *n if it stays. */
static void
scan_keep(struct scan *s, uint32_t i, uint32_t *n)
{
	s->pairs[*n] = s->pairs[i];
	s->counters[(*n)++] = s->counters[i];
}

void
scan_filter(struct scan *s, const uint8_t *mask)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		s->pairs[i].buckets &= ~(uint32_t)mask[s->pairs[i].counter];
		if (s->pairs[i].buckets != 0)
			scan_keep(s, i, &n);
	}
	s->n = n;
}

static bool
scan_has_pair(const struct scan *s, uint32_t i)
{
	return (coverage_bucket(*s->counters[i]) & s->pairs[i].buckets) != 0;
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
scan_merge(const struct scan *s, uint8_t *mask)
{
	for (uint32_t i = 0; i < s->n; i++)
		mask[s->pairs[i].counter] |= (uint8_t)s->pairs[i].buckets;
}

static uint8_t *
scan_find(uint32_t index)
{
	const struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];

		if (region->placed && index >= region->base &&
			index - region->base < region->n)
			return region->start + (index - region->base);
	}
	return NULL;
}

bool
scan_load(struct scan *s, const struct coverage_pair *pairs, uint32_t n)
{
	s->n = 0;
	for (uint32_t i = 0; i < n && i < SCAN_PAIRS_MAX; i++) {
		uint8_t *counter = scan_find(pairs[i].counter);

		if (counter == NULL)
			return false;
		s->pairs[s->n] = pairs[i];
		s->counters[s->n++] = counter;
	}
	return true;
}

bool
scan_is_covered(const struct scan *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (!scan_has_pair(s, i))
			return false;
	}
	return true;
}
