/*
 * min_judge: decides which failures count as the input's failure.
 *
 * A bucket is three functions and a line (bucket.h), and a compiler may place
 * the same source at several addresses. So the names of a failure at new
 * addresses are looked up, once, as in a campaign.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "findings/bucket.h"
#include "tools/min_private.h"

bool
min_known_is_full(const struct min *m)
{
	return m->known_n == MEMORY_KNOWN_MAX;
}

static void
min_know(struct min *m, uint64_t signature, bool same)
{
	if (min_known_is_full(m))
		return;
	m->known = xreallocarray(m->known, m->known_n + 1, sizeof(*m->known));
	m->known[m->known_n++] =
		(struct known_failure){ .stack_hash = signature, .same = same };
}

static const struct known_failure *
min_find_known(const struct min *m, uint64_t signature)
{
	uint32_t i;

	for (i = 0; i < m->known_n; i++)
		if (m->known[i].stack_hash == signature)
			return &m->known[i];
	return NULL;
}

static bool
min_is_failure(const struct failure *f)
{
	return f->kind != FAILURE_NONE && !failure_is_suspect(f->kind);
}

bool
min_accepts(const struct min *m, const struct failure *f)
{
	const struct known_failure *known;

	if (!min_is_failure(f))
		return false;
	if (m->rule == MINIMIZE_ANY_FAILURE)
		return true;
	if (m->rule == MINIMIZE_SAME_KIND)
		return f->kind == m->failure.kind &&
			strcmp(f->what, m->failure.what) == 0;
	known = min_find_known(m, failure_stack_hash(f));
	return known != NULL && known->same;
}

/* ---- the failure of the input -------------------------------------------- */

static void
min_bucket_is(struct min *m, const struct symbols_answer *answer)
{
	names_spot(&m->failure, answer, m->where, sizeof(m->where));
	m->bucket = bucket_identity(&m->failure, answer);
	min_know(m, m->signature, true);
	if (m->step == MIN_BUCKET)
		min_on_bucket(m);
}

static void
min_on_names(void *arg, struct symbols_answer *take_answer)
{
	min_bucket_is(arg, take_answer);
	symbols_answer_destroy(take_answer);
}

void
min_ask_bucket(struct min *m)
{
	text_clean_string(m->failure.what[0] != '\0'
			? m->failure.what
			: failure_kind_name(m->failure.kind),
		m->what, sizeof(m->what));
	if (!names_ask(m->runner.names, &m->failure,
		    worker_pid(m->runner.workers[0]), min_on_names, m))
		min_bucket_is(m, NULL);
}

/* ---- failures of candidates --------------------------------------------- */

static void
min_on_unknown_names(void *arg, struct symbols_answer *take_answer)
{
	struct min *m = arg;
	uint64_t bucket = bucket_identity(&m->unknown, take_answer);

	symbols_answer_destroy(take_answer);
	min_know(m, failure_stack_hash(&m->unknown), bucket == m->bucket);
	m->asking = false;
	runner_wake(&m->runner);
}

bool
min_must_ask(struct min *m, const struct failure *f)
{
	if (m->asking || m->stopped || m->rule != MINIMIZE_SAME_BUCKET ||
		!min_is_failure(f) || min_known_is_full(m) ||
		min_find_known(m, failure_stack_hash(f)) != NULL)
		return false;
	m->unknown = *f;
	m->asking = names_ask(m->runner.names, f,
		worker_pid(m->runner.workers[0]), min_on_unknown_names, m);
	return m->asking;
}

void
min_judge_clear(struct min *m)
{
	free(m->known);
	m->known = NULL;
	m->known_n = 0;
}
