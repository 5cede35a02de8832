/*
 * child_fuzz: the loop of a fuzzing call, see child.h.
 *
 * Before each execution: may it run, the next mutation, the witnesses. After
 * it: anything new? Both halves are a few loads and stores for an input that
 * finds nothing, which is nearly every one.
 */

#include "target/child/child.h"
#include "target/child/fail.h"
#include "target/hooks/counters.h"

/*
 * After an execution that did not fail. What it has loaded is looked at, too,
 * or its counters would be taken for those of the next.
 */
static enum call_end
fuzz_look(struct child *c, uint32_t *regions)
{
	enum call_end end = CALL_RUNNING;
	bool placed = true;

	if (__builtin_expect(counters_get()->n != *regions, 0)) {
		*regions = counters_get()->n;
		placed = child_place_counters(c);
	}
	if (__builtin_expect(scan_collect(&c->scan, c->mask) > 0, 0))
		end = child_keep(c, c->call.confirm != 0, 0);
	return placed || end == CALL_FAILED ? end : CALL_MODULES;
}

/* regions: so many groups of counters had their places before. */
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

	if (c->call.cap < 2 || c->call.cap > room || c->call.chain_max == 0 ||
		c->call.chain_max > MEMORY_TRAIL_MAX)
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
		if (!havoc_next(c))
			return fail_happened() ? CALL_FAILED : CALL_REFUSED;
		end = fuzz_once(c, &regions);
		if (end != CALL_RUNNING)
			return end;
	}
}
