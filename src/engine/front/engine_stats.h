/*
 * engine_stats: stats.json, the last snapshot as a file.
 */
#ifndef CFUZZ_ENGINE_FRONT_ENGINE_STATS_H
#define CFUZZ_ENGINE_FRONT_ENGINE_STATS_H

#include <jansson.h>

#include <stddef.h>
#include <stdint.h>

#include "store/writer.h"

struct engine;

/* The content of the file, as of now. The caller's; NULL: no memory. For a
 * campaign that is shown from its output directory, only what the file says
 * about findings changes. */
json_t *engine_stats_encode(struct engine *e);
/* Gives it to the writer. */
void engine_stats_write(struct engine *e);
/*
 * store_finish(), after the last file. Files that are not written make the exit
 * status EXIT_LOST; if a later call writes them, it is that of the campaign
 * again, also in stats.json.
 */
size_t engine_stats_finish(struct engine *e, uint64_t timeout_ms,
	writer_lost_fn *fn, void *arg);

#endif
