/*
 * typed: targets whose function takes typed arguments, CFUZZ_TARGET().
 *
 * To all others such a target is a function of bytes as any other. The bytes
 * are a tuple; what is none of the target's types is rejected. Each argument
 * of bytes or text is copied to a guard of its own, so that the target sees
 * where it ends. With one argument of plain bytes there is no tuple.
 *
 * A target that has written to an argument is told by the bytes of the tuple:
 * they are changed, too.
 */
#ifndef CFUZZ_TARGET_CHILD_TYPED_H
#define CFUZZ_TARGET_CHILD_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "target/abi.h"

/* Does the program have one? */
bool typed_exists(void);

/* From now on it is the target. E_PROTOCOL: its description makes no sense. */
enum status typed_open(struct error *err) MUST_CHECK;

/* Was it opened? */
bool typed_is_open(void);

/* What runs it. Its bytes are written to, see above. */
target_function *typed_function(void);

/* The types of an open one's tuples; n is 0 where inputs are plain bytes. */
const struct tuple_types *typed_types(void);

/* Its name in the source. */
const char *typed_name(void);

/* Room for tuples of up to size bytes, before they run. False: no memory. */
bool typed_reserve(size_t size);

#endif
