/* load_private: struct load, for load.c, load_files.c and the set-up. */
#ifndef CFUZZ_ENGINE_CORPUS_LOAD_PRIVATE_H
#define CFUZZ_ENGINE_CORPUS_LOAD_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Seeds and corpus being loaded. */
struct load {
	struct seeds *seeds;     /* NULL: all are loaded */
	struct lineage *lineage; /* of earlier runs, while seeds are loaded */
	bool under_way;          /* files are to be read */
	/* Paths of seeds by entry index; owned. NULL: not a seed. */
	char **paths;
	size_t paths_n;
	/* Inputs to execute before fuzzing: all, and those without a result. */
	uint64_t warmup_total, warmup_left;
};

#endif
