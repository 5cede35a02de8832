/* snapshot_view_private: parts of snapshots, for snapshot_view*.c. */
#ifndef CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_PRIVATE_H
#define CFUZZ_ENGINE_FRONT_SNAPSHOT_VIEW_PRIVATE_H

#include <stdint.h>

struct engine;
struct snapshot;

/* Each makes a list of the snapshot, and what is counted in it. now: of
 * clock_now_ns(). */
void snapshot_put_workers(struct engine *e, struct snapshot *s, uint64_t now);
void snapshot_put_findings(struct engine *e, struct snapshot *s);
void snapshot_put_minimizations(struct engine *e, struct snapshot *s);
void snapshot_put_past(const struct engine *e, struct snapshot *s);
void snapshot_put_events(struct engine *e, struct snapshot *s);

/* snapshot_view_past.c: the last snapshot of a campaign that is shown from its
 * output directory, with what the user has changed since. */
void view_make_past(struct engine *e, struct snapshot *s);

#endif
