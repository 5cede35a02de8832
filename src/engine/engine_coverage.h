/*
 * engine_coverage: coverage.jsonl, the global coverage map and the PC tables of
 * a run, see engine/coverage_file.h. With it, the coverage of a campaign that
 * is over can be shown without its target.
 *
 * The file is written every few seconds while the coverage grows, so that
 * little is lost when a campaign is killed.
 */
#ifndef CFUZZ_ENGINE_ENGINE_COVERAGE_H
#define CFUZZ_ENGINE_ENGINE_COVERAGE_H

struct engine;

/* Writes the file if it is due and the coverage has grown. The writer gets it; a
 * failure is an event of the journal. */
void engine_coverage_on_second(struct engine *e);
/* The same at the end of a run, due or not, after the last line of the journal:
 * a failure is printed. */
void engine_coverage_on_end(struct engine *e);
/* Reads the file into the empty coverage map. A missing or foreign file is an
 * event; a damaged one is set aside, see store_set_aside(). */
void engine_coverage_read(struct engine *e);
/* Call before a new run replaces the file: sets a damaged one aside. */
void engine_coverage_check(struct engine *e);

#endif
