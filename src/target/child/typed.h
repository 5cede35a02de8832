/*
 * typed: targets with typed arguments, CFUZZ_TARGET().
 *
 * The rest of the runtime sees a function that takes bytes. The bytes are a
 * tuple; a tuple of other types is rejected. Each argument of bytes or text is
 * copied to a guard of its own, so that an access past its end faults. A single
 * argument of bytes needs no tuple.
 *
 * If the target writes to an argument, the bytes of the tuple are changed as
 * well, so that the caller notices.
 */
#ifndef CFUZZ_TARGET_CHILD_TYPED_H
#define CFUZZ_TARGET_CHILD_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "target/abi.h"

/* Does the program have a typed target? */
bool typed_exists(void);

/* Selects the typed target. E_PROTOCOL: its description is invalid. */
enum status typed_open(struct error *err) MUST_CHECK;

/* Has typed_open() succeeded? */
bool typed_is_open(void);

/* The function that runs the target; it may write to its bytes, see above. */
target_function *typed_function(void);

/* The types of a tuple, after typed_open(); n is 0 for plain bytes. */
const struct tuple_types *typed_types(void);

/* The target's name in its source. */
const char *typed_name(void);

/* Makes room for tuples of up to size bytes. False: no memory. */
bool typed_reserve(size_t size);

#endif
