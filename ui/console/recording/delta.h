/*
 * delta: the difference between two JSON values.
 *
 * An object maps each changed member to its delta, and null means that the
 * member is gone, as in RFC 7386. A delta of an array is an object: "drop" is
 * the number of items removed at the front, "n" is the new length, and a number
 * as a key has the delta of that item. Null values, and arrays that become
 * objects, cannot be expressed; snapshots have none.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_DELTA_H
#define CFUZZ_UI_CONSOLE_RECORDING_DELTA_H

#include <jansson.h>

#define DELTA_ITEMS_MAX 65536u /* of an array that a delta creates */

/* A new reference; NULL: both are equal. */
json_t *delta_make(const json_t *from, const json_t *to);

/*
 * Applies a delta to the value, which is taken and changed in place (NULL:
 * there was none), and returns the result. Any delta is safe; invalid parts
 * have no effect.
 */
json_t *delta_apply(json_t *take_value, const json_t *delta);

#endif
