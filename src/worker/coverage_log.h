/*
 * coverage_log: what has changed in the coverage, change by change.
 *
 * The last few thousand changes, so that whoever knows an earlier state can
 * be told the difference. A state has a number, its revision: 1 when nothing
 * was reached yet, one more with each change.
 */
#ifndef CFUZZ_WORKER_COVERAGE_LOG_H
#define CFUZZ_WORKER_COVERAGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COVERAGE_LOG_MAX 16384u

struct coverage_change {
	uint32_t counter;
	uint8_t bits; /* new ones */
	bool first;   /* the counter had none before */
	double at_s;
};

/* Empty: all zero. */
struct coverage_log {
	uint64_t n;   /* changes ever */
	double now_s; /* the next ones happen now: its owner's to set */
	struct coverage_change *ring; /* owned */
};

void coverage_log_clear(struct coverage_log *log);
void coverage_log_add(struct coverage_log *log, uint32_t counter, uint8_t bits,
	bool first);

uint64_t coverage_log_revision(const struct coverage_log *log);
/*
 * How many changes there were since a revision. False: it never was, or is so
 * old that they are no longer known.
 */
bool coverage_log_since(const struct coverage_log *log, uint64_t revision,
	size_t *n);
/* The change that made this revision, which is one of those still known. */
const struct coverage_change *coverage_log_get(const struct coverage_log *log,
	uint64_t revision);

#endif
