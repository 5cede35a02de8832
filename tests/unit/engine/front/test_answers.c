/*
 * test_answers: what an engine without workers says of its entries: bytes,
 * lineage, and mutations, when parents were made smaller in between.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/front/answers.h"
#include "engine/log/event_ring.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/mutation_origin.h"
#include "engine/triage/triage.h"
#include "lib/rows.h"

#define MAX_LEN 4096u
#define CAP 1000u

struct fixture {
	struct engine *e;
	struct corpus_entry *seed;
	struct reply reply;
	struct error err;
};

static void
place(struct engine *e, struct corpus_entry *entry)
{
	entry->arena = campaign_memory_add_entry(&e->campaign.memory,
		entry->data, entry->len);
	energy_place(e->campaign.energy, entry);
}

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct engine *e = xcalloc(1, sizeof(*e));

	f->e = e;
	settings_init(&e->settings);
	assert_int_equal(campaign_memory_open(&e->campaign.memory, MAX_LEN,
				 4u << 20, NULL),
		OK);
	e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	e->campaign.energy =
		energy_create(&e->campaign.memory, e->campaign.corpus);
	e->campaign.list =
		corpus_list_create(e->campaign.corpus, e->campaign.energy);
	e->campaign.logs = mutation_logs_create(1 << 20);
	f->seed = corpus_add(e->campaign.corpus, "hello world", 11, CORPUS_NONE,
		NULL);
	f->seed->is_seed = true;
	place(e, f->seed);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	reply_clear(&f->reply);
	for (size_t i = 0; i < f->e->findings.n; i++)
		finding_destroy(f->e->findings.list[i]);
	free(f->e->findings.list);
	mutation_logs_destroy(f->e->campaign.logs);
	corpus_list_destroy(f->e->campaign.list);
	energy_destroy(f->e->campaign.energy);
	corpus_destroy(f->e->campaign.corpus);
	campaign_memory_close(&f->e->campaign.memory);
	settings_clear(&f->e->settings);
	free(f->e);
	free(f);
	return 0;
}

static enum status
ask(struct fixture *f, answer_fn *answer, enum query_kind kind,
	const char *name)
{
	struct query query = { .kind = kind, .count = QUERY_BYTES_MAX };

	snprintf(query.name, sizeof(query.name), "%s", name);
	reply_clear(&f->reply);
	f->reply.kind = kind;
	f->err = (struct error){ 0 };
	return answer(f->e, 1, &query, &f->reply, &f->err);
}

/* ---- what a worker would have found ------------------------------------- */

/* A chain of n steps on the bytes at that place of the arena, and its end. */
static struct corpus_entry *
find_from(struct fixture *f, struct corpus_entry *parent, uint32_t arena,
	uint32_t seed, uint32_t n, bool lie)
{
	struct mutation mutations[8];
	struct mutation_sources sources = {
		.words = campaign_memory_words(&f->e->campaign.memory),
	};
	struct mutable m = { .cap = CAP };
	struct ring_input find = { .mutations = mutations };
	struct job job = { .kind = JOB_FUZZ, .cap = CAP };
	struct corpus_entry *entry;
	const uint8_t *data;
	bool is_new;

	m.data = xmalloc(65536);
	data = campaign_memory_entry(&f->e->campaign.memory, arena, &m.len);
	assert_non_null(data);
	memcpy(m.data, data, m.len);
	while (find.record.mutations_n < n) {
		seed++;
		if (mutation_apply(seed % MUTATE_BYTES_N, seed, &sources, &m,
			    &mutations[find.record.mutations_n]))
			find.record.mutations_n++;
	}
	find.bytes = m.data;
	find.record.len = (uint32_t)m.len;
	find.record.parent = arena;
	find.record.partner = MEMORY_NO_ENTRY;
	entry = corpus_add(f->e->campaign.corpus, m.data, m.len, parent->index,
		&is_new);
	assert_true(is_new);
	place(f->e, entry);
	if (lie)
		m.data[0] ^= 1;
	mutation_origin_note_input(f->e, entry, parent, &job, &find);
	free(m.data);
	return entry;
}

/* As the coordinator does it. */
static void
minimize(struct fixture *f, struct corpus_entry *entry, size_t len)
{
	uint8_t *best = xmemdup(entry->data, len + 1);
	struct mutation_log_step step;

	best[0] ^= 0x40;
	mutation_log_compare(MUTATION_LOG_MINIMIZED, entry->data, entry->len,
		best, len, &step);
	assert_true(corpus_replace(f->e->campaign.corpus, entry, best, len));
	mutation_logs_add_step(f->e->campaign.logs, entry->index, &step);
	place(f->e, entry);
	free(best);
}

/* The steps lead from the seed to these bytes, as far as they are shown. */
static void
check_steps(const struct fixture *f, const struct corpus_entry *entry)
{
	const struct reply_mutation_log *r = &f->reply.mutation_log;
	size_t len = f->seed->len;
	uint8_t data[65536];
	bool known = true;

	memcpy(data, "hello world", len);
	for (size_t i = 0; i < r->steps_n; i++) {
		const struct reply_mutation *s = &r->steps[i];

		assert_int_equal(s->len_before, len);
		if (known)
			assert_memory_equal(data + s->offset, s->before,
				s->before_n);
		known = known && s->part_after == s->after_n;
		memmove(data + s->offset + s->part_after,
			data + s->offset + s->part_before,
			len - s->offset - s->part_before);
		memcpy(data + s->offset, s->after, s->after_n);
		len = s->len_after;
	}
	assert_int_equal(len, entry->len);
	if (known)
		assert_memory_equal(data, entry->data, len);
}

/* ---- mutation logs ------------------------------------------------------ */

static void
test_mutation_log(void **state)
{
	struct fixture *f = *state;
	const struct reply_mutation_log *r = &f->reply.mutation_log;
	struct corpus_entry *a, *b;

	for (uint32_t seed = 0; seed < 200; seed++) {
		a = find_from(f, f->seed, f->seed->arena, 1000 * seed, 3,
			false);
		b = find_from(f, a, a->arena, 1000 * seed + 500, 2, false);
		assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
					 b->name),
			OK);
		assert_true(r->complete);
		assert_string_equal(r->why, "");
		assert_int_equal(r->steps_n, 5);
		assert_string_equal(r->steps[0].parent, f->seed->name);
		assert_string_equal(r->steps[0].entry, a->name);
		assert_string_equal(r->steps[4].entry, b->name);
		check_steps(f, b);
	}
}

/* What began with the bytes from before the minimization has no such step. */
static void
test_minimized_parents(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a, *before, *late, *after;
	uint32_t old;

	a = find_from(f, f->seed, f->seed->arena, 7, 2, false);
	old = a->arena;
	before = find_from(f, a, old, 100, 2, false);
	minimize(f, a, 3);
	late = find_from(f, a, old, 200, 2, false); /* its call had begun */
	after = find_from(f, a, a->arena, 300, 2, false);
	static const struct {
		size_t at, steps;
		bool minimized;
	} rows[] = { { 0, 3, true }, { 1, 4, false }, { 2, 4, false },
		{ 3, 5, true } };
	struct corpus_entry *const entries[] = { a, before, late, after };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct reply_mutation_log *r = &f->reply.mutation_log;

		assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
					 entries[rows[i].at]->name),
			OK);
		assert_true(r->complete);
		assert_int_equal(r->steps_n, rows[i].steps);
		assert_int_equal(rows[i].steps > 2 && r->steps[2].minimized,
			rows[i].minimized);
		check_steps(f, entries[rows[i].at]);
	}
}

/* What is not known is said, and what stands above it is told all the same. */
static void
test_gaps(void **state)
{
	struct fixture *f = *state;
	const struct reply_mutation_log *r = &f->reply.mutation_log;
	struct corpus_entry *lie, *below, *old;

	lie = find_from(f, f->seed, f->seed->arena, 7, 2, true);
	below = find_from(f, lie, lie->arena, 8, 2, false);
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 below->name),
		OK);
	assert_false(r->complete);
	assert_non_null(strstr(r->why, "gave other bytes"));
	assert_int_equal(r->steps_n, 2);
	old = corpus_add(f->e->campaign.corpus, "old", 3, CORPUS_NONE, NULL);
	old->is_resumed = true;
	place(f->e, old);
	below = find_from(f, old, old->arena, 9, 2, false);
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 below->name),
		OK);
	assert_false(r->complete);
	assert_non_null(strstr(r->why, "journal does not contain"));
	assert_int_equal(r->steps_n, 2);
	old->generation = 1;
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 below->name),
		OK);
	assert_false(r->complete);
	assert_non_null(strstr(r->why, "no longer in the corpus"));
	/* The run before knew; and then what changed is known. */
	mutation_logs_put(f->e->campaign.logs, old->index,
		mutation_log_difference((const uint8_t *)"ood", 3,
			(const uint8_t *)"old", 3));
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 old->name),
		OK);
	assert_true(r->complete);
	assert_int_equal(r->steps_n, 1);
	assert_string_equal(r->steps[0].op, "difference");
	assert_int_equal(r->steps[0].offset, 1);
	/* A seed has none, and needs none. */
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 f->seed->name),
		OK);
	assert_true(r->complete);
	assert_int_equal(r->steps_n, 0);
}

static void
test_long_mutation_log(void **state)
{
	struct fixture *f = *state;
	const struct reply_mutation_log *r = &f->reply.mutation_log;
	struct corpus_entry *entry = f->seed;

	for (uint32_t i = 0; i < 300; i++)
		entry = find_from(f, entry, entry->arena, 100 * i, 2, false);
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 entry->name),
		OK);
	assert_true(r->cut);
	assert_false(r->complete);
	assert_int_equal(r->steps_n, QUERY_MUTATIONS_MAX);
	assert_string_equal(r->steps[QUERY_MUTATIONS_MAX - 1].entry,
		entry->name);
	assert_int_equal(r->steps[QUERY_MUTATIONS_MAX - 1].generation, 300);
}

/* ---- findings ----------------------------------------------------------- */

static void
test_finding(void **state)
{
	struct fixture *f = *state;
	const struct failure failure = { .kind = FAILURE_SIGNAL,
		.what = "SIGSEGV" };
	struct worker_result *result = xcalloc(1, sizeof(*result));
	struct finding *finding = finding_create(&failure, 0x1234);
	const struct reply_mutation_log *r = &f->reply.mutation_log;
	char name[40];

	result->job = (struct job){ .kind = JOB_FUZZ, .cap = CAP };
	result->stack.parent = f->seed->arena;
	result->stack.partner = MEMORY_NO_ENTRY;
	finding->input = xmemdup("hello world", 11);
	finding->len = 11;
	finding->minimized = xmemdup("hello", 5);
	finding->minimized_len = 5;
	findings_add(f->e, finding);
	/* Of an earlier run: nothing is known, or what crash.json tells. */
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 finding->id),
		OK);
	assert_false(r->complete);
	assert_non_null(strstr(r->why, "parent is unknown"));
	assert_int_equal(r->steps_n, 0);
	finding->lineage = json_object();
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 finding->id),
		OK);
	assert_false(r->complete);
	assert_non_null(strstr(r->why, "parent is no longer in the corpus"));
	mutation_origin_note_finding(f->e, finding, result, f->seed);
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
				 finding->id),
		OK);
	assert_true(r->complete);
	snprintf(name, sizeof(name), "%s/min", finding->id);
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG, name),
		OK);
	assert_int_equal(r->steps_n, 1);
	assert_true(r->steps[0].minimized);
	assert_int_equal(r->steps[0].part_before, 6);
	assert_int_equal(ask(f, answer_entry, QUERY_ENTRY, name), OK);
	assert_true(f->reply.entry.finding);
	assert_string_equal(f->reply.entry.name, name);
	assert_int_equal(f->reply.entry.bytes.len, 5);
	assert_int_equal(f->reply.entry.lineage_n, 1);
	assert_string_equal(f->reply.entry.lineage[0].name, f->seed->name);
	/* Its input could not be read. */
	free(finding->input);
	finding->input = NULL;
	assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG, name),
		OK);
	assert_false(r->complete);
	assert_non_null(strstr(r->why, "only on disk"));
	assert_int_equal(r->steps_n, 0);
	free(result);
}

/* Work that runs no mutations came upon it: the answer says which. */
static void
test_finding_of_work(void **state)
{
	static const struct {
		const char *name;
		enum job_kind kind;
		bool parent;
		size_t steps;
		const char *why;
	} rows[] = {
		{ "trimming", JOB_MINIMIZE_COVERAGE, true, 1, "" },
		{ "a minimization", JOB_MINIMIZE_FAILURE, false, 0,
			"000000: found by the minimization of abcdef" },
		{ "a replay", JOB_REPLAY, false, 0,
			"000000: found by a replay of abcdef" },
	};
	struct fixture *f = *state;
	const struct failure failure = { .kind = FAILURE_SIGNAL };
	struct worker_result *result = xcalloc(1, sizeof(*result));
	struct finding *other = finding_create(&failure, 0xabcdef0000000000);
	const struct reply_mutation_log *r = &f->reply.mutation_log;
	struct finding *finding;

	job_set_finding(&result->job, other);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i].name);
		finding = finding_create(&failure, i);
		finding->input = xmemdup("hello", 5);
		finding->len = 5;
		result->job.kind = rows[i].kind;
		mutation_origin_note_finding(f->e, finding, result,
			rows[i].parent ? f->seed : NULL);
		findings_add(f->e, finding);
		assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
					 finding->id),
			OK);
		assert_string_equal(r->why, rows[i].why);
		assert_int_equal(r->steps_n, rows[i].steps);
		if (r->steps_n > 0)
			assert_string_equal(r->steps[0].op, "difference");
	}
	finding_destroy(other);
	free(result);
}

/* ---- lineages ----------------------------------------------------------- */

static void
test_lineages(void **state)
{
	struct fixture *f = *state;
	const struct reply_entry *r = &f->reply.entry;
	struct corpus_entry *entry = NULL;
	uint32_t parent = f->seed->index;

	for (uint32_t i = 0; i < 1000; i++) {
		entry = corpus_add(f->e->campaign.corpus, &i, sizeof(i), parent,
			NULL);
		parent = entry->index;
	}
	assert_int_equal(ask(f, answer_entry, QUERY_ENTRY, entry->name), OK);
	assert_int_equal(r->lineage_n, QUERY_LINEAGE_MAX);
	assert_true(r->cut);
	/* Whatever parents are said to be, it ends. */
	for (uint32_t i = 0; i < 3; i++) {
		entry->parent = i == 0 ? entry->index
			: i == 1       ? entry->index + 5
				       : CORPUS_NONE - 1;
		assert_int_equal(ask(f, answer_entry, QUERY_ENTRY, entry->name),
			OK);
		assert_int_equal(r->lineage_n, 1);
		assert_false(r->cut);
		assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
					 entry->name),
			OK);
	}
}

static void
test_not_there(void **state)
{
	static const char *const names[] = { "", "a", "ffffffffffffffff",
		"/min", "//min", "../etc" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(ask(f, answer_entry, QUERY_ENTRY, names[i]),
			E_NOT_FOUND);
		assert_int_equal(ask(f, answer_mutation_log, QUERY_MUTATION_LOG,
					 names[i]),
			E_NOT_FOUND);
	}
}

/* Rows begin with the oldest event in memory; `since` counts all events. */
static const struct {
	const char *name;
	uint64_t since, first; /* first: the row */
	size_t rows;
} NEWER[] = {
	{ "nothing known", 0, 0, 5 },
	{ "all known", EVENT_RING_MAX + 3, EVENT_RING_MAX, 0 },
	{ "all but two", EVENT_RING_MAX + 1, EVENT_RING_MAX - 2, 2 },
	{ "the next one is gone", 2, 0, 5 },
	{ "the next one is the oldest", 3, 0, 5 },
	{ "the oldest is known", 4, 1, 5 },
	{ "more than there are", UINT64_MAX, EVENT_RING_MAX, 0 },
};

static void
test_newer_events(void **state)
{
	struct fixture *f = *state;
	struct event_ring *ring = event_ring_create();
	const struct reply_journal *r = &f->reply.journal;

	f->e->messages.events = ring;
	for (uint32_t i = 0; i < EVENT_RING_MAX + 3; i++)
		event_ring_add(ring, "new", i, "text", "");
	for (size_t i = 0; i < ROWS(NEWER); i++) {
		const struct query query = { .kind = QUERY_JOURNAL,
			.since = NEWER[i].since,
			.count = 5 };

		reply_clear(&f->reply);
		f->reply.kind = QUERY_JOURNAL;
		assert_int_equal(answer_journal(f->e, 1, &query, &f->reply,
					 &f->err),
			OK);
		row_check(r->dropped == 3 && r->first == NEWER[i].first &&
				r->rows_n == NEWER[i].rows,
			"%s: %zu rows from %llu", NEWER[i].name, r->rows_n,
			(unsigned long long)r->first);
	}
	event_ring_destroy(ring);
}

int
main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_mutation_log),
		CASE(test_minimized_parents),
		CASE(test_gaps),
		CASE(test_long_mutation_log),
		CASE(test_finding),
		CASE(test_finding_of_work),
		CASE(test_lineages),
		CASE(test_not_there),
		CASE(test_newer_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
