/*
 * snapshot_view: builds the snapshot.
 */
#ifndef CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_H
#define CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_H

#include <stddef.h>
#include <stdint.h>

struct engine;
struct snapshot;

void view_make(struct engine *e, struct snapshot *snapshot);

/* snapshot_search.c */
void view_search(const struct engine *e, struct snapshot *snapshot);

#endif
