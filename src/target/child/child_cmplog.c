/*
 * child_cmplog: the comparison stage of a child; see child_cmplog.h.
 *
 * Most of the time nothing is recorded, and the calls of the comparison hooks
 * are patched out. Now and then a parent runs while the hooks record. Half
 * of the stages make each candidate from the parent: they replace one operand
 * of a comparison by the other, so one recording serves many candidates. The
 * other half record each candidate and make the next one from it, so that they
 * can repair a checksum or length that a change has broken.
 */

#include "target/child/child_cmplog.h"

#include "target/child/child_log.h"
#include "target/child/custom.h"
#include "target/hooks/cmp_patch.h"
#include "target/hooks/hooks_cmp.h"

#define CMPLOG_EVERY 1024u /* executions between two stages */
#define CMPLOG_TRIES 24u   /* candidates from a recording */
#define CMPLOG_MORE_ONE_IN 4u
#define CMPLOG_EACH_ONE_IN 2u  /* one stage in so many records each ... */
#define CMPLOG_EACH_TRIES 6u   /* ... of so many candidates, ... */
#define CMPLOG_OTHER_ONE_IN 4u /* ... one in so many by havoc */
#define CMPLOG_DECLINED 8u     /* draws without a change end the stage */
/* Patching does not pay in a child that dies soon. */
#define CMPLOG_PATCH_AFTER 4096u

/* At most two mutations per candidate, and some by havoc. */
_Static_assert(2 * CMPLOG_EACH_TRIES + 8 <= MEMORY_MUTATIONS_MAX,
	"room in the log");

bool
cmplog_is_due(const struct child *c)
{
	return c->count >= c->cmplog_at;
}

static void
cmplog_patch(struct child *c, bool on)
{
	if (c->patched == on ||
		(on && c->lived + c->count < CMPLOG_PATCH_AFTER))
		return;
	/* Beside a thread of the target the hooks cannot be restored. */
	if (cmp_patch_set(on) > 0 && !on)
		c->worker->spent = true;
	c->patched = on;
}

void
cmplog_open(struct child *c)
{
	c->cmplog_at = c->count + prng_u32n(&c->choice, CMPLOG_EVERY / 8);
	/* The value profile needs the hooks, too. */
	cmplog_patch(c, c->call.value_profile == 0);
}

void
cmplog_begin(struct child *c)
{
	c->cmplog_at = c->count + CMPLOG_EVERY;
	c->cmplog_each = !custom_has_mutator() &&
		prng_u32n(&c->choice, CMPLOG_EACH_ONE_IN) == 0;
	c->runs_max = 1 + (c->cmplog_each ? CMPLOG_EACH_TRIES : CMPLOG_TRIES);
}

bool
cmplog_records(const struct child *c)
{
	return c->cmplog_on && (c->cmplog_each || c->runs == 1);
}

enum child_run
cmplog_execute(struct child *c)
{
	enum child_run run;

	cmplog_patch(c, false);
	hooks_cmp_begin();
	run = child_execute(c);
	(void)hooks_cmp_end();
	if (c->call.value_profile == 0 &&
		(!c->cmplog_each || c->runs == c->runs_max))
		cmplog_patch(c, true);
	return run;
}

/* Applies a recorded comparison to the value, sometimes a second one. */
static bool
cmplog_try(struct child *c)
{
	struct mutable m = { .data = c->value,
		.len = c->value_len,
		.cap = c->call.cap };
	uint32_t declined = 0;

	while (!havoc_try_compare(c, &m))
		if (++declined == CMPLOG_DECLINED)
			return false;
	if (prng_u32n(&c->choice, CMPLOG_MORE_ONE_IN) == 0)
		(void)havoc_try_compare(c, &m);
	c->value_len = m.len;
	return true;
}

/* Changes the last candidate. False: havoc makes this one. */
static bool
cmplog_from_last(struct child *c)
{
	return prng_u32n(&c->choice, CMPLOG_OTHER_ONE_IN) != 0 && cmplog_try(c);
}

/* Makes a candidate from the parent. */
static bool
cmplog_from_parent(struct child *c)
{
	log_close(c);
	havoc_reset(c);
	/* Skipped for a target with a mutator, which knows its format
	 * better. */
	if (!custom_has_mutator() && cmplog_try(c))
		return true;
	c->cmplog_on = false;
	c->runs = 0;
	c->runs_max = c->call.stack_max;
	return false;
}

bool
cmplog_next(struct child *c)
{
	if (c->runs > 0 &&
		!(c->cmplog_each ? cmplog_from_last(c) : cmplog_from_parent(c)))
		return false;
	c->runs++;
	return true;
}
