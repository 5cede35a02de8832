/*
 * scan_skip: passing over counters that tell nothing new, and clearing them.
 *
 * That is what a scan does nearly always, so there are several ways to do
 * it, one for each set of vector instructions. Which of them this processor
 * has is asked once, when a scan is made.
 */
#ifndef CFUZZ_TARGET_HOOKS_SCAN_SKIP_H
#define CFUZZ_TARGET_HOOKS_SCAN_SKIP_H

#include <stddef.h>
#include <stdint.h>

enum scan_way {
	SCAN_PLAIN,   /* leaves all to the scan itself */
	SCAN_VECTORS, /* 16 bytes, as each processor of its kind has them */
	SCAN_AVX2,
	SCAN_AVX512,
	SCAN_WAY_COUNT
};

/* Counters, and what is known of them. */
struct scan_span {
	uint8_t *counters;
	const uint8_t *mask;
	size_t n;      /* of both */
	uint32_t base; /* number of the first */
};

/*
 * Clears what is not zero from at on, as far as the mask has the buckets of
 * all counters. Returns where that ends: n, or a place up to which all are
 * clear and from which on the scan looks for itself. Touches no byte outside
 * of the span.
 */
typedef size_t scan_skip(const struct scan_span *span, size_t at);

/* NULL: this processor cannot. The first two never are. */
scan_skip *scan_skip_get(enum scan_way way);

/* The fastest one. */
scan_skip *scan_skip_best(void);

/* SCAN_AVX2 and SCAN_AVX512, for the above. */
scan_skip *scan_skip_x86(enum scan_way way);

#endif
