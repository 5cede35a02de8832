/*
 * statistics: the log lines about speed and progress.
 */
#ifndef CFUZZ_ENGINE_STATISTICS_STATISTICS_H
#define CFUZZ_ENGINE_STATISTICS_STATISTICS_H

struct engine;

void statistics_begin(struct engine *e); /* the run begins */
void statistics_line(struct engine *e);  /* on progress */
void statistics_warm(struct engine *e);  /* the warm-up is over */

#endif
