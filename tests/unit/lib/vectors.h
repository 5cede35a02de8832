/*
 * vectors: the reference's test data, tests/data/engine-vectors.json, and
 * what tests of this layer need to read it.
 */
#ifndef CFUZZ_TESTS_SHARED_VECTORS_H
#define CFUZZ_TESTS_SHARED_VECTORS_H

#include <jansson.h>

#include "lib/rows.h"
#include "shared/prng.h"
#include "shared/values/value.h"

/* The array of that name; fails the test if the file lacks it. */
const json_t *vectors_get(const char *name);

const char *vectors_text(const json_t *object, const char *key);

/* A number, also one in a string: "12", "0x1f", "-3". */
uint64_t vectors_number(const json_t *object, const char *key);

/* Bytes from hex digits; returns how many. */
size_t vectors_hex(const char *hex, uint8_t *out, size_t room);

/* The words of a generator: {"state": …, "inc": …}. */
struct prng vectors_prng(const json_t *object);

/* A value; bytes go into room. */
struct value vectors_value(const json_t *object, uint8_t *room, size_t size);

#endif
