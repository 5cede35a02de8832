/*
 * coverage: arithmetic on edge counters and coverage maps.
 *
 * Each edge counter becomes a bucket byte: one bit for the magnitude of the hit
 * count (0, 1, 2-3, 4-7 … 128-255). A coverage map holds, for each counter, the
 * bits of all buckets that any input reached. "base" is such a map, "snap" the
 * bucket bytes of one execution. The functions skip empty stretches quickly.
 * Input and output may be the same array.
 */
#ifndef CFUZZ_SHARED_COVERAGE_H
#define CFUZZ_SHARED_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

/* The bucket bit of a counter: its highest set bit; 0 for 0. */
uint8_t coverage_bucket(uint8_t counter);

/* Turn n counters into bucket bytes. */
void coverage_classify(uint8_t *snap, const uint8_t *counters, size_t n);

/* The number of bits of snap that are not in base. */
size_t coverage_count_new(const uint8_t *base, const uint8_t *snap, size_t n);

/* True if a bit of snap is not in base. Stops at the first. */
bool coverage_has_new(const uint8_t *base, const uint8_t *snap, size_t n);

/* True if every bit of base is in snap. */
bool coverage_is_subset(const uint8_t *base, const uint8_t *snap, size_t n);

/* True if base and snap share a bit. */
bool coverage_has_bit(const uint8_t *base, const uint8_t *snap, size_t n);

size_t coverage_count_bits(const uint8_t *bytes, size_t n);

/* The edges hit: the number of bytes that are not 0. */
size_t coverage_count_hit(const uint8_t *bytes, size_t n);

/*
 * Store the bits of snap that are not in base into out (snap_n bytes), and the
 * number of these bits into new_bits. E_RANGE if the numbers of counters
 * differ.
 */
enum status coverage_diff(const uint8_t *base, size_t base_n,
	const uint8_t *snap, size_t snap_n, uint8_t *out, size_t *new_bits,
	struct error *err) MUST_CHECK;

/*
 * Add snap to mask; new_bits is the number of bits added. E_RANGE, with mask
 * unchanged, if the numbers of counters differ.
 */
enum status coverage_update(uint8_t *mask, size_t mask_n, const uint8_t *snap,
	size_t snap_n, size_t *new_bits, struct error *err) MUST_CHECK;

#endif
