/*
 * suspect: inputs that ran when a worker ended in a way that need not be
 * their fault: killed from outside, link lost, protocol broken. They are
 * kept apart and are no findings. Each is run once more in a fresh child,
 * and one that then fails by itself becomes a finding.
 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"

/* Each way to end is said when it is new, then ever more seldom. */
static void
say_suspect(struct engine *e, const struct failure *f, const char *text)
{
	unsigned way = f->kind == FAILURE_KILLED && f->signo > 0 &&
			f->signo < SUSPECT_WAYS
		? (unsigned)f->signo
		: 0;
	uint64_t n = ++e->suspect_ways[way];

	if ((n & (n - 1)) != 0)
		return;
	if (way != 0)
		lines_print(e,
			"fuzzing process terminated by unexpected signal; no "
			"crash will be recorded: signal: %s",
			failure_signal_text(f->signo));
	else
		lines_print(e, "%s; no crash will be recorded", text);
}

/* The replays must not eat the campaign: a few wait, the rest is on disk. */
static void
put_on_probation(struct engine *e, const struct worker_result *r)
{
	struct finding *f;

	if (e->settings.verify == 0 || e->on_probation_n == SUSPECTS_WAITING)
		return;
	f = finding_create(&r->failure, failure_signature(&r->failure));
	f->suspect = true;
	f->input = xmemdup(r->candidate, r->candidate_len);
	f->len = r->candidate_len;
	f->replays_wanted = 1;
	f->work = WORK_VERIFY;
	e->on_probation[e->on_probation_n++] = f;
}

void
suspect_on_end(struct engine *e, const struct worker_result *r)
{
	char name[SHA256_HEX_SIZE], text[FAILURE_TEXT_MAX];

	text_clean_string(r->failure.text, text, sizeof(text));
	say_suspect(e, &r->failure, text);
	sha256_name(r->candidate, r->candidate_len, name);
	e->suspects++;
	/* Too many are not kept; the journal still names each. */
	(void)store_add_suspect(e->store, r->candidate, r->candidate_len);
	lines_event(e, "suspect",
		json_pack("{s:s%, s:s, s:s}", "input", name, (size_t)16, "kind",
			failure_kind_name(r->failure.kind), "text", text),
		"suspect %.6s: %s", name, text);
	if (r->count > 0)
		put_on_probation(e, r);
}

static bool
is_at_work(const struct engine *e, const struct finding *f)
{
	const struct job *job;
	uint32_t i;

	for (i = 0; i < e->slots_n; i++) {
		job = worker_job(e->slots[i].worker);
		if (job != NULL && job->owner == f)
			return true;
	}
	return false;
}

struct finding *
suspect_next(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->on_probation_n; i++)
		if (!is_at_work(e, e->on_probation[i]))
			return e->on_probation[i];
	return NULL;
}

void
suspect_on_replay(struct engine *e, struct finding *suspect,
	const struct worker_result *r)
{
	size_t i = 0;

	while (e->on_probation[i] != suspect)
		i++;
	e->on_probation[i] = e->on_probation[--e->on_probation_n];
	if (r->failure.kind != FAILURE_NONE &&
		!failure_is_suspect(r->failure.kind))
		triage_add_suspect(e, suspect, r);
	finding_destroy(suspect);
}

void
suspect_clear(struct engine *e)
{
	while (e->on_probation_n > 0)
		finding_destroy(e->on_probation[--e->on_probation_n]);
}
