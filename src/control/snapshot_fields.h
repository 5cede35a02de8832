/*
 * snapshot_fields: the members of a snapshot's JSON, as tables.
 *
 * Private to snapshots, and to replies and recordings that have parts of them.
 */
#ifndef CFUZZ_CONTROL_SNAPSHOT_FIELDS_H
#define CFUZZ_CONTROL_SNAPSHOT_FIELDS_H

#include "control/fields.h"
#include "control/snapshot.h"

extern const struct field_words RUN_STATE_WORDS, WORKER_VIEW_STATE_WORDS;

extern const struct fields SNAPSHOT_EVENT_FIELDS, SNAPSHOT_FIELDS;

#endif
