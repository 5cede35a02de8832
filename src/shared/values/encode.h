/*
 * encode: values as the text of a corpus file, Go's format "go test fuzz v1".
 *
 * Each vector of values has exactly one text, because files are named after the
 * hash of their text.
 */
#ifndef CFUZZ_SHARED_VALUES_ENCODE_H
#define CFUZZ_SHARED_VALUES_ENCODE_H

#include <stddef.h>

#include "shared/sink.h"
#include "shared/status.h"
#include "shared/values/value.h"

/* The first line of every corpus file. */
#define ENCODE_VERSION "go test fuzz v1"

/* One value as its line, without a newline. */
void encode_value(struct sink *sink, const struct value *value);

/* Bytes that are enough for the text of these values. */
size_t encode_bound(const struct value *values, size_t n);

/*
 * Writes the text of n values into out and its length into len. E_FULL if cap
 * is too small: len is then the size needed. E_RANGE if n is 0.
 */
enum status encode_values(const struct value *values, size_t n, char *out,
	size_t cap, size_t *len, struct error *err) MUST_CHECK;

#endif
