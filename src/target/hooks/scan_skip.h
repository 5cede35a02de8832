/*
 * scan_skip: skips and clears counters without new features.
 *
 * A scan does little else, so there is a variant for each set of vector
 * instructions. The best one for the processor is chosen once, when a scan is
 * made.
 */
#ifndef CFUZZ_TARGET_HOOKS_SCAN_SKIP_H
#define CFUZZ_TARGET_HOOKS_SCAN_SKIP_H

#include <stddef.h>
#include <stdint.h>

enum scan_way {
	SCAN_PLAIN,   /* skips nothing */
	SCAN_VECTORS, /* of 16 bytes, on any processor */
	SCAN_AVX2,
	SCAN_AVX512,
	SCAN_WAY_COUNT
};

/* Counters and their part of the coverage map. */
struct scan_span {
	uint8_t *counters;
	const uint8_t *map;
	size_t n;      /* of both */
	uint32_t base; /* number of the first */
};

/*
 * Clears nonzero counters from position `at` on while the map has all their
 * buckets. Returns the position of a counter that the scan must read itself, or
 * n; all counters from `at` to there are clear. Touches no byte outside of the
 * span.
 */
typedef size_t scan_skip(const struct scan_span *span, size_t at);

/* NULL: this processor lacks the instructions; never for the first two. */
scan_skip *scan_skip_get(enum scan_way way);

/* The fastest variant. */
scan_skip *scan_skip_best(void);

/* SCAN_AVX2 and SCAN_AVX512, for scan_skip_get(). NULL: as above. */
scan_skip *scan_skip_x86(enum scan_way way);

#endif
