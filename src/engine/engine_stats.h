/*
 * engine_stats: stats.json, the last snapshot as a file.
 */
#ifndef CFUZZ_ENGINE_ENGINE_STATS_H
#define CFUZZ_ENGINE_ENGINE_STATS_H

struct engine;

/* Gives the present snapshot to the writer. For a campaign that is shown from
 * its output directory, only what the file says about findings changes. */
void engine_stats_write(struct engine *e);

#endif
