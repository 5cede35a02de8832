/*
 * snapshot_view: builds the snapshot.
 */
#ifndef CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_H
#define CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_H

#include <stddef.h>
#include <stdint.h>

struct engine;
struct finding;
struct snapshot;
struct snapshot_finding;

void view_make(struct engine *e, struct snapshot *snapshot);
void view_finding_title(const struct finding *f, char *buf, size_t size);
void view_finding(struct engine *e, const struct finding *f,
	struct snapshot_finding *view);

/* snapshot_search.c */
void view_search(const struct engine *e, struct snapshot *snapshot);

#endif
