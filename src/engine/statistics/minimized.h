/*
 * minimized: the newest minimizations that have ended, for the screen.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_MINIMIZED_H
#define CFUZZ_ENGINE_STATISTICS_MINIMIZED_H

struct engine;
struct snapshot;
struct snapshot_minimized;

/* Keeps a copy, with the time of now; `of` has all but the time. */
void minimized_note(struct engine *e, const struct snapshot_minimized *of);
/* Those of an earlier run, from its last snapshot. */
void minimized_resume(struct engine *e, const struct snapshot *snapshot);
void minimized_view(const struct engine *e, struct snapshot *snapshot);

#endif
