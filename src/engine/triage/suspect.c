/*
 * suspect: inputs that ran when a worker ended in a way that need not be their
 * fault: a kill or a stop from outside, a lost link, a broken protocol. They
 * are kept apart. Each is replayed in fresh children, and is a finding if it
 * fails there by itself, or if each replay ends in the same strange way: a kill
 * from outside would not hit each time. A stop that comes again is a failure.
 *
 * A hang is a suspect first, too: the machine may have been busy, or the limit
 * may be short. It runs once more with five times the limit. An input that ends
 * within that time is slow, and no finding. If it even keeps to the limit, it
 * runs once more after all that ran before it (triage_sequence.c), and is a
 * finding if it hangs then.
 */
#include "engine/triage/suspect.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/suspect_private.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/inputs/input_text.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

#define HANG_TIMES_LEAST 2u /* the least, if time is short */
#define END_TIMES 3u        /* replays of a strange end */

static unsigned
suspect_way(const struct failure *f)
{
	return f->kind == FAILURE_KILLED && f->signo > 0 &&
			f->signo < SUSPECT_WAYS
		? (unsigned)f->signo
		: 0;
}

/* Reports each way to end the 1st, 2nd, 4th ... time. Returns its number. */
static uint64_t
suspect_say(struct engine *e, const struct failure *f, const char *text)
{
	const char *what_now = engine_settings(e)->verify > 0
		? "the input is run again to confirm a crash"
		: "no crash will be recorded";
	unsigned way = suspect_way(f);
	uint64_t n = ++engine_suspects(e)->ways[way];

	if ((n & (n - 1)) != 0)
		return n;
	if (way != 0)
		message_print(e,
			"fuzzing process terminated by unexpected signal; "
			"%s: signal: %s",
			what_now, failure_signal_text(f->signo));
	else
		message_print(e, "%s; %s", text, what_now);
	return n;
}

static void
suspect_queue_replay(struct engine *e, struct finding *take_finding,
	enum finding_place place)
{
	struct finding *f = take_finding;

	finding_move(f, FINDING_SUSPECT);
	f->place = place;
	f->owner = e;
	f->replays_wanted = 1;
	if (f->failure.kind != FAILURE_HANG)
		f->replays_wanted = engine_settings(e)->verify < END_TIMES
			? (uint32_t)engine_settings(e)->verify
			: END_TIMES;
	engine_suspects(e)->waiting[engine_suspects(e)->waiting_n++] = f;
}

/* Keeps the input; one that awaits replays always has a file. */
static bool
suspect_keep(struct engine *e, const struct worker_result *r, bool waits)
{
	bool kept = waits ? store_keep_suspect(engine_store(e), r->candidate,
				    r->candidate_len)
			  : store_add_suspect(engine_store(e), r->candidate,
				    r->candidate_len);

	engine_suspects(e)->count += kept;
	return kept;
}

static bool
suspect_has_input(const struct engine *e, const uint8_t *input, size_t len)
{
	const struct suspects *suspects = engine_suspects(e);
	size_t i;

	for (i = 0; i < suspects->waiting_n; i++)
		if (suspects->waiting[i]->len == len &&
			memcmp(suspects->waiting[i]->input, input, len) == 0)
			return true;
	return false;
}

/* Only a few suspects await replays, to save time; others are only on disk. */
static bool
suspect_is_doubted(const struct engine *e, const struct worker_result *r)
{
	return r->count > 0 && engine_settings(e)->verify > 0 &&
		engine_suspects(e)->waiting_n < SUSPECTS_WAITING &&
		!suspect_has_input(e, r->candidate, r->candidate_len);
}

static void
suspect_doubt_end(struct engine *e, const struct worker_result *r)
{
	struct finding *f =
		finding_create(&r->failure, failure_stack_hash(&r->failure));

	f->input = xmemdup(r->candidate, r->candidate_len);
	f->len = r->candidate_len;
	suspect_queue_replay(e, f, PLACE_SUSPECTS);
}

void
suspect_on_end(struct engine *e, const struct worker_result *r)
{
	char name[SHA256_HEX_SIZE], text[FAILURE_TEXT_MAX];
	uint64_t *files = &engine_suspects(e)->kept[suspect_way(&r->failure)];
	uint64_t n;
	bool waits = suspect_is_doubted(e, r), kept;

	text_clean_string(r->failure.text, text, sizeof(text));
	n = suspect_say(e, &r->failure, text);
	input_text_name(program_types(e), r->candidate, r->candidate_len, name);
	kept = (waits || *files < SUSPECTS_OF_A_WAY) &&
		suspect_keep(e, r, waits);
	*files += kept;
	/* Files beyond come and go: the journal names ever fewer of them. */
	if ((kept && *files <= SUSPECTS_OF_A_WAY) || (n & (n - 1)) == 0)
		message_event(e, "suspect",
			json_pack("{s:s%, s:s, s:I}", "input", name, (size_t)16,
				"kind", failure_kind_name(r->failure.kind),
				"count", (json_int_t)n),
			"suspect %.6s: %s", name, text);
	if (waits)
		suspect_doubt_end(e, r);
}

/* ---- hangs -------------------------------------------------------------- */

/* Growing to the memory limit may take about as long as the time limit. */
uint64_t
suspect_hang_ms(const struct engine *e, const struct finding *f)
{
	uint64_t limit = engine_settings(e)->timeout_ms;

	return f->failure.kind == FAILURE_HANG || f->failure.kind == FAILURE_OOM
		? job_long_ms(limit)
		: limit;
}

uint64_t
suspect_least_ms(const struct engine *e, const struct finding *f)
{
	uint64_t limit = engine_settings(e)->timeout_ms,
		 most = suspect_hang_ms(e, f);

	if (f->failure.kind != FAILURE_HANG)
		return 0;
	return HANG_TIMES_LEAST * limit < most ? HANG_TIMES_LEAST * limit
					       : most;
}

void
suspect_let_hang(const struct engine *e, const struct finding *f,
	uint64_t room_ms, struct job *job)
{
	uint64_t ms = suspect_hang_ms(e, f);

	if (ms > room_ms)
		ms = room_ms;
	if (ms > job->hang_ms)
		job->hang_ms = ms;
}

static bool
suspect_is_waiting(const struct engine *e, uint64_t stack_hash)
{
	size_t i;

	for (i = 0; i < engine_suspects(e)->waiting_n; i++)
		if (engine_suspects(e)->waiting[i]->stack_hash == stack_hash)
			return true;
	return false;
}

/*
 * Bounds the replays of slow inputs. With a clock the time budget does that. A
 * deterministic run counts hangs instead.
 */
static bool
suspect_may_run_again(const struct engine *e)
{
	uint64_t n = engine_suspects(e)->doubted_hangs;

	return !engine_settings(e)->deterministic || (n & (n - 1)) == 0;
}

bool
suspect_keep_hang(struct engine *e, const struct worker_result *r)
{
	bool waits;

	engine_suspects(e)->doubted_hangs++;
	waits = !suspect_is_waiting(e, failure_stack_hash(&r->failure)) &&
		engine_suspects(e)->waiting_n < SUSPECTS_WAITING &&
		suspect_may_run_again(e);
	(void)suspect_keep(e, r, waits);
	return waits;
}

void
suspect_add_hang(struct engine *e, struct finding *take_finding)
{
	const struct finding *f = take_finding;
	char name[SHA256_HEX_SIZE];

	suspect_queue_replay(e, take_finding, PLACE_SUSPECTS);
	input_text_name(program_types(e), f->input, f->len, name);
	message_event(e, "suspect",
		json_pack("{s:s%, s:s}", "input", name, (size_t)16, "kind",
			failure_kind_name(f->failure.kind)),
		"suspect %.6s: %s; it is run again with up to %llu ms", name,
		f->failure.text, (unsigned long long)suspect_hang_ms(e, f));
}

void
suspect_drop_file(struct engine *e, struct finding *f)
{
	if (f->place != PLACE_SUSPECTS)
		return;
	f->place = PLACE_NONE;
	/* Another suspect may have the same input, or may have had it. */
	if (!suspect_has_input(e, f->input, f->len) &&
		store_remove_suspect(engine_store(e), f->input, f->len))
		engine_suspects(e)->count--;
}

/* Its replays are over and say nothing. A file for which there was room only
 * while it waited for them goes away. */
static void
suspect_end_doubt(struct engine *e, struct finding *f)
{
	uint64_t *files = &engine_suspects(e)->kept[suspect_way(&f->failure)];

	if (f->failure.kind != FAILURE_HANG && f->place == PLACE_SUSPECTS &&
		*files > SUSPECTS_OF_A_WAY) {
		(*files)--;
		suspect_drop_file(e, f);
	} else if (store_suspects(engine_store(e)) > STORE_SUSPECTS_MAX) {
		suspect_drop_file(e, f);
	}
}

static void
suspect_tell_slow(struct engine *e, const struct finding *f,
	const struct worker_result *r)
{
	bool in_a_row = r->job.kind == JOB_SEQUENCE;
	double took_s = (double)(in_a_row ? f->alone_ns : r->run_ns) / 1e9;
	double limit_s = (double)engine_settings(e)->timeout_ms / 1e3;
	const char *what =
		took_s > limit_s ? "slow input" : "an input that was slow once";
	char name[SHA256_HEX_SIZE], took[32] = "under 1 ms";
	uint64_t n = ++engine_suspects(e)->slow_inputs;

	if (took_s >= 1e-3)
		snprintf(took, sizeof(took), "%.2g s", took_s);
	input_text_name(program_types(e), f->input, f->len, name);
	message_event(e, "slow",
		json_pack("{s:s%, s:f, s:f}", "input", name, (size_t)16,
			"took_s", took_s, "limit_s", limit_s),
		"%s: %s, limit %.2g s   %.6s", what, took, limit_s, name);
	if ((n & (n - 1)) == 0)
		message_print(e, "%s: %s, limit %.2g s; no hang%s", what, took,
			limit_s,
			f->place == PLACE_SUSPECTS ? ", saved in suspects/"
						   : "");
}

/* ---- replays ------------------------------------------------------------ */

/* The same strange end again. A broken protocol never counts: the bytes may
 * come from anywhere. */
static bool
suspect_ends_again(struct finding *suspect, const struct worker_result *r)
{
	return r->failure.kind == suspect->failure.kind &&
		r->failure.signo == suspect->failure.signo &&
		failure_is_suspect(r->failure.kind) &&
		r->failure.kind != FAILURE_PROTOCOL;
}

/* The input failed by itself. */
static bool
suspect_is_proven(const struct worker_result *r)
{
	return r->failure.kind != FAILURE_NONE &&
		!failure_is_suspect(r->failure.kind);
}

/* Also if a timer or a limit of the target itself, such as alarm(2), was faster
 * than the longer time-out. */
bool
suspect_hangs_alone(const struct failure *f)
{
	return f->kind == FAILURE_HANG ||
		(f->kind == FAILURE_KILLED &&
			(f->signo == SIGALRM || f->signo == SIGVTALRM ||
				f->signo == SIGPROF || f->signo == SIGXCPU));
}

static enum suspect_verdict
suspect_judge_hang(struct engine *e, struct finding *suspect,
	const struct worker_result *r)
{
	bool in_a_row = r->job.kind == JOB_SEQUENCE;

	/* A failure of an earlier input proves nothing of this one. */
	if (in_a_row ? r->failure.kind == FAILURE_HANG &&
				r->count >= r->job.sequence_n
		     : suspect_hangs_alone(&r->failure))
		return SUSPECT_HANGS;
	if (!in_a_row && suspect_is_proven(r))
		return SUSPECT_FAILS;
	suspect_end_doubt(e, suspect);
	if (in_a_row || r->failure.kind == FAILURE_NONE)
		suspect_tell_slow(e, suspect, r);
	return SUSPECT_CLEARED;
}

enum suspect_verdict
suspect_judge(struct engine *e, struct finding *suspect,
	const struct worker_result *r)
{
	struct suspects *suspects = engine_suspects(e);
	bool again = suspect_ends_again(suspect, r);
	size_t i = 0;

	if (again && ++suspect->replays < suspect->replays_wanted)
		return SUSPECT_WAITS;
	while (suspects->waiting[i] != suspect)
		i++;
	suspects->waiting[i] = suspects->waiting[--suspects->waiting_n];
	if (suspect->failure.kind == FAILURE_HANG)
		return suspect_judge_hang(e, suspect, r);
	if (again || suspect_is_proven(r))
		return SUSPECT_FAILS;
	suspect_end_doubt(e, suspect);
	return SUSPECT_CLEARED;
}

size_t
suspects_waiting(const struct engine *e)
{
	return engine_suspects(e)->waiting_n;
}

struct finding *
suspects_at(const struct engine *e, size_t i)
{
	return engine_suspects(e)->waiting[i];
}

json_t *
suspects_left(const struct engine *e)
{
	char name[SHA256_HEX_SIZE];
	json_t *left = json_array();
	size_t i;

	if (engine_suspects(e)->later != NULL)
		json_array_extend(left, engine_suspects(e)->later);
	for (i = 0; i < engine_suspects(e)->waiting_n; i++) {
		const struct finding *f = engine_suspects(e)->waiting[i];

		input_text_name(program_types(e), f->input, f->len, name);
		if (f->place == PLACE_SUSPECTS)
			json_array_append_new(left,
				json_pack("{s:s%, s:s, s:s, s:i}", "input",
					name, (size_t)16, "kind",
					failure_kind_name(f->failure.kind),
					"what", f->failure.what, "signal",
					f->failure.signo));
	}
	return left;
}

/* One that lost its file is forgotten. */
static void
suspect_resume_one(struct engine *e, json_t *info)
{
	struct suspects *suspects = engine_suspects(e);
	bool room = engine_settings(e)->verify > 0 &&
		suspects->waiting_n < SUSPECTS_WAITING;
	char input[FINDING_INPUT_SIZE];
	struct finding *f = finding_read_suspect(info, input);
	enum status status = E_RANGE;

	if (f == NULL)
		return;
	if (room)
		status = store_read_input(engine_store(e), "suspects", input,
			engine_memory(e)->head->max_len, &f->input, &f->len,
			NULL);
	if (status == E_RANGE &&
		json_array_size(suspects->later) < STORE_SUSPECTS_MAX)
		json_array_append(suspects->later, info);
	if (status != OK) {
		finding_destroy(f);
		return;
	}
	finding_measure(f, program_types(e));
	suspect_queue_replay(e, f, PLACE_SUSPECTS);
}

void
suspects_resume(struct engine *e, uint64_t count, const json_t *left)
{
	size_t i;

	engine_suspects(e)->count = count;
	engine_suspects(e)->later = json_array();
	for (i = 0; i < json_array_size(left); i++)
		suspect_resume_one(e, json_array_get(left, i));
}

/* The failure is unknown. If the input fails again, its finding gets this
 * folder. */
void
suspect_adopt(struct engine *e, const char *folder)
{
	struct failure failure = { .kind = FAILURE_PROTOCOL };
	char text[STORE_FOLDER_SIZE + 64];
	struct finding *f;

	if (engine_settings(e)->verify == 0 ||
		engine_suspects(e)->waiting_n == SUSPECTS_WAITING)
		return;
	f = finding_create(&failure, 0);
	if (store_read_input(engine_store(e), folder, "input",
		    engine_memory(e)->head->max_len, &f->input, &f->len,
		    NULL) != OK) {
		finding_destroy(f);
		return;
	}
	snprintf(f->folder, sizeof(f->folder), "%s", folder);
	finding_measure(f, &store_past(engine_store(e))->types);
	suspect_queue_replay(e, f, PLACE_FOLDER);
	snprintf(text, sizeof(text),
		"%s has no readable crash.json; its input is run again",
		folder);
	message_keep_warning(e, "finding", text);
}

void
suspect_clear(struct engine *e)
{
	json_decref(engine_suspects(e)->later);
	engine_suspects(e)->later = NULL;
	while (engine_suspects(e)->waiting_n > 0)
		finding_destroy(
			engine_suspects(e)
				->waiting[--engine_suspects(e)->waiting_n]);
}

const char *
suspect_signal(const struct engine *e)
{
	const uint64_t *kept = engine_suspects(e)->kept;
	int most = 1, signo;

	for (signo = 2; signo < SUSPECT_WAYS; signo++)
		if (kept[signo] > kept[most])
			most = signo;
	return kept[most] > 0 ? failure_signal_name(most) : "";
}

uint64_t
suspect_count(const struct engine *e)
{
	return engine_suspects(e)->count;
}
