/*
 * child_fuzz: the loop of a fuzzing call, see child.h.
 *
 * Before each execution, the loop checks the limits and mutates the value;
 * afterwards it looks for new features. If there are none, as is nearly always
 * the case, this takes a few loads and stores.
 */

#include "target/child/child.h"
#include "target/child/child_cmplog.h"
#include "target/child/child_log.h"
#include "target/child/fail.h"
#include "target/hooks/counters.h"

/*
 * After an execution that did not fail. Modules that it loaded are scanned at
 * once, so that their counters are not attributed to the next execution.
 */
static enum call_end
fuzz_look(struct child *c, uint32_t *regions)
{
	enum call_end end = CALL_RUNNING;
	bool assigned = true;

	if (__builtin_expect(counters_get()->n != *regions, 0)) {
		*regions = counters_get()->n;
		assigned = child_assign_counters(c);
	}
	if (__builtin_expect(scan_collect(&c->scan, c->coverage) > 0, 0))
		end = child_keep(c, c->call.confirm != 0, 0);
	return assigned || end == CALL_FAILED ? end : CALL_MODULES;
}

/* regions: the number of counter regions that are already assigned. */
static enum call_end
fuzz_once(struct child *c, uint32_t *regions)
{
	enum call_end end;

	log_run(c);
	switch (cmplog_records(c) ? cmplog_execute(c) : child_execute(c)) {
	case CHILD_FAILED:
		return CALL_FAILED;
	case CHILD_REJECTED:
		c->head->outcome.rejected++;
		scan_clear();
		return child_look_for_leaks(c);
	case CHILD_KEEPS:
		end = fuzz_look(c, regions);
		return end == CALL_RUNNING ? child_look_for_leaks(c) : end;
	case CHILD_FINE:
		break;
	}
	return fuzz_look(c, regions);
}

static bool
fuzz_begin(struct child *c)
{
	size_t room = c->worker->layout.value_size;

	if (c->call.cap < 2 || c->call.cap > room || c->call.stack_max == 0 ||
		c->call.stack_max > MEMORY_MUTATIONS_MAX)
		return false;
	havoc_open(c);
	scan_clear();
	fail_seed(&c->choice, c->call.seq);
	return true;
}

enum call_end
child_fuzz(struct child *c)
{
	uint32_t regions = counters_get()->n;
	enum call_end end;

	if (!fuzz_begin(c))
		return CALL_REFUSED;
	for (;;) {
		end = child_may_run(c);
		if (end != CALL_RUNNING)
			return end;
		/* A value that no mutator accepts runs as it is. */
		if (!havoc_next(c) && fail_happened())
			return CALL_FAILED;
		end = fuzz_once(c, &regions);
		if (end != CALL_RUNNING)
			return end;
	}
}
