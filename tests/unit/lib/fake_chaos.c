#include "lib/fake_chaos.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/minimize/minimize.h"
#include "shared/prng.h"

#define WAYS 7u       /* to fail, told apart by their names */
#define LEN_MAX 48u   /* of inputs that it makes */
#define COUNTERS 100u /* as fake_worker.c says */

struct chaos {
	const struct fake_call *call;
	struct worker_layout layout;
	struct prng rand;
	uint8_t *value, *best, *ring;
};

/* One time in n. */
static bool
now_and_then(struct chaos *c, uint32_t n)
{
	return prng_u32n(&c->rand, n) == 0;
}

static void
fill(struct chaos *c, uint8_t *to, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = (uint8_t)prng_u32n(&c->rand, 256);
}

/* ---- ends of calls ------------------------------------------------------- */

static void
fail_as(struct chaos *c, unsigned way)
{
	static const enum failure_kind kinds[] = { FAILURE_SIGNAL,
		FAILURE_SANITIZER, FAILURE_ERROR, FAILURE_LEAK };
	struct rpc_reply *r = c->call->reply;

	r->end = CALL_RUNNING;
	r->died = true;
	r->failure.kind = kinds[way % 4];
	r->failure.signo = SIGSEGV;
	snprintf(r->failure.what, FAILURE_WHAT_MAX, "way %u", way);
	snprintf(r->failure.text, FAILURE_TEXT_MAX, "it failed, way %u", way);
}

/* What no input need be blamed for. */
static void
end_oddly(struct chaos *c)
{
	if (now_and_then(c, 3))
		raise(SIGKILL);
	if (now_and_then(c, 2))
		exit(3);
	c->call->reply->end = CALL_RUNNING;
	c->call->reply->died = true;
	c->call->reply->failure.kind = FAILURE_KILLED;
	c->call->reply->failure.signo = SIGTERM;
}

static unsigned
way_of(const struct chaos *c)
{
	return c->call->head->value_len > 0 ? c->value[0] % WAYS : 0;
}

static void
await_end(const struct chaos *c)
{
	const struct fake_call *call = c->call;
	const uint64_t *end = &call->campaign->slots[call->head->slot].end_seq;

	while (__atomic_load_n(end, __ATOMIC_ACQUIRE) < call->request->seq)
		usleep(1000);
	call->reply->end = CALL_TIME;
}

/* ---- fuzzing ------------------------------------------------------------- */

static void
find(struct chaos *c)
{
	struct feature feature = { .counter = prng_u32n(&c->rand, COUNTERS),
		.buckets = (uint8_t)(1u << prng_u32n(&c->rand, 8)) };
	struct ring_record record = {
		.len = 2 + prng_u32n(&c->rand, LEN_MAX),
		.parent = MEMORY_NO_ENTRY,
		.features_n = 1,
	};
	uint8_t *at = c->ring;

	record.size = ring_record_size(&record);
	memcpy(at, &record, sizeof(record));
	memcpy(at + sizeof(record), &feature, sizeof(feature));
	fill(c, at + sizeof(record) + sizeof(feature), record.len);
	c->call->reply->finds = 1;
	c->call->reply->ring_used = record.size;
	c->call->head->outcome.ring_used = record.size;
}

static void
fuzz(struct chaos *c)
{
	struct rpc_reply *r = c->call->reply;

	r->end = CALL_DONE;
	r->count = 1 + prng_u32n(&c->rand, 20);
	if (c->call->request->limit > 0 && r->count > c->call->request->limit)
		r->count = c->call->request->limit;
	c->call->head->count = r->count;
	if (now_and_then(c, 4))
		find(c);
	if (now_and_then(c, 30))
		end_oddly(c);
	else if (now_and_then(c, 20))
		await_end(c);
	else if (now_and_then(c, 6)) {
		c->call->head->value_len = 2 + prng_u32n(&c->rand, LEN_MAX);
		fill(c, c->value, c->call->head->value_len);
		fail_as(c, way_of(c));
	}
}

/* Mostly as the input always does. */
static void
run_once(struct chaos *c)
{
	c->call->reply->end = CALL_DONE;
	c->call->reply->count = c->call->head->count = 1;
	if (now_and_then(c, 20))
		end_oddly(c);
	else if (!now_and_then(c, 8))
		fail_as(c,
			now_and_then(c, 10) ? prng_u32n(&c->rand, WAYS)
					    : way_of(c));
}

static void
run_sequence(struct chaos *c)
{
	c->call->reply->end = CALL_DONE;
	c->call->reply->count = c->call->request->sequence_n;
	if (now_and_then(c, 2))
		fail_as(c, prng_u32n(&c->rand, WAYS));
}

/* ---- minimizing ---------------------------------------------------------- */

static void
give_best(struct chaos *c, const void *data, size_t len)
{
	memcpy(c->best, data, len);
	c->call->reply->wrote_to_mem = true;
	c->call->reply->best_len = len;
}

/* Some tries further, taken as they come. */
static void
go_on(struct chaos *c)
{
	struct worker_head *head = c->call->head;
	size_t size = c->layout.value_size;
	uint8_t *room = calloc(3, size);
	uint32_t n = 1 + prng_u32n(&c->rand, 40), i;
	struct minimizer m;
	bool same;

	memcpy(room, c->value, head->value_len);
	memcpy(room + 2 * size, c->best, c->layout.best_size);
	if (!minimizer_load(&m, room, room + size, room + 2 * size, size,
		    &head->machine))
		_exit(9);
	if (n > c->call->request->tries)
		n = c->call->request->tries;
	for (i = 0; i < n && minimizer_next(&m); i++) {
		same = now_and_then(c, 3);
		c->ring[i] = same ? CANDIDATE_SAME : CANDIDATE_NOTHING;
		minimizer_verdict(&m, same);
	}
	head->machine = m.s;
	give_best(c, m.best, m.s.best_len);
	if (m.other != NULL)
		memcpy(c->value, m.other, m.s.other_len);
	c->call->reply->results_n = i;
	c->call->reply->count = head->count = i + 1;
	c->call->reply->end = minimizer_next(&m) ? CALL_LIMIT : CALL_DONE;
	free(room);
}

static void
reach(struct chaos *c)
{
	static const struct feature feature = { .counter = 1, .buckets = 1 };

	memcpy((uint8_t *)c->call->head + c->layout.keep_offset, &feature,
		sizeof(feature));
	c->call->reply->kept = c->call->request->keep_n == 0;
}

static void
minimize(struct chaos *c)
{
	struct rpc_reply *r = c->call->reply;
	bool failure = !c->call->request->want_coverage;

	r->count = c->call->head->count = 1;
	r->end = CALL_DONE;
	if (now_and_then(c, 15)) {
		end_oddly(c);
		return;
	}
	if (now_and_then(c, 20)) {
		await_end(c);
		return;
	}
	if (c->call->request->machine)
		go_on(c);
	else if (!now_and_then(c, 6))
		give_best(c, c->value, c->call->head->value_len);
	if (!failure)
		reach(c);
	if (now_and_then(c, 6) || (failure && r->wrote_to_mem))
		fail_as(c,
			now_and_then(c, 5) ? prng_u32n(&c->rand, WAYS)
					   : way_of(c));
	r->end = failure && c->call->request->ask && now_and_then(c, 5)
		? CALL_UNKNOWN
		: CALL_DONE;
}

void
fake_chaos(const struct fake_call *call)
{
	struct chaos c = { .call = call };
	uint8_t *map = (uint8_t *)call->head;

	worker_layout_init(&c.layout, call->campaign->max_len);
	c.value = map + c.layout.value_offset;
	c.best = map + c.layout.best_offset;
	c.ring = map + c.layout.ring_offset;
	prng_mix(&c.rand, 7, call->head->slot,
		call->request->nonce ^ call->number);
	if (call->request->kind == RPC_MINIMIZE)
		minimize(&c);
	else if (call->request->sequence_n > 0)
		run_sequence(&c);
	else if (call->request->fresh)
		run_once(&c);
	else if (call->request->warmup)
		call->reply->count = call->head->count = 1;
	else
		fuzz(&c);
}
