/*
 * coverage: see coverage.h. Nearly all counters of one execution are zero, so
 * the loops read words and skip empty stretches in blocks.
 */

#include "shared/coverage.h"

#include <string.h>

#define COVERAGE_WORD sizeof(uint64_t)
#define COVERAGE_BLOCK 4 /* words */
#define COVERAGE_EACH(byte) ((byte)*0x0101010101010101u)

/* The word at i; bytes past the end of the array read as 0. */
static inline uint64_t
coverage_load(const uint8_t *bytes, size_t i, size_t n)
{
	uint64_t word = 0;

	if (__builtin_expect(n - i >= COVERAGE_WORD, 1))
		memcpy(&word, bytes + i, COVERAGE_WORD);
	else
		memcpy(&word, bytes + i, n - i);
	return word;
}

static inline void
coverage_store(uint8_t *bytes, size_t i, size_t n, uint64_t word)
{
	size_t len = n - i < COVERAGE_WORD ? n - i : COVERAGE_WORD;

	memcpy(bytes + i, &word, len);
}

/* The first word at or after i (a multiple of 8) that may not be 0. */
static inline size_t
coverage_skip(const uint8_t *bytes, size_t i, size_t n)
{
	uint64_t words[COVERAGE_BLOCK];

	if (i >= n)
		return n;
	for (; n - i >= sizeof(words); i += sizeof(words)) {
		memcpy(words, bytes + i, sizeof(words));
		if (words[0] | words[1] | words[2] | words[3])
			break;
	}
	while (n - i >= COVERAGE_WORD && coverage_load(bytes, i, n) == 0)
		i += COVERAGE_WORD;
	return i;
}

/* In each byte: smear the highest bit down, then keep only that bit. */
static inline uint64_t
coverage_bucket_word(uint64_t word)
{
	word |= (word >> 1) & COVERAGE_EACH(0x7fu);
	word |= (word >> 2) & COVERAGE_EACH(0x3fu);
	word |= (word >> 4) & COVERAGE_EACH(0x0fu);
	return word - ((word >> 1) & COVERAGE_EACH(0x7fu));
}

uint8_t
coverage_bucket(uint8_t counter)
{
	return (uint8_t)coverage_bucket_word(counter);
}

void
coverage_classify(uint8_t *snap, const uint8_t *counters, size_t n)
{
	if (snap != counters)
		memcpy(snap, counters, n);
	for (size_t i = 0; (i = coverage_skip(snap, i, n)) < n;
		i += COVERAGE_WORD) {
		uint64_t word = coverage_load(snap, i, n);

		coverage_store(snap, i, n, coverage_bucket_word(word));
	}
}

size_t
coverage_count_new(const uint8_t *base, const uint8_t *snap, size_t n)
{
	size_t bits = 0;

	for (size_t i = 0; (i = coverage_skip(snap, i, n)) < n;
		i += COVERAGE_WORD) {
		uint64_t word =
			coverage_load(snap, i, n) & ~coverage_load(base, i, n);

		if (word)
			bits += (size_t)__builtin_popcountll(word);
	}
	return bits;
}

bool
coverage_has_new(const uint8_t *base, const uint8_t *snap, size_t n)
{
	for (size_t i = 0; (i = coverage_skip(snap, i, n)) < n;
		i += COVERAGE_WORD) {
		if (coverage_load(snap, i, n) & ~coverage_load(base, i, n))
			return true;
	}
	return false;
}

bool
coverage_is_subset(const uint8_t *base, const uint8_t *snap, size_t n)
{
	return !coverage_has_new(snap, base, n);
}

bool
coverage_has_bit(const uint8_t *base, const uint8_t *snap, size_t n)
{
	for (size_t i = 0; (i = coverage_skip(snap, i, n)) < n;
		i += COVERAGE_WORD) {
		if (coverage_load(base, i, n) & coverage_load(snap, i, n))
			return true;
	}
	return false;
}

size_t
coverage_count_bits(const uint8_t *bytes, size_t n)
{
	size_t bits = 0;

	for (size_t i = 0; (i = coverage_skip(bytes, i, n)) < n;
		i += COVERAGE_WORD)
		bits += (size_t)__builtin_popcountll(
			coverage_load(bytes, i, n));
	return bits;
}

size_t
coverage_count_hit(const uint8_t *bytes, size_t n)
{
	size_t hit = 0;

	for (size_t i = 0; (i = coverage_skip(bytes, i, n)) < n;
		i += COVERAGE_WORD) {
		for (uint64_t word = coverage_load(bytes, i, n); word;
			word >>= 8)
			hit += (word & 0xff) != 0;
	}
	return hit;
}

enum status
coverage_diff(const uint8_t *base, size_t base_n, const uint8_t *snap,
	size_t snap_n, uint8_t *out, size_t *new_bits, struct error *err)
{
	*new_bits = 0;
	if (base_n != snap_n)
		return error_set(err, E_RANGE,
			"the number of coverage bits changed: "
			"before=%zu, after=%zu",
			base_n, snap_n);
	for (size_t i = 0; i < snap_n; i += COVERAGE_WORD) {
		uint64_t word = coverage_load(snap, i, snap_n) &
			~coverage_load(base, i, snap_n);

		*new_bits += (size_t)__builtin_popcountll(word);
		coverage_store(out, i, snap_n, word);
	}
	return OK;
}

enum status
coverage_update(uint8_t *mask, size_t mask_n, const uint8_t *snap,
	size_t snap_n, size_t *new_bits, struct error *err)
{
	*new_bits = 0;
	if (mask_n != snap_n)
		return error_set(err, E_RANGE,
			"number of coverage counters changed at runtime: "
			"%zu, expected %zu",
			snap_n, mask_n);
	for (size_t i = 0; (i = coverage_skip(snap, i, mask_n)) < mask_n;
		i += COVERAGE_WORD) {
		uint64_t word = coverage_load(snap, i, mask_n);
		uint64_t old = coverage_load(mask, i, mask_n);

		if (!(word & ~old))
			continue;
		*new_bits += (size_t)__builtin_popcountll(word & ~old);
		coverage_store(mask, i, mask_n, old | word);
	}
	return OK;
}
