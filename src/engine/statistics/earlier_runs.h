/*
 * earlier_runs: the history that a campaign with earlier runs shows.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_EARLIER_RUNS_H
#define CFUZZ_ENGINE_STATISTICS_EARLIER_RUNS_H

#include <stdint.h>

struct engine;
struct snapshot;

/* Reads the history from the store. Call after triage_resume(). */
void earlier_runs_resume(struct engine *e);
/* The length of all earlier runs, without pauses. */
double earlier_runs_elapsed_s(const struct engine *e);
uint32_t earlier_runs_count(const struct engine *e); /* including this one */
void earlier_runs_view(const struct engine *e, struct snapshot *snapshot);

#endif
