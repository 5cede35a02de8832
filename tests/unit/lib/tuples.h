/* tuples: inputs of typed targets in tests, from text and to text. */
#ifndef CFUZZ_TESTS_SHARED_TUPLES_H
#define CFUZZ_TESTS_SHARED_TUPLES_H

#include <stdlib.h>
#include <string.h>

#include "lib/vectors.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"
#include "shared/values/tuple.h"

/* Lines as "int8(5)\nstring(\"a\")" give a tuple of the caller's. */
static inline uint8_t *
tuple_of(const char *lines, size_t *len)
{
	char text[1024];
	uint8_t room[sizeof(text)], *data;
	struct value values[TUPLE_MAX];
	size_t n;

	(void)snprintf(text, sizeof(text), ENCODE_VERSION "\n%s\n", lines);
	assert_int_equal(decode_values(text, strlen(text), values, TUPLE_MAX,
				 &n, room, NULL),
		OK);
	*len = tuple_size(values, n);
	data = malloc(*len);
	assert_non_null(data);
	tuple_pack(values, n, data);
	return data;
}

/* And back, without the first line and the last line's end. */
static inline char *
tuple_text(const uint8_t *data, size_t len)
{
	struct value values[TUPLE_MAX];
	struct tuple tuple;
	size_t size, skip = sizeof(ENCODE_VERSION);
	char *text;

	assert_true(tuple_parse(data, len, &tuple));
	for (uint32_t i = 0; i < tuple.n; i++)
		values[i] = tuple_value(data, &tuple.fields[i]);
	size = encode_bound(values, tuple.n) + 1;
	text = malloc(size);
	assert_non_null(text);
	assert_int_equal(encode_values(values, tuple.n, text, size, &size,
				 NULL),
		OK);
	memmove(text, text + skip, size - skip);
	text[size - skip - 1] = '\0';
	return text;
}

#endif
