/*
 * minimize_tasks_results: judges the tries of a minimization. A verdict may
 * have to wait for the names of a failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"
#include "findings/bucket.h"

static void
task_know(struct minimize_task *m, uint64_t signature, bool same)
{
	if (m->known_n == MEMORY_KNOWN_MAX)
		return;
	m->known = xreallocarray(m->known, m->known_n + 1, sizeof(*m->known));
	m->known[m->known_n++] =
		(struct known_failure){ .signature = signature, .same = same };
}

static void
task_judge(struct minimize_task *m, enum try_verdict verdict, uint32_t lost,
	const char *words)
{
	minimization_judge(m->minimization, verdict, lost, words);
	if (verdict == TRY_SAME && m->wish == WISH_ACCEPTED)
		m->wish = WISH_NOTHING;
}

/* The finding of the unknown failure is final: judges the try. */
static void
task_settle(struct engine *e, struct minimize_task *m)
{
	struct finding *other = triage_of_signature(e, m->unknown);
	bool same = other != NULL && other == m->finding &&
		minimize_tasks_rule(e) == MINIMIZE_SAME_BUCKET;
	bool news = other != NULL && other != m->finding && other->count == 1;

	m->asking = false;
	task_know(m, m->unknown, same);
	if (!m->verified && same)
		m->verified = true;
	else if (!m->verified)
		minimize_tasks_finish(e, m,
			"the smaller input failed in another way");
	else
		task_judge(m,
			same           ? TRY_SAME
				: news ? TRY_FINDING
				       : TRY_OTHER,
			0, same ? NULL : m->unknown_words);
}

/* Its names may still show that it is the same failure. */
static bool
task_is_unnamed(struct engine *e, const struct minimize_task *m)
{
	const struct finding *other = triage_of_signature(e, m->unknown);

	return other != NULL && other != m->finding && other->held;
}

/* An unknown failure: saves it as a finding, then compares. */
static void
task_ask(struct engine *e, struct slot *slot, struct minimize_task *m,
	const struct worker_result *r)
{
	struct worker_result own = *r;
	char text[128];

	own.candidate = m->verified
		? minimization_next(m->minimization, &own.candidate_len)
		: minimization_best(m->minimization, &own.candidate_len);
	own.candidate_raw = true;
	m->asking = true;
	m->unknown = failure_signature(&r->failure);
	text_clean_string(r->failure.what, text, sizeof(text));
	snprintf(m->unknown_words, sizeof(m->unknown_words), "%.95s", text);
	if (own.candidate != NULL && triage_of_signature(e, m->unknown) == NULL)
		triage_on_failure(e, slot, &own, NULL);
	if (!task_is_unnamed(e, m))
		task_settle(e, m);
}

void
minimize_tasks_on_named(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->minimize.n; i++) {
		struct minimize_task *m = e->minimize.tasks[i];

		if (!m->asking || m->busy || m->ended || task_is_unnamed(e, m))
			continue;
		task_settle(e, m);
		minimize_tasks_advance(e, m);
	}
}

void
minimize_tasks_drop(struct finding *f)
{
	if (f->minimization == NULL)
		return;
	f->minimization->ended = true;
	f->minimization->asking = f->minimization->held = false;
	f->minimization = NULL;
}

/* The worker died of the try: judges in place of its fork server. */
static bool
task_is_same_failure(struct engine *e, const struct finding *f,
	const struct failure *failure)
{
	switch (minimize_tasks_rule(e)) {
	case MINIMIZE_SAME_BUCKET:
		return triage_of_signature(e, failure_signature(failure)) == f;
	case MINIMIZE_SAME_KIND:
		return failure->kind == f->failure.kind &&
			strcmp(failure->what, f->failure.what) == 0;
	case MINIMIZE_ANY_FAILURE:
		break;
	}
	return true;
}

static bool
task_is_failure(const struct failure *failure)
{
	return failure->kind != FAILURE_NONE &&
		!failure_is_suspect(failure->kind);
}

static void
task_on_single_failure(struct engine *e, struct slot *slot,
	struct minimize_task *m, const struct worker_result *r)
{
	bool same = r->best != NULL ||
		(r->lost && task_is_failure(&r->failure) &&
			task_is_same_failure(e, m->finding, &r->failure));

	if (r->end == CALL_UNKNOWN ||
		(r->lost && !same && task_is_failure(&r->failure)))
		task_ask(e, slot, m, r);
	else if (!m->verified && same)
		m->verified = true;
	else if (!m->verified)
		minimize_tasks_finish(e, m,
			"the smaller input did not fail again");
	else
		task_judge(m,
			same                                   ? TRY_SAME
				: task_is_failure(&r->failure) ? TRY_OTHER
							       : TRY_NOTHING,
			0, same ? NULL : r->failure.what);
}

static void
task_take_pairs(struct minimize_task *m, const struct worker_result *r)
{
	if (m->trim->keep_n > 0 || r->kept_n == 0)
		return;
	m->trim->keep = xmemdup(r->kept, r->kept_n * sizeof(*r->kept));
	m->trim->keep_n = r->kept_n;
}

static void
task_on_single_coverage(struct engine *e, struct minimize_task *m,
	const struct worker_result *r)
{
	char words[48];
	bool same = r->best != NULL;

	task_take_pairs(m, r);
	snprintf(words, sizeof(words), "%u of %u", r->missed, m->trim->keep_n);
	if (!m->verified && (!same || m->trim->keep_n == 0))
		minimize_tasks_finish(e, m, "the smaller input lost coverage");
	else if (!m->verified)
		m->verified = true;
	else if (task_is_failure(&r->failure))
		task_judge(m, TRY_FINDING, 0, r->failure.what);
	else
		task_judge(m, same ? TRY_SAME : TRY_LOST, r->missed,
			same ? NULL : words);
}

/* ---- results of calls at full speed ------------------------------------- */

static void
task_on_slice(struct engine *e, struct slot *slot, struct minimize_task *m,
	const struct worker_result *r)
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
	bool died = m->finding == NULL && r->failure.kind != FAILURE_NONE;

	if (r->best != NULL &&
		(died || !minimization_take(m->minimization, &call)))
		minimization_replay(m->minimization, r->marks, r->marks_n);
	if (died)
		task_judge(m, TRY_FINDING, 0, r->failure.what);
	if (r->end == CALL_UNKNOWN)
		task_ask(e, slot, m, r);
	/* Candidates kill the fork server, so the engine makes each try. */
	if (r->lost && r->count > 0 && ++m->losses >= MINIMIZE_TASKS_LOSSES)
		m->by_steps = true;
}

void
minimize_tasks_on_result(struct engine *e, struct slot *slot,
	struct minimize_task *m, const struct worker_result *r)
{
	bool nothing_ran = r->count == 0 && r->best == NULL;

	m->busy = false;
	m->count += r->count;
	if (m->ended)
		return;
	if (!m->by_steps)
		m->used_ns += r->total_ns;
	if (m->finding != NULL && r->best != NULL &&
		r->failure.kind == m->finding->failure.kind &&
		task_is_same_failure(e, m->finding, &r->failure))
		/* Its report may be more exact than the first input's. */
		snprintf(m->finding->failure.text,
			sizeof(m->finding->failure.text), "%s",
			r->failure.text);
	if (!nothing_ran && !r->interrupted) {
		if (!m->single)
			task_on_slice(e, slot, m, r);
		else if (m->finding != NULL)
			task_on_single_failure(e, slot, m, r);
		else
			task_on_single_coverage(e, m, r);
	}
	minimize_tasks_advance(e, m);
}
