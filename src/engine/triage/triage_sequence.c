/*
 * triage_sequence: findings whose input does not fail alone.
 *
 * A fresh process runs the process history and then the input. If that fails in
 * the same way, fewer inputs are tried, one try at a time, until none can be
 * left out. The rest is replayed as often as a single input would be, and kept
 * as sequence/ in the finding's folder.
 */
#include "engine/triage/triage_sequence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/settings.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "store/store_finding.h"
#include "worker/inputs/input_sequence.h"
#include "worker/target/elf.h"
#include "worker/worker.h"

#define SEQUENCE_CHECKS 2    /* tries of the whole history */
#define SEQUENCE_MS 10000    /* for all tries, and for each one */
#define SEQUENCE_HANGS 20u   /* time-outs more for the tries of a hang */
#define SEQUENCE_TRIES 2000u /* in the search */
#define SEQUENCE_IN_VAIN 3u  /* tries in a row without an execution */

enum sequence_phase {
	SEQUENCE_CHECK,  /* the whole history */
	SEQUENCE_SEARCH, /* fewer inputs */
	SEQUENCE_VERIFY, /* the rest, as often as --verify says */
};

struct sequence_work {
	enum sequence_phase phase;
	struct input_sequence inputs; /* the last one is the failing input */
	struct input_sequence_search search;
	uint8_t *packed; /* inputs of the current job; owned */
	size_t packed_len, packed_n;
	uint32_t runs, failed; /* in this phase */
	bool is_kept;          /* the sequence is on disk already */
	uint32_t in_vain;
	uint64_t spent_ns;        /* in the search */
	uint64_t tries, tries_ns; /* in all phases */
};

static void
sequence_work_destroy(struct sequence_work *work)
{
	if (work == NULL)
		return;
	input_sequence_clear(&work->inputs);
	input_sequence_search_clear(&work->search);
	free(work->packed);
	free(work);
}

void
triage_drop_sequence(struct finding *f)
{
	process_history_destroy(f->history);
	sequence_work_destroy(f->sequence);
	f->history = NULL;
	f->sequence = NULL;
}

bool
triage_begin_sequence(struct engine *e, struct finding *f)
{
	uint32_t max_len = (uint32_t)grow_memory_max_len(e);
	size_t room = worker_sequence_max(max_len);
	struct sequence_work *work;

	if ((f->history == NULL && !f->has_before) || f->len > max_len)
		return false;
	/* The failing input itself may be longer than the history may be. */
	room -= f->len + sizeof(uint32_t);
	if (room > TRIAGE_HISTORY_BYTES)
		room = TRIAGE_HISTORY_BYTES;
	work = xcalloc(1, sizeof(*work));
	triage_take_history(e, f, room, &work->inputs);
	if (work->inputs.n == 0) {
		sequence_work_destroy(work);
		return false;
	}
	input_sequence_push(&work->inputs, xmemdup(f->input, f->len), f->len);
	input_sequence_search_init(&work->search, work->inputs.n);
	f->sequence = work;
	return true;
}

/* The mean of the tries so far, or an estimate from the workers' rates. */
uint64_t
triage_sequence_ms(const struct engine *e, const struct finding *f)
{
	const struct sequence_work *work = f->sequence;
	uint64_t hang_ms = 0;
	double exec_rate = 0;
	uint32_t i;

	if (work->tries > 0)
		return work->tries_ns / work->tries / 1000000;
	if (f->failure.kind == FAILURE_HANG)
		hang_ms = engine_settings(e)->timeout_ms;
	for (i = 0; i < pool_count(e); i++)
		if (pool_at(e, i)->exec_rate > exec_rate)
			exec_rate = pool_at(e, i)->exec_rate;
	return exec_rate > 0
		? (uint64_t)((double)work->inputs.n / exec_rate) + hang_ms
		: hang_ms;
}

void
triage_fill_sequence(const struct engine *e, struct finding *f, struct job *job)
{
	struct sequence_work *work = f->sequence;
	bool less = work->phase == SEQUENCE_SEARCH;

	free(work->packed);
	work->packed_n = less ? work->search.next_n : work->search.best_n;
	work->packed = input_sequence_pack(&work->inputs,
		less ? work->search.next : work->search.best, work->packed_n,
		&work->packed_len);
	job->kind = JOB_SEQUENCE;
	job->data = work->packed;
	job->len = work->packed_len;
	job->sequence_n = (uint32_t)work->packed_n;
	job_let_grow(job, f->failure.kind);
	if (!engine_settings(e)->deterministic)
		job->budget_ms = SEQUENCE_MS;
	job_set_finding(job, f);
}

static void
sequence_tell(struct engine *e, const struct finding *f)
{
	char tried[sizeof(f->tried) + 8] = "", inputs[64] = "";

	if (f->sequence_n > 1)
		snprintf(inputs, sizeof(inputs),
			" as a sequence of %" PRIu32 " inputs", f->sequence_n);
	if (f->tried[0] != '\0')
		snprintf(tried, sizeof(tried), " (%s)", f->tried);
	message_event(e, "verified",
		json_pack("{s:s, s:i, s:i, s:i, s:s, s:s}", "finding", f->id,
			"reproduced", (int)f->reproduced, "replays",
			(int)f->replays, "sequence", (int)f->sequence_n,
			"tried", f->tried, "build", program_info(e)->build),
		"reproduced %u of %u%s%s   %s", f->reproduced, f->replays,
		inputs, tried, f->folder);
}

static enum finding_state
sequence_finish(struct engine *e, struct finding *f)
{
	bool is_new = !f->sequence->is_kept;

	triage_drop_sequence(f);
	triage_drop_before(e, f);
	sequence_tell(e, f);
	if (is_new && f->sequence_n > 1)
		f->change = CHANGE_SEQUENCE;
	record_when_kept(e, f);
	return triage_after_verification(e, f);
}

/* The replays of the input alone count; the sequence is only mentioned. */
static enum finding_state
sequence_give_up(struct engine *e, struct finding *f)
{
	const struct sequence_work *work = f->sequence;

	if (triage_leave_replays(e, f, work->runs, work->failed))
		return FINDING_DONE;
	snprintf(f->tried, sizeof(f->tried),
		"%" PRIu32 " of %" PRIu32 " alone, %" PRIu32 " of %" PRIu32
		" as a sequence of %zu",
		f->reproduced, f->replays, work->failed, work->runs,
		work->search.best_n);
	triage_note_replays(e, f);
	return sequence_finish(e, f);
}

static void
sequence_save(struct engine *e, struct finding *f)
{
	const struct sequence_work *work = f->sequence;
	const struct input_sequence_search *search = &work->search;
	const struct input_sequence_input *input;
	uint32_t i;

	for (i = 0; i < search->best_n; i++) {
		input = &work->inputs.inputs[search->best[i]];
		f->pending_writes++;
		store_put_sequence(engine_store(e), f->folder, i + 1,
			input->data, input->len, i + 1 == search->best_n,
			record_on_kept, f);
	}
	for (; i < f->sequence_n; i++)
		store_remove_sequence(engine_store(e), f->folder, i + 1);
	f->sequence_n = (uint32_t)search->best_n;
}

static enum finding_state
sequence_keep(struct engine *e, struct finding *f)
{
	const struct sequence_work *work = f->sequence;

	if (triage_leave_replays(e, f, work->runs, work->failed))
		return FINDING_DONE;
	if (!work->is_kept) {
		sequence_save(e, f);
		snprintf(f->tried, sizeof(f->tried),
			"%" PRIu32 " of %" PRIu32 " alone", f->reproduced,
			f->replays);
	}
	f->replays = work->runs;
	f->reproduced = work->failed;
	if (work->failed > 0)
		triage_seen_again(e, f);
	triage_note_replays(e, f);
	return sequence_finish(e, f);
}

/* Each shorter sequence that hangs takes the whole time limit. */
static bool
sequence_is_late(const struct engine *e, const struct finding *f)
{
	uint64_t most_ms = SEQUENCE_MS;

	if (f->failure.kind == FAILURE_HANG)
		most_ms += SEQUENCE_HANGS * engine_settings(e)->timeout_ms;
	return !engine_settings(e)->deterministic &&
		f->sequence->spent_ns / 1000000 >= most_ms;
}

/* Continues the search for a shorter sequence within its limits. */
static void
sequence_search_on(struct engine *e, const struct finding *f)
{
	struct sequence_work *work = f->sequence;

	work->phase = SEQUENCE_SEARCH;
	if (!sequence_is_late(e, f) && work->search.tries < SEQUENCE_TRIES &&
		input_sequence_search_next(&work->search))
		return;
	work->phase = SEQUENCE_VERIFY;
	work->runs = work->failed = 0;
}

/* The number of the input that failed in the same way; 0: none did. */
static size_t
sequence_failed_at(const struct engine *e, const struct finding *f,
	const struct worker_result *r)
{
	const struct sequence_work *work = f->sequence;

	if (!triage_fails_again(e, f, r))
		return 0;
	return r->count < work->packed_n ? (size_t)r->count : work->packed_n;
}

static enum finding_state
sequence_on_check(struct engine *e, struct finding *f, size_t at)
{
	struct sequence_work *work = f->sequence;

	if (at > 0) {
		work->search.best_n = at;
		sequence_search_on(e, f);
	} else if (work->runs == SEQUENCE_CHECKS) {
		return sequence_give_up(e, f);
	}
	return FINDING_SEQUENCE;
}

/* The last tries decide. */
static enum finding_state
sequence_on_replay(struct engine *e, struct finding *f)
{
	const struct sequence_work *work = f->sequence;

	if (work->runs < f->replays_wanted)
		return FINDING_SEQUENCE;
	if (work->is_kept || (work->failed > 0 && work->search.best_n > 1))
		return sequence_keep(e, f);
	return sequence_give_up(e, f);
}

/* Whether a stop or a pause ended the call, not its own limit. The engine has
 * measured that limit: the fork server's clock starts later. */
static bool
sequence_was_cut(const struct worker_result *r)
{
	uint64_t budget_ns = r->job.budget_ms * 1000000;

	return r->interrupted ||
		(r->end == CALL_TIME &&
			(budget_ns == 0 || r->took_ns < budget_ns));
}

/* Whether the try tells something. In this build a search may end early: it takes
 * its time, and calls nothing fixed. */
static bool
sequence_is_whole(const struct engine *e, const struct finding *f,
	const struct worker_result *r)
{
	const struct sequence_work *work = f->sequence;

	if (work->phase != SEQUENCE_VERIFY && triage_is_this_build(e, f->build))
		return true;
	return r->count >= work->packed_n ||
		(r->count > 0 && r->failure.kind != FAILURE_NONE);
}

enum finding_state
triage_judge_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	struct sequence_work *work = f->sequence;
	size_t at = sequence_failed_at(e, f, r);

	if (sequence_was_cut(r))
		return FINDING_SEQUENCE; /* the try is still to be made */
	if (r->count == 0 && ++work->in_vain < SEQUENCE_IN_VAIN)
		return FINDING_SEQUENCE;
	if (r->count > 0)
		work->in_vain = 0;
	triage_note_replay(e, f, r, sequence_is_whole(e, f, r));
	work->spent_ns += r->took_ns;
	work->tries++;
	work->tries_ns += r->took_ns;
	work->runs++;
	work->failed += at > 0;
	if (work->phase == SEQUENCE_CHECK)
		return sequence_on_check(e, f, at);
	if (work->phase == SEQUENCE_VERIFY)
		return sequence_on_replay(e, f);
	input_sequence_search_verdict(&work->search, at);
	sequence_search_on(e, f);
	return FINDING_SEQUENCE;
}

bool
triage_try_history(struct engine *e, struct finding *suspect,
	const struct worker_result *r)
{
	if (suspect->failure.kind != FAILURE_HANG)
		return false;
	if (suspect->sequence != NULL)
		return suspect->sequence->tries == 0; /* it was stopped */
	suspect->alone_ns = r->run_ns;
	if (r->failure.kind == FAILURE_NONE &&
		r->run_ns <= engine_settings(e)->timeout_ms * 1000000 &&
		triage_begin_sequence(e, suspect))
		return true;
	triage_drop_sequence(suspect);
	return false;
}

bool
triage_sequence_failed(const struct finding *f)
{
	return f->sequence != NULL && f->sequence->phase == SEQUENCE_VERIFY &&
		f->sequence->failed > 0;
}

enum status
triage_load_sequence(struct engine *e, struct finding *f, struct error *err)
{
	struct sequence_work *work = xcalloc(1, sizeof(*work));
	enum status status = OK;
	uint8_t *data;
	uint32_t i;
	size_t len;

	for (i = 1; status == OK && i <= f->sequence_n; i++) {
		status = store_read_sequence(engine_store(e), f->folder, i,
			(size_t)grow_memory_max_len(e), &data, &len, err);
		if (status == OK)
			input_sequence_push(&work->inputs, data, len);
	}
	if (status == OK &&
		(work->inputs.n > MEMORY_SEQUENCE_MAX ||
			work->inputs.bytes + work->inputs.n * sizeof(uint32_t) >
				worker_sequence_max(
					(uint32_t)grow_memory_max_len(e))))
		status = error_set(err, E_RANGE,
			"the input sequence is too large; raise --max-len");
	if (status != OK) {
		sequence_work_destroy(work);
		return status;
	}
	input_sequence_search_init(&work->search, work->inputs.n);
	work->phase = SEQUENCE_VERIFY;
	work->is_kept = true;
	f->sequence = work;
	return OK;
}

void
triage_take_sequence(struct engine *e, struct finding *f,
	struct finding *merged)
{
	if (!triage_is_unproven(f) || merged->state != FINDING_DONE ||
		merged->sequence_n < 2 || merged->reproduced == 0 ||
		triage_load_sequence(e, merged, NULL) != OK)
		return;
	f->sequence = merged->sequence;
	merged->sequence = NULL;
	sequence_save(e, f);
	f->replays_wanted = triage_replays(e, &f->failure);
	finding_move(f, FINDING_SEQUENCE);
	record_save_json(e, f); /* before the other folder is removed */
}

void
triage_remove_sequence(struct engine *e, struct finding *f)
{
	for (; f->sequence_n > 0; f->sequence_n--)
		store_remove_sequence(engine_store(e), f->folder,
			f->sequence_n);
}

void
triage_finish_sequence(struct engine *e, struct finding *f)
{
	const struct sequence_work *work = f->sequence;

	if (f->history != NULL && triage_outlook(e, f) == FINDING_VERIFYING)
		triage_save_history(e, f);
	if (work == NULL || work->is_kept || work->search.best_n < 2)
		return;
	triage_save_before(e, f, &work->inputs, work->search.best,
		work->search.best_n - 1);
	if (work->phase == SEQUENCE_CHECK)
		return;
	/* The sequence failed in a try. */
	sequence_save(e, f);
	snprintf(f->tried, sizeof(f->tried),
		"%" PRIu32 " of %" PRIu32 " alone, 1 of 1 as a sequence of %u",
		f->reproduced, f->replays, f->sequence_n);
}
