/*
 * engine_stats: stats.json, the last snapshot as a file.
 */
#ifndef CFUZZ_ENGINE_ENGINE_STATS_H
#define CFUZZ_ENGINE_ENGINE_STATS_H

struct engine;

void engine_stats_write(struct engine *e);

#endif
