/* load: see load.h. */
#include "engine/corpus/load.h"

#include <stdlib.h>
#include <string.h>

#include "corpus/corpus.h"
#include "corpus/seeds.h"
#include "engine/corpus/load_private.h"
#include "engine/parts.h"
#include "store/lineage.h"

void
load_expect(struct engine *e)
{
	engine_load(e)->under_way = true;
}

bool
load_is_under_way(const struct engine *e)
{
	return engine_load(e)->under_way;
}

bool
load_is_reading(const struct engine *e)
{
	const struct load *l = engine_load(e);

	return l->seeds != NULL && l->lineage != NULL;
}

uint64_t
load_warmup_total(const struct engine *e)
{
	return engine_load(e)->warmup_total;
}

uint64_t
load_warmup_left(const struct engine *e)
{
	return engine_load(e)->warmup_left;
}

bool
load_is_warming(const struct engine *e)
{
	return load_is_under_way(e) || load_warmup_left(e) > 0;
}

bool
load_end_input(struct engine *e)
{
	struct load *l = engine_load(e);

	return l->warmup_left > 0 && --l->warmup_left == 0 && !l->under_way;
}

const char *
load_path(const struct engine *e, const struct corpus_entry *entry)
{
	const struct load *l = engine_load(e);
	const char *path =
		entry->index < l->paths_n ? l->paths[entry->index] : NULL;

	return path != NULL ? path : entry->name;
}

const char *
load_label(const struct engine *e, const struct corpus_entry *entry)
{
	const char *path = load_path(e, entry), *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

void
load_close(struct engine *e)
{
	struct load *l = engine_load(e);
	size_t i;

	seeds_close(l->seeds);
	lineage_destroy(l->lineage);
	for (i = 0; i < l->paths_n; i++)
		free(l->paths[i]);
	free(l->paths);
	*l = (struct load){ .seeds = NULL };
}
