/*
 * field_row: one plain member of a struct as JSON and back, by a row of a table.
 *
 * Encoding cannot fail. Decoding trusts nothing: a wrong type, a number out of
 * range and too many bytes are errors; texts are cleaned and truncated.
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
/* A new reference. base: the struct. */
json_t *field_encode(const struct field_row *field, const void *base);
enum status field_decode(const struct field_row *field, const json_t *json,
	void *base, struct error *err) MUST_CHECK;

#endif
