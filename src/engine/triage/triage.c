/*
 * triage: where findings begin, and where the results of their work arrive.
 *
 * A failing input goes to the disk first. It is announced when the disk has it
 * and its frames have names. Then it is replayed in fresh children
 * (triage_verify.c) and minimized (triage_minimize.c). The smallest input runs
 * once more for its report. Failures that need not be the input's fault are
 * suspects: they are kept apart, replayed, and become findings only if they
 * fail again. triage_step.c decides when a finding goes on.
 */
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/trim.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/mutation_origin.h"
#include "engine/triage/mutator.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage_sequence.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/inputs/input_text.h"
#include "worker/inputs/mutation_stack.h"
#include "worker/memory/campaign_memory.h"
#include "worker/target/elf.h"
#include "worker/worker.h"

/* Rebuilds the failing bytes from the mutation stack; NULL: impossible. */
static uint8_t *
triage_second_witness(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent, size_t *len)
{
	const struct mutation_stack *stack = &r->stack;
	struct mutation_sources sources;
	size_t parent_len = 0;
	const uint8_t *data;

	if (r->candidate_raw || parent == NULL)
		return NULL;
	sources = campaign_memory_sources(engine_memory(e), stack->partner,
		stack->words_n);
	/* The arena first: the entry may have been minimized since. */
	data = campaign_memory_entry(engine_memory(e), stack->parent,
		&parent_len);
	if (data == NULL) {
		if (corpus_load(engine_corpus(e), parent, &data, NULL) != OK)
			return NULL;
		parent_len = parent->len;
	}
	return mutation_stack_rebuild(stack, data, parent_len, r->job.cap,
		&sources, len);
}

static void
triage_on_saved(void *arg, enum status status)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	if (status == E_STATE)
		return; /* the engine ends */
	if (f->announcement == ANNOUNCE_UNSAVED)
		finding_move_announcement(f, ANNOUNCE_SAVED);
	if (status != OK)
		engine_note_lost(e);
	else
		suspect_drop_file(e, f);
	if (f->state == FINDING_MERGED)
		finding_shed(f);
	triage_step(e, f);
	pool_wake(e);
}

static struct finding *
triage_make_finding(struct engine *e, const struct failure *failure,
	const uint8_t *data, size_t len, uint8_t *take_other, size_t other_len)
{
	struct finding *f = dedup_create(e, failure);

	f->input = xmemdup(data, len);
	f->len = len;
	finding_measure(f, program_types(e));
	f->other = take_other;
	f->other_len = other_len;
	f->count = 1;
	f->seen = SEEN_NOW;
	f->is_new = true;
	f->first_s = f->last_s = engine_campaign_s(e);
	clock_wall_iso(f->first_at);
	memcpy(f->last_at, f->first_at, sizeof(f->last_at));
	triage_set_build(e, f);
	triage_note_limits(e, f);
	f->replays_wanted = triage_replays(e, failure);
	f->owner = e;
	return f;
}

static void
triage_save_finding(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	char wanted[STORE_FOLDER_SIZE];

	snprintf(wanted, sizeof(wanted), "%s", f->folder);
	if (f->place != PLACE_FOLDER)
		store_claim(engine_store(e), wanted, f->folder);
	store_put(engine_store(e), f->folder, "input", f->input, f->len,
		triage_on_saved, f);
	if (f->other != NULL)
		store_put(engine_store(e), f->folder, "witness", f->other,
			f->other_len, NULL, NULL);
	record_save_report(e, f, r);
	record_save_json(e, f);
}

/* Lists and saves a finding. r: its failure or its last replay. */
static void
triage_add_finding(struct engine *e, struct finding *take_finding,
	const struct worker_result *r)
{
	struct finding *f = take_finding;

	findings_add(e, f);
	dedup_add_stack_hash(e, f, f->stack_hash);
	triage_save_finding(e, f, r);
	if (engine_settings(e)->stop_on_crash && findings_crash(e) == NULL) {
		findings_set_crash(e, f);
		trim_drop_all(e);
	}
	triage_check_crash(e, f);
	naming_start(e, f);
	triage_step(e, f);
}

static void
triage_see_again(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	f->count++;
	f->last_s = engine_campaign_s(e);
	clock_wall_iso(f->last_at);
	triage_relax_limits(e, f);
	triage_note_build(e, f, data, len);
	if (f->seen != SEEN_NOW) {
		/* A finding of an earlier run that still occurs. */
		f->seen = SEEN_NOW;
		record_report_again(e, f);
	}
	if ((f->count & (f->count - 1)) == 0) {
		if (f->input == NULL || len != f->len ||
			memcmp(data, f->input, len) != 0)
			store_put_more(engine_store(e), f->folder, data, len);
		triage_try_other(e, f, data, len);
		record_save_json(e, f);
	}
	if (engine_settings(e)->stop_on_crash && findings_crash(e) == NULL &&
		findings_fails_run(e, f))
		engine_stop(e, END_CRASH);
}

/*
 * A seed with a new failure ends a run with --stop-on-crash; nothing is written,
 * unless the reports of `cfuzz ci` shall have it. While findings of another build
 * wait, it may be one of them: names will tell.
 */
static bool
triage_on_failing_seed(struct engine *e, const struct worker_result *r,
	const struct corpus_entry *parent)
{
	char text[ERROR_TEXT_MAX];

	if (!engine_settings(e)->stop_on_crash || engine_settings(e)->ci ||
		r->job.kind != JOB_WARMUP || parent == NULL ||
		!parent->is_seed || triage_count_reruns(e) > 0)
		return false;
	message_print(e, "failure while testing seed corpus entry: %s",
		load_path(e, parent));
	text_clean_string(r->failure.text, text, sizeof(text));
	engine_fail_seed(e, text);
	return true;
}

static struct finding *
triage_make(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent)
{
	size_t other_len = 0;
	uint8_t *other = triage_second_witness(e, r, parent, &other_len);
	struct finding *f;

	if (other != NULL &&
		((other_len == r->candidate_len &&
			 memcmp(other, r->candidate, other_len) == 0) ||
			!input_is_sound(program_types(e), other, other_len))) {
		free(other);
		other = NULL;
	}
	f = triage_make_finding(e, &r->failure, r->candidate, r->candidate_len,
		other, other_len);
	if (triage_outlook(e, f) == FINDING_VERIFYING)
		triage_note_history(e, f, r);
	mutation_origin_note_finding(e, f, r, parent);
	message_event(e, "lineage",
		json_pack("{s:s, s:o}", "finding", f->id, "trail",
			record_mutations(r)),
		NULL);
	return f;
}

/* An earlier run has kept no more of a suspect than its input and its kind. */
static struct finding *
triage_remake(struct engine *e, struct finding *take_suspect)
{
	struct finding *suspect = take_suspect;
	struct finding *f = triage_make_finding(e, &suspect->failure,
		suspect->input, suspect->len, NULL, 0);

	f->place = suspect->place;
	finding_destroy(suspect);
	return f;
}

/* A hang that also exceeded its longer limit: that run was its replay. If it
 * was after other inputs, it begins the search for a sequence. */
static void
triage_believe(struct engine *e, struct finding *take_finding,
	const struct worker_result *r)
{
	struct finding *f = take_finding, *known;
	bool alone = f->sequence == NULL;

	known = dedup_find_again(e, f, &r->failure, alone);
	if (known != NULL) {
		triage_see_again(e, known, f->input, f->len);
		suspect_drop_file(e, f);
		triage_drop_sequence(f);
		finding_destroy(f);
		return;
	}
	if (f->count == 0)
		f = triage_remake(e, f);
	else
		finding_move(f, FINDING_NEW);
	if (alone && r->failure.frames_n > 0 &&
		r->failure.kind == f->failure.kind)
		dedup_add_stack_hash(e, f, failure_stack_hash(&r->failure));
	f->replays_wanted = f->replays = 1;
	f->reproduced = alone;
	if (alone)
		triage_note_replays(e, f);
	f->verdict = alone ? VERDICT_CONFIRMED : VERDICT_NEW;
	triage_add_finding(e, f, r);
}

/* The suspect's input failed alone, in r. If the suspect is a hang, its file
 * stays in suspects/: the hang is another bug. */
static void
triage_add_suspect(struct engine *e, struct finding *suspect,
	const struct worker_result *r)
{
	struct finding *f = dedup_find(e, &r->failure);
	bool hang = suspect->failure.kind == FAILURE_HANG;

	if (f != NULL) {
		triage_see_again(e, f, suspect->input, suspect->len);
		if (suspect->place == PLACE_FOLDER)
			store_merge(engine_store(e), suspect->folder, f->folder,
				suspect->input, suspect->len);
		else if (!hang)
			suspect_drop_file(e, suspect);
		return;
	}
	f = triage_make_finding(e, &r->failure, suspect->input, suspect->len,
		NULL, 0);
	if (!hang)
		f->place = suspect->place;
	if (f->place == PLACE_FOLDER)
		memcpy(f->folder, suspect->folder, sizeof(f->folder));
	triage_add_finding(e, f, r);
}

static void
triage_on_suspect(struct engine *e, struct finding *take_suspect,
	const struct worker_result *r)
{
	struct finding *f = take_suspect;

	if (triage_try_history(e, f, r))
		return;
	switch (suspect_judge(e, f, r)) {
	case SUSPECT_WAITS:
		return;
	case SUSPECT_HANGS:
		triage_believe(e, f, r);
		return;
	case SUSPECT_FAILS:
		triage_add_suspect(e, f, r);
		break;
	case SUSPECT_CLEARED:
		break;
	}
	triage_drop_sequence(f);
	finding_destroy(f);
}

void
triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent)
{
	const struct failure *failure = &r->failure;
	struct finding *f;

	if (failure->kind == FAILURE_MUTATOR) {
		mutator_on_failure(e, failure);
		return;
	}
	if (triage_doubts(e, r)) {
		f = dedup_find(e, failure);
		if (f == NULL || f->seen != SEEN_NOW) {
			suspect_on_end(e, r);
			return;
		}
	}
	if (r->count == 0) {
		/* Nothing ran, so no input is to blame. */
		pool_say_end(e, slot, "a worker ran no input: %s",
			failure->text);
		return;
	}
	if (findings_crash(e) != NULL)
		return;
	f = dedup_find(e, failure);
	if (failure->kind == FAILURE_HANG && engine_settings(e)->verify > 0 &&
		(f == NULL || f->seen != SEEN_NOW)) {
		/* A suspect until it also exceeds a longer limit. */
		if (suspect_keep_hang(e, r))
			suspect_add_hang(e, triage_make(e, r, parent));
		return;
	}
	if (f == NULL && triage_on_failing_seed(e, r, parent))
		return;
	if (f != NULL) {
		triage_see_again(e, f, r->candidate, r->candidate_len);
		return;
	}
	f = triage_make(e, r, parent);
	triage_add_finding(e, f, r);
}

/* ---- results of the work on findings ---- */

void
triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	if (r->interrupted || r->count == 0 || triage_was_cut(f, r))
		return; /* the replay is still to be made */
	if (f->state == FINDING_SUSPECT)
		triage_on_suspect(e, f, r);
	else if (f->state == FINDING_FINAL)
		triage_move_on(e, f, triage_judge_final(e, f, r));
	else if (f->state == FINDING_VERIFYING)
		triage_move_on(e, f, triage_judge_replay(e, f, r));
}

void
triage_on_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	enum finding_state next;

	if (triage_was_cut(f, r))
		return; /* as above */
	next = triage_judge_sequence(e, f, r);
	if (f->state == FINDING_SUSPECT)
		triage_on_suspect(e, f, r);
	else
		triage_move_on(e, f, next);
}

void
triage_on_minimized(struct engine *e, struct finding *f, const uint8_t *best,
	size_t len, uint64_t tries, const char *why_not)
{
	triage_move_on(e, f,
		triage_judge_minimized(e, f, best, len, tries, why_not));
}

/* ---- the end ---- */

/* Keeps an input that can no longer be replayed. */
static void
triage_finish_one(struct engine *e, struct finding *f)
{
	if (f->state == FINDING_FINAL) {
		triage_end_trial(e, f);
		triage_move_on(e, f, FINDING_DONE);
	}
	triage_finish_rerun(e, f);
	triage_finish_sequence(e, f);
}

void
triage_finish_asked(struct engine *e)
{
	struct finding *f;
	size_t i;

	for (i = 0; i < findings_count(e); i++) {
		f = findings_at(e, i);
		if (!f->asked)
			continue;
		triage_finish_one(e, f);
		record_save_json(e, f);
		f->asked = false;
	}
}

/* Announces those that still wait for names: the end does not wait as long. */
static void
triage_finish_new(struct engine *e)
{
	struct finding *f;
	size_t i = findings_count(e);

	/* From the last one: a merge takes it out of the list. */
	while (i-- > 0) {
		f = findings_at(e, i);
		if (f->state != FINDING_NEW)
			continue;
		f->names_until = 0;
		triage_step(e, f);
	}
}

/* Whether crash.json is to say something else. Before a worker is ready only
 * the user can have changed something. The count of a finding is written only
 * now and then. */
static bool
triage_has_changed(const struct engine *e, const struct finding *f)
{
	if (!pool_any_ready(e))
		return f->asked;
	return f->seen == SEEN_NOW || f->stale || triage_left(e, f) != NULL;
}

/* At the end: saves the findings as well. */
void
triage_finish(struct engine *e)
{
	struct finding *f;
	size_t i;

	triage_finish_new(e);
	triage_tell_untold(e);
	for (i = 0; i < findings_count(e); i++) {
		f = findings_at(e, i);
		triage_finish_one(e, f);
		if (triage_has_changed(e, f))
			record_save_json(e, f);
		f->asked = false; /* nobody waits for it after the end */
	}
	triage_tell_left(e);
}
