/*
 * field_row: one plain member of a struct as JSON and back, by a row of a
 * table.
 *
 * Encoding cannot fail: a whole number above INT64_MAX becomes INT64_MAX, a
 * real that is not finite becomes 0. Decoding trusts nothing: a wrong type, an
 * unknown word and too many bytes are E_FORMAT, a number out of range is
 * E_RANGE; texts are cleaned and truncated.
 */
#ifndef CFUZZ_CONTROL_FIELD_ROW_H
#define CFUZZ_CONTROL_FIELD_ROW_H

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
	/* A pointer to structs, owned; a size_t has their number. For fields.h
	 * only. */
	FIELD_ITEMS,
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
	size_t max;      /* BLOB: bytes; ITEMS: their number */
	size_t n_offset; /* BYTES, ITEMS: of the length */
	const struct field_words *words; /* WORD */
	const struct fields *fields;     /* ITEMS: of each of them */
	/*
	 * ITEMS: not 0: the JSON is an object, and its keys are the texts of
	 * this size at the start of each item. 0: the JSON is an array.
	 */
	size_t key_size;
};

/* The members of a struct. */
struct fields {
	const struct field_row *rows; /* the last one has no name */
	size_t size;                  /* of the struct */
};

/*
 * Macros for the rows of a table. `tag` is that of the struct that has the
 * member.
 */
#define FIELDS(tag, ...) \
	{ \
		.rows = (const struct field_row[]){ __VA_ARGS__, { 0 } }, \
		.size = sizeof(struct tag) \
	}
#define FIELD_WORDS(array) \
	{ \
		.items = (array), .n = sizeof(array) / sizeof((array)[0]) \
	}
#define FIELD_AT(tag, TYPE, member) \
	.type = FIELD_##TYPE, .offset = offsetof(struct tag, member), \
	.size = sizeof(((struct tag *)0)->member)
#define FIELD_ROW(tag, TYPE, member) \
	{ \
		.name = #member, FIELD_AT(tag, TYPE, member) \
	}
#define FIELD_ROW_WORD(tag, member, list) \
	{ \
		.name = #member, FIELD_AT(tag, WORD, member), .words = &(list) \
	}
#define FIELD_ROW_BYTES(tag, member) \
	{ \
		.name = #member, FIELD_AT(tag, BYTES, member), \
		.n_offset = offsetof(struct tag, member##_n) \
	}
#define FIELD_ROW_BLOB(tag, member, most) \
	{ \
		.name = #member, FIELD_AT(tag, BLOB, member), .max = (most) \
	}
/* `member` and `member_n`; of_each: a struct fields. */
#define FIELD_KEYED(tag, member, most, of_each, key) \
	{ \
		.name = #member, FIELD_AT(tag, ITEMS, member), .max = (most), \
		.n_offset = offsetof(struct tag, member##_n), \
		.fields = &(of_each), .key_size = (key) \
	}
#define FIELD_LIST(tag, member, most, of_each) \
	FIELD_KEYED(tag, member, most, of_each, 0)

/* A new reference. base: the struct. */
json_t *field_encode(const struct field_row *field, const void *base);
/* Sets the member. On failure a blob may be empty, bytes may be changed. */
enum status field_decode(const struct field_row *field, const json_t *json,
	void *base, struct error *err) MUST_CHECK;

#endif
