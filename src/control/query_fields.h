/*
 * query_fields: the members of queries and replies, as tables.
 *
 * Private to query.c.
 */
#ifndef CFUZZ_CONTROL_QUERY_FIELDS_H
#define CFUZZ_CONTROL_QUERY_FIELDS_H

#include "control/query.h"

extern const struct field_words QUERY_KINDS;
extern const struct record QUERY_RECORD;
extern const struct record REPLY_RECORD; /* members of all replies */
extern const struct record *const REPLY_RECORDS[QUERY_KIND_COUNT];

#endif
