/* shrink: see shrink.h. */

#include "target/shrink.h"

#include <string.h>
#include <sys/mman.h>

#include "shared/minimize.h"

/* Would this failure do in place of the one to be kept? */
static bool
shrink_accepts(const struct shrink *s, const struct failure *f)
{
	if (f->kind == FAILURE_NONE || failure_is_suspect(f->kind))
		return false;
	switch (s->rule) {
	case MINIMIZE_SAME_BUCKET:
		return failure_signature(f) == s->signature;
	case MINIMIZE_SAME_KIND:
		return f->kind == s->kind && strcmp(f->what, s->what) == 0;
	case MINIMIZE_ANY_FAILURE:
		break;
	}
	return true;
}

static bool
shrink_may_run(struct shrink *s)
{
	if (s->limit != 0 && s->count >= s->limit)
		s->end = CALL_LIMIT;
	else if (worker_call_is_over(s->keeper->worker, s->seq))
		s->end = CALL_TIME;
	else
		return true;
	return false;
}

/*
 * Runs one candidate. A failure of another kind is a rejected candidate;
 * here it could be kept as a finding of its own.
 */
static bool
shrink_try(struct shrink *s, const uint8_t *value, size_t len)
{
	struct worker *w = s->keeper->worker;
	struct call call = { .seq = s->seq,
		.kind = CALL_TRY,
		.parent = MEMORY_NO_ENTRY };
	struct keeper_result result;

	memcpy(w->memory + w->layout.value_offset, value, len);
	w->head->value_len = len;
	__atomic_store_n(&w->head->count, s->count, __ATOMIC_RELAXED);
	s->count++;
	keeper_call(s->keeper, &call, &result);
	if (!shrink_accepts(s, &result.failure))
		return false;
	s->failure = result.failure;
	s->died = result.died;
	return true;
}

static void
shrink_show(const struct shrink *s, const struct minimizer *m)
{
	struct minimize_live *live = &s->keeper->worker->head->live;

	live->phase = m->phase;
	live->position = (uint32_t)m->position;
	live->tries = m->tries;
	live->accepted = m->accepted;
	live->best_len = m->best_len;
	live->cut_offset = m->cut_offset;
	live->cut_len = m->cut_len;
}

static void
shrink_loop(struct shrink *s, struct minimizer *m)
{
	while (minimizer_next(m)) {
		/* The limit is exact; time may wait for a good moment. */
		if (!shrink_may_run(s) &&
			(s->end == CALL_LIMIT || minimizer_may_stop(m)))
			break;
		shrink_show(s, m);
		minimizer_verdict(m,
			shrink_try(s, m->candidate, m->candidate_len));
	}
	shrink_show(s, m);
	s->tries = m->tries;
	s->accepted = m->accepted;
	s->best_len = m->best_len;
}

/* The start, copied out of reach, must fail as the one to be kept. */
static bool
shrink_begin(struct shrink *s, uint8_t *best, size_t len)
{
	struct worker *w = s->keeper->worker;

	memcpy(best, w->memory + w->layout.value_offset, len);
	w->head->live =
		(struct minimize_live){ .start_len = len, .best_len = len };
	s->best_len = len;
	s->verified = shrink_may_run(s) && shrink_try(s, best, len);
	return s->verified;
}

void
shrink_run(struct shrink *s)
{
	struct worker *w = s->keeper->worker;
	uint64_t start_ns = worker_now_ns(), len = w->head->value_len;
	size_t size = w->layout.value_size;
	struct minimizer m;
	uint8_t *best;

	s->end = CALL_REFUSED;
	if (len > size)
		return;
	best = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (best == MAP_FAILED)
		return;
	s->end = CALL_DONE;
	if (shrink_begin(s, best, len)) {
		w->head->raw_in_mem = 1;
		minimizer_init(&m, best, len, best + size, MINIMIZE_TAIL);
		shrink_loop(s, &m);
		memcpy(w->memory + w->layout.best_offset, best, s->best_len);
		w->head->raw_in_mem = 0;
	}
	munmap(best, 2 * size);
	s->total_ns = worker_now_ns() - start_ns;
}
