/*
 * What the engine makes of a worker's results: new inputs, coverage that is not
 * stable, progress of the value profile, and damaged or odd results.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/coordinator.h"
#include "engine/corpus/entries.h"
#include "engine/corpus/warmup.h"
#include "engine/pool/first_answer.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"

#define EDGES 100u
#define PROFILE EDGES /* the first counter of the value profile */

static const char *const plain[] = { "parallel", "1", "minimizetime", "0x",
	"max-len", "100", NULL };

struct stage {
	struct idle idle;
	struct engine *e;
	struct corpus_entry *seed;
	struct job job;
	struct worker_result *result;
	_Alignas(8) uint8_t ring[4096];
	size_t used;
};

static struct stage *
stage_open(const struct tree *tree)
{
	const struct counter_module modules[] = { { .key = 7, .n = EDGES },
		{ .key = MEMORY_VALUE_PROFILE_KEY, .n = EDGES } };
	struct stage *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	idle_open(&s->idle, tree, plain);
	s->e = s->idle.engine;
	s->result = s->idle.result;
	first_answer_on_modules(s->e, s->e->pool.slots[0].worker, modules, 2);
	s->seed = entries_add(s->e, (const uint8_t *)"seed", 4, NULL, true);
	s->seed->is_seed = true;
	s->job = (struct job){ .kind = JOB_FUZZ, .cap = 100 };
	job_set_entry(&s->job, s->seed);
	return s;
}

static enum exit_status
stage_close(struct stage *s)
{
	enum exit_status status = idle_close(&s->idle);

	free(s);
	return status;
}

static void
put(struct stage *s, const void *data, size_t len)
{
	assert_true(s->used + len <= sizeof(s->ring));
	memcpy(s->ring + s->used, data, len);
	s->used += len;
}

/* Adds a record of a new input. counter or gone may be -1: none. */
static void
add_find(struct stage *s, const char *input, int counter, int gone,
	uint32_t flags)
{
	const struct feature feature = { .counter = (uint32_t)counter,
		.buckets = 1 };
	const uint32_t lost = (uint32_t)gone;
	struct ring_record record = {
		.len = (uint32_t)strlen(input),
		.parent = MEMORY_NO_ENTRY,
		.partner = MEMORY_NO_ENTRY,
		.features_n = counter >= 0,
		.unstable_n = gone >= 0,
		.flags = flags,
	};

	record.size = ring_record_size(&record);
	put(s, &record, sizeof(record));
	put(s, &feature, record.features_n * sizeof(feature));
	put(s, &lost, record.unstable_n * sizeof(lost));
	put(s, input, record.len);
	s->used = (s->used + 7) & ~(size_t)7;
}

/* The call ends after so many executions, with the inputs added so far. */
static void
end_call_after(struct stage *s, uint64_t count)
{
	s->result->job = s->job;
	s->result->worker = s->e->pool.slots[0].worker;
	s->result->count = count;
	s->result->ring = s->ring;
	s->result->ring_len = s->used;
	coordinator_on_result(s->e, s->e->pool.slots[0].worker, s->result);
	memset(s->result, 0, sizeof(*s->result));
	s->used = 0;
}

static void
end_call(struct stage *s)
{
	end_call_after(s, 10);
}

static struct corpus_entry *
entry_of(const struct stage *s, const char *input)
{
	return corpus_find(s->e->campaign.corpus, input, strlen(input));
}

/* ---- new inputs ----------------------------------------------------------- */

/* An input with a new feature is kept, reported and written. */
static void
test_new_input(void **state)
{
	struct stage *s = stage_open(*state);
	const struct corpus_entry *entry;
	char name[128];

	add_find(s, "new", 3, -1, 0);
	end_call(s);
	entry = entry_of(s, "new");
	assert_non_null(entry);
	assert_int_equal(entry->generation, 1);
	assert_int_equal(entry->new_bits, 1);
	assert_int_equal(s->e->counts.new_inputs, 1);
	assert_int_equal(s->e->counts.executions, 10);
	assert_string_equal(idle_event_text(&s->idle, "find", "input"),
		entry->name);
	assert_string_equal(idle_event_text(&s->idle, "find", "parent"),
		s->seed->name);
	snprintf(name, sizeof(name), "out/corpus/%s", entry->name);
	assert_int_equal(stage_close(s), EXIT_NOTHING);
	assert_true(tree_holds(*state, name, "new"));
}

/* Known features and known bytes make no entry. */
static void
test_nothing_new(void **state)
{
	struct stage *s = stage_open(*state);
	size_t entries;

	add_find(s, "new", 3, -1, 0);
	end_call(s);
	entries = corpus_len(s->e->campaign.corpus);
	add_find(s, "other", 3, -1, 0); /* a known feature */
	add_find(s, "new", 4, -1, 0);   /* known bytes */
	add_find(s, "none", -1, -1, 0); /* no feature */
	end_call(s);
	assert_int_equal(corpus_len(s->e->campaign.corpus), entries);
	assert_int_equal(s->e->counts.new_inputs, 1);
	assert_int_equal(idle_events(&s->idle, "find"), 1);
	stage_close(s);
}

/* The empty input of a campaign without seeds counts once it has run. */
static void
test_start(void **state)
{
	struct stage *s = stage_open(*state);
	struct corpus_entry *start =
		entries_add(s->e, (const uint8_t *)"", 0, NULL, false);

	job_set_entry(&s->job, start);
	add_find(s, "", 3, -1, 0);
	end_call(s);
	assert_int_equal(start->new_bits, 1);
	assert_int_equal(idle_events(&s->idle, "find"), 1);
	add_find(s, "", 4, -1, 0);
	end_call(s);
	assert_int_equal(idle_events(&s->idle, "find"), 1);
	stage_close(s);
	assert_int_equal(tree_count(*state, "out/corpus"), 2);
}

/* A file of the corpus under another name than its entry's ran at warm-up. */
static void
test_resumed(void **state)
{
	struct stage *s = stage_open(*state);
	struct corpus_entry *resumed =
		entries_add(s->e, (const uint8_t *)"theirs", 6, NULL, false);

	resumed->is_resumed = true;
	add_find(s, "theirs", 3, -1, 0);
	end_call(s);
	assert_int_equal(resumed->new_bits, 0);
	assert_int_equal(idle_events(&s->idle, "find"), 0);
	stage_close(s);
	assert_int_equal(tree_count(*state, "out/corpus"), 1);
}

/* Bytes that a comparison asked for are a word of the dictionary. */
static void
test_word(void **state)
{
	static const char input[] = "magic number", word[] = "magic";
	const struct mutation step = { .op = MUTATE_COMPARE, .len = 5 };
	const struct feature feature = { .counter = 3, .buckets = 1 };
	struct ring_record record = {
		.len = sizeof(input) - 1,
		.parent = MEMORY_NO_ENTRY,
		.partner = MEMORY_NO_ENTRY,
		.features_n = 1,
		.mutations_n = 1,
		.literals_n = 5,
	};
	struct stage *s = stage_open(*state);

	record.size = ring_record_size(&record);
	put(s, &record, sizeof(record));
	put(s, &feature, sizeof(feature));
	put(s, &step, sizeof(step));
	put(s, word, 5);
	put(s, input, record.len);
	s->used = (s->used + 7) & ~(size_t)7;
	end_call(s);
	assert_int_equal(s->e->counts.new_inputs, 1);
	assert_int_equal(s->e->counts.auto_dictionary, 1);
	assert_string_equal(idle_event_text(&s->idle, "word", "word"), "magic");
	stage_close(s);
}

/* ---- coverage that is not the input's alone ------------------------------- */

static void
test_unstable(void **state)
{
	struct stage *s = stage_open(*state);

	add_find(s, "new", 3, 5, RING_UNSTABLE);
	end_call(s);
	assert_true(entry_of(s, "new")->unstable);
	assert_int_equal(s->e->counts.unstable, 1);
	assert_int_equal(idle_events(&s->idle, "unstable"), 0);
	add_find(s, "newer", 4, 5, 0);
	end_call(s);
	assert_false(entry_of(s, "newer")->unstable);
	assert_int_equal(s->e->campaign.memory.unstable_excluded, 1);
	assert_int_equal(idle_events(&s->idle, "unstable"), 1);
	/* The edge counts no more, and further ones are not reported. */
	add_find(s, "newest", 5, 6, 0);
	add_find(s, "newest", 5, 6, 0);
	end_call(s);
	assert_null(entry_of(s, "newest"));
	assert_int_equal(s->e->campaign.memory.unstable_excluded, 2);
	assert_int_equal(idle_events(&s->idle, "unstable"), 1);
	stage_close(s);
}

/* An entry of the value profile is kept in memory and not announced. */
static void
test_progress(void **state)
{
	struct stage *s = stage_open(*state);
	struct corpus_entry *progress;
	struct job job;

	add_find(s, "near", PROFILE + 1, -1, 0);
	end_call(s);
	progress = entry_of(s, "near");
	assert_non_null(progress);
	assert_true(progress->of_value_profile);
	assert_int_equal(s->e->counts.value_entries, 1);
	assert_int_equal(s->e->counts.value_bytes, 4);
	assert_int_equal(s->e->counts.new_inputs, 0);
	assert_int_equal(idle_events(&s->idle, "find"), 0);
	/* Its child names the ancestor that is on the disk. */
	job = s->job;
	job_set_entry(&s->job, progress);
	add_find(s, "there", 3, -1, 0);
	end_call(s);
	s->job = job;
	assert_string_equal(idle_event_text(&s->idle, "find", "parent"),
		progress->name);
	assert_string_equal(idle_event_text(&s->idle, "find", "ancestor"),
		s->seed->name);
	stage_close(s);
	assert_int_equal(tree_count(*state, "out/corpus"), 2);
}

/* ---- damage --------------------------------------------------------------- */

/* The inputs before the damage are kept. */
static void
test_damaged(void **state)
{
	struct stage *s = stage_open(*state);
	char large[120] = "";

	add_find(s, "new", 3, -1, 0);
	add_find(s, "lost", 4, -1, 0);
	s->used -= 8;
	end_call(s);
	assert_non_null(entry_of(s, "new"));
	assert_null(entry_of(s, "lost"));
	assert_int_equal(idle_events(&s->idle, "worker"), 1);
	memset(large, 'x', sizeof(large) - 1);
	add_find(s, large, 5, -1, 0); /* more than --max-len */
	end_call(s);
	assert_int_equal(s->e->counts.new_inputs, 1);
	assert_int_equal(idle_events(&s->idle, "worker"), 2);
	stage_close(s);
}

/* Other kinds of calls find nothing, whatever the memory says. */
static void
test_replay(void **state)
{
	struct stage *s = stage_open(*state);
	const struct failure failure = { .kind = FAILURE_SIGNAL };
	struct finding *f = finding_create(&failure, 1);

	f->owner = s->e;
	findings_add(s->e, f);
	s->job.kind = JOB_REPLAY;
	job_set_finding(&s->job, f);
	add_find(s, "new", 3, -1, 0);
	end_call(s);
	assert_null(entry_of(s, "new"));
	assert_int_equal(s->e->counts.executions, 0);
	assert_int_equal(s->e->counts.replays, 10);
	stage_close(s);
}

/* A value that targets must not return is named once. */
static void
test_odd_return(void **state)
{
	struct stage *s = stage_open(*state);
	const char *at;

	s->result->odd_return = s->result->custom_bad = true;
	end_call(s);
	s->result->odd_return = s->result->custom_bad = true;
	end_call(s);
	at = strstr(s->idle.lines, "a value other than 0 and -1");
	assert_non_null(at);
	assert_null(strstr(at + 1, "a value other than 0 and -1"));
	assert_int_equal(idle_events(&s->idle, "target"), 1);
	assert_int_equal(idle_events(&s->idle, "mutator"), 1);
	stage_close(s);
}

/* A fault of the worker itself ends the campaign. */
static void
test_internal_fault(void **state)
{
	struct stage *s = stage_open(*state);

	strcpy(s->result->error, "no \033 memory");
	end_call(s);
	assert_true(s->e->end.stopping);
	assert_string_equal(idle_event_text(&s->idle, "worker", "text"),
		"worker 0: internal fault: no \\x1b memory");
	assert_int_equal(stage_close(s), EXIT_LOST);
}

/* Modules without room are named once. */
static void
test_module_room(void **state)
{
	const struct counter_module modules[] = { { .key = 8, .n = UINT32_MAX },
		{ .key = 9, .n = UINT32_MAX } };
	struct stage *s = stage_open(*state);
	const char *at;

	first_answer_on_modules(s->e, s->e->pool.slots[0].worker, modules, 2);
	at = strstr(s->idle.lines, "no room for the counters");
	assert_non_null(at);
	assert_null(strstr(at + 1, "no room for the counters"));
	stage_close(s);
}

/* ---- warm-up -------------------------------------------------------------- */

/* Seeds give coverage and are no new inputs; the last one ends warm-up. */
static void
test_warmup(void **state)
{
	struct stage *s = stage_open(*state);

	s->e->load.warmup_total = s->e->load.warmup_left = 3;
	s->job.kind = JOB_WARMUP;
	add_find(s, "seed", 3, -1, 0);
	end_call(s);
	assert_int_equal(s->seed->new_bits, 1);
	assert_int_equal(s->e->counts.new_inputs, 0);
	assert_int_equal(s->e->load.warmup_left, 2);
	/* Bytes that cannot be read any more do not run. */
	warmup_skip_input(s->e, s->seed, true);
	assert_int_equal(s->e->load.warmup_left, 1);
	assert_int_equal(idle_events(&s->idle, "worker"), 1);
	assert_int_equal(idle_events(&s->idle, "warm"), 0);
	end_call(s);
	assert_int_equal(idle_events(&s->idle, "warm"), 1);
	assert_int_equal(json_integer_value(
				 json_object_get(idle_event(&s->idle, "warm"),
					 "inputs")),
		3);
	stage_close(s);
}

/* It is measured later if it did not run, because of a pause for instance. */
static void
test_measure_vain(void **state)
{
	struct stage *s = stage_open(*state);

	s->job.kind = JOB_MEASURE;
	s->seed->is_measured = true;
	s->seed->exec_ns = 5000000;
	end_call_after(s, 0);
	assert_false(s->seed->is_measured);
	assert_int_equal(s->seed->exec_ns, 5000000);
	stage_close(s);
}

/* The job fails; the finding has "want". */
static void
check_failing(struct stage *s, enum job_kind kind, const char *want)
{
	const struct finding *f;

	s->e->settings.verify = 0;
	s->e->load.warmup_total = s->e->load.warmup_left = 1;
	s->job.kind = kind;
	s->seed->is_measured = true;
	s->result->failure.kind = FAILURE_SIGNAL;
	s->result->failure.signo = SIGSEGV;
	strcpy(s->result->failure.what, "SIGSEGV");
	s->result->candidate = (const uint8_t *)"worker's";
	s->result->candidate_len = 8;
	s->result->candidate_raw = true;
	end_call(s);
	assert_int_equal(s->e->findings.n, 1);
	f = s->e->findings.list[0];
	assert_int_equal(f->len, strlen(want));
	assert_memory_equal(f->input, want, f->len);
	assert_int_equal(f->parent, s->seed->index);
}

/* A seed that fails is a finding of the engine's own bytes. */
static void
test_failing_seed(void **state)
{
	struct stage *s = stage_open(*state);

	check_failing(s, JOB_WARMUP, "seed");
	assert_int_equal(s->e->load.warmup_left, 0);
	assert_int_equal(stage_close(s), EXIT_FOUND);
}

/* A measurement that fails has the bytes that ran: the entry may have others. */
static void
test_failing_measure(void **state)
{
	struct stage *s = stage_open(*state);

	check_failing(s, JOB_MEASURE, "worker's");
	assert_int_equal(s->e->load.warmup_left, 1);
	assert_true(s->seed->is_measured);
	assert_int_equal(stage_close(s), EXIT_FOUND);
}

/* ---- a second measurement ------------------------------------------------- */

/* The shorter time counts; the input is not new, and no seed is waited for. */
static void
test_measure(void **state)
{
	static const struct time_row {
		const char *name;
		uint64_t first, second, want;
	} times[] = {
		{ "shorter", 5000000, 300, 300 },
		{ "longer", 5000000, 6000000, 5000000 },
		{ "unknown", 5000000, 0, 5000000 },
	};
	struct stage *s = stage_open(*state);

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		s->job.kind = JOB_MEASURE;
		s->seed->exec_ns = times[i].first;
		s->result->run_ns = times[i].second;
		add_find(s, "seed", 3, -1, 0);
		end_call(s);
		if (s->seed->exec_ns != times[i].want)
			fail_msg("%s: %llu", times[i].name,
				(unsigned long long)s->seed->exec_ns);
	}
	assert_int_equal(s->seed->new_bits, 0);
	assert_int_equal(s->e->counts.new_inputs, 0);
	assert_int_equal(s->e->counts.executions, 30);
	stage_close(s);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_new_input),
		ROW(test_nothing_new),
		ROW(test_start),
		ROW(test_resumed),
		ROW(test_word),
		ROW(test_unstable),
		ROW(test_progress),
		ROW(test_damaged),
		ROW(test_replay),
		ROW(test_odd_return),
		ROW(test_internal_fault),
		ROW(test_module_room),
		ROW(test_warmup),
		ROW(test_measure),
		ROW(test_measure_vain),
		ROW(test_failing_seed),
		ROW(test_failing_measure),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("coordinator", tests, NULL, NULL);
}
