/*
 * tuple: the arguments of a typed target as one run of bytes.
 *
 * In memory that engine and worker share, an input of a typed target is a
 * tuple: for each argument a tag (enum value_type, one byte), then for a
 * scalar its 64 bits, for bytes and strings their length in 4 bytes and then
 * themselves; all numbers low byte first. On disk and on the screen it is the
 * text of encode.h.
 *
 * A target with one argument of type bytes is no typed target: its inputs
 * are the bytes themselves.
 *
 * Bytes from elsewhere are parsed before anything is done with them; a scalar
 * with bits that its type does not have is cut to its width when it is read.
 */
#ifndef CFUZZ_SHARED_VALUES_TUPLE_H
#define CFUZZ_SHARED_VALUES_TUPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/value.h"

#define TUPLE_MAX 16u /* arguments of a target */

/* What a target takes. */
struct tuple_types {
	uint32_t n; /* 0: not typed */
	enum value_type types[TUPLE_MAX];
};

/* Where one argument stands. */
struct tuple_field {
	enum value_type type;
	size_t offset; /* of its content: 8 bytes, or `len` of them */
	size_t len;
};

struct tuple {
	uint32_t n;
	struct tuple_field fields[TUPLE_MAX];
};

#define TUPLE_SCALAR_LEN 8u
#define TUPLE_LENGTH_LEN 4u /* the length stands right before the content */

/*
 * Finds the arguments of len bytes. False if they are not exactly a tuple of
 * at least one argument.
 */
bool tuple_parse(const uint8_t *data, size_t len, struct tuple *tuple);

/* The same, and with these types. */
bool tuple_parse_as(const uint8_t *data, size_t len,
	const struct tuple_types *types, struct tuple *tuple);

/* How many bytes the values take. */
size_t tuple_size(const struct value *values, size_t n);

/* Writes them to out, which has room for tuple_size() bytes. */
void tuple_pack(const struct value *values, size_t n, uint8_t *out);

/* All zeros and empty, to out, which has room for TUPLE_ZERO_MAX bytes. */
#define TUPLE_ZERO_MAX (TUPLE_MAX * (1u + TUPLE_SCALAR_LEN))
size_t tuple_zero(const struct tuple_types *types, uint8_t *out);

/* One argument as a value, whose bytes are borrowed from data. */
struct value tuple_value(const uint8_t *data, const struct tuple_field *field);

/* The 64 bits of a scalar, as they stand there, and back. */
uint64_t tuple_bits(const uint8_t *data, const struct tuple_field *field);
void tuple_set_bits(uint8_t *data, const struct tuple_field *field,
	uint64_t bits);

/*
 * Puts n other bytes in the place of `gone` ones, at an offset in the whole,
 * and corrects the argument's length. The memory behind data is the caller's
 * to know. False, and nothing is changed, if they do not lie in one argument,
 * or if a scalar would get longer or shorter.
 */
bool tuple_replace(uint8_t *data, size_t *len, size_t offset, size_t gone,
	const uint8_t *bytes, size_t n);

#endif
