/*
 * coverage_log: the latest changes of the coverage, one by one.
 *
 * It keeps the last few thousand changes, so that a client that knows an
 * earlier state can get the difference only. Each state has a number, its
 * revision: 1 when nothing was reached yet, one more with each change.
 */
#ifndef CFUZZ_WORKER_MEMORY_COVERAGE_LOG_H
#define CFUZZ_WORKER_MEMORY_COVERAGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COVERAGE_LOG_MAX 16384u

struct coverage_change {
	uint32_t counter;
	uint8_t bits; /* new ones */
	bool first;   /* the first hit of the counter */
	double at_s;  /* as coverage_log.now_s */
};

/* All zero is an empty log. */
struct coverage_log {
	uint64_t n;   /* number of all changes so far */
	double now_s; /* seconds; time of the next changes; set by the owner */
	struct coverage_change *ring; /* owned */
};

void coverage_log_clear(struct coverage_log *log);
void coverage_log_add(struct coverage_log *log, uint32_t counter, uint8_t bits,
	bool first);

uint64_t coverage_log_revision(const struct coverage_log *log);
/*
 * Counts the changes since a revision. False: the revision does not exist, or
 * its changes are not kept any more.
 */
bool coverage_log_since(const struct coverage_log *log, uint64_t revision,
	size_t *n);
/* The change that led to this revision, which the log must still hold; borrowed
 * until the next change. */
const struct coverage_change *coverage_log_get(const struct coverage_log *log,
	uint64_t revision);

#endif
