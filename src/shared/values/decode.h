/*
 * decode: values from the text of a corpus file, Go's format "go test fuzz v1".
 *
 * The text is untrusted: it is checked fully, and one bad line rejects the
 * whole file. Nothing is allocated: decoded bytes go into a buffer of the
 * caller, and never take more room than the text itself.
 */
#ifndef CFUZZ_SHARED_VALUES_DECODE_H
#define CFUZZ_SHARED_VALUES_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/value.h"

/* Does the content of a file begin with the first line of such a text? */
bool decode_is_text(const void *data, size_t len);

/*
 * Reads the values of a text. room has len bytes and receives the content of
 * byte strings: their data points into room, one behind the other, without room
 * to grow. Empty lines alone behind the version are OK and give n = 0; see
 * values_check(). E_FORMAT: the message says what is wrong. E_RANGE: there are
 * more than max values.
 */
enum status decode_values(const char *text, size_t len, struct value *values,
	size_t max, size_t *n, uint8_t *room, struct error *err) MUST_CHECK;

/* Reads one value from a line that holds nothing else. room has len bytes.
 * E_FORMAT as above. */
enum status decode_value(const char *line, size_t len, struct value *value,
	uint8_t *room, struct error *err) MUST_CHECK;

#endif
