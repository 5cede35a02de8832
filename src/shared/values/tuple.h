/*
 * tuple: the arguments of a typed target as one run of bytes.
 *
 * In shared memory an input of a typed target is a tuple. Each argument has a
 * tag (enum value_type, one byte). A scalar follows with its 64 bits; bytes and
 * strings follow with their length in 4 bytes and their content. All numbers
 * are little-endian. On disk and on the screen a tuple is the text of encode.h.
 *
 * A target with one argument of type bytes is not a typed target: its inputs
 * are the bytes themselves.
 *
 * Untrusted bytes are parsed before any use. A scalar with bits that its type
 * does not have is cut to its width when it is read.
 */
#ifndef CFUZZ_SHARED_VALUES_TUPLE_H
#define CFUZZ_SHARED_VALUES_TUPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/value.h"

#define TUPLE_MAX 16u /* arguments of a target */

/* The types of a target's arguments. */
struct tuple_types {
	uint32_t n; /* 0: not typed */
	enum value_type types[TUPLE_MAX];
};

/* The place of one argument. */
struct tuple_field {
	enum value_type type;
	size_t offset; /* of its content, which has `len` bytes */
	size_t len;
};

struct tuple {
	uint32_t n;
	struct tuple_field fields[TUPLE_MAX];
};

#define TUPLE_SCALAR_LEN 8u
#define TUPLE_LENGTH_LEN 4u /* the length is right before the content */

/*
 * Finds the arguments in len bytes. False unless the bytes are exactly a tuple
 * of at least one argument.
 */
bool tuple_parse(const uint8_t *data, size_t len, struct tuple *tuple);

/* The same, for exactly these types. */
bool tuple_parse_as(const uint8_t *data, size_t len,
	const struct tuple_types *types, struct tuple *tuple);

/* The size of the values as a tuple, in bytes. */
size_t tuple_size(const struct value *values, size_t n);

/* Writes the values to out, which has room for tuple_size() bytes. */
void tuple_pack(const struct value *values, size_t n, uint8_t *out);

/* Writes zeros and empty bytes; out has room for TUPLE_ZERO_MAX bytes. Returns
 * the number of bytes. */
#define TUPLE_ZERO_MAX (TUPLE_MAX * (1u + TUPLE_SCALAR_LEN))
size_t tuple_zero(const struct tuple_types *types, uint8_t *out);

/* One argument as a value; its bytes are borrowed from data. */
struct value tuple_value(const uint8_t *data, const struct tuple_field *field);

/* Reads and writes the 64 bits of a scalar as they are stored. */
uint64_t tuple_bits(const uint8_t *data, const struct tuple_field *field);
void tuple_set_bits(uint8_t *data, const struct tuple_field *field,
	uint64_t bits);

/*
 * Replaces `removed` bytes at an offset of the tuple by n other bytes, and
 * corrects the length of the argument. The caller ensures that data has room.
 * False, with nothing changed, if data is not a tuple, if the bytes are not
 * inside one argument, or if the length of a scalar would change.
 */
bool tuple_replace(uint8_t *data, size_t *len, size_t offset, size_t removed,
	const uint8_t *bytes, size_t n);

#endif
