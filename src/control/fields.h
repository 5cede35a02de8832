/*
 * fields: structs of plain members as JSON and back, by tables.
 *
 * One row per member drives both directions, so encoder and decoder cannot
 * diverge. Encoding cannot fail. Decoding trusts nothing: a wrong type, a
 * number out of range and an array that is too long are errors that name the
 * member; texts are cleaned and truncated. Unknown members are ignored; missing
 * members keep their value.
 */
#ifndef CFUZZ_CONTROL_FIELDS_H
#define CFUZZ_CONTROL_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

/* Bytes on the heap, owned by the struct that contains the blob. */
struct field_blob {
	uint8_t *data;
	size_t len;
};

enum field_type {
	FIELD_U64,
	FIELD_U32,
	FIELD_I64,
	FIELD_INT,
	FIELD_SEED, /* u64 as a decimal string: JSON readers lose digits */
	FIELD_REAL,
	FIELD_BOOL,
	FIELD_TEXT,  /* char[size] */
	FIELD_BYTES, /* uint8_t[size], as hex; a uint32_t has the length */
	FIELD_BLOB,  /* struct field_blob, as hex */
	FIELD_WORD,  /* an enum, as its name */
};

struct field_words {
	const char *const *items;
	size_t n;
};

struct field_row {
	const char *name;
	enum field_type type;
	size_t offset;   /* in the struct */
	size_t size;     /* TEXT, BYTES: capacity; else size of the number */
	size_t n_offset; /* BYTES: offset of the length; BLOB: maximum length */
	const struct field_words *words; /* WORD */
};

struct fields {
	const struct field_row *items;
	size_t n;
};

/* A pointer to items and a size_t with their number. */
struct field_list {
	const char *name;
	size_t offset, n_offset; /* of the pointer and of the number of items */
	size_t max;
	size_t item_size;
	const struct fields *fields;
	/*
	 * Not 0: the JSON is an object, and its keys are the texts of this size
	 * at the start of each item. 0: the JSON is an array.
	 */
	size_t key_size;
};

/* A whole struct: its members and its lists. */
struct record {
	size_t size; /* of the struct */
	struct fields fields;
	const struct field_list *lists;
	size_t lists_n;
};

/*
 * Macros for the rows of a table. FIELD_OF is the tag of the struct: define it
 * before the rows and undefine it after them.
 */
#define FIELD_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FIELD_ALL(array) \
	{ \
		.items = (array), .n = FIELD_COUNT(array) \
	}
#define FIELD_ROOM(member) sizeof(((struct FIELD_OF *)0)->member)
#define FIELD_ROW(TYPE, member) \
	{ \
		.name = #member, .type = FIELD_##TYPE, \
		.offset = offsetof(struct FIELD_OF, member), \
		.size = FIELD_ROOM(member) \
	}
#define FIELD_ROW_WORD(member, list) \
	{ \
		.name = #member, .type = FIELD_WORD, \
		.offset = offsetof(struct FIELD_OF, member), \
		.size = FIELD_ROOM(member), .words = &(list) \
	}
#define FIELD_ROW_BYTES(member) \
	{ \
		.name = #member, .type = FIELD_BYTES, \
		.offset = offsetof(struct FIELD_OF, member), \
		.size = FIELD_ROOM(member), \
		.n_offset = offsetof(struct FIELD_OF, member##_n) \
	}
#define FIELD_ROW_BLOB(member, most) \
	{ \
		.name = #member, .type = FIELD_BLOB, \
		.offset = offsetof(struct FIELD_OF, member), \
		.n_offset = (most) \
	}
/* A list in FIELD_OF: `member` and `member_n`; rows: a struct fields. */
#define FIELD_LIST(member, most, rows) \
	.name = #member, .offset = offsetof(struct FIELD_OF, member), \
	.n_offset = offsetof(struct FIELD_OF, member##_n), .max = (most), \
	.item_size = sizeof(*((struct FIELD_OF *)0)->member), \
	.fields = &(rows)

/* Adds the members of the struct at `base` to the object. */
void record_encode(const struct record *record, const void *base,
	json_t *object);
/* The same, with lists in the format of columns.h, which is faster to parse. */
void record_encode_columns(const struct record *record, const void *base,
	json_t *object);

/*
 * Fills the struct at `base`, which must be initialised, from either format. On
 * failure some members may be filled: clear the struct.
 */
enum status record_decode(const struct record *record, const json_t *json,
	void *base, struct error *err) MUST_CHECK;

/* Frees lists and blobs and sets all members to zero. */
void record_clear(const struct record *record, void *base);

#endif
