/*
 * suspect: inputs that ran when a worker ended in a way that need not be
 * their fault: killed from outside, link lost, protocol broken. They are
 * kept apart and are no findings. Each is run once more in a fresh child,
 * and one that then fails by itself becomes a finding.
 *
 * A hang is a suspect first, too: the machine may have been busy, or the limit
 * is short. It is run once more with five times the limit. What ends within
 * that is slow, and no finding.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/input_text.h"

#define HANG_TIMES 5u      /* a hang is believed after so many limits … */
#define HANG_MS_MAX 60000u /* … but after so long, or the limit itself */
#define HANG_RERUNS_FREE 4u
#define HANG_RERUNS_PART 8u /* of the time of all workers */

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
	input_text_name(&e->types, r->candidate, r->candidate_len, name);
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

/* ---- hangs -------------------------------------------------------------- */

uint64_t
suspect_hang_ms(const struct engine *e, const struct finding *f)
{
	uint64_t limit = e->settings.timeout_ms, more = HANG_TIMES * limit;

	if (f->failure.kind != FAILURE_HANG)
		return limit;
	if (more > HANG_MS_MAX)
		more = HANG_MS_MAX;
	return more > limit ? more : limit;
}

static bool
is_waiting(const struct engine *e, uint64_t signature)
{
	size_t i;

	for (i = 0; i < e->on_probation_n; i++)
		if (e->on_probation[i]->signature == signature)
			return true;
	return false;
}

/*
 * Looking twice may take a part of the campaign, and no more, however many
 * inputs are slow. A seed shall always do the same, so there they are counted.
 */
static bool
may_run_again(const struct engine *e)
{
	uint64_t n = e->hangs_doubted;

	if (e->hang_reruns < HANG_RERUNS_FREE)
		return true;
	if (e->settings.deterministic)
		return (n & (n - 1)) == 0;
	return e->hang_rerun_ns * HANG_RERUNS_PART <=
		engine_elapsed_ns(e) * pool_wanted(e);
}

void
suspect_on_hang(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent)
{
	char name[SHA256_HEX_SIZE];
	struct finding *f;
	bool kept;

	e->hangs_doubted++;
	input_text_name(&e->types, r->candidate, r->candidate_len, name);
	kept = store_add_suspect(e->store, r->candidate, r->candidate_len);
	e->suspects += kept;
	if (is_waiting(e, failure_signature(&r->failure)) ||
		e->on_probation_n == SUSPECTS_WAITING || !may_run_again(e))
		return;
	f = triage_make(e, r, parent);
	f->suspect = true;
	f->doubted = kept;
	f->replays_wanted = 1;
	f->work = WORK_VERIFY;
	e->on_probation[e->on_probation_n++] = f;
	e->hang_reruns++;
	lines_event(e, "suspect",
		json_pack("{s:s%, s:s, s:s}", "input", name, (size_t)16, "kind",
			failure_kind_name(r->failure.kind), "text",
			r->failure.text),
		"suspect %.6s: %s; it is run again with %llu ms", name,
		r->failure.text, (unsigned long long)suspect_hang_ms(e, f));
}

void
suspect_drop_file(struct engine *e, struct finding *f)
{
	if (!f->doubted)
		return;
	f->doubted = false;
	e->suspects--;
	store_remove_suspect(e->store, f->input, f->len);
}

static void
tell_slow(struct engine *e, const struct finding *f,
	const struct worker_result *r)
{
	double took_s = (double)r->run_ns / 1e9;
	double limit_s = (double)e->settings.timeout_ms / 1e3;
	const char *what =
		took_s > limit_s ? "slow input" : "an input that was slow once";
	char name[SHA256_HEX_SIZE];
	uint64_t n = ++e->slow_inputs;

	input_text_name(&e->types, f->input, f->len, name);
	lines_event(e, "slow",
		json_pack("{s:s%, s:f, s:f}", "input", name, (size_t)16,
			"took_s", took_s, "limit_s", limit_s),
		"%s: %.2g s, limit %.2g s   %.6s", what, took_s, limit_s, name);
	if ((n & (n - 1)) == 0)
		lines_print(e,
			"%s: %.2g s, limit %.2g s; no hang, kept in suspects/",
			what, took_s, limit_s);
}

static void
hang_on_replay(struct engine *e, struct finding *take_suspect,
	const struct worker_result *r)
{
	e->hang_rerun_ns += r->total_ns;
	if (r->failure.kind == FAILURE_HANG) {
		triage_believe(e, take_suspect, r);
		return;
	}
	if (r->failure.kind == FAILURE_NONE)
		tell_slow(e, take_suspect, r);
	else if (!failure_is_suspect(r->failure.kind))
		triage_add_suspect(e, take_suspect, r);
	finding_destroy(take_suspect);
}

/* ---- replays ------------------------------------------------------------ */

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
	if (suspect->failure.kind == FAILURE_HANG) {
		hang_on_replay(e, suspect, r);
		return;
	}
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
