/*
 * server_minimize: see server_minimize.h.
 *
 * To run a candidate that does not fail should cost one execution, without
 * waking another process. So a child inherits the minimizer by the fork and
 * goes on alone until a candidate fails. The fork server then repeats the
 * child's steps in its own minimizer.
 */

#include "target/server/server_minimize.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "shared/minimize/minimize.h"
#include "shared/pages.h"
#include "target/child/live.h"
#include "target/server/fork_server.h"

/* The verdict on a try; besides the results, a failure of unknown kind, and no
 * verdict, because no child could be forked. */
#define SERVER_MINIMIZE_UNKNOWN CANDIDATE_NONE
#define SERVER_MINIMIZE_REFUSED 0x100u

/* ---- comparing failures ---- */

/*
 * If the engine killed the child, the engine's reason is the kind of failure.
 */
static void
server_minimize_take_reason(const struct server_minimize *s, struct failure *f)
{
	uint32_t kill_reason =
		__atomic_load_n(&s->fork_server->worker->head->kill_reason,
			__ATOMIC_ACQUIRE);

	if (f->kind != FAILURE_KILLED || f->signo != SIGKILL ||
		(kill_reason != FAILURE_HANG && kill_reason != FAILURE_OOM))
		return;
	f->kind = (enum failure_kind)kill_reason;
	f->signo = 0;
	(void)snprintf(f->what, sizeof(f->what), "%s",
		failure_kind_name(f->kind));
	(void)snprintf(f->text, sizeof(f->text), "ended by the engine: %s",
		f->what);
}

/* A hang or an out-of-memory kill ends at an arbitrary place. */
static bool
server_minimize_ends_anywhere(enum failure_kind kind)
{
	return kind == FAILURE_HANG || kind == FAILURE_OOM;
}

static bool
server_minimize_is_same(const struct server_minimize *s,
	const struct failure *f)
{
	const struct rpc_request *q = s->request;

	switch (q->rule) {
	case MINIMIZE_SAME_BUCKET:
		if (!server_minimize_ends_anywhere(f->kind))
			return failure_stack_hash(f) == q->stack_hash;
		return f->kind == q->failure_kind;
	case MINIMIZE_SAME_KIND:
		return f->kind == q->failure_kind &&
			strcmp(f->what, q->what) == 0;
	case MINIMIZE_ANY_FAILURE:
		break;
	}
	return true;
}

static unsigned
server_minimize_judge(const struct server_minimize *s, const struct failure *f)
{
	uint64_t stack_hash;

	if (f->kind == FAILURE_NONE || failure_is_suspect(f->kind))
		return CANDIDATE_NOTHING;
	if (server_minimize_is_same(s, f))
		return CANDIDATE_SAME;
	stack_hash = failure_stack_hash(f);
	for (uint32_t i = 0; i < s->known_n; i++) {
		if (s->known[i].stack_hash != stack_hash)
			continue;
		return s->known[i].same &&
				s->request->rule == MINIMIZE_SAME_BUCKET
			? CANDIDATE_SAME
			: CANDIDATE_OTHER;
	}
	return s->request->ask ? SERVER_MINIMIZE_UNKNOWN : CANDIDATE_OTHER;
}

/* ---- tries ---- */

static bool
server_minimize_may_run(struct server_minimize *s)
{
	if ((s->request->limit != 0 && s->reply->count >= s->request->limit) ||
		s->fork_server->worker->spent)
		s->reply->end = CALL_LIMIT;
	else if (s->results_max > 0 && s->reply->results_n == s->results_max)
		s->reply->end = CALL_RING;
	else if (worker_call_is_over(s->fork_server->worker, s->request->seq))
		s->reply->end = CALL_TIME;
	else
		return true;
	return false;
}

/* Judges the result of a try and keeps a failure that counts. */
static unsigned
server_minimize_take(struct server_minimize *s,
	struct fork_server_result *result)
{
	unsigned verdict;

	server_minimize_take_reason(s, &result->failure);
	verdict = server_minimize_judge(s, &result->failure);
	if (verdict == CANDIDATE_SAME || verdict == SERVER_MINIMIZE_UNKNOWN) {
		s->reply->failure = result->failure;
		s->reply->died = result->died;
	}
	return verdict;
}

/* After a call: it ran in no child, so it says nothing of any candidate. */
static bool
server_minimize_is_refused(const struct server_minimize *s)
{
	return s->fork_server->refused != 0;
}

/* Runs one candidate and judges it. */
static unsigned
server_minimize_try(struct server_minimize *s, const uint8_t *value, size_t len)
{
	struct worker *w = s->fork_server->worker;
	struct call call = { .seq = s->request->seq,
		.kind = CALL_TRY,
		.parent = MEMORY_NO_ENTRY,
		.leaks = s->leaks };
	struct fork_server_result result;

	memcpy(w->memory + w->layout.value_offset, value, len);
	w->head->value_len = len;
	w->head->kill_reason = FAILURE_NONE;
	__atomic_store_n(&w->head->count, s->reply->count, __ATOMIC_RELAXED);
	fork_server_call(s->fork_server, &call, &result);
	if (server_minimize_is_refused(s))
		return SERVER_MINIMIZE_REFUSED;
	s->reply->count++;
	return server_minimize_take(s, &result);
}

/* Records the verdict. False: there is none, or the engine has to judge the
 * candidate. */
static bool
server_minimize_put_result(struct server_minimize *s, struct minimizer *m,
	unsigned verdict)
{
	if (verdict == SERVER_MINIMIZE_REFUSED) {
		s->reply->end = CALL_REFUSED;
		return false;
	}
	if (verdict == SERVER_MINIMIZE_UNKNOWN) {
		s->reply->end = CALL_UNKNOWN;
		return false;
	}
	minimizer_verdict(m, verdict == CANDIDATE_SAME);
	if (s->reply->results_n < s->results_max)
		s->results[s->reply->results_n++] = (uint8_t)verdict;
	return true;
}

static bool
server_minimize_candidate(struct server_minimize *s, struct minimizer *m)
{
	return server_minimize_put_result(s, m,
		server_minimize_try(s, m->candidate, m->candidate_len));
}

/* ---- many tries in one call ---- */

/* Is the candidate that failed the minimizer's present one? */
static bool
server_minimize_is_candidate(const struct server_minimize *s,
	const struct minimizer *m)
{
	const struct worker *w = s->fork_server->worker;

	return w->head->value_len == m->candidate_len &&
		memcmp(w->memory + w->layout.value_offset, m->candidate,
			m->candidate_len) == 0;
}

/* The count at which the child must stop; 0: no limit. */
static uint64_t
server_minimize_limit(const struct server_minimize *s)
{
	uint64_t limit = s->request->limit;
	uint64_t results =
		s->reply->count + s->results_max - s->reply->results_n;

	if (s->results_max > 0 && (limit == 0 || results < limit))
		limit = results;
	return limit;
}

/* How many candidates the child ran; a damaged count is cut to the limit. */
static uint64_t
server_minimize_ran(const struct server_minimize *s, uint64_t limit)
{
	uint64_t count = s->fork_server->worker->head->count;

	if (limit != 0 && count > limit)
		count = limit;
	return count > s->reply->count ? count - s->reply->count : 0;
}

/* Rejects n candidates. False: the minimizer has ended before. */
static bool
server_minimize_reject(struct server_minimize *s, struct minimizer *m,
	uint64_t n)
{
	for (; n > 0; n--) {
		(void)server_minimize_put_result(s, m, CANDIDATE_NOTHING);
		if (!minimizer_next(m))
			return false;
	}
	return true;
}

/* Lets a child run candidates until one fails. */
static void
server_minimize_call(struct server_minimize *s, struct minimizer *m,
	uint64_t limit, struct fork_server_result *result)
{
	struct worker *w = s->fork_server->worker;
	struct call call = { .seq = s->request->seq,
		.limit = limit,
		.kind = CALL_CANDIDATES,
		.parent = MEMORY_NO_ENTRY,
		.first = s->accepted_last,
		.leaks = s->leaks };

	w->head->value_len = 0;
	w->head->kill_reason = FAILURE_NONE;
	__atomic_store_n(&w->head->count, s->reply->count, __ATOMIC_RELAXED);
	s->fork_server->runner->minimizer = m;
	fork_server_call(s->fork_server, &call, result);
	s->fork_server->runner->minimizer = NULL;
}

/*
 * Rejects the candidates that did not fail. Judges the failed one if it is the
 * expected one; otherwise tries it again alone. False: the engine has to judge
 * it, or nothing could run.
 */
static bool
server_minimize_run_on(struct server_minimize *s, struct minimizer *m)
{
	uint64_t limit = server_minimize_limit(s), ran;
	struct fork_server_result result;
	bool failed, judged;
	unsigned verdict;

	server_minimize_call(s, m, limit, &result);
	if (server_minimize_is_refused(s))
		return server_minimize_put_result(s, m,
			SERVER_MINIMIZE_REFUSED);
	failed = result.failure.kind != FAILURE_NONE;
	ran = server_minimize_ran(s, limit);
	s->reply->count += ran;
	if (!server_minimize_reject(s, m, ran - (failed && ran > 0)) ||
		(!failed && ran > 0))
		return true;
	if (ran > 0 && server_minimize_is_candidate(s, m)) {
		verdict = server_minimize_take(s, &result);
		s->accepted_last = verdict == CANDIDATE_SAME;
		return server_minimize_put_result(s, m, verdict);
	}
	/* A new child starts with the present state of the minimizer. */
	fork_server_discard_child(s->fork_server);
	if (!server_minimize_may_run(s))
		return true;
	judged = server_minimize_candidate(s, m);
	fork_server_discard_child(s->fork_server);
	return judged;
}

static void
server_minimize_loop(struct server_minimize *s, struct minimizer *m)
{
	/* For single steps, a new child each time is too expensive. */
	bool many = !s->fork_server->worker->no_fork && s->results_max != 1 &&
		s->request->limit != 1;

	if (many)
		fork_server_discard_child(s->fork_server);
	while (minimizer_next(m)) {
		if (!server_minimize_may_run(s))
			break;
		live_show(&s->fork_server->worker->head->live, m);
		if (!(many ? server_minimize_run_on(s, m)
			   : server_minimize_candidate(s, m)))
			break;
	}
	if (many)
		fork_server_discard_child(s->fork_server);
	live_show(&s->fork_server->worker->head->live, m);
}

/* ---- the call ---- */

/* Checks that the original value fails as requested. */
static bool
server_minimize_verify(struct server_minimize *s, const uint8_t *best,
	size_t len)
{
	unsigned verdict;

	if (!server_minimize_may_run(s))
		return false;
	verdict = server_minimize_try(s, best, len);
	if (verdict == SERVER_MINIMIZE_UNKNOWN)
		s->reply->end = CALL_UNKNOWN;
	if (verdict == SERVER_MINIMIZE_REFUSED)
		s->reply->end = CALL_REFUSED;
	return verdict == CANDIDATE_SAME;
}

/*
 * Continues from the engine's saved state, or begins anew. With a state, the
 * engine has put the minimizer's `other` where the best is returned.
 */
static bool
server_minimize_prepare(struct server_minimize *s, struct minimizer *m,
	uint8_t *buffers, size_t size, size_t len)
{
	struct worker *w = s->fork_server->worker;
	struct minimizer_state state;
	uint8_t *best = buffers, *candidate = buffers + size;
	uint8_t *other = buffers + 2 * size;
	size_t other_len;

	memcpy(best, w->memory + w->layout.value_offset, len);
	if (!s->request->machine) {
		minimizer_init(m, best, len, candidate, MINIMIZE_BLOCKS);
		if (w->types.n > 0)
			(void)minimizer_tuples(m);
		minimizer_again(m, other);
		return true;
	}
	state = w->head->machine;
	other_len = minimize_state_other_len(&state);
	if (other_len > size || other_len > w->layout.best_size)
		return false;
	/* The rest of the room stays untouched: to copy it costs more than
	 * the execution of a candidate. */
	memcpy(other, w->memory + w->layout.best_offset, other_len);
	return state.best_len == len &&
		minimizer_load(m, best, candidate, other, size, &state);
}

/* Returns the best value and the state for a later call. */
static void
server_minimize_give_back(struct server_minimize *s, const struct minimizer *m)
{
	struct worker *w = s->fork_server->worker;

	w->head->machine = m->s;
	memcpy(w->memory + w->layout.best_offset, m->best, m->s.best_len);
	if (m->other != NULL)
		memcpy(w->memory + w->layout.value_offset, m->other,
			m->s.other_len);
	s->reply->tries = m->s.tries;
	s->reply->accepted = m->s.accepted;
	s->reply->best_len = m->s.best_len;
}

static void
server_minimize_with(struct server_minimize *s, uint8_t *buffers, size_t size,
	size_t len)
{
	struct worker_head *head = s->fork_server->worker->head;
	struct minimizer m;

	if (!server_minimize_prepare(s, &m, buffers, size, len)) {
		s->reply->end = CALL_REFUSED;
		return;
	}
	head->live = (struct minimize_live){ .start_len = len,
		.best_len = m.s.best_len };
	s->reply->wrote_to_mem =
		s->request->machine || server_minimize_verify(s, m.best, len);
	s->reply->best_len = len;
	if (!s->reply->wrote_to_mem)
		return;
	server_minimize_loop(s, &m);
	server_minimize_give_back(s, &m);
}

/* Copies data of the engine out of memory that the target can write. */
static void
server_minimize_take_known(struct server_minimize *s, uint8_t *room)
{
	const struct worker *w = s->fork_server->worker;

	s->known = (struct known_failure *)room;
	s->known_n = s->request->known_n;
	memcpy(s->known, w->memory + w->layout.keep_offset,
		s->known_n * sizeof(*s->known));
	s->results = w->memory + w->layout.ring_offset;
	s->results_max = s->request->tries < w->layout.ring_size
		? s->request->tries
		: (uint32_t)w->layout.ring_size;
}

void
server_minimize_run(struct server_minimize *s)
{
	struct worker *w = s->fork_server->worker;
	size_t known = MEMORY_KNOWN_MAX * sizeof(struct known_failure);
	uint64_t start_ns = worker_now_ns(), len = w->head->value_len;
	size_t size = w->layout.value_size;
	uint8_t *room;

	s->reply->end = CALL_REFUSED;
	if (len > size)
		return;
	room = pages_map(known + 3 * size);
	s->no_memory = room == NULL;
	if (room == NULL)
		return;
	s->reply->end = CALL_DONE;
	server_minimize_take_known(s, room);
	server_minimize_with(s, room + known, size, len);
	munmap(room, known + 3 * size);
	s->reply->total_ns = worker_now_ns() - start_ns;
}
