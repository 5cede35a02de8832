/* new_inputs: see new_inputs.h. */
#include "engine/corpus/new_inputs.h"

#include "base/log.h"
#include "base/text.h"
#include "control/settings.h"
#include "corpus/auto_dictionary.h"
#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "corpus/mutator_stats.h"
#include "engine/corpus/entries.h"
#include "engine/functions/new_functions.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trim.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/mutation_origin.h"
#include "worker/inputs/input_text.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

/* The nearest ancestor that a later run will find on the disk. */
static const struct corpus_entry *
new_inputs_kept_ancestor(const struct engine *e,
	const struct corpus_entry *entry)
{
	while (entry != NULL && entry->of_value_profile)
		entry = corpus_parent(engine_corpus(e), entry);
	return entry;
}

static void
new_inputs_tell(struct engine *e, const struct corpus_entry *entry,
	const struct corpus_entry *parent, uint64_t bits)
{
	json_t *members = json_pack("{s:s, s:s, s:I, s:I, s:I, s:b}", "input",
		entry->name, "parent", parent != NULL ? parent->name : "",
		"len", (json_int_t)entry->file_len, "bits", (json_int_t)bits,
		"generation", (json_int_t)entry->generation, "unstable",
		(int)entry->unstable);
	const struct corpus_entry *kept = new_inputs_kept_ancestor(e, parent);

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
new_inputs_find_start(struct engine *e, const struct ring_input *input)
{
	struct corpus_entry *entry =
		corpus_find(engine_corpus(e), input->bytes, input->record.len);

	if (entry == NULL || entry->generation > 0 || entry->is_seed ||
		entry->is_resumed || entry->on_disk || entry->new_bits > 0)
		return NULL;
	entries_keep(e, entry, input->bytes, input->record.len, "");
	return entry;
}

/* Records the edges of an entry; without a list of all edges hit, its new
 * features. */
static void
new_inputs_note_reach(struct engine *e, struct corpus_entry *entry,
	const struct ring_input *input)
{
	uint32_t i;

	if (input->record.edges_hit_n > 0)
		energy_reach(engine_energy(e), entry, input->edges_hit,
			input->record.edges_hit_n);
	else
		for (i = 0; i < input->record.features_n; i++)
			energy_reach(engine_energy(e), entry,
				&input->features[i].counter, 1);
}

/* Edges hit at random must not fill the corpus. */
static void
new_inputs_note_unstable(struct engine *e, const struct ring_input *input)
{
	uint32_t i, excluded = 0;

	for (i = 0; i < input->record.unstable_n; i++)
		excluded += campaign_memory_mark_unstable(engine_memory(e),
			input->unstable[i]);
	if (excluded > 0 && engine_memory(e)->unstable_excluded == excluded)
		message_event(e, "unstable",
			json_pack("{s:i}", "counters", (int)excluded),
			"coverage varies between runs of the same input: "
			"unstable edges are ignored");
}

static void
new_inputs_tell_word(void *arg, const uint8_t *word, size_t len)
{
	char text[4 * MEMORY_WORD_LEN_MAX + 1];

	text_clean((const char *)word, len, text, sizeof(text));
	message_event(arg, "word", json_pack("{s:s}", "word", text),
		"the target asks for \"%s\": in the dictionary now", text);
}

/* Execution time, or 0 in deterministic mode, where scheduling must not depend
 * on the clock. */
static uint64_t
new_inputs_run_time(const struct engine *e, const struct ring_input *input)
{
	return engine_settings(e)->deterministic ? 0 : input->record.run_ns;
}

/* The entry that was mutated: drawn by the child, or given by the job. */
static struct corpus_entry *
new_inputs_parent(const struct engine *e, const struct job *job,
	const struct ring_input *input)
{
	struct corpus_entry *drawn =
		energy_owner(engine_energy(e), input->record.parent);

	return drawn != NULL ? drawn : job_owner_entry(job);
}

static void
new_inputs_note_origin(struct engine *e, struct corpus_entry *entry,
	struct corpus_entry *parent, const struct job *job,
	const struct ring_input *input)
{
	mutation_origin_note_input(e, entry, parent, job, input);
	entry->exec_ns = new_inputs_run_time(e, input);
	entry->found_at_s = (double)run_clock_elapsed_ns(engine_clock(e)) / 1e9;
}

/*
 * A new feature of the value profile without new coverage: the input is kept as
 * a base for mutations, but not reported and not written to disk.
 */
static void
new_inputs_on_value_profile(struct engine *e, const struct job *job,
	const struct ring_input *input)
{
	struct corpus_entry *parent = new_inputs_parent(e, job, input);
	struct corpus_entry *entry =
		entries_add(e, input->bytes, input->record.len, parent, false);

	if (entry == NULL)
		return;
	new_inputs_note_origin(e, entry, parent, job, input);
	entry->of_value_profile = true;
	counts_add_value_entry(e, entry->len);
}

static void
new_inputs_add_words(struct engine *e, const struct ring_input *input)
{
	uint64_t known = counts_auto_dictionary(e);

	if (known < AUTO_DICTIONARY_MAX)
		counts_add_words(e,
			auto_dictionary_take(engine_memory(e), input,
				(uint32_t)(AUTO_DICTIONARY_MAX - known),
				new_inputs_tell_word, e));
}

/* Queues a new entry for fuzzing and trimming. */
static void
new_inputs_queue(struct engine *e, struct corpus_entry *entry,
	const struct ring_input *input)
{
	if (schedule_is_fifo(e))
		schedule_add_input(e, entry);
	if (schedule_may_minimize(e) && findings_crash(e) == NULL &&
		!entry->unstable)
		trim_add(e, entry, input);
}

/* bits: new coverage of the input. */
static void
new_inputs_on_coverage(struct engine *e, struct slot *slot,
	const struct job *job, const struct ring_input *input, uint64_t bits)
{
	struct corpus_entry *parent = new_inputs_parent(e, job, input);
	struct corpus_entry *entry =
		entries_add(e, input->bytes, input->record.len, parent, true);

	if (entry == NULL)
		entry = new_inputs_find_start(e, input);
	if (entry == NULL)
		return;
	new_inputs_note_origin(e, entry, parent, job, input);
	entry->new_bits = bits;
	entry->unstable = (input->record.flags & RING_UNSTABLE) != 0;
	new_inputs_note_reach(e, entry, input);
	mutator_stats_add_find(engine_mutator_stats(e), input->mutations,
		input->record.mutations_n);
	new_inputs_add_words(e, input);
	energy_reward(engine_energy(e), parent);
	schedule_note_find(e);
	counts_add_new_input(e, entry->unstable);
	slot->finds++;
	new_inputs_tell(e, entry, parent, bits);
	new_functions_look(e, entry);
	new_inputs_queue(e, entry, input);
}

static void
new_inputs_on_warmup(struct engine *e, struct corpus_entry *entry,
	const struct ring_input *input)
{
	entry->exec_ns = new_inputs_run_time(e, input);
	new_inputs_note_reach(e, entry, input);
	entry->new_bits = campaign_memory_merge(engine_memory(e),
		input->features, input->record.features_n);
}

/* Handles one record of the ring. It is already copied and its bounds are
 * checked. */
static void
new_inputs_on_input(struct engine *e, struct slot *slot, const struct job *job,
	const struct ring_input *input)
{
	struct campaign_memory *memory = engine_memory(e);
	uint64_t bits, profile_bits_before = memory->profile_bits;

	if (job->kind == JOB_WARMUP) {
		new_inputs_on_warmup(e, job_owner_entry(job), input);
		return;
	}
	new_inputs_note_unstable(e, input);
	if (input->record.features_n == 0)
		return;
	bits = campaign_memory_merge(memory, input->features,
		input->record.features_n);
	if (bits > 0)
		new_inputs_on_coverage(e, slot, job, input, bits);
	else if (memory->profile_bits > profile_bits_before)
		new_inputs_on_value_profile(e, job, input);
	else
		log_debug("worker reported interesting input that doesn't "
			  "expand coverage");
}

/* Coverage of an earlier run's input counts from the time it was found. */
static double
new_inputs_reach_time(const struct engine *e, const struct job *job)
{
	const struct corpus_entry *entry = job_owner_entry(job);

	return job->kind == JOB_WARMUP && earlier_runs_count(e) > 1
		? earlier_runs_elapsed_s(e) + entry->found_at_s
		: engine_campaign_s(e);
}

void
new_inputs_take(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct ring_input input;
	size_t offset = 0;
	bool damaged = false;

	/* The other kinds of jobs do not search for inputs. */
	if (r->job.kind != JOB_WARMUP && r->job.kind != JOB_FUZZ)
		return;
	engine_memory(e)->log.now_s = new_inputs_reach_time(e, &r->job);
	while (ring_next(r->ring, r->ring_len, &offset,
		engine_memory(e)->head->max_len, &input, &damaged)) {
		if (input.record.len > engine_memory(e)->head->max_len ||
			!input_is_sound(program_types(e), input.bytes,
				input.record.len)) {
			damaged = true;
			break;
		}
		if (input.record.run_ns > r->took_ns)
			input.record.run_ns = r->took_ns;
		new_inputs_on_input(e, slot, &r->job, &input);
		new_functions_look(e, NULL);
	}
	if (damaged)
		message_event(e, "worker", NULL,
			"worker %u: its memory is damaged, some new inputs are "
			"lost",
			worker_slot(slot->worker));
}
