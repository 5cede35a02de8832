/*
 * engine_coverage: coverage.jsonl, the global coverage map and the PC tables at
 * the end of a run. With it, the coverage of a campaign that is over can be
 * shown without its target.
 *
 * A line with the version, the build and the modules, then replies to queries,
 * see control/query.h. The file may have been changed by anybody.
 */
#ifndef CFUZZ_ENGINE_ENGINE_COVERAGE_H
#define CFUZZ_ENGINE_ENGINE_COVERAGE_H

struct engine;

/* A failure is an event of the journal. */
void engine_coverage_write(struct engine *e);
/* Into an empty map. A missing, damaged or foreign file is an event. */
void engine_coverage_read(struct engine *e);

#endif
