/*
 * columns: a list of structs as JSON with one array for each member.
 *
 * {"id": [0, 1], "pid": [71, 72]} means the same as [{"id": 0, "pid": 71},
 * {"id": 1, "pid": 72}] and is parsed three times as fast, because each name
 * appears once. A member that is 0, false or empty in all items is left out.
 * The first member is always present: it gives the number of items.
 */
#ifndef CFUZZ_CONTROL_COLUMNS_H
#define CFUZZ_CONTROL_COLUMNS_H

#include <stddef.h>

#include <jansson.h>

#include "control/field_row.h"
#include "shared/status.h"

/* A new reference. */
json_t *columns_encode(const struct fields *fields, const char *items,
	size_t n);

/* The number of items; 0 if `json` is not such an object. */
size_t columns_size(const struct fields *fields, const json_t *json);

/* Fills columns_size() items, which the caller has set to zero. */
enum status columns_decode(const struct fields *fields, const json_t *json,
	char *items, struct error *err) MUST_CHECK;

#endif
