/*
 * child_listen: chains that follow the target's comparisons, see child.h.
 *
 * Most of the time nobody listens to the hooks, and their calls are hushed.
 * Now and then a parent is run while they record. Each candidate of the chain
 * is then the parent with operands that were compared put where they came
 * from: so one recording serves many tries.
 */

#include "target/child.h"
#include "target/compare_mutate.h"
#include "target/custom.h"
#include "target/hush.h"

#define LISTEN_EVERY 1024u /* executions */
#define LISTEN_TRIES 24u   /* of one recording */
#define LISTEN_MORE_ONE_IN 4u
#define LISTEN_DECLINED 8u /* draws in a row say that nothing fits */
/* A child that does not get so old is not worth being hushed. */
#define LISTEN_HUSH_AFTER 4096u

bool
listen_is_due(const struct child *c)
{
	return c->count >= c->listen_at;
}

static void
listen_hush(struct child *c, bool on)
{
	if (c->hushed == on || (on && c->lived + c->count < LISTEN_HUSH_AFTER))
		return;
	(void)hush_set(on);
	c->hushed = on;
}

void
listen_open(struct child *c)
{
	c->listen_at = c->count + prng_u32n(&c->choice, LISTEN_EVERY / 8);
	/* Progress is seen by hooks, too. */
	if (c->call.profile != 0)
		listen_hush(c, false);
}

void
listen_begin(struct child *c)
{
	c->listen_at = c->count + LISTEN_EVERY;
	c->runs_max = 1 + LISTEN_TRIES;
}

bool
listen_records(const struct child *c)
{
	return c->listening && c->runs == 1;
}

enum child_run
listen_execute(struct child *c)
{
	enum child_run run;

	listen_hush(c, false);
	compare_begin();
	run = child_execute(c);
	(void)compare_end();
	if (c->call.profile == 0)
		listen_hush(c, true);
	return run;
}

/* What a pair of operands makes of the parent, sometimes two pairs. */
static bool
listen_try(struct child *c)
{
	struct mutable m = { .data = c->value, .cap = c->call.cap };
	uint32_t declined = 0;

	chain_reset(c);
	m.len = c->value_len;
	while (!chain_try_compare(c, &m))
		if (++declined == LISTEN_DECLINED)
			return false;
	while (prng_u32n(&c->choice, LISTEN_MORE_ONE_IN) == 0 &&
		c->steps < MEMORY_TRAIL_MAX && chain_try_compare(c, &m))
		;
	c->value_len = m.len;
	return true;
}

bool
listen_next(struct child *c)
{
	if (c->runs == 0) {
		c->runs = 1;
		return true;
	}
	/* A mutator of the target's own knows better where bytes belong. */
	if (custom_has_mutator() || !listen_try(c)) {
		c->listening = false;
		c->runs = 0;
		c->runs_max = c->call.chain_max;
		chain_reset(c);
		return false;
	}
	c->runs++;
	return true;
}
