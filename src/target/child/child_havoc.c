/*
 * child_havoc: makes candidates by mutation, see child.h.
 *
 * A mutation stack begins with the bytes of a parent; each execution adds a few
 * mutations. The random numbers behind all choices are not recorded: the
 * mutation log holds the results.
 */

#include <string.h>

#include "shared/mutate/mutation_part.h"
#include "target/child/child.h"
#include "target/child/child_cmplog.h"
#include "target/child/child_log.h"
#include "target/child/fail.h"
#include "target/hooks/compare_mutate.h"

/* One execution in so many gets 1 to HAVOC_STACK_MAX additional mutations. */
#define HAVOC_STACK_ONE_IN 8u
#define HAVOC_STACK_MAX 6u
/* With a custom crossover, one mutation in so many uses it. */
#define HAVOC_CROSS_ONE_IN 8u
/* After so many mutators in a row have declined, use the last resorts. */
#define HAVOC_TRIES 32u
#define HAVOC_TRIES_LAST 4096u /* tries of the last resort */
/*
 * One in so many of the mutations lent to a custom mutator uses comparisons.
 */
#define HAVOC_LEND_ONE_IN 8u
/* One in so many of the mutations that use comparisons repeats a part. */
#define HAVOC_COUNT_ONE_IN 4u

/* Does the mutator have what it needs? */
static bool
havoc_can(const struct child *c, unsigned op)
{
	if (op == MUTATE_INSERT_WORD || op == MUTATE_OVERWRITE_WORD)
		return c->sources.words.n > 0;
	if (op >= MUTATE_SPLICE_INSERT && op <= MUTATE_SPLICE_GROUP)
		return c->worker->campaign->selection_n > 0;
	return op < MUTATE_N;
}

/* Fills the slots with usable mutators, in proportion to their weights; one that
 * has less than a slot gets its turn by chance. NULL: the default weights. */
static void
havoc_fill_ops(struct child *c, const uint32_t *weights)
{
	uint64_t sum = 0, so_far = 0, start;
	uint32_t usable[MEMORY_OPS_MAX], slot = 0;

	for (uint32_t op = 0; op < MEMORY_OPS_MAX; op++) {
		usable[op] = !havoc_can(c, op) ? 0
			: weights != NULL      ? weights[op]
					       : mutate_weight(op);
		sum += usable[op];
	}
	start = sum > 0 ? prng_u32(&c->choice) % sum : 0;
	for (uint32_t op = 0; op < MEMORY_OPS_MAX && sum > 0; op++) {
		so_far += usable[op];
		while (slot < CHILD_OPS &&
			slot * sum + start < so_far * CHILD_OPS)
			c->ops[slot++] = (uint8_t)op;
	}
	/* Without any weight: a mutator that always works. */
	memset(c->ops + slot, MUTATE_BIT_FLIP, CHILD_OPS - slot);
}

static uint8_t
havoc_draw_op(struct child *c)
{
	return c->ops[prng_u32(&c->choice) % CHILD_OPS];
}

void
havoc_open(struct child *c)
{
	const struct campaign_head *campaign = c->worker->campaign;
	const uint32_t *weights = campaign->weights;
	uint64_t sum = 0;

	c->sources.words.items =
		(const struct memory_word *)((const uint8_t *)campaign +
			campaign->words_offset);
	c->sources.words.n =
		__atomic_load_n(&campaign->words_n, __ATOMIC_ACQUIRE);
	c->sources.partner = NULL;
	c->sources.tuples = c->worker->types.n > 0;
	c->sources.room = c->worker->layout.value_size;
	c->origin.words_n = c->sources.words.n;
	c->origin.cap = c->call.cap;
	c->choice.state = c->head->rand_state;
	c->choice.inc = c->head->rand_inc;
	for (uint32_t op = 0; op < MEMORY_OPS_MAX; op++)
		sum += weights[op];
	havoc_fill_ops(c, sum > 0 ? weights : NULL);
	c->origin.parent = c->call.parent;
	c->runs = c->runs_max = 0;
	c->next_op = havoc_draw_op(c);
	cmplog_open(c);
}

/* Draws an entry from the selection table; MEMORY_NO_ENTRY: there is none. */
static uint32_t
havoc_draw_entry(struct child *c)
{
	const struct campaign_head *campaign = c->worker->campaign;
	const uint32_t *selection = (const void *)((const uint8_t *)campaign +
		campaign->selection_offset);
	uint32_t n = __atomic_load_n(&campaign->selection_n, __ATOMIC_ACQUIRE);

	if (n == 0 || n > MEMORY_SELECTION_MAX)
		return MEMORY_NO_ENTRY;
	return __atomic_load_n(&selection[prng_u32n(&c->choice, n)],
		__ATOMIC_RELAXED);
}

static void
havoc_draw_partner(struct child *c)
{
	uint32_t partner = havoc_draw_entry(c);

	c->sources.partner = child_entry(c, partner, &c->sources.partner_len);
	c->origin.partner =
		c->sources.partner != NULL ? partner : MEMORY_NO_ENTRY;
	c->head->partner = c->origin.partner;
}

static void
havoc_draw_parent(struct child *c)
{
	uint32_t parent = havoc_draw_entry(c);
	const uint8_t *start;
	size_t len;

	start = child_entry(c, parent, &len);
	if (start == NULL)
		return; /* keep the call's own parent */
	c->origin.parent = parent;
	c->start = start;
	c->start_len = len;
}

void
havoc_reset(struct child *c)
{
	struct mutable m = { .data = c->value,
		.len = c->start_len,
		.cap = c->call.cap };

	c->head->stack_n = 0;
	c->head->literals_n = 0;
	c->mutations_n = 0;
	c->literals_n = 0;
	memcpy(c->value, c->start, c->start_len);
	mutation_cut(&m, c->sources.tuples);
	c->value_len = m.len;
}

static void
havoc_begin(struct child *c)
{
	struct worker_head *head = c->head;

	log_close(c);
	if (c->call.draw != 0)
		havoc_draw_parent(c);
	havoc_draw_partner(c);
	head->rand_state = c->choice.state;
	head->rand_inc = c->choice.inc;
	head->parent = c->origin.parent;
	head->dict_len = c->sources.words.n;
	havoc_reset(c);
	c->runs = 0;
	c->runs_max = 1 + prng_u32n(&c->choice, c->call.stack_max);
	c->cmplog_on = cmplog_is_due(c);
	if (c->cmplog_on)
		cmplog_begin(c);
}

/* Appends a mutation to the mutation log. */
static void
havoc_record(struct child *c, const struct mutation *done)
{
	struct worker_head *head = c->head;

	c->mutations[c->mutations_n] = *done;
	head->stack_n = ++c->mutations_n;
	if (done->op < MEMORY_OPS_MAX)
		head->mutations[done->op]++;
}

static bool
havoc_try(struct child *c, uint8_t op, struct mutable *m)
{
	struct mutation done;

	if (!mutation_apply(op, prng_u32(&c->choice), &c->sources, m, &done))
		return false;
	havoc_record(c, &done);
	return true;
}

/* For tuples: looks for the operand in one argument, drawn at random. */
static bool
havoc_compare_part(struct child *c, struct mutable *m, struct mutation *done,
	uint8_t bytes[COMPARE_WRITE_MAX])
{
	struct mutation_part part;

	if (!mutation_part_open(m, c->sources.room, prng_u32(&c->choice),
		    &part) ||
		!compare_mutate(&part.m, &c->choice, done, bytes))
		return false;
	done->offset += (uint32_t)part.field.offset;
	return tuple_replace(m->data, &m->len, done->offset, done->arg, bytes,
		done->len);
}

/*
 * Repeats a part of the value as often as a number that the target has compared
 * demands.
 */
static bool
havoc_try_count(struct child *c, struct mutable *m)
{
	struct mutation_sources sources = c->sources;
	struct mutation done;

	sources.count = compare_lacks(&c->choice);
	if (!mutation_apply(MUTATE_PART_COUNT, prng_u32(&c->choice), &sources,
		    m, &done))
		return false;
	havoc_record(c, &done);
	return true;
}

bool
havoc_try_compare(struct child *c, struct mutable *m)
{
	struct worker_head *head = c->head;
	uint8_t bytes[COMPARE_WRITE_MAX];
	struct mutation done = { .op = MUTATE_COMPARE };

	if (prng_u32n(&c->choice, HAVOC_COUNT_ONE_IN) == 0 &&
		havoc_try_count(c, m))
		return true;
	if (c->literals_n > MEMORY_LITERALS_MAX - sizeof(bytes) ||
		!(c->sources.tuples
				? havoc_compare_part(c, m, &done, bytes)
				: compare_mutate(m, &c->choice, &done, bytes)))
		return false;
	memcpy(head->literals + c->literals_n, bytes, done.len);
	c->literals_n += done.len;
	head->literals_n = c->literals_n;
	havoc_record(c, &done);
	return true;
}

/* Lends a mutation to the target's own mutator. */
static bool
havoc_lend(void *arg, struct mutable *m, struct prng *prng)
{
	struct child *c = arg;
	uint8_t op = c->next_op, bytes[COMPARE_WRITE_MAX];
	struct mutation done;

	c->next_op = havoc_draw_op(c);
	return (prng_u32(prng) % HAVOC_LEND_ONE_IN == 0 &&
		       compare_mutate(m, prng, &done, bytes)) ||
		mutation_apply(op, prng_u32(prng), &c->sources, m, &done);
}

static enum custom_result
havoc_call_custom(struct child *c, struct mutable *m)
{
	bool cross = custom_has_crossover() && c->sources.partner != NULL &&
		prng_u32n(&c->choice, HAVOC_CROSS_ONE_IN) == 0;

	if (custom_has_mutator() && !cross)
		return custom_mutate(&c->custom, m->data, &m->len, m->cap,
			&c->choice);
	if (!cross)
		return CUSTOM_DECLINED;
	return custom_cross(&c->custom, m->data, &m->len, m->cap,
		c->sources.partner, c->sources.partner_len, &c->choice);
}

/*
 * The literal bytes are the custom mutator's whole result. Earlier mutations no
 * longer matter.
 */
static void
havoc_record_custom(struct child *c, const struct mutable *m)
{
	struct worker_head *head = c->head;
	struct mutation done = { .op = MUTATE_CUSTOM, .len = (uint32_t)m->len };

	log_close(c);
	c->mutations_n = 0;
	c->literals_n = MEMORY_LITERALS_MAX + 1;
	if (m->len <= MEMORY_LITERALS_MAX) {
		memcpy(head->literals, m->data, m->len);
		c->literals_n = (uint32_t)m->len;
	}
	head->literals_n = c->literals_n;
	havoc_record(c, &done);
}

static bool
havoc_try_custom(struct child *c, struct mutable *m)
{
	enum custom_result result;

	c->custom.mutator = havoc_lend;
	c->custom.mutator_arg = c;
	result = havoc_call_custom(c, m);
	/* Coverage of the mutator itself is not the target's. */
	scan_clear();
	if (c->custom.too_long)
		c->head->outcome.custom_bad = 1;
	if (result == CUSTOM_DONE)
		havoc_record_custom(c, m);
	return result == CUSTOM_DONE;
}

/* Applies a mutator that accepts the value. */
static bool
havoc_one(struct child *c, uint8_t op, struct mutable *m)
{
	if (custom_has_mutator() || custom_has_crossover()) {
		if (havoc_try_custom(c, m))
			return true;
		if (fail_happened())
			return false;
	}
	for (uint32_t i = 0; i < HAVOC_TRIES; i++) {
		if (havoc_try(c, op, m))
			return true;
		op = havoc_draw_op(c);
	}
	/* For tiny or full values: these two accept what the others do not. */
	for (uint32_t i = 0; i < HAVOC_TRIES && m->len > 0; i++)
		if (havoc_try(c, MUTATE_BIT_FLIP, m))
			return true;
	for (uint32_t i = 0; i < HAVOC_TRIES_LAST && m->cap >= 2; i++)
		if (havoc_try(c, MUTATE_INSERT_RANDOM, m))
			return true;
	return false;
}

/*
 * Mostly 1, because mutations add up over the executions of a stack. Leaves
 * room in the log for the remaining executions.
 */
static uint32_t
havoc_count(struct child *c)
{
	uint32_t draw = prng_u32(&c->choice), n = 1;
	uint32_t room =
		MEMORY_MUTATIONS_MAX - c->mutations_n - (c->runs_max - c->runs);

	if (draw % HAVOC_STACK_ONE_IN == 0)
		n += 1 + draw / HAVOC_STACK_ONE_IN % HAVOC_STACK_MAX;
	return n <= room ? n : 1;
}

bool
havoc_next(struct child *c)
{
	struct mutable m = { .data = c->value, .cap = c->call.cap };
	uint32_t n, i;

	if (c->runs == c->runs_max)
		havoc_begin(c);
	if (c->cmplog_on && cmplog_next(c))
		return true;
	n = havoc_count(c);
	c->runs++;
	m.len = c->value_len;
	for (i = 0; i < n && havoc_one(c, c->next_op, &m); i++)
		c->next_op = havoc_draw_op(c);
	c->value_len = m.len;
	return i == n;
}
