/*
 * coordinator: handles the results of workers. All that workers find passes
 * through coordinator_on_result(). Nothing else changes the corpus, the global
 * coverage map or the counts.
 */
#include "engine/coordinator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "corpus/auto_dictionary.h"
#include "engine/engine_private.h"
#include "engine/finding_budget.h"
#include "engine/front/answers.h"
#include "engine/front/snapshot_view.h"
#include "engine/messages.h"
#include "engine/pc_table_calls.h"
#include "engine/pool.h"
#include "engine/schedule.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/mutation_origin.h"
#include "engine/triage/mutator.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"
#include "engine/trim.h"
#include "worker/input_text.h"

#define WARMUP_TRIES 3 /* starts, if the worker ends before the input runs */

/* The estimated time of a death, with or without a sanitizer. */
#define DEATH_NS 2000000

struct kept_entry {
	struct engine *engine;
	struct corpus_entry *entry;
	char name[SHA256_HEX_SIZE];
	char old[SHA256_HEX_SIZE]; /* larger input to be replaced, or "" */
};

static void
coordinator_on_entry_kept(void *arg, enum status status)
{
	struct kept_entry *kept = arg;

	if (status == OK) {
		/* The entry may have smaller bytes by now. */
		if (strcmp(kept->name, kept->entry->name) == 0)
			corpus_set_on_disk(kept->engine->campaign.corpus,
				kept->entry);
		if (kept->old[0] != '\0')
			store_remove_entry(kept->engine->store, kept->old);
	} else {
		kept->engine->end.lost = true;
	}
	if (--kept->engine->schedule.pending_writes == PENDING_WRITES_MAX)
		pool_wake(kept->engine);
	free(kept);
}

static void
coordinator_keep_entry(struct engine *e, struct corpus_entry *entry,
	const void *data, size_t len, const char *old)
{
	struct kept_entry *kept = xmalloc(sizeof(*kept));
	char full[SHA256_HEX_SIZE];

	*kept = (struct kept_entry){ .engine = e, .entry = entry };
	snprintf(kept->name, sizeof(kept->name), "%s", entry->name);
	corpus_full_name(entry, full);
	e->schedule.pending_writes++;
	if (old[0] != '\0' &&
		store_replace_entry(e->store, old, entry->name, full, data, len,
			coordinator_on_entry_kept, kept))
		return; /* the old file was never written */
	snprintf(kept->old, sizeof(kept->old), "%s", old);
	store_add_entry(e->store, entry->name, full, data, len,
		coordinator_on_entry_kept, kept);
}

/* Adds an input to the corpus, the disk and the shared arena. */
struct corpus_entry *
coordinator_add_input(struct engine *e, const uint8_t *data, size_t len,
	const struct corpus_entry *parent, bool save)
{
	struct corpus_entry *entry;
	bool is_new;

	entry = corpus_add(e->campaign.corpus, data, len,
		parent != NULL ? parent->index : CORPUS_NONE, &is_new);
	if (!is_new)
		return NULL; /* these bytes are an entry already */
	entry->arena =
		campaign_memory_add_entry(&e->campaign.memory, data, len);
	energy_place(e->campaign.energy, entry);
	if (len > e->campaign.longest)
		e->campaign.longest = len;
	if (save)
		coordinator_keep_entry(e, entry, data, len, "");
	return entry;
}

static void
coordinator_note_find(struct engine *e)
{
	double now = engine_campaign_s(e);

	if (now - e->counts.last_find_s > e->counts.plateau_gap_s)
		e->counts.plateau_gap_s = now - e->counts.last_find_s;
	e->counts.last_find_s = now;
}

/* The nearest ancestor that a later run will find on the disk. */
static const struct corpus_entry *
coordinator_kept_ancestor(const struct engine *e,
	const struct corpus_entry *entry)
{
	while (entry != NULL && entry->is_progress)
		entry = answer_parent(e, entry);
	return entry;
}

static void
coordinator_tell_find(struct engine *e, const struct corpus_entry *entry,
	const struct corpus_entry *parent, uint64_t bits)
{
	json_t *members = json_pack("{s:s, s:s, s:I, s:I, s:I, s:b}", "input",
		entry->name, "parent", parent != NULL ? parent->name : "",
		"len", (json_int_t)entry->file_len, "bits", (json_int_t)bits,
		"generation", (json_int_t)entry->generation, "unstable",
		(int)entry->unstable);
	const struct corpus_entry *kept = coordinator_kept_ancestor(e, parent);

	if (kept != NULL && kept != parent)
		json_object_set_new(members, "ancestor",
			json_string(kept->name));
	message_event(e, "find", members,
		"coverage +%llu bit%s   %.6s -> %.6s   %zu B",
		(unsigned long long)bits, bits == 1 ? "" : "s",
		parent != NULL ? parent->name : "seed", entry->name,
		entry->file_len);
}

/*
 * An input with known bytes adds nothing, except for the empty input of a
 * campaign without seeds: that entry did not run until now.
 */
static struct corpus_entry *
coordinator_find_start(struct engine *e, const struct find *find)
{
	struct corpus_entry *entry =
		corpus_find(e->campaign.corpus, find->bytes, find->record.len);

	if (entry == NULL || entry->generation > 0 || entry->is_seed ||
		entry->on_disk || entry->new_bits > 0)
		return NULL;
	coordinator_keep_entry(e, entry, find->bytes, find->record.len, "");
	return entry;
}

/* Records the edges of an entry; without a list of all edges hit, its new
 * features. */
static void
coordinator_note_reach(struct engine *e, struct corpus_entry *entry,
	const struct find *find)
{
	uint32_t i;

	if (find->record.hits_n > 0)
		energy_reach(e->campaign.energy, entry, find->hits,
			find->record.hits_n);
	else
		for (i = 0; i < find->record.pairs_n; i++)
			energy_reach(e->campaign.energy, entry,
				&find->pairs[i].counter, 1);
}

/* Edges hit at random must not fill the corpus. */
static void
coordinator_note_unstable(struct engine *e, const struct find *find)
{
	uint32_t i, masked = 0;

	for (i = 0; i < find->record.gone_n; i++)
		masked += campaign_memory_mark_unstable(&e->campaign.memory,
			find->gone[i]);
	if (masked > 0 && e->campaign.memory.masked == masked)
		message_event(e, "unstable",
			json_pack("{s:i}", "counters", (int)masked),
			"coverage varies between runs of the same input: "
			"unstable edges are ignored");
}

static void
coordinator_tell_word(void *arg, const uint8_t *word, size_t len)
{
	char text[4 * MEMORY_WORD_LEN_MAX + 1];

	text_clean((const char *)word, len, text, sizeof(text));
	message_event(arg, "word", json_pack("{s:s}", "word", text),
		"the target asks for \"%s\": in the dictionary now", text);
}

/* Execution time, or 0 in deterministic mode, where scheduling must not depend
 * on the clock. */
static uint64_t
coordinator_run_time(const struct engine *e, const struct find *find)
{
	return e->settings.deterministic ? 0 : find->record.run_ns;
}

/*
 * Value profile progress without new coverage: the input is kept as a base for
 * mutations, but not reported and not written to disk.
 */
static void
coordinator_on_progress(struct engine *e, const struct job *job,
	const struct find *find)
{
	struct corpus_entry *parent = job_owner_entry(job), *entry;

	if (energy_owner(e->campaign.energy, find->record.parent) != NULL)
		parent = energy_owner(e->campaign.energy, find->record.parent);
	entry = coordinator_add_input(e, find->bytes, find->record.len, parent,
		false);
	if (entry == NULL)
		return;
	mutation_origin_note_find(e, entry, parent, job, find);
	entry->is_progress = true;
	entry->exec_ns = coordinator_run_time(e, find);
	entry->found_at_s = (double)run_clock_elapsed_ns(&e->clock) / 1e9;
	e->campaign.value_entries++;
	e->campaign.value_bytes += entry->len;
}

/* Handles one record of the ring. It is already copied and its bounds are
 * checked. */
static void
coordinator_on_find(struct engine *e, struct slot *slot, const struct job *job,
	const struct find *find)
{
	struct corpus_entry *parent = job_owner_entry(job), *entry;
	uint64_t bits, progress;

	if (job->kind == JOB_WARMUP) {
		parent->exec_ns = coordinator_run_time(e, find);
		coordinator_note_reach(e, parent, find);
		parent->new_bits = campaign_memory_merge(&e->campaign.memory,
			find->pairs, find->record.pairs_n);
		return;
	}
	coordinator_note_unstable(e, find);
	if (find->record.pairs_n == 0)
		return;
	progress = e->campaign.memory.profile_bits;
	bits = campaign_memory_merge(&e->campaign.memory, find->pairs,
		find->record.pairs_n);
	if (bits == 0 && e->campaign.memory.profile_bits > progress) {
		coordinator_on_progress(e, job, find);
		return;
	}
	if (bits == 0) {
		log_debug("worker reported interesting input that doesn't "
			  "expand coverage");
		return;
	}
	if (energy_owner(e->campaign.energy, find->record.parent) != NULL)
		parent = energy_owner(e->campaign.energy, find->record.parent);
	entry = coordinator_add_input(e, find->bytes, find->record.len, parent,
		true);
	if (entry == NULL)
		entry = coordinator_find_start(e, find);
	if (entry == NULL)
		return;
	mutation_origin_note_find(e, entry, parent, job, find);
	entry->new_bits = bits;
	entry->exec_ns = coordinator_run_time(e, find);
	entry->found_at_s = (double)run_clock_elapsed_ns(&e->clock) / 1e9;
	entry->unstable = (find->record.flags & FIND_UNSTABLE) != 0;
	coordinator_note_reach(e, entry, find);
	mutator_stats_add_find(&e->campaign.stats, find->trail,
		find->record.trail_n);
	if (e->campaign.words_learned < AUTO_DICTIONARY_MAX)
		e->campaign.words_learned +=
			auto_dictionary_take(&e->campaign.memory, find,
				(uint32_t)(AUTO_DICTIONARY_MAX -
					e->campaign.words_learned),
				coordinator_tell_word, e);
	energy_reward(e->campaign.energy, parent);
	e->schedule.find_count = e->counts.executions;
	e->counts.new_inputs++;
	slot->finds++;
	e->counts.unstable += entry->unstable;
	coordinator_note_find(e);
	coordinator_tell_find(e, entry, parent, bits);
	new_functions_look(e, entry);
	if (schedule_is_fifo(e))
		queue_push(&e->schedule.inputs, entry);
	if (schedule_may_minimize(e) && e->findings.crash_minimizing == NULL &&
		!entry->unstable)
		trim_add(e, entry, find);
}

/* Coverage of an earlier run's input counts from the time it was found. */
static double
coordinator_reach_time(const struct engine *e, const struct job *job)
{
	const struct corpus_entry *entry = job_owner_entry(job);

	return job->kind == JOB_WARMUP && e->earlier.runs > 1
		? e->earlier.elapsed_s + entry->found_at_s
		: engine_campaign_s(e);
}

static void
coordinator_on_finds(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct find find;
	size_t offset = 0;
	bool damaged = false;

	/* The other kinds of jobs do not search for inputs. */
	if (r->job.kind != JOB_WARMUP && r->job.kind != JOB_FUZZ)
		return;
	e->campaign.memory.log.now_s = coordinator_reach_time(e, &r->job);
	while (find_next(r->ring, r->ring_len, &offset,
		e->campaign.memory.head->max_len, &find, &damaged)) {
		if (find.record.len > e->campaign.memory.head->max_len ||
			!input_is_sound(&e->target.types, find.bytes,
				find.record.len)) {
			damaged = true;
			break;
		}
		if (find.record.run_ns > r->took_ns)
			find.record.run_ns = r->took_ns;
		coordinator_on_find(e, slot, &r->job, &find);
		new_functions_look(e, NULL);
	}
	if (damaged)
		message_event(e, "worker", NULL,
			"worker %u: its memory is damaged, some new inputs are "
			"lost",
			worker_slot(slot->worker));
}

/* Replaces the entry by a smaller input with the same new features. */
void
coordinator_shrink_entry(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries)
{
	struct snapshot_minimized told = { .tries = tries };
	char old[sizeof(entry->name)];
	size_t old_len = entry->len, was_len = entry->file_len;
	struct mutation_log_step step;
	const uint8_t *data;

	if (best == NULL || len > entry->len ||
		corpus_load(e->campaign.corpus, entry, &data, NULL) != OK ||
		(len == entry->len && memcmp(best, data, entry->len) == 0))
		return;
	mutation_log_compare(MUTATION_LOG_MINIMIZED, data, old_len, best, len,
		&step);
	snprintf(old, sizeof(old), "%s", entry->name);
	if (!corpus_replace(e->campaign.corpus, entry, best, len))
		return; /* another entry has these bytes */
	mutation_logs_add_step(e->campaign.logs, entry->index, &step);
	entry->arena =
		campaign_memory_add_entry(&e->campaign.memory, best, len);
	entry->exec_ns = entry->exec_ns * (len + 16) / (old_len + 16);
	energy_place(e->campaign.energy, entry);
	coordinator_keep_entry(e, entry, best, len, old);
	snprintf(told.entry, sizeof(told.entry), "%.16s", old);
	snprintf(told.title, sizeof(told.title), "input %.6s", old);
	told.start_len = was_len;
	told.len = entry->file_len;
	view_note_minimized(e, &told);
	message_event(e, "minimized",
		json_pack("{s:s, s:s, s:I, s:I}", "input", entry->name, "was",
			old, "len", (json_int_t)entry->file_len, "was_len",
			(json_int_t)was_len),
		"input %.6s   %zu -> %zu bytes, same coverage", old, was_len,
		entry->file_len);
}

static void
coordinator_finish_warmup_input(struct engine *e)
{
	if (e->load.warmup_left == 0 || --e->load.warmup_left > 0 ||
		e->load.under_way)
		return;
	coordinator_finish_warmup(e);
}

void
coordinator_finish_warmup(struct engine *e)
{
	e->clock.fuzz_start_ns = clock_now_ns();
	e->clock.warm_paused_ns =
		run_clock_paused_ns(&e->clock, e->clock.fuzz_start_ns);
	if (e->load.warmup_total > 0)
		message_warm(e);
	message_event(e, "warm",
		json_pack("{s:I, s:I}", "inputs",
			(json_int_t)e->load.warmup_total, "bits",
			(json_int_t)e->campaign.memory.bits),
		"finished processing input corpus, entries: %zu, initial "
		"coverage bits: %llu",
		corpus_len(e->campaign.corpus),
		(unsigned long long)e->campaign.memory.bits);
	new_functions_on_warm(e);
}

void
coordinator_skip_input(struct engine *e, struct corpus_entry *entry)
{
	message_event(e, "worker", NULL, "input %.16s can no longer be read",
		entry->name);
	if (engine_warming(e))
		coordinator_finish_warmup_input(e);
}

static void
coordinator_on_odd_return(struct engine *e)
{
	if (e->messages.odd_return_said)
		return;
	e->messages.odd_return_said = true;
	message_print(e,
		"warning: the target returned a value other than 0 and -1; "
		"it is taken as 0");
}

static void
coordinator_count_work(struct engine *e, const struct worker_result *r)
{
	struct corpus_entry *entry = job_owner_entry(&r->job);

	if (r->job.draw) {
		energy_spend(e->campaign.energy, r->count);
		return;
	}
	entry->work += (double)r->count;
	entry->executions += (double)r->count;
}

/* The time a failure costs: its end, the report, and a new child. */
static uint64_t
coordinator_failure_ns(const struct worker_result *r)
{
	return r->failure.kind == FAILURE_HANG ? r->job.hang_ms * 1000000u
					       : DEATH_NS;
}

/* Adds the numbers that every result carries. */
static void
coordinator_count_result(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	if (r->count > 0)
		slot->vain_starts = 0; /* this start was not in vain */
	slot->fuzz_ns += r->total_ns;
	finding_budget_charge(e, slot, r);
	if (r->job.kind == JOB_REPLAY || r->job.kind == JOB_SEQUENCE) {
		e->counts.replays += r->count;
		return;
	}
	e->schedule.waiting -= r->job.reserved;
	e->counts.executions += r->count;
	slot->execs += r->count;
	e->counts.rejected += r->rejected;
	if (r->odd_return)
		coordinator_on_odd_return(e);
	if (r->custom_bad)
		mutator_on_length(e);
	if (r->job.kind == JOB_FUZZ)
		coordinator_count_work(e, r);
	mutator_stats_add_steps(&e->campaign.stats, r->steps);
}

static void
coordinator_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct worker_result *own = xmemdup(r, sizeof(*r));
	struct corpus_entry *parent = job_owner_entry(&r->job);
	const struct trim_job *trim = job_owner_trim(&r->job);

	if (r->job.draw &&
		energy_owner(e->campaign.energy, r->chain.parent) != NULL)
		parent = energy_owner(e->campaign.energy, r->chain.parent);
	else if (trim != NULL)
		parent = trim->entry;
	if (parent != NULL)
		energy_charge(e->campaign.energy, parent,
			coordinator_failure_ns(r));
	/* The input ran unchanged: use the corpus's own bytes. */
	if (r->job.kind == JOB_WARMUP && parent != NULL &&
		corpus_load(e->campaign.corpus, parent, &own->candidate,
			NULL) == OK)
		own->candidate_len = parent->len;
	triage_on_failure(e, slot, own, parent);
	free(own);
}

static void
coordinator_on_minimized_coverage(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct trim_job *trim = job_owner_trim(&r->job);
	bool failed = r->failure.kind != FAILURE_NONE;

	if (trim->minimization != NULL) {
		minimize_tasks_on_result(e, slot, trim->minimization, r);
		if (failed)
			coordinator_on_failure(e, slot, r);
		return;
	}
	e->trims.executions += r->count;
	coordinator_shrink_entry(e, trim->entry, r->best, r->best_len,
		r->tries);
	if (failed)
		coordinator_on_failure(e, slot, r);
	trim_job_destroy(trim);
}

/* When a pause or a death kept an input from running, queues it again. */
static void
coordinator_on_warmup(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct corpus_entry *entry = job_owner_entry(&r->job);
	bool failed = r->failure.kind != FAILURE_NONE;

	if (failed)
		coordinator_on_failure(e, slot, r);
	if (r->count == 0 && (!failed || entry->picks++ < WARMUP_TRIES))
		queue_push(&e->schedule.inputs, entry);
	else
		coordinator_finish_warmup_input(e);
}

/* A candidate killed the fork server, or a target without one: reports that
 * failure as well. */
static void
coordinator_on_minimized_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct finding *f = job_owner_finding(&r->job);
	bool single = f->minimization->single;

	minimize_tasks_on_result(e, slot, f->minimization, r);
	if (!single && r->lost && r->count > 0 &&
		r->failure.kind != FAILURE_NONE)
		coordinator_on_failure(e, slot, r);
}

static void
coordinator_on_internal_error(struct engine *e, struct slot *slot,
	const char *error)
{
	char text[FAILURE_TEXT_MAX];

	text_clean_string(error, text, sizeof(text));
	message_event(e, "worker", NULL, "worker %u: internal fault: %s",
		worker_slot(slot->worker), text);
	engine_fail(e, EXIT_LOST, "%s", text);
}

void
coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);
	const struct job *job = &r->job;
	bool failed = r->failure.kind != FAILURE_NONE;
	uint64_t known = e->counts.new_inputs;

	if (job->kind == JOB_TABLES) {
		pc_table_calls_on_result(e, r);
		return;
	}
	coordinator_count_result(e, slot, r);
	if (r->error[0] != '\0')
		coordinator_on_internal_error(e, slot, r->error);
	coordinator_on_finds(e, slot, r);
	switch (job->kind) {
	case JOB_WARMUP:
		coordinator_on_warmup(e, slot, r);
		break;
	case JOB_FUZZ:
		if (failed)
			coordinator_on_failure(e, slot, r);
		schedule_adapt(e, slot, r, e->counts.new_inputs > known);
		break;
	case JOB_MINIMIZE_COVERAGE:
		coordinator_on_minimized_coverage(e, slot, r);
		break;
	case JOB_MINIMIZE_FAILURE:
		coordinator_on_minimized_failure(e, slot, r);
		break;
	case JOB_REPLAY:
		triage_on_replay(e, job_owner_finding(job), r);
		break;
	case JOB_SEQUENCE:
		triage_on_sequence(e, job_owner_finding(job), r);
		break;
	case JOB_TABLES:
		break; /* not the result of an input */
	}
	engine_check_end(e);
}

void
coordinator_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n)
{
	struct engine *e = arg;
	uint32_t i;

	(void)w;
	for (i = 0; i < n; i++) {
		if (campaign_memory_add_module(&e->campaign.memory,
			    modules[i].key, modules[i].n) ||
			e->messages.module_room_said)
			continue;
		e->messages.module_room_said = true;
		message_print(e,
			"warning: no room for the counters of a module that was "
			"loaded later; its coverage does not count");
	}
	pc_table_calls_add_modules(e, modules, n);
}
