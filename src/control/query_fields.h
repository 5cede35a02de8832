/*
 * query_fields: the members of queries and replies, as tables.
 *
 * Private to query.c.
 */
#ifndef CFUZZ_CONTROL_QUERY_FIELDS_H
#define CFUZZ_CONTROL_QUERY_FIELDS_H

#include "control/query.h"

extern const struct field_words QUERY_KINDS;
extern const struct fields QUERY_FIELDS;
extern const struct fields REPLY_FIELDS; /* members of all replies */
/* By enum query_kind: the members of the struct in the union. */
extern const struct fields *const REPLY_BODIES[QUERY_KIND_COUNT];

#endif
