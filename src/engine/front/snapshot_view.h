/*
 * snapshot_view: builds the snapshot.
 */
#ifndef CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_H
#define CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_H

struct engine;
struct snapshot;

/* Overwrites the snapshot, to be freed with snapshot_clear(). */
void view_make(struct engine *e, struct snapshot *snapshot);

/* Fills in the numbers of the search; snapshot_search.c. */
void view_search(const struct engine *e, struct snapshot *snapshot);

#endif
