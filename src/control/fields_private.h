/*
 * fields_private: one member of one struct as JSON and back.
 *
 * Private to fields.c and columns.c.
 */
#ifndef CFUZZ_CONTROL_FIELDS_PRIVATE_H
#define CFUZZ_CONTROL_FIELDS_PRIVATE_H

#include <jansson.h>

#include "control/fields.h"
#include "shared/status.h"

/* A new reference. */
json_t *field_encode(const struct field_row *field, const void *base);
enum status field_decode(const struct field_row *field, const json_t *json,
	void *base, struct error *err) MUST_CHECK;

#endif
