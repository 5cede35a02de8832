/*
 * json_position: the user's JSON files, and positions of errors in them.
 *
 * jansson reports positions of syntax errors only, not of values. A reader
 * keeps the path to the current value, so json_position_error() can report that
 * value's position: `keys.json:3:14: findings: …`.
 */
#ifndef CFUZZ_UI_TERM_JSON_POSITION_H
#define CFUZZ_UI_TERM_JSON_POSITION_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

#define JSON_POSITION_DEPTH 3
#define JSON_POSITION_FILE_MAX (64u << 10)

/* All pointers are borrowed. */
struct json_position {
	const char *file; /* for messages */
	const char *text; /* valid JSON */
	size_t len;
	const char *path
		[JSON_POSITION_DEPTH]; /* names of members, outermost first */
	size_t path_n;
};

/* Parses the text. NULL: err has the position. A duplicate name is an error. */
json_t *json_position_load(const struct json_position *position,
	struct error *err) MUST_CHECK;

/* Returns E_FORMAT with `file:line:column: element: message`, or without the
 * element if it is "". */
enum status json_position_error(const struct json_position *position,
	struct error *err, const char *element, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Reads the file `name` from the cfuzz folder in $XDG_CONFIG_HOME or ~/.config,
 * at most JSON_POSITION_FILE_MAX bytes, which the caller frees. E_NOT_FOUND:
 * there is no such file, or no such folder is known; others as file_read().
 */
enum status json_position_read_config(const char *name, uint8_t **data,
	size_t *len, struct error *err) MUST_CHECK;

#endif
