/*
 * custom: see custom.h.
 *
 * The copy ends at the inaccessible page behind it. The bytes in front of it
 * hold a pattern. If the pattern has changed after a call, the call is repeated
 * with the copy right behind the page in front, so that the same write crashes
 * and leaves a stack.
 */

#include "target/child/custom.h"

#include <string.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/child/typed.h"
#include "target/crash/sanitizers.h"

/* Bytes in front of a copy that are checked after a call. */
#define CUSTOM_FRINGE 64u
#define CUSTOM_PATTERN 0xa5u

/*
 * The mutator is called once in 2^level times. A failure raises the level by
 * CUSTOM_LEVEL_STEP; CUSTOM_FINE good calls in a row lower it again.
 */
#define CUSTOM_LEVEL_STEP 4u
#define CUSTOM_LEVEL_MAX 24u
#define CUSTOM_FINE 256u

/* The function to call and its arguments. */
struct custom_call {
	enum failure_origin origin;
	const uint8_t *value;
	size_t len;
	const uint8_t *partner; /* for a crossover */
	size_t partner_len;
	size_t max;
	unsigned seed;
	struct prng stream; /* for LLVMFuzzerMutate */
};

bool
custom_has_mutator(void)
{
	return LLVMFuzzerCustomMutator != NULL && typed_types()->n == 0;
}

bool
custom_has_crossover(void)
{
	return LLVMFuzzerCustomCrossOver != NULL && typed_types()->n == 0;
}

bool
custom_is_unused(void)
{
	return typed_types()->n > 0 &&
		(LLVMFuzzerCustomMutator != NULL ||
			LLVMFuzzerCustomCrossOver != NULL);
}

bool
custom_init(struct custom *c, struct worker_head *head, size_t size)
{
	*c = (struct custom){ .head = head, .size = size };
	if (!custom_has_mutator() && !custom_has_crossover())
		return true;
	return guard_init(&c->copy, size + CUSTOM_FRINGE) &&
		guard_init(&c->one, size) && guard_init(&c->other, size);
}

/* ---- how often ------------------------------------------------------------ */

static bool
custom_rests(struct custom *c, struct prng *choice)
{
	struct custom_rest *rest = &c->head->custom_rest;

	if (rest->running != 0) {
		rest->running = 0;
		rest->fine = 0;
		rest->level += CUSTOM_LEVEL_STEP;
	}
	if (rest->level == 0)
		return false;
	if (rest->level > CUSTOM_LEVEL_MAX)
		rest->level = CUSTOM_LEVEL_MAX;
	return prng_u32n(choice, 1u << rest->level) != 0;
}

static void
custom_was_fine(struct custom *c)
{
	struct custom_rest *rest = &c->head->custom_rest;

	rest->running = 0;
	if (rest->level == 0 || ++rest->fine < CUSTOM_FINE)
		return;
	rest->fine = 0;
	rest->level = rest->level > CUSTOM_LEVEL_STEP
		? rest->level - CUSTOM_LEVEL_STEP
		: 0;
}

/* ---- one call ------------------------------------------------------------- */

/* Unguarded bytes next to the copy, which get the pattern. */
static size_t
custom_fringe_before(const struct custom *c, const uint8_t *data)
{
	size_t n = (size_t)(data - c->copy.start);

	if (c->copy.poison)
		return 0;
	return n < CUSTOM_FRINGE ? n : CUSTOM_FRINGE;
}

static size_t
custom_fringe_behind(const struct custom *c, const uint8_t *data, size_t max)
{
	size_t n = (size_t)(c->copy.end - data) - max;

	if (c->copy.poison)
		return 0;
	return n < CUSTOM_FRINGE ? n : CUSTOM_FRINGE;
}

static bool
custom_is_clean(const uint8_t *fringe, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (fringe[i] != CUSTOM_PATTERN)
			return false;
	}
	return true;
}

CALLS_TARGET static size_t
custom_enter_mutator(const struct custom_call *call, uint8_t *data)
{
	size_t got;

	sanitizers_pass(data, call->len, 4);
	sanitizers_show();
	got = LLVMFuzzerCustomMutator(data, call->len, call->max, call->seed);
	sanitizers_hide();
	return got;
}

CALLS_TARGET static size_t
custom_enter_crossover(struct custom *c, const struct custom_call *call,
	uint8_t *out)
{
	const uint8_t *one = guard_put(&c->one, call->value, call->len);
	const uint8_t *other =
		guard_put(&c->other, call->partner, call->partner_len);
	size_t got;

	sanitizers_pass(one, call->len, 7);
	sanitizers_pass(other, call->partner_len, 7);
	sanitizers_show();
	got = LLVMFuzzerCustomCrossOver(one, call->len, other,
		call->partner_len, out, call->max, call->seed);
	sanitizers_hide();
	return got;
}

/* Calls the target's function with its copy at data. */
static size_t
custom_enter(struct custom *c, const struct custom_call *call, uint8_t *data)
{
	struct failure_block *block = &c->head->failure;
	size_t got;

	if (call->origin == FAILURE_IN_MUTATOR)
		memcpy(data, call->value, call->len);
	fail_seed(&call->stream, call->seed);
	block->room_start = (uintptr_t)data;
	block->room_end = (uintptr_t)data + call->max;
	block->origin = call->origin;
	fail_lend(c->mutator, c->mutator_arg);
	got = call->origin == FAILURE_IN_MUTATOR
		? custom_enter_mutator(call, data)
		: custom_enter_crossover(c, call, data);
	fail_lend(NULL, NULL);
	if (c->original != NULL && *c->original == 0)
		_exit(0);
	return got;
}

/*
 * The mutator wrote out of bounds unnoticed: calls it again next to a guard
 * page.
 */
static void
custom_convict(struct custom *c, const struct custom_call *call, bool before)
{
	(void)custom_enter(c, call,
		before ? c->copy.start : c->copy.end - call->max);
	fail_claim(FAILURE_ERROR,
		before ? "it wrote before its buffer"
		       : "it wrote behind its buffer");
}

/* Calls and checks the bounds; false: the call failed. */
static bool
custom_call(struct custom *c, const struct custom_call *call, uint8_t **data,
	size_t *got)
{
	uint8_t *at = guard_make_room(&c->copy, call->max);
	size_t before, behind;

	before = custom_fringe_before(c, at);
	behind = custom_fringe_behind(c, at, call->max);
	memset(at - before, CUSTOM_PATTERN, before);
	memset(at + call->max, CUSTOM_PATTERN, behind);
	*got = custom_enter(c, call, at);
	if (!custom_is_clean(at - before, before))
		custom_convict(c, call, true);
	else if (!custom_is_clean(at + call->max, behind))
		custom_convict(c, call, false);
	*data = at;
	return !fail_happened();
}

/* The steps that mutator and crossover share. */
static enum custom_result
custom_apply(struct custom *c, struct custom_call *call, uint8_t *value,
	size_t *len, struct prng *choice)
{
	uint8_t *data;
	size_t got;

	if (call->max == 0 || call->max > c->size || custom_rests(c, choice))
		return CUSTOM_DECLINED;
	call->value = value;
	call->len = *len;
	call->seed = prng_u32(choice);
	call->stream = *choice;
	c->head->custom_rest.running = 1;
	if (!custom_call(c, call, &data, &got))
		return CUSTOM_FAILED;
	c->head->failure.origin = FAILURE_IN_TARGET;
	custom_was_fine(c);
	if (got > call->max) {
		c->too_long = true;
		got = call->max;
	}
	if (got == 0 || (got == *len && guard_has(data, value, got)))
		return CUSTOM_DECLINED;
	memcpy(value, data, got);
	*len = got;
	return CUSTOM_DONE;
}

enum custom_result
custom_mutate(struct custom *c, uint8_t *value, size_t *len, size_t cap,
	struct prng *choice)
{
	struct custom_call call = { .origin = FAILURE_IN_MUTATOR,
		.max = cap > *len ? cap - 1 : *len };

	return custom_apply(c, &call, value, len, choice);
}

enum custom_result
custom_cross(struct custom *c, uint8_t *value, size_t *len, size_t cap,
	const uint8_t *partner, size_t partner_len, struct prng *choice)
{
	struct custom_call call = { .origin = FAILURE_IN_CROSSOVER,
		.partner = partner,
		.partner_len = partner_len,
		.max = cap > *len ? cap - 1 : *len };

	if (partner_len > c->size || *len > c->size)
		return CUSTOM_DECLINED;
	return custom_apply(c, &call, value, len, choice);
}
