/*
 * snapshot_fields: the members of a snapshot's JSON, as tables.
 *
 * One row per member drives both directions, so they cannot drift apart.
 * Private to the snapshot.
 */
#ifndef CFUZZ_CONTROL_SNAPSHOT_FIELDS_H
#define CFUZZ_CONTROL_SNAPSHOT_FIELDS_H

#include <stddef.h>

#include "control/snapshot.h"

enum field_type {
	FIELD_U64,
	FIELD_U32,
	FIELD_I64,
	FIELD_INT,
	FIELD_SEED, /* u64 as a decimal string: JSON readers cut such numbers */
	FIELD_REAL,
	FIELD_BOOL,
	FIELD_TEXT,  /* char[size] */
	FIELD_BYTES, /* uint8_t[size], as hex; a uint32_t says how many */
	FIELD_WORD,  /* an enum, as its name */
};

struct words {
	const char *const *items;
	size_t n;
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset;             /* in the struct */
	size_t size;               /* TEXT, BYTES: room; else of the number */
	size_t n_offset;           /* BYTES: of the number of bytes */
	const struct words *words; /* WORD */
};

struct fields {
	const struct field *items;
	size_t n;
};

/* An array of the snapshot. */
struct list {
	const char *name;
	size_t offset, n_offset; /* of the pointer and the number of items */
	size_t max;
	size_t item_size;
	const struct fields *fields;
	/*
	 * Not 0: the JSON is an object, and the key is a text of this size at
	 * the start of an item; else it is an array.
	 */
	size_t key_size;
};

extern const struct words RUN_STATE_WORDS, WORKER_VIEW_STATE_WORDS,
	STOP_STEP_WORDS;

extern const struct fields SNAPSHOT_FIELDS;

#define SNAPSHOT_LISTS_N 6
extern const struct list SNAPSHOT_LISTS[SNAPSHOT_LISTS_N];

#endif
