/*
 * earlier_runs: restores what a snapshot says of earlier runs.
 */
#ifndef CFUZZ_ENGINE_EARLIER_RUNS_H
#define CFUZZ_ENGINE_EARLIER_RUNS_H

struct engine;

void earlier_runs_resume(struct engine *e); /* after triage_resume() */

#endif
