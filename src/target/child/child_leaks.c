/*
 * child_leaks: decides which executions are checked for leaks, see child.h.
 *
 * In a fuzzing call the value runs twice, because memory that the target keeps
 * for later use is allocated only once. The sanitizer checks only if both runs
 * keep memory. After many checks without a leak, or with the same leaks again
 * and again, checks pause for a number of executions. Values with new coverage
 * and values that keep more memory than any before are checked nevertheless.
 */

#include "target/child/child.h"
#include "target/child/child_log.h"
#include "target/child/leaks.h"
#include "target/crash/sanitizers.h"

#define LEAKS_VAIN 8       /* vain checks before the first pause ... */
#define LEAKS_REST 512     /* ... of so many executions ... */
#define LEAKS_REST_MAX 10u /* ... doubled at most so often */
#define LEAKS_NEW_MAX 256  /* vain checks until new coverage causes none */
#define LEAKS_FOUND_MAX 64 /* longest first pause, in units of LEAKS_REST */

static bool
leaks_may_be_new(const struct child *c)
{
	return c->head->leaks.vain < LEAKS_NEW_MAX;
}

static bool
leaks_are_due(const struct child *c)
{
	if (c->leaks == CHILD_LEAKS_QUIET)
		return false;
	if (c->call.leaks == CALL_LEAKS_ALWAYS)
		return true;
	return (c->leaks == CHILD_LEAKS_NEW && leaks_may_be_new(c)) ||
		c->lived + c->count >= c->leaks_at;
}

void
child_attend(struct child *c, const uint8_t *data)
{
	if (c->call.leaks != CALL_LEAKS_NOT) {
		c->leaks_watched = leaks_are_due(c);
		leaks_begin(c->leaks_watched);
	}
	if (c->guard.track) {
		sanitizers_input(data, c->value_len);
		sanitizers_show();
	}
}

int64_t
child_attended(const struct child *c, int result)
{
	if (c->guard.track)
		sanitizers_hide();
	if (c->call.leaks == CALL_LEAKS_NOT || !leaks_end())
		return result;
	return result == -1 ? CHILD_KEPT_REJECTED : CHILD_KEPT_MEMORY;
}

/* Postpones the next check, counted in executions of this process. */
static void
leaks_rest(struct child *c, uint64_t executions)
{
	c->leaks_at = c->lived + c->count + executions;
}

static void
leaks_rest_in_vain(struct child *c)
{
	struct leaks_rest *rest = &c->head->leaks;
	uint32_t more = rest->vain;

	if (rest->vain < UINT32_MAX)
		rest->vain++;
	if (more < LEAKS_VAIN)
		return;
	more -= LEAKS_VAIN;
	leaks_rest(c,
		(uint64_t)LEAKS_REST
			<< (more < LEAKS_REST_MAX ? more : LEAKS_REST_MAX));
}

void
child_rest_from_leaks(struct child *c)
{
	uint32_t found = c->head->leaks.found;

	if (c->lived > 0 || c->count > 0 || found == 0)
		return;
	leaks_rest(c,
		(uint64_t)LEAKS_REST *
			(found < LEAKS_FOUND_MAX ? found : LEAKS_FOUND_MAX));
}

/* Runs the value again; returns the number of blocks kept. */
static uint32_t
leaks_again(struct child *c, enum child_leaks how, enum call_end *end)
{
	if (*end != CALL_RUNNING || child_may_run(c) == CALL_LIMIT)
		return 0;
	c->leaks = how;
	if (c->call.kind == CALL_FUZZ)
		log_run_again(c);
	if (child_execute(c) == CHILD_FAILED)
		*end = CALL_FAILED;
	c->leaks = CHILD_LEAKS_USUAL;
	scan_clear();
	return *end == CALL_RUNNING ? leaks_take() : 0;
}

/* Is a check worthwhile? Memory kept by the first run alone is no leak. */
static bool
leaks_are_likely(struct child *c, uint32_t *kept, enum call_end *end)
{
	bool watched = c->leaks_watched;

	if (*kept == 0)
		return false;
	if (c->call.kind != CALL_FUZZ)
		return watched;
	if (!watched && (*kept <= c->head->leaks.usual || !leaks_may_be_new(c)))
		return false;
	*kept = leaks_again(c, watched ? CHILD_LEAKS_QUIET : CHILD_LEAKS_NEW,
		end);
	return *kept > 0;
}

enum call_end
child_look_for_leaks(struct child *c)
{
	struct leaks_rest *rest = &c->head->leaks;
	enum call_end end = CALL_RUNNING;
	uint32_t kept;

	if (c->call.leaks == CALL_LEAKS_NOT)
		return end;
	kept = leaks_take();
	if (!leaks_are_likely(c, &kept, &end))
		return end;
	if (kept > rest->usual)
		rest->usual = kept;
	if (!leaks_find(c->head)) {
		leaks_rest_in_vain(c);
		return end;
	}
	rest->vain = 0;
	if (rest->found < UINT32_MAX)
		rest->found++;
	c->head->failure.kind = FAILURE_LEAK;
	return CALL_FAILED;
}
