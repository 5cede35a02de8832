/*
 * test_worker_memory: a hostile target writes random heads, rings and logs into
 * the memory that it shares with the engine, with replies that do not fit. All
 * code that reads them must survive. Pages without access surround that memory;
 * sanitizers find other errors.
 *
 * CFUZZ_TEST_ROUNDS=10000000 makes it long; CFUZZ_TEST_SEED changes the data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "corpus/auto_dictionary.h"
#include "shared/minimize/minimize.h"
#include "shared/prng.h"
#include "worker/inputs/mutation_stack.h"
#include "worker/worker_private.h"

#define MAX_LEN 200u
#define PAGE 4096u
#define ROUNDS 20000u
#define RECORDS_MAX 6u
#define RAW_MAX 64u

struct stage {
	struct prng rand;
	struct event_base *base;
	struct campaign_memory memory;
	struct worker *worker;
	struct worker_handlers handlers;
	uint64_t results, finds, rebuilt, repeated, sum;
};

/* ---- numbers --------------------------------------------------------------- */

static uint32_t
below(struct stage *s, uint32_t n)
{
	return prng_u32n(&s->rand, n);
}

/* Small numbers, sizes of this memory, limits of integer types, and any. */
static uint64_t
number(struct stage *s)
{
	const struct worker_layout *l = &s->worker->layout;
	const uint64_t edges[] = { 0, 1, 7, 8, MAX_LEN, MAX_LEN + 1,
		l->value_size, l->ring_size, l->log_size, l->size,
		EXEC_LOG_HALF, EXEC_LOG_HALF - EXEC_LOG_STACK_MAX,
		EXEC_LOG_RAW_MAX, MEMORY_LITERALS_MAX, MEMORY_MUTATIONS_MAX,
		MEMORY_KEEP_MAX, MEMORY_EDGES_HIT_MAX, FAILURE_FRAMES_MAX,
		FAILURE_MODULES_MAX, INT32_MAX, UINT32_MAX, UINT64_C(1) << 32,
		INT64_MAX, UINT64_MAX };
	uint64_t n;

	switch (below(s, 4)) {
	case 0:
		return below(s, 256);
	case 1:
		n = edges[below(s, sizeof(edges) / sizeof(*edges))];
		return n - 2 + below(s, 5);
	case 2:
		return below(s, 1u << 20);
	default:
		return (uint64_t)prng_u32(&s->rand) << 32 | prng_u32(&s->rand);
	}
}

static bool
one_in(struct stage *s, uint32_t n)
{
	return below(s, n) == 0;
}

static void
scribble(struct stage *s, void *to, size_t len)
{
	uint8_t *bytes = to;
	size_t i;

	for (i = 0; i < len; i++)
		bytes[i] = (uint8_t)below(s, 256);
}

/* ---- data from a target
 * ---------------------------------------------------- */

struct field {
	size_t offset, size;
};

#define FIELD(name) \
	{ \
		offsetof(struct worker_head, name), \
			sizeof(((struct worker_head *)0)->name) \
	}

static const struct field fields[] = {
	FIELD(count),
	FIELD(value_len),
	FIELD(parent),
	FIELD(partner),
	FIELD(dict_len),
	FIELD(stack_n),
	FIELD(literals_n),
	FIELD(log.turns),
	FIELD(log.used[0]),
	FIELD(log.used[1]),
	FIELD(log.lost),
	FIELD(log.runs),
	FIELD(log.again),
	FIELD(mutations[0]),
	FIELD(mutations[MUTATE_N]),
	FIELD(mutations[MEMORY_OPS_MAX - 1]),
	FIELD(leaks.looking),
	FIELD(outcome.ring_used),
	FIELD(live.phase),
	FIELD(live.position),
	FIELD(live.tries),
	FIELD(live.best_len),
	FIELD(live.start_len),
	FIELD(live.cut_offset),
	FIELD(live.cut_len),
	FIELD(failure.kind),
	FIELD(failure.signo),
	FIELD(failure.code),
	FIELD(failure.access),
	FIELD(failure.origin),
	FIELD(failure.frames_n),
	FIELD(failure.sampled),
	FIELD(failure.room_start),
	FIELD(failure.room_end),
	FIELD(failure.address),
	FIELD(failure.sp),
	FIELD(failure.frames[0]),
	FIELD(failure.frames[FAILURE_FRAMES_MAX - 1]),
	FIELD(failure.starts[0]),
	FIELD(failure.text_len),
	FIELD(map_n),
	FIELD(map[0].start),
	FIELD(map[0].end),
};

static void
damage_head(struct stage *s)
{
	uint8_t *head = s->worker->memory.map;
	uint64_t *machine = (void *)&worker_head(s->worker)->machine;
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		uint64_t n = number(s);

		if (one_in(s, 2))
			memcpy(head + fields[i].offset, &n, fields[i].size);
	}
	for (i = 0; i < sizeof(struct minimizer_state) / sizeof(*machine); i++)
		if (one_in(s, 4))
			machine[i] = number(s);
	scribble(s, worker_head(s->worker)->map[0].name, 8);
	if (one_in(s, 1000))
		memset(head, (int)below(s, 256), sizeof(struct worker_head));
}

static void
make_mutations(struct stage *s, struct mutation *mutations, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		mutations[i] = (struct mutation){
			.op = (uint16_t)(one_in(s, 8) ? number(s)
						      : below(s, MUTATE_N)),
			.arg = (uint16_t)number(s),
			.offset = one_in(s, 2) ? below(s, MAX_LEN)
					       : (uint32_t)number(s),
			.len = one_in(s, 2) ? below(s, 8) : (uint32_t)number(s),
			.seed = prng_u32(&s->rand),
		};
}

/* Replaces a number of the record, so that it does not fit the data after
 * it. */
static void
damage(struct stage *s, void *record, size_t size)
{
	uint32_t n = (uint32_t)number(s);

	memcpy((uint8_t *)record + 4 * below(s, (uint32_t)size / 4), &n,
		sizeof(n));
}

static size_t
put_find(struct stage *s, uint8_t *at)
{
	struct ring_record record = {
		.len = below(s, MAX_LEN),
		.parent = below(s, 4),
		.partner = below(s, 4),
		.dict_len = below(s, 4),
		.features_n = below(s, 4),
		.mutations_n = below(s, 5),
		.edges_hit_n = below(s, 9),
		.literals_n = one_in(s, 4) ? (uint32_t)number(s) : below(s, 40),
		.unstable_n = below(s, 3),
	};
	uint64_t size = ring_record_size(&record);
	size_t mutations =
		sizeof(record) + record.features_n * sizeof(struct feature);

	record.size = size;
	scribble(s, at + sizeof(record), 128);
	make_mutations(s, (void *)(at + mutations), record.mutations_n);
	if (one_in(s, 3))
		damage(s, &record, sizeof(record));
	memcpy(at, &record, sizeof(record));
	return size;
}

static size_t
put_run(struct stage *s, uint8_t *at)
{
	struct exec_log_record record = {
		.runs = number(s),
		.again = number(s),
		.origin = { one_in(s, 3) ? MEMORY_NO_ENTRY : below(s, 4),
			below(s, 4), below(s, 4),
			one_in(s, 3) ? below(s, MAX_LEN) : MAX_LEN + 1 },
		.n = below(s, 6),
		.literals_n = below(s, 40),
		.raw_n = one_in(s, 3) ? below(s, RAW_MAX) : 0,
		.flags = below(s, 4) * below(s, 3),
	};
	size_t size = exec_log_record_size(&record);

	make_mutations(s, (void *)(at + sizeof(record)), record.n);
	if (one_in(s, 3))
		damage(s, &record, sizeof(record));
	memcpy(at, &record, sizeof(record));
	return size;
}

/* Returns the number of ring bytes in use. */
static uint64_t
damage_areas(struct stage *s)
{
	const struct worker *w = s->worker;
	uint8_t *map = w->memory.map;
	uint32_t i, n = below(s, RECORDS_MAX);
	size_t ring = 0, run = 0;

	scribble(s, map + w->layout.value_offset, 32);
	scribble(s, map + w->layout.best_offset, 32);
	for (i = 0; i < n; i++) {
		ring += put_find(s, map + w->layout.ring_offset + ring);
		run += put_run(s,
			map + w->layout.log_offset +
				below(s, 2) * EXEC_LOG_HALF + run);
	}
	if (one_in(s, 2)) {
		worker_head(w)->log.turns = below(s, 3);
		worker_head(w)->log.used[0] = (uint32_t)run;
		worker_head(w)->log.used[1] = (uint32_t)run;
	}
	make_mutations(s,
		(void *)(map +
			worker_layout_mutations(&w->layout,
				worker_head(w)->log.turns, 0)),
		below(s, MEMORY_MUTATIONS_MAX));
	return one_in(s, 4) ? number(s) : ring;
}

/* Makes a reply that the decoder would accept. */
static void
make_reply(struct stage *s, uint64_t ring_used)
{
	struct rpc_reply *r = &s->worker->reply;

	r->kind = s->worker->request.kind;
	r->count = number(s);
	r->total_ns = number(s);
	r->run_ns = number(s);
	r->end = (enum call_end)below(s, CALL_UNKNOWN + 1);
	r->finds = (uint32_t)number(s);
	r->ring_used = ring_used;
	r->rejected = number(s);
	r->wrote_to_mem = r->kind == RPC_MINIMIZE && one_in(s, 2);
	r->best_len = number(s);
	r->tries = number(s);
	r->accepted = number(s);
	r->results_n = (uint32_t)number(s);
	r->lost = (uint32_t)number(s);
	r->kept = below(s, 8) > 0 ? below(s, 8) : below(s, MEMORY_KEEP_MAX + 1);
	r->late_n = below(s, 17);
	r->seeds_n = (uint32_t)number(s);
	r->died = one_in(s, 2);
	r->fork_ns = number(s);
	r->failure.kind = one_in(s, 2)
		? FAILURE_NONE
		: (enum failure_kind)below(s, FAILURE_KIND_COUNT);
	r->failure.signo = (int)below(s, 128);
	r->failure.frames_n = below(s, FAILURE_FRAMES_MAX + 1);
}

static void
make_job(struct stage *s)
{
	static uint8_t data[MAX_LEN];
	struct worker *w = s->worker;

	w->job = (struct job){
		.kind = (enum job_kind)below(s, JOB_SEQUENCE + 1),
		.data = data,
		.len = below(s, MAX_LEN + 1),
		.limit = one_in(s, 2) ? 0 : below(s, 100),
		.cap = MAX_LEN + 1,
		.tries = below(s, 2) * 1000,
		.what = "",
	};
	w->has_job = true;
	w->has_other = one_in(s, 2);
	w->request.kind = w->job.kind == JOB_PC_TABLE ? RPC_PC_TABLE
		: w->job.kind == JOB_MINIMIZE_COVERAGE ||
			w->job.kind == JOB_MINIMIZE_FAILURE
		? RPC_MINIMIZE
		: RPC_FUZZ;
	w->types = (struct tuple_types){ .n = 0 };
	if (one_in(s, 3))
		w->types = (struct tuple_types){ .n = 2,
			.types = { VALUE_BYTES, VALUE_STRING } };
	s->memory.tuples = w->types.n > 0;
	w->call_start_ns = clock_now_ns() - number(s) % 1000000000;
	w->no_fork = one_in(s, 2);
}

/* ---- readers
 * --------------------------------------------------------------- */

static void
add_up(struct stage *s, const void *data, size_t len)
{
	const uint8_t *bytes = data;
	size_t i;

	for (i = 0; i < len; i++)
		s->sum += bytes[i];
}

static void
tell_word(void *arg, const uint8_t *word, size_t len)
{
	add_up(arg, word, len);
}

static void
read_finds(struct stage *s, const struct worker_result *r)
{
	size_t offset = 0;
	struct ring_input find;
	bool damaged;
	uint32_t i;

	while (ring_next(r->ring, r->ring_len, &offset, MAX_LEN, &find,
		&damaged)) {
		s->finds++;
		add_up(s, find.bytes, find.record.len);
		campaign_memory_merge(&s->memory, find.features,
			find.record.features_n);
		for (i = 0; i < find.record.unstable_n; i++)
			campaign_memory_mark_unstable(&s->memory,
				find.unstable[i]);
		add_up(s, find.edges_hit,
			find.record.edges_hit_n * sizeof(*find.edges_hit));
		auto_dictionary_take(&s->memory, &find, 2, tell_word, s);
	}
}

static void
read_mutation_stack(struct stage *s, const struct worker_result *r)
{
	const struct mutation_stack *c = &r->stack;
	struct mutation_sources sources =
		campaign_memory_sources(&s->memory, c->partner, c->words_n);
	size_t parent_len, len;
	const uint8_t *parent =
		campaign_memory_entry(&s->memory, c->parent, &parent_len);
	uint8_t *made;

	if (parent == NULL)
		return;
	made = mutation_stack_rebuild(c, parent, parent_len, r->job.cap,
		&sources, &len);
	if (made != NULL) {
		s->rebuilt++;
		add_up(s, made, len);
	}
	free(made);
}

static void
read_process_history(struct stage *s, const struct worker_result *r)
{
	struct process_history *history = worker_take_history(r);
	struct input_sequence inputs = { .n = 0 };
	size_t i;

	if (history == NULL)
		return;
	process_history_inputs(history, &s->memory, 50, 10000, &inputs);
	assert_true(inputs.n <= 50);
	for (i = 0; i < inputs.n; i++) {
		assert_true(inputs.inputs[i].len <= MAX_LEN);
		add_up(s, inputs.inputs[i].data, inputs.inputs[i].len);
	}
	s->repeated += inputs.n;
	input_sequence_clear(&inputs);
	process_history_destroy(history);
}

static void
read_machine(struct stage *s, const struct worker_result *r)
{
	static uint8_t room[3][1024];
	struct minimizer m;
	unsigned i;

	if (r->machine == NULL)
		return;
	add_up(s, r->marks, r->marks_n);
	add_up(s, r->other, r->other_len);
	add_up(s, r->kept, r->kept_n * sizeof(*r->kept));
	if (!minimizer_load(&m, room[0], room[1], room[2], sizeof(room[0]),
		    r->machine))
		return;
	for (i = 0; i < 20 && minimizer_next(&m); i++)
		minimizer_verdict(&m, one_in(s, 2));
}

static void
on_result(void *arg, struct worker *w, const struct worker_result *r)
{
	struct stage *s = arg;

	s->results++;
	assert_true(r->ring_len <= w->layout.ring_size);
	assert_true(r->candidate_len <= MAX_LEN);
	assert_true(r->best_len <= r->job.len);
	assert_true(r->rejected <= r->count);
	assert_true(r->total_ns <= r->took_ns);
	assert_true(r->failure.frames_n <= FAILURE_FRAMES_MAX);
	add_up(s, r->candidate, r->candidate_len);
	add_up(s, r->best, r->best_len);
	add_up(s, r->report, r->report_len);
	if (r->table != NULL)
		add_up(s, r->pcs, r->table->n * sizeof(*r->pcs));
	read_finds(s, r);
	read_machine(s, r);
	if (r->failure.kind == FAILURE_NONE)
		return;
	(void)failure_stack_hash(&r->failure);
	read_mutation_stack(s, r);
	read_process_history(s, r);
}

static void
on_modules(void *arg, struct worker *w, const struct counter_module *modules,
	uint32_t n)
{
	add_up(arg, modules, n * sizeof(*modules));
}

/* Everything that the screen may read at any time. */
static void
look(struct stage *s)
{
	struct snapshot_worker view = { 0 };
	struct snapshot_minimization minimization = { 0 };
	uint8_t sample[100];
	char output[100];
	uint64_t len;

	worker_view(s->worker, clock_now_ns(), &view);
	assert_true(view.input_n <= sizeof(view.input));
	worker_view_minimization(s->worker, &minimization);
	assert_true(minimization.best_n <= sizeof(minimization.best));
	assert_true(minimization.best_len <= MAX_LEN);
	assert_true(worker_sample_input(s->worker, sample, sizeof(sample),
			    &len) <= sizeof(sample));
	worker_copy_output(s->worker, output, sizeof(output), &len);
	worker_last_output(s->worker, output, sizeof(output));
	(void)worker_sample_count(s->worker);
	assert_int_equal(worker_child(s->worker), 0);
}

static void
move_output(struct stage *s)
{
	if (one_in(s, 8))
		(void)lseek(s->worker->stderr_file.fd, (off_t)(number(s) >> 1),
			SEEK_SET);
	if (one_in(s, 8))
		(void)lseek(s->worker->report_file.fd, (off_t)(number(s) >> 1),
			SEEK_SET);
}

static void
play_round(struct stage *s)
{
	struct worker *w = s->worker;
	struct input_sequence seeds = { .n = 0 }, words = { .n = 0 };

	make_job(s);
	damage_head(s);
	make_reply(s, damage_areas(s));
	if (one_in(s, 16))
		move_output(s);
	if (one_in(s, 2))
		look(s);
	if (one_in(s, 64))
		(void)worker_copy_seeds(w, &seeds, &words);
	input_sequence_clear(&seeds);
	input_sequence_clear(&words);
	if (one_in(s, 3))
		worker_deliver_lost(w,
			(int)(one_in(s, 2) ? below(s, 128) : below(s, 65536)));
	else
		worker_deliver_reply(w);
}

/* ---- the stage ------------------------------------------------------------- */

/* The same memory between pages without access. */
static void
stand_apart(struct sealed *memory)
{
	size_t size = memory->size;
	uint8_t *room = mmap(NULL, size + 2 * PAGE, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(room != MAP_FAILED && size % PAGE == 0);
	assert_int_equal(munmap(memory->map, size), 0);
	memory->map = mmap(room + PAGE, size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_FIXED, memory->fd, 0);
	assert_true(memory->map == room + PAGE);
}

static void
open_stage(struct stage *s, uint64_t seed)
{
	static char name[] = "target";
	static char *argv[] = { name, NULL };
	struct worker_config config = { .campaign = &s->memory,
		.target_fd = -1,
		.argv = argv,
		.handlers = &s->handlers,
		.arg = s };
	struct error err = { 0 };

	memset(s, 0, sizeof(*s));
	prng_init(&s->rand, seed, 1);
	s->handlers = (struct worker_handlers){ .on_result = on_result,
		.on_modules = on_modules };
	assert_int_equal(campaign_memory_open(&s->memory, MAX_LEN, 1 << 20,
				 &err),
		OK);
	assert_true(campaign_memory_add_module(&s->memory, 1, 1000));
	campaign_memory_add_entry(&s->memory, (const uint8_t *)"one", 3);
	campaign_memory_add_entry(&s->memory,
		(const uint8_t *)"two (lines)\n and 12 words\n", 26);
	campaign_memory_add_word(&s->memory, (const uint8_t *)"word", 4);
	s->worker = worker_create(&config, 0, &err);
	assert_non_null(s->worker);
	stand_apart(&s->worker->memory);
	stand_apart(&s->worker->stderr_file);
	stand_apart(&s->worker->report_file);
}

static uint64_t
setting(const char *name, uint64_t usual)
{
	const char *text = getenv(name);

	return text != NULL ? strtoull(text, NULL, 10) : usual;
}

static void
test_nonsense(void **state)
{
	uint64_t rounds = setting("CFUZZ_TEST_ROUNDS", ROUNDS), i;
	uint64_t seed = setting("CFUZZ_TEST_SEED", 1);
	struct stage s;

	open_stage(&s, seed);
	for (i = 0; i < rounds; i++)
		play_round(&s);
	print_message("%llu results, %llu finds, %llu chains, %llu inputs\n",
		(unsigned long long)s.results, (unsigned long long)s.finds,
		(unsigned long long)s.rebuilt, (unsigned long long)s.repeated);
	assert_int_equal(s.results, rounds);
	/* Enough of the random data must pass the first checks. */
	assert_true(s.finds > rounds / 20 && s.rebuilt > 0 &&
		s.repeated > rounds / 20);
	worker_destroy(s.worker);
	campaign_memory_close(&s.memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
