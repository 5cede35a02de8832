/*
 * load: how far the loading of seeds and corpus is.
 */
#ifndef CFUZZ_ENGINE_CORPUS_LOAD_H
#define CFUZZ_ENGINE_CORPUS_LOAD_H

#include <stdbool.h>
#include <stdint.h>

struct corpus_entry;
struct engine;

void load_expect(struct engine *e); /* the run begins: loading is to come */
void load_close(struct engine *e);  /* frees all that was loaded here */

bool load_is_under_way(const struct engine *e); /* also before it begins */
/* Files are being read, between two turns of the loop. */
bool load_is_reading(const struct engine *e);
/* Inputs to execute before fuzzing begins: all, and those without a result. */
uint64_t load_warmup_total(const struct engine *e);
uint64_t load_warmup_left(const struct engine *e);
bool load_is_warming(const struct engine *e); /* loading or executing these */
/* One of these inputs has its result. True: it was the last one, and all files
 * are loaded. */
bool load_end_input(struct engine *e);

/* The file name of a seed, cleaned; other entries' own name. Valid until
 * load_close(). */
const char *load_label(const struct engine *e,
	const struct corpus_entry *entry);
/* The same with the folder of the file; TARGET/seed#0 for the target's own. */
const char *load_path(const struct engine *e, const struct corpus_entry *entry);

#endif
