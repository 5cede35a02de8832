/*
 * call: the arguments of a typed target as a call in C, for a unit test.
 *
 * The text compiles with cfuzz.h, as C11 and as C++11, and gives exactly these
 * values. It is one line of plain ASCII for any values, if the name is.
 */
#ifndef CFUZZ_SHARED_VALUES_CALL_H
#define CFUZZ_SHARED_VALUES_CALL_H

#include <stddef.h>

#include "shared/sink.h"
#include "shared/values/value.h"

/* name(INT32_C(-5), cfuzz_bytes_of("ab\000", 3)); without a newline. */
void call_print(struct sink *sink, const char *name, const struct value *values,
	size_t n);

#endif
