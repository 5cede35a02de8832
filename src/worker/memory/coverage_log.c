/* coverage_log: see coverage_log.h. */
#include "worker/memory/coverage_log.h"

#include <stdlib.h>

#include "base/xmalloc.h"

void
coverage_log_clear(struct coverage_log *log)
{
	free(log->ring);
	*log = (struct coverage_log){ 0 };
}

void
coverage_log_add(struct coverage_log *log, uint32_t counter, uint8_t bits,
	bool first)
{
	if (log->ring == NULL)
		log->ring = xcalloc(COVERAGE_LOG_MAX, sizeof(*log->ring));
	log->ring[log->n++ % COVERAGE_LOG_MAX] = (struct coverage_change){
		.counter = counter,
		.bits = bits,
		.first = first,
		.at_s = log->now_s,
	};
}

uint64_t
coverage_log_revision(const struct coverage_log *log)
{
	return log->n + 1;
}

bool
coverage_log_since(const struct coverage_log *log, uint64_t revision, size_t *n)
{
	if (revision == 0 || revision > log->n + 1 ||
		log->n + 1 - revision > COVERAGE_LOG_MAX)
		return false;
	*n = (size_t)(log->n + 1 - revision);
	return true;
}

const struct coverage_change *
coverage_log_get(const struct coverage_log *log, uint64_t revision)
{
	/* Revision 1 is the empty state. */
	return &log->ring[(revision - 2) % COVERAGE_LOG_MAX];
}
