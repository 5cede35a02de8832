/* minimization_driver: see minimization_driver.h. */
#include "findings/minimization_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define DRIVER_TRIES 16384 /* reported by one call */
#define DRIVER_FEATURES 3  /* executions to learn the features to keep */

void
minimization_driver_clear(struct minimization_driver *d)
{
	minimization_destroy(d->minimization);
	free(d->known);
	free(d->keep);
	*d = (struct minimization_driver){ 0 };
}

/* ---- failures ------------------------------------------------------------ */

bool
minimization_is_failure(const struct failure *f)
{
	return f->kind != FAILURE_NONE && !failure_is_suspect(f->kind);
}

static const struct known_failure *
driver_find_known(const struct minimization_driver *d, uint64_t stack_hash)
{
	uint32_t i;

	for (i = 0; i < d->known_n; i++)
		if (d->known[i].stack_hash == stack_hash)
			return &d->known[i];
	return NULL;
}

bool
minimization_driver_knows(const struct minimization_driver *d,
	uint64_t stack_hash)
{
	return stack_hash == d->stack_hash ||
		driver_find_known(d, stack_hash) != NULL;
}

void
minimization_driver_know(struct minimization_driver *d, uint64_t stack_hash,
	bool same)
{
	if (d->known_n == MEMORY_KNOWN_MAX ||
		minimization_driver_knows(d, stack_hash))
		return;
	d->known = xreallocarray(d->known, d->known_n + 1, sizeof(*d->known));
	d->known[d->known_n++] =
		(struct known_failure){ .stack_hash = stack_hash,
			.same = same };
}

bool
minimization_driver_accepts(const struct minimization_driver *d,
	const struct failure *f)
{
	const struct known_failure *known;
	uint64_t stack_hash;

	if (!minimization_is_failure(f))
		return false;
	if (d->rule == MINIMIZE_ANY_FAILURE)
		return true;
	if (d->rule == MINIMIZE_SAME_KIND)
		return f->kind == d->failure->kind &&
			strcmp(f->what, d->failure->what) == 0;
	stack_hash = failure_stack_hash(f);
	known = driver_find_known(d, stack_hash);
	return stack_hash == d->stack_hash || (known != NULL && known->same);
}

/* ---- the next call ------------------------------------------------------- */

const uint8_t *
minimization_driver_trial(const struct minimization_driver *d, size_t *len)
{
	return d->verified ? minimization_next(d->minimization, len)
			   : minimization_best(d->minimization, len);
}

static void
driver_fill_test(const struct minimization_driver *d, struct job *job)
{
	if (d->failure == NULL) {
		job->kind = JOB_MINIMIZE_COVERAGE;
		job->keep = d->verified ? d->keep : NULL;
		job->keep_n = d->verified ? d->keep_n : 0;
		return;
	}
	job->kind = JOB_MINIMIZE_FAILURE;
	job->stack_hash = d->stack_hash;
	job->failure_kind = d->failure->kind;
	job->what = d->failure->what;
	job->rule = d->rule;
	job->known = d->known;
	job->known_n = d->known_n;
	job->ask = true;
}

bool
minimization_driver_job(struct minimization_driver *d, struct job *job)
{
	driver_fill_test(d, job);
	d->single = d->by_steps || d->alone || !d->verified;
	if (d->single) {
		job->data = minimization_driver_trial(d, &job->len);
		job->limit = d->failure == NULL && !d->verified
			? DRIVER_FEATURES
			: 1;
		return job->data != NULL;
	}
	job->data = minimization_best(d->minimization, &job->len);
	job->machine = minimization_state(d->minimization);
	job->other = minimization_other(d->minimization, &job->other_len);
	job->tries = DRIVER_TRIES;
	return !minimization_is_done(d->minimization);
}

/* ---- results ------------------------------------------------------------- */

static enum minimization_outcome
driver_judge(struct minimization_driver *d, enum try_verdict verdict,
	uint32_t lost, const char *words)
{
	bool same = verdict == TRY_SAME;

	if (d->verified) {
		minimization_judge(d->minimization, verdict, lost,
			same ? NULL : words);
		return same ? MINIMIZATION_ACCEPTED : MINIMIZATION_GOES_ON;
	}
	d->verified = same;
	return same ? MINIMIZATION_GOES_ON : MINIMIZATION_FAILED;
}

static enum minimization_outcome
driver_ask(struct minimization_driver *d, const struct failure *f)
{
	char text[128];

	d->asking = true;
	d->unknown = failure_stack_hash(f);
	text_clean_string(f->what, text, sizeof(text));
	snprintf(d->unknown_words, sizeof(d->unknown_words), "%.95s", text);
	return MINIMIZATION_ASKS;
}

enum minimization_outcome
minimization_driver_settle(struct minimization_driver *d,
	enum try_verdict verdict)
{
	d->asking = false;
	minimization_driver_know(d, d->unknown, verdict == TRY_SAME);
	return driver_judge(d, verdict, 0, d->unknown_words);
}

/* If the worker died of the try, judges in place of its fork server. */
static enum minimization_outcome
driver_on_single_failure(struct minimization_driver *d,
	const struct worker_result *r)
{
	bool failed = minimization_is_failure(&r->failure);
	bool same = r->best != NULL ||
		(r->lost && minimization_driver_accepts(d, &r->failure));

	if (r->end == CALL_UNKNOWN || (r->lost && failed && !same))
		return driver_ask(d, &r->failure);
	return driver_judge(d,
		same             ? TRY_SAME
			: failed ? TRY_OTHER
				 : TRY_NOTHING,
		0, r->failure.what);
}

/* Keeps only what is in this list, too. Both are in the order of the counters. */
static void
driver_keep_common(struct minimization_driver *d, const struct worker_result *r)
{
	uint32_t n = 0, at = 0;

	for (uint32_t i = 0; i < d->keep_n; i++) {
		struct feature f = d->keep[i];

		while (at < r->kept_n && r->kept[at].counter < f.counter)
			at++;
		if (at == r->kept_n)
			break;
		if (r->kept[at].counter != f.counter)
			continue;
		f.buckets &= r->kept[at].buckets;
		if (f.buckets != 0)
			d->keep[n++] = f;
	}
	d->keep_n = n;
}

/*
 * The start ran to learn its features. A program that leaves its loop learns in
 * two processes, because the edges that lead to the first input of a process
 * differ from those that lead to a later one.
 */
static enum minimization_outcome
driver_on_features(struct minimization_driver *d, const struct worker_result *r)
{
	bool left = r->best == NULL && r->end == CALL_LIMIT && r->kept_n > 0;
	bool again = d->keep_n > 0;

	if (again) {
		driver_keep_common(d, r);
	} else if (r->kept_n > 0) {
		d->keep = xmemdup(r->kept, r->kept_n * sizeof(*r->kept));
		d->keep_n = r->kept_n;
	}
	if (left && !again)
		return MINIMIZATION_GOES_ON;
	return driver_judge(d,
		d->keep_n > 0 && (left || r->best != NULL) ? TRY_SAME
							   : TRY_LOST,
		0, "");
}

static enum minimization_outcome
driver_on_single_coverage(struct minimization_driver *d,
	const struct worker_result *r)
{
	char words[48];

	if (!d->verified)
		return driver_on_features(d, r);
	if (minimization_is_failure(&r->failure))
		return driver_judge(d, TRY_FINDING, 0, r->failure.what);
	snprintf(words, sizeof(words), "%u of %u", r->missed, d->keep_n);
	return driver_judge(d, r->best != NULL ? TRY_SAME : TRY_LOST, r->missed,
		words);
}

/*
 * Has the program left its loop in a candidate, by _exit()? It is no failure,
 * but the child could not save its state, which therefore is still the one of
 * the job: each execution for coverage is a try.
 */
static bool
driver_was_left(const struct minimization_driver *d,
	const struct worker_result *r)
{
	return d->failure == NULL && r->best != NULL && r->count > 0 &&
		r->failure.kind == FAILURE_NONE &&
		r->machine->tries == minimization_state(d->minimization)->tries;
}

/* A call at full speed. */
static enum minimization_outcome
driver_on_tries(struct minimization_driver *d, const struct worker_result *r)
{
	struct minimization_call call = {
		.state = r->machine,
		.best = r->best,
		.best_len = r->best_len,
		.other = r->other,
		.other_len = r->other_len,
		.marks = r->marks,
		.marks_n = r->marks_n,
	};
	bool died = d->failure == NULL && r->failure.kind != FAILURE_NONE;
	bool left = driver_was_left(d, r);

	if (r->best != NULL &&
		(died || left || !minimization_take(d->minimization, &call)))
		minimization_replay(d->minimization, r->marks, r->marks_n);
	if (died)
		(void)driver_judge(d, TRY_FINDING, 0, r->failure.what);
	if (left)
		(void)driver_judge(d, TRY_LOST, 1, "left the loop");
	/* Candidates kill the fork server, so each is tried by itself. */
	if (r->lost && r->count > 0 && ++d->losses >= MINIMIZATION_LOSSES)
		d->alone = true;
	return r->end == CALL_UNKNOWN ? driver_ask(d, &r->failure)
				      : MINIMIZATION_GOES_ON;
}

/* Did the worker answer without having run anything? The next answer may be the
 * same. A pause or a death keeps a call from its first execution, too. */
static bool
driver_was_in_vain(const struct worker_result *r)
{
	return r->count == 0 && r->marks_n == 0 && r->end != CALL_TIME &&
		!r->lost && !r->interrupted;
}

enum minimization_outcome
minimization_driver_on_result(struct minimization_driver *d,
	const struct worker_result *r)
{
	d->count += r->count;
	/* The stop cut the last try: that is made again. */
	if (r->interrupted && !d->single && r->marks_n > 0)
		minimization_replay(d->minimization, r->marks, r->marks_n - 1);
	d->in_vain = driver_was_in_vain(r) ? d->in_vain + 1 : 0;
	if (d->in_vain == MINIMIZATION_IN_VAIN)
		return MINIMIZATION_FAILED;
	if (r->interrupted || (r->count == 0 && r->best == NULL))
		return MINIMIZATION_NOTHING;
	if (!d->single)
		return driver_on_tries(d, r);
	return d->failure != NULL ? driver_on_single_failure(d, r)
				  : driver_on_single_coverage(d, r);
}

/* ---- what is shown ------------------------------------------------------- */

void
minimization_driver_view(const struct minimization_driver *d,
	const struct tuple_types *types, struct snapshot_minimization *v)
{
	struct minimization *s = d->minimization;
	const uint8_t *best;
	size_t len;

	v->start_len = minimization_start_len(s);
	if (!d->single && v->tries > minimization_state(s)->tries)
		return;
	best = minimization_best(s, &len);
	v->phase = minimization_state(s)->phase;
	v->tries = minimization_state(s)->tries;
	v->accepted = minimization_state(s)->accepted;
	v->best_len = len;
	minimization_cut(s, &v->position, &v->cut_offset, &v->cut_len);
	worker_view_best(types, best, len, v);
}
