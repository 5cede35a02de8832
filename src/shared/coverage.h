/*
 * coverage: arithmetic on hit counters and on the mask of what was seen.
 *
 * A counter byte becomes a bucket byte: one bit that tells the magnitude of
 * the hit count (0, 1, 2-3, 4-7 … 128-255). The mask of a corpus has, for
 * each counter, the bits of all buckets that any input reached. "base" is
 * such a mask, "snap" the bucket bytes of one execution. Plain functions on
 * plain bytes that pass over empty stretches quickly; output may be the input
 * itself.
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

/* How many bits of snap are not in base. */
size_t coverage_count_new(const uint8_t *base, const uint8_t *snap, size_t n);

/* Is any bit of snap not in base? Returns at the first. */
bool coverage_has_new(const uint8_t *base, const uint8_t *snap, size_t n);

/* Is every bit of base in snap? */
bool coverage_is_subset(const uint8_t *base, const uint8_t *snap, size_t n);

/* Have base and snap any bit in common? */
bool coverage_has_bit(const uint8_t *base, const uint8_t *snap, size_t n);

size_t coverage_count_bits(const uint8_t *bytes, size_t n);

/* How many bytes are not 0: the counters that were hit at all. */
size_t coverage_count_hit(const uint8_t *bytes, size_t n);

/*
 * Put into out (snap_n bytes) what snap adds to base, and their number of
 * bits into new_bits. E_RANGE if the numbers of counters differ.
 */
enum status coverage_diff(const uint8_t *base, size_t base_n,
	const uint8_t *snap, size_t snap_n, uint8_t *out, size_t *new_bits,
	struct error *err) MUST_CHECK;

/*
 * Add snap to mask; new_bits tells how many bits that changed. E_RANGE, and
 * nothing happens, if the numbers of counters differ.
 */
enum status coverage_update(uint8_t *mask, size_t mask_n, const uint8_t *snap,
	size_t snap_n, size_t *new_bits, struct error *err) MUST_CHECK;

#endif
