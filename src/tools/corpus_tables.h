/*
 * corpus_tables: the PC tables of the modules that a corpus runs, asked of the
 * workers of a runner.
 *
 * Each worker knows the modules that are there from the start. A module that
 * was loaded during an input may be known to one child only, and the next input
 * may end that child: its worker is asked before it gets one.
 */
#ifndef CFUZZ_TOOLS_CORPUS_TABLES_H
#define CFUZZ_TOOLS_CORPUS_TABLES_H

#include "tools/runner.h"
#include "worker/pc_table.h"

struct coverage_map;

/* All zero except for the runner; pc_table_clear(&table) frees it. */
struct corpus_tables {
	const struct runner *runner; /* borrowed */
	struct pc_table table;
	/* A bit for each module to ask this worker about, by its slot. */
	uint64_t ask[MEMORY_WORKERS_MAX];
};

/* Adds the modules that the campaign memory has by now. */
void corpus_tables_add(struct corpus_tables *t);
/* This worker has loaded modules during an input: it is to be asked about all
 * that are unknown. */
void corpus_tables_note_late(struct corpus_tables *t, uint32_t slot);

/* Has this worker to wait, without an input, because another one is asked about
 * all modules that it is still to be asked about? */
bool corpus_tables_is_held(const struct corpus_tables *t, uint32_t slot);
/* Makes the job to ask a worker about a module that it is to be asked about.
 * False: there is none now. */
bool corpus_tables_next_of(struct corpus_tables *t, uint32_t slot,
	struct job *job);
/* Is any worker still to be asked, as soon as it is idle? */
bool corpus_tables_await(const struct corpus_tables *t);
/* Makes the job to ask any worker about the next module. False: none now. */
bool corpus_tables_next(struct corpus_tables *t, struct job *job);

/* Takes the result of such a job. */
void corpus_tables_take(struct corpus_tables *t, uint32_t slot,
	const struct worker_result *r);

/* Gives all modules and their tables to a map. */
void corpus_tables_put(const struct corpus_tables *t, struct coverage_map *map);

#endif
