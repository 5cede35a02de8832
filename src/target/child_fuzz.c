/*
 * child_fuzz: the loop of a fuzzing call, see child.h.
 *
 * Before each execution: may it run, the next mutation, the witnesses. After
 * it: anything new? Both halves are a few loads and stores for an input that
 * finds nothing, which is nearly every one.
 */

#include <string.h>

#include "shared/words.h"
#include "target/child.h"
#include "target/counters.h"
#include "target/fail.h"

/* From the start again. Here a schedule may choose another parent. */
static void
chain_begin(struct child *c)
{
	struct worker_head *head = c->head;

	head->rand_state = c->prng.state;
	head->rand_inc = c->prng.inc;
	head->parent = c->call.parent;
	head->partner = MEMORY_NO_ENTRY;
	head->dict_len = c->words.n;
	head->chain = 0;
	c->chain = 0;
	memcpy(c->value, c->start, c->start_len);
	c->value_len = c->start_len;
}

/* One more mutation, recorded. Here a custom mutator may take its turn. */
static bool
chain_step(struct child *c)
{
	struct mutable m = { .data = c->value,
		.len = c->value_len,
		.cap = c->call.cap };

	if (!words_mutate(&c->words, &m, &c->prng, &c->head->trail[c->chain]))
		return false;
	c->value_len = m.len;
	c->head->chain = ++c->chain;
	return true;
}

/* After an execution that did not fail. */
static enum call_end
fuzz_look(struct child *c)
{
	if (__builtin_expect(scan_collect(&c->scan, c->mask) == 0, 1))
		return CALL_RUNNING;
	return child_keep(c, c->call.confirm != 0, 0);
}

static enum call_end
fuzz_once(struct child *c)
{
	switch (child_execute(c)) {
	case CHILD_FAILED:
		return CALL_FAILED;
	case CHILD_REJECTED:
		c->head->outcome.rejected++;
		scan_clear();
		return CALL_RUNNING;
	case CHILD_FINE:
		break;
	}
	return fuzz_look(c);
}

/* Counters that appeared while the target ran: has the engine places? */
static bool
fuzz_place_counters(struct child *c)
{
	struct worker_head *head = c->head;

	head->outcome.late_n = counters_place(c->worker->campaign, head->late,
		sizeof(head->late) / sizeof(head->late[0]));
	return head->outcome.late_n == 0;
}

static bool
fuzz_begin(struct child *c)
{
	size_t room = c->worker->layout.value_size;

	const struct campaign_head *campaign = c->worker->campaign;

	c->words.items =
		(const struct memory_word *)((const uint8_t *)campaign +
			campaign->words_offset);
	c->words.n = __atomic_load_n(&campaign->words_n, __ATOMIC_ACQUIRE);
	c->prng.state = c->head->rand_state;
	c->prng.inc = c->head->rand_inc;
	scan_clear();
	fail_seed(&c->prng, c->call.seq);
	return c->call.cap >= 2 && c->call.cap <= room &&
		c->call.chain_max > 0 && c->call.chain_max <= MEMORY_TRAIL_MAX;
}

enum call_end
child_fuzz(struct child *c)
{
	const struct counters *counters = counters_get();
	uint32_t known = counters->n;
	enum call_end end;

	if (!fuzz_begin(c))
		return CALL_REFUSED;
	c->chain = c->call.chain_max;
	for (;;) {
		end = child_may_run(c);
		if (end != CALL_RUNNING)
			return end;
		if (c->chain == c->call.chain_max)
			chain_begin(c);
		if (!chain_step(c))
			return CALL_REFUSED;
		end = fuzz_once(c);
		if (end != CALL_RUNNING)
			return end;
		if (__builtin_expect(counters->n != known, 0)) {
			known = counters->n;
			if (!fuzz_place_counters(c))
				return CALL_MODULES;
		}
	}
}
