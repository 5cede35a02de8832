/*
 * memory_ring: the ring of new inputs in worker memory.
 */
#ifndef CFUZZ_SHARED_WIRE_MEMORY_RING_H
#define CFUZZ_SHARED_WIRE_MEMORY_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/mutate/mutate.h"

#define MEMORY_MUTATIONS_MAX 64u    /* in one mutation stack */
#define MEMORY_LITERALS_MAX 16384u  /* bytes of one mutation stack */
#define MEMORY_EDGES_HIT_MAX 65536u /* edges hit by one new input */

/*
 * A new input in the ring. The record is followed by `features_n` struct
 * feature (new features), `mutations_n` struct mutation, `edges_hit_n` numbers
 * of counters (all edges hit), `unstable_n` more (unstable edges: not hit
 * again), `literals_n` literal bytes and `len` bytes of the input, then padding
 * up to a multiple of 8. `size` is the size of all this.
 */
struct ring_record {
	uint64_t size;
	uint64_t run_ns; /* duration of the confirming execution, 0: none */
	uint32_t len;    /* bytes of the input */
	/* The mutation stack, as in struct worker_head. */
	uint32_t parent, partner, dict_len;
	uint32_t features_n, mutations_n;
	uint32_t edges_hit_n; /* 0: there was no room for them */
	uint32_t literals_n;  /* over MEMORY_LITERALS_MAX: lost, none follow */
	uint32_t unstable_n;
	uint32_t flags; /* RING_… */
};
/* The confirming execution did not hit some of the features. */
#define RING_UNSTABLE 1u

/* One edge counter and the hit-count buckets (a bit each) it reached. */
struct feature {
	uint32_t counter;
	uint32_t buckets;
};

/*
 * The size of a record with these numbers, padding included, in bytes. The ring
 * has room for at least two of the largest: value_size bytes, MEMORY_KEEP_MAX
 * features, MEMORY_EDGES_HIT_MAX edges hit.
 */
uint64_t ring_record_size(const struct ring_record *record);

/* A new input in a copy of the ring: pointers into that copy, in bounds. */
struct ring_input {
	struct ring_record record;
	const struct feature *features;
	const struct mutation *mutations;
	const uint32_t *edges_hit, *unstable;
	const uint8_t *literals; /* literals_n bytes; NULL: lost */
	const uint8_t *bytes;
};

/*
 * Parses the record at *offset of a private copy of a ring's used part and
 * moves *offset behind it. False at the end, or at a record with invalid
 * numbers: *damaged tells which. The copy must be aligned to 8. A new input may
 * be longer than max_len if the call's capacity was, but never longer than the
 * value area.
 */
bool ring_next(const uint8_t *ring, size_t used, size_t *offset,
	uint32_t max_len, struct ring_input *input, bool *damaged);

#endif
