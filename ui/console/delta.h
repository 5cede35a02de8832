/*
 * delta: what has changed between two JSON values.
 *
 * As in RFC 7386 an object says what its members become, and null that one is
 * gone. Where an array was, an object edits it: "drop" takes items off its
 * front, "n" says how many there are then, and the others, named by their
 * number, say what that item becomes. Values that are null, and arrays that
 * become objects, cannot be told: there are none in snapshots.
 */
#ifndef CFUZZ_UI_CONSOLE_DELTA_H
#define CFUZZ_UI_CONSOLE_DELTA_H

#include <jansson.h>

#define DELTA_ITEMS_MAX 65536u /* of an array that a delta makes */

/* A new reference; NULL: nothing has changed. */
json_t *delta_make(const json_t *from, const json_t *to);

/*
 * Changes the value, which is taken (NULL: there was none), and returns what
 * it has become. Any delta is safe; what makes no sense does nothing.
 */
json_t *delta_apply(json_t *take_value, const json_t *delta);

#endif
