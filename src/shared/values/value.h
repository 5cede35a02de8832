/*
 * value: the typed arguments of a target.
 *
 * A value is a tag and a scalar, or a tag and bytes. The bytes are in a buffer
 * that belongs to this value alone and that the owner of the value provides:
 * nothing here allocates.
 */
#ifndef CFUZZ_SHARED_VALUES_VALUE_H
#define CFUZZ_SHARED_VALUES_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

/* The fifteen types; "byte" is uint8 and "rune" is int32. */
enum value_type {
	VALUE_BYTES,
	VALUE_STRING,
	VALUE_BOOL,
	VALUE_INT, /* 64 bits */
	VALUE_INT8,
	VALUE_INT16,
	VALUE_INT32,
	VALUE_INT64,
	VALUE_UINT, /* 64 bits */
	VALUE_UINT8,
	VALUE_UINT16,
	VALUE_UINT32,
	VALUE_UINT64,
	VALUE_FLOAT32,
	VALUE_FLOAT64,
	VALUE_TYPE_N,
};

struct value {
	enum value_type type;
	union {
		bool b;
		int64_t i;  /* all signed integers */
		uint64_t u; /* all unsigned integers */
		float f32;
		double f64;
	};
	/* VALUE_BYTES, VALUE_STRING */
	uint8_t *data; /* borrowed from the owner; NULL if there is none */
	size_t len;
};

/* The bits of the NaN of each width that is written as "NaN". */
#define VALUE_NAN32 UINT64_C(0x7fc00000)
#define VALUE_NAN64 UINT64_C(0x7ff8000000000001)

/* The name of a type in messages, which is Go's: "[]uint8", "int32"; "?" for
 * another number. */
const char *value_type_name(enum value_type type);

/* Finds a type by one of the names that users write. False: no such type. */
bool value_type_find(const char *name, size_t len, enum value_type *type);

static inline bool
value_type_is_bytes(enum value_type type)
{
	return type == VALUE_BYTES || type == VALUE_STRING;
}

static inline bool
value_type_is_signed(enum value_type type)
{
	return type >= VALUE_INT && type <= VALUE_INT64;
}

/* The bytes of a scalar of this type: 1, 2, 4 or 8; 0 for other types. */
size_t value_width(enum value_type type);

/* Makes value the zero of a type; the value keeps its buffer. */
void value_clear(struct value *value, enum value_type type);

/* A scalar as 64 bits and back, exact for every NaN; bytes give 0. */
uint64_t value_get_bits(const struct value *value);
void value_set_bits(struct value *value, uint64_t bits);

/* Equal in type and content; floats bit for bit. */
bool value_equal(const struct value *a, const struct value *b);

/*
 * Checks that the values have these types. E_FORMAT, with the message of Go's
 * engine, if their number or a type differs.
 */
enum status values_check(const struct value *values, size_t n,
	const enum value_type *types, size_t types_n, struct error *err)
	MUST_CHECK;

#endif
