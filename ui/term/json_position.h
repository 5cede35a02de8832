/*
 * json_position: JSON files of the user, and where in them something is wrong.
 *
 * jansson says where bad syntax stands, but of a value only what it is. A
 * reader that keeps the path to the value at hand can say where that stands
 * as well: `keys.json:3:14: findings: …`.
 */
#ifndef CFUZZ_UI_TERM_JSON_POSITION_H
#define CFUZZ_UI_TERM_JSON_POSITION_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

#define JSON_POSITION_DEPTH 3
#define JSON_POSITION_FILE_MAX (64u << 10)

struct json_position {
	const char *file; /* for messages */
	const char *text; /* well-formed */
	size_t len;
	const char *path
		[JSON_POSITION_DEPTH]; /* names of members, outermost first */
	size_t path_n;
};

/* NULL: err says where; a name that comes twice is an error too. */
json_t *json_position_load(const struct json_position *where, struct error *err)
	MUST_CHECK;

/* E_FORMAT: `file:line:column: element: what`; the element may be "". */
enum status json_position_error(const struct json_position *where,
	struct error *err, const char *element, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * The content of NAME in the user's configuration folder, $XDG_CONFIG_HOME or
 * ~/.config. As file_read().
 */
enum status json_position_read_config(const char *name, uint8_t **data,
	size_t *len, struct error *err) MUST_CHECK;

#endif
