/*
 * scan_skip: variants that need no special processor, see scan_skip.h.
 *
 * If the last counters do not fill a vector, the last full vector is read; the
 * part that overlaps is clear already.
 */

#include "target/hooks/scan_skip.h"

#include <stdbool.h>
#include <string.h>

#define SKIP_VECTOR sizeof(skip_vector)
#define SKIP_BLOCK (4 * SKIP_VECTOR)
#define SKIP_EACH(byte) ((byte)*0x0101010101010101u)

/* SSE2, NEON, or whatever else the compiler may use. */
typedef uint64_t skip_vector __attribute__((vector_size(16)));

static size_t
skip_nothing(const struct scan_span *span, size_t at)
{
	return at;
}

static inline skip_vector
skip_load(const uint8_t *at)
{
	skip_vector vector;

	memcpy(&vector, at, sizeof(vector));
	return vector;
}

static inline bool
skip_is_zero(skip_vector vector)
{
	return (vector[0] | vector[1]) == 0;
}

static inline bool
skip_is_zero_block(const uint8_t *at)
{
	return skip_is_zero((skip_load(at) | skip_load(at + 16)) |
		(skip_load(at + 32) | skip_load(at + 48)));
}

/* The bucket bit of each byte: its highest set bit. */
static inline skip_vector
skip_buckets(skip_vector vector)
{
	vector |= (vector >> 1) & SKIP_EACH(0x7fu);
	vector |= (vector >> 2) & SKIP_EACH(0x3fu);
	vector |= (vector >> 4) & SKIP_EACH(0x0fu);
	return vector - ((vector >> 1) & SKIP_EACH(0x7fu));
}

/*
 * Clears a vector without new features; false: it has some, and is left alone.
 */
static inline bool
skip_clear(const struct scan_span *span, size_t at)
{
	skip_vector vector = skip_load(span->counters + at);

	if (skip_is_zero(vector))
		return true;
	if (!skip_is_zero(skip_buckets(vector) & ~skip_load(span->map + at)))
		return false;
	memset(span->counters + at, 0, sizeof(vector));
	return true;
}

static size_t
skip_vectors(const struct scan_span *span, size_t at)
{
	while (span->n - at >= SKIP_VECTOR) {
		if (span->n - at >= SKIP_BLOCK &&
			skip_is_zero_block(span->counters + at))
			at += SKIP_BLOCK;
		else if (skip_clear(span, at))
			at += SKIP_VECTOR;
		else
			return at;
	}
	if (at < span->n && span->n >= SKIP_VECTOR &&
		skip_clear(span, span->n - SKIP_VECTOR))
		at = span->n;
	return at;
}

scan_skip *
scan_skip_get(enum scan_way way)
{
	switch (way) {
	case SCAN_PLAIN:
		return skip_nothing;
	case SCAN_VECTORS:
		return skip_vectors;
	default:
		return scan_skip_x86(way);
	}
}

scan_skip *
scan_skip_best(void)
{
	scan_skip *skip = NULL;

	for (int way = SCAN_WAY_COUNT - 1; skip == NULL; way--)
		skip = scan_skip_get((enum scan_way)way);
	return skip;
}
