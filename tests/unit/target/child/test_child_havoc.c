/*
 * child_havoc: the mutation log of each candidate, with the literal bytes in
 * worker memory, reproduces the same bytes. This program is the target.
 * FLAGS: -Wl,--wrap=custom_has_mutator -Wl,--wrap=custom_has_crossover
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/rows.h"
#include "shared/mutate/mutation_part.h"
#include "target/child/child.h"
#include "target/child/child_cmplog.h"
#include "target/child/child_log.h"
#include "target/child/fail.h"
#include "target/hooks/compare.h"
#include "target/hooks/hooks_cmp.h"

#define MAX_LEN 20000u /* more than fits the literal bytes */
#define ENTRIES 6u
#define WORDS 3u
#define RUNS 30000u

bool __wrap_custom_has_mutator(void);
bool __wrap_custom_has_crossover(void);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
	const uint8_t *other, size_t other_size, uint8_t *out, size_t max_size,
	unsigned seed);

/* ---- the target ---------------------------------------------------------- */

enum manner {
	NONE,
	CHANGES,  /* uses LLVMFuzzerMutate(); marks the first byte */
	DECLINES, /* ... now and then */
	LARGE,    /* sometimes too large for the literal bytes */
	FAILS,
};

static struct {
	enum manner mutator, crossover;
	unsigned calls;
} target;

bool
__wrap_custom_has_mutator(void)
{
	return target.mutator != NONE;
}

bool
__wrap_custom_has_crossover(void)
{
	return target.crossover != NONE;
}

static size_t
act(enum manner manner, uint8_t *data, size_t size, size_t max, unsigned seed)
{
	target.calls++;
	if (manner == FAILS && seed % 8 == 0) {
		fail_claim(FAILURE_ERROR, "on purpose");
		return 1;
	}
	if (manner == DECLINES && seed % 2 == 0)
		return 0;
	if (manner == LARGE && seed % 4 == 0) {
		memset(data, (int)(seed >> 8), max);
		return max;
	}
	size = LLVMFuzzerMutate(data, size, max);
	if (size > 0)
		data[0] = (uint8_t)seed;
	return size;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned seed)
{
	return act(target.mutator, data, size, max_size, seed);
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
	const uint8_t *other, size_t other_size, uint8_t *out, size_t max_size,
	unsigned seed)
{
	size_t n = one_size < max_size ? one_size : max_size;

	memcpy(out, one, n);
	if (n > 0 && other_size > 0)
		out[seed % n] = other[seed % other_size];
	return act(target.crossover, out, n, max_size, seed);
}

/* ---- set-up -------------------------------------------------------------- */

struct campaign {
	struct campaign_head head;
	struct campaign_entry entries[ENTRIES];
	struct memory_word words[WORDS];
	uint32_t selection[ENTRIES];
	uint8_t arena[MAX_LEN];
};

struct place {
	struct campaign *campaign;
	struct worker worker;
	struct child child;
	uint8_t *again; /* rebuilt from the mutation log */
	/* results */
	uint64_t steps, kinds[MEMORY_OPS_MAX];
	uint32_t stack_n; /* mutations of the last candidate */
	unsigned lost;
	/* executions expected in the log, without lost ones */
	uint64_t ran[RUNS + 1];
	uint32_t ran_n;
};

static const char *const INPUTS[ENTRIES] = {
	"",
	"x",
	"{\"key\": [1, 22, \"three\"], \"other\": -4.5}\n",
	"GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n",
	"\5hello\0\0\0\4data",
	"(((a b) c) d)\n(e)\n",
};

static const char *const DICTIONARY[WORDS] = { "word", "\r\n", "0x" };

static void
campaign_fill(struct campaign *c)
{
	size_t used = 0;

	c->head.size = sizeof(*c);
	c->head.max_len = MAX_LEN;
	c->head.entries_offset = offsetof(struct campaign, entries);
	c->head.words_offset = offsetof(struct campaign, words);
	c->head.selection_offset = offsetof(struct campaign, selection);
	c->head.entries_n = ENTRIES;
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint32_t len = (uint32_t)strlen(INPUTS[i]);

		memcpy(c->arena + used, INPUTS[i], len);
		c->entries[i].offset = offsetof(struct campaign, arena) + used;
		c->entries[i].len = len;
		c->selection[i] = i;
		used += len;
	}
	for (uint32_t i = 0; i < WORDS; i++) {
		c->words[i].len = (uint8_t)strlen(DICTIONARY[i]);
		memcpy(c->words[i].bytes, DICTIONARY[i], c->words[i].len);
	}
}

static void *
map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	return at;
}

static void
place_open(struct place *p)
{
	struct worker *w = &p->worker;

	memset(p, 0, sizeof(*p));
	memset(&target, 0, sizeof(target));
	p->campaign = map(sizeof(*p->campaign));
	campaign_fill(p->campaign);
	worker_layout_init(&w->layout, MAX_LEN);
	w->memory = map(w->layout.size);
	w->head = (struct worker_head *)(void *)w->memory;
	w->campaign = &p->campaign->head;
	assert_true(child_init(&p->child, w));
	p->again = malloc(2 * w->layout.value_size + MEMORY_LITERALS_MAX);
	assert_non_null(p->again);
}

static void
place_close(struct place *p)
{
	munmap(p->worker.memory, p->worker.layout.size);
	munmap(p->campaign, sizeof(*p->campaign));
	free(p->again);
}

/* Does what child_call() and fuzz_begin() do. */
static void
place_begin(struct place *p, const struct call *call, uint64_t seed)
{
	struct child *c = &p->child;

	log_close(c);
	prng_init((struct prng *)&p->worker.head->rand_state, seed, 1);
	c->call = *call;
	c->count = 0;
	c->mutations_n = c->literals_n = 0;
	c->start = child_entry(c, call->parent, &c->start_len);
	assert_non_null(c->start);
	fail_reset(c->head);
	havoc_open(c);
	fail_seed(&c->choice, seed);
}

static uint64_t
hash_of(const uint8_t *data, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u ^ len;

	while (len-- > 0)
		hash = (hash ^ *data++) * 0x100000001b3u;
	return hash;
}

/* The target compares its input with the value it wants ... */
static void
place_execute(struct place *p)
{
	struct child *c = &p->child;

	c->count++;
	log_run(c);
	if (p->worker.head->literals_n <= MEMORY_LITERALS_MAX)
		p->ran[p->ran_n++] = hash_of(c->value, c->value_len);
	if (!cmplog_records(c))
		return;
	hooks_cmp_begin();
	/* ... and a count of something in it. */
	compare_number(1000, 40, c->value_len % 32, 4 | COMPARE_CONSTANT);
	for (size_t i = 0; i + 4 <= c->value_len && i < 40; i += 4)
		compare_number((uint32_t)i, 0x64636261,
			(uint64_t)c->value[i] | (uint64_t)c->value[i + 1] << 8,
			2);
	(void)hooks_cmp_end();
}

/* ---- checks -------------------------------------------------------------- */

static const uint8_t *
entry_of(const struct place *p, uint32_t index, size_t *len)
{
	*len = 0;
	return index == MEMORY_NO_ENTRY ? NULL
					: child_entry(&p->child, index, len);
}

/* Uses only worker memory and campaign memory. */
static bool
rebuild(const struct place *p, struct mutable *m)
{
	const struct worker_head *head = p->worker.head;
	struct mutation_sources sources = {
		.words = { p->campaign->words, head->dict_len },
	};
	struct literals literals = { head->literals, head->literals_n, 0 };
	const uint8_t *parent = entry_of(p, head->parent, &m->len);

	sources.partner = entry_of(p, head->partner, &sources.partner_len);
	if (parent == NULL)
		return false;
	memcpy(m->data, parent, m->len);
	mutation_cut(m, false);
	for (uint32_t i = 0; i < head->stack_n; i++) {
		if (!mutation_repeat(&p->child.mutations[i], &sources, m,
			    &literals))
			return false;
	}
	return literals.at == literals.n;
}

static void
check_candidate(struct place *p)
{
	const struct child *c = &p->child;
	const struct worker_head *head = c->head;
	struct mutable m = { .data = p->again, .cap = c->call.cap };
	uint32_t from;

	/* Also of parents that are longer. */
	assert_true(c->value_len < c->call.cap);
	assert_in_range(head->stack_n, 0, MEMORY_MUTATIONS_MAX);
	assert_int_equal(head->stack_n, c->mutations_n);
	/* A deep stage continues from its last candidate. */
	from = c->cmplog_on && c->cmplog_each && c->runs > 1 ? p->stack_n : 0;
	p->stack_n = head->stack_n;
	p->steps += head->stack_n - from;
	for (uint32_t i = from; i < head->stack_n; i++)
		p->kinds[c->mutations[i].op]++;
	if (head->literals_n > MEMORY_LITERALS_MAX) {
		p->lost++;
		return;
	}
	assert_true(rebuild(p, &m));
	assert_int_equal(m.len, c->value_len);
	assert_memory_equal(m.data, c->value, m.len);
}

static void
run(struct place *p, uint32_t runs)
{
	for (uint32_t i = 0; i < runs; i++) {
		assert_true(havoc_next(&p->child));
		check_candidate(p);
		place_execute(p);
	}
}

/*
 * ---- the execution log ----------------------------------------------------
 */

struct made {
	uint64_t hashes[RUNS];
	uint32_t n;
};

static void
make_record(const struct place *p, const struct exec_log_item *item,
	struct made *made)
{
	const struct exec_log_record *r = &item->record;
	struct mutation_sources sources = {
		.words = { p->campaign->words, r->origin.words_n },
	};
	struct literals literals = { item->literals, r->literals_n, 0 };
	struct mutable m = { .data = p->again, .cap = r->origin.cap };
	const uint8_t *parent = entry_of(p, r->origin.parent, &m.len);

	sources.partner = entry_of(p, r->origin.partner, &sources.partner_len);
	assert_non_null(parent);
	assert_int_equal(r->again, 0);
	memcpy(m.data, parent, m.len);
	mutation_cut(&m, false);
	for (uint32_t i = 0;; i++) {
		if (exec_log_has(r->runs, r->n, i))
			made->hashes[made->n++] = hash_of(m.data, m.len);
		if (i == r->n ||
			!mutation_repeat(&item->mutations[i], &sources, &m,
				&literals))
			return;
	}
}

static void
read_half(const struct place *p, uint32_t half, struct made *made)
{
	const uint8_t *at = p->worker.memory + p->worker.layout.log_offset +
		(size_t)half * EXEC_LOG_HALF;
	size_t used = p->worker.head->log.used[half], offset = 0;
	struct exec_log_item item;

	assert_true(used <= EXEC_LOG_HALF);
	while (exec_log_next(at, used, &offset, &item))
		make_record(p, &item, made);
	assert_int_equal(offset, used);
}

/* Reproduces the last executions in order. */
static void
check_log(struct place *p, bool all)
{
	struct exec_log *log = &p->worker.head->log;
	struct made *made = calloc(1, sizeof(*made));

	assert_non_null(made);
	log_close(&p->child);
	if (log->turns > 0)
		read_half(p, 1 - log->turns % 2, made);
	read_half(p, log->turns % 2, made);
	assert_true(made->n > 0);
	assert_true(made->n <= p->ran_n);
	if (all || log->turns == 0)
		assert_int_equal(made->n, p->ran_n);
	assert_memory_equal(made->hashes, p->ran + p->ran_n - made->n,
		made->n * sizeof(made->hashes[0]));
	free(made);
}

/* ---- cases --------------------------------------------------------------- */

/* clang-format off */
static const struct chain_row {
	const char *name;
	enum manner mutator, crossover;
	uint32_t words, selection;
	bool draw;
	uint32_t parent, cap, stack_max;
} ROWS[] = {
	{ "one parent", NONE, NONE, 0, 0, false, 2, 4096, 5 },
	{ "an empty parent", NONE, NONE, 0, 0, false, 0, 4096, 5 },
	{ "a single byte, and no more", NONE, NONE, WORDS, 0, false, 1, 2, 5 },
	{ "words", NONE, NONE, WORDS, 0, false, 2, 4096, 5 },
	{ "partners", NONE, NONE, 0, ENTRIES, false, 2, 4096, 5 },
	{ "selected parents", NONE, NONE, WORDS, ENTRIES, true, 2, 4096, 5 },
	{ "chains of one", NONE, NONE, WORDS, ENTRIES, true, 2, 4096, 1 },
	{ "the longest chains", NONE, NONE, WORDS, ENTRIES, true, 2, 4096,
		MEMORY_MUTATIONS_MAX },
	{ "a small capacity", NONE, NONE, WORDS, ENTRIES, true, 2, 8, 5 },
	{ "the smallest capacity", NONE, NONE, WORDS, ENTRIES, true, 0, 2, 5 },
	{ "a mutator", CHANGES, NONE, WORDS, ENTRIES, true, 2, 4096, 5 },
	{ "a mutator, long chains", CHANGES, NONE, WORDS, ENTRIES, true, 2,
		4096, MEMORY_MUTATIONS_MAX },
	{ "a mutator that declines", DECLINES, NONE, WORDS, ENTRIES, true, 2,
		4096, 20 },
	{ "a mutator, a small capacity", DECLINES, NONE, WORDS, ENTRIES, true,
		2, 8, 5 },
	{ "a mutator that needs many literals", LARGE, NONE, WORDS, ENTRIES,
		true, 2, MAX_LEN + 1, 20 },
	{ "a crossover", NONE, CHANGES, WORDS, ENTRIES, true, 2, 4096, 20 },
	{ "a crossover that declines", NONE, DECLINES, WORDS, ENTRIES, true, 2,
		4096, 20 },
	{ "a mutator and a crossover", DECLINES, CHANGES, WORDS, ENTRIES, true,
		2, 4096, 20 },
	{ "a crossover and no partner", NONE, CHANGES, WORDS, 0, false, 2,
		4096, 20 },
};
/* clang-format on */

/* Mutations of this kind must occur if wanted, and otherwise must not. */
static void
check_kind(const struct place *p, unsigned op, bool wanted)
{
	if ((p->kinds[op] > 0) != wanted)
		fail_msg("%s: %llu", mutate_name(op),
			(unsigned long long)p->kinds[op]);
}

static void
test_row(void **state)
{
	const struct chain_row *row = *state;
	const struct call call = { .kind = CALL_FUZZ,
		.parent = row->parent,
		.cap = row->cap,
		.stack_max = row->stack_max,
		.draw = row->draw };
	bool custom = row->mutator != NONE ||
		(row->crossover != NONE && row->selection > 0);
	bool wide = row->cap > 100;
	struct place p;

	place_open(&p);
	target.mutator = row->mutator;
	target.crossover = row->crossover;
	p.campaign->head.words_n = row->words;
	p.campaign->head.selection_n = row->selection;
	for (uint64_t seed = 0; seed < 10; seed++) {
		place_begin(&p, &call, seed);
		run(&p, RUNS / 10);
	}
	assert_true(p.steps > RUNS / 2);
	check_kind(&p, MUTATE_CUSTOM, custom);
	if (wide && (row->mutator == NONE || row->mutator == DECLINES)) {
		check_kind(&p, MUTATE_INSERT_WORD, row->words > 0);
		check_kind(&p, MUTATE_SPLICE_INSERT, row->selection > 0);
	}
	if (wide && row->mutator == NONE && row->parent > 0) {
		check_kind(&p, MUTATE_COMPARE, true);
		check_kind(&p, MUTATE_PART_COUNT, true);
	}
	assert_int_equal(p.lost > 0, row->mutator == LARGE);
	check_log(&p, false);
	place_close(&p);
}

/* A call on a short parent with room to grow. */
static struct call
plain_call(uint32_t stack_max)
{
	return (struct call){ .kind = CALL_FUZZ,
		.parent = 2,
		.cap = 4096,
		.stack_max = stack_max };
}

/* Only mutators with a weight are used, where they apply. */
static void
test_weights(void **state)
{
	const struct call call = plain_call(5);
	struct place p;

	place_open(&p);
	p.campaign->head.weights[MUTATE_XOR] = 1000000;
	p.campaign->head.weights[MUTATE_REMOVE] = 3000000;
	/* There are no dictionary words to insert. */
	p.campaign->head.weights[MUTATE_INSERT_WORD] = UINT32_MAX;
	place_begin(&p, &call, 1);
	run(&p, RUNS);
	for (unsigned op = 0; op < MEMORY_OPS_MAX; op++)
		if (op != MUTATE_BIT_FLIP && op != MUTATE_INSERT_RANDOM)
			check_kind(&p, op,
				op == MUTATE_XOR || op == MUTATE_REMOVE ||
					op == MUTATE_COMPARE ||
					op == MUTATE_PART_COUNT);
	/* The last resorts, for a value that has become empty. */
	assert_true(p.kinds[MUTATE_BIT_FLIP] < p.steps / 100);
	assert_true(p.kinds[MUTATE_INSERT_RANDOM] < p.steps / 100);
	assert_true(p.kinds[MUTATE_REMOVE] > 2 * p.kinds[MUTATE_XOR]);
	assert_true(p.kinds[MUTATE_REMOVE] < 4 * p.kinds[MUTATE_XOR]);
	place_close(&p);
}

/* A mutator with a thousandth of the weight has a thousandth of the uses. */
static void
test_small_weight(void **state)
{
	const struct call call = plain_call(5);
	struct place p;

	place_open(&p);
	p.campaign->head.weights[MUTATE_XOR] = 1000000;
	p.campaign->head.weights[MUTATE_REMOVE] = 1000;
	for (uint64_t seed = 0; seed < 500; seed++) {
		place_begin(&p, &call, seed);
		run(&p, RUNS / 500);
	}
	assert_in_range(p.kinds[MUTATE_REMOVE], p.kinds[MUTATE_XOR] / 2000,
		p.kinds[MUTATE_XOR] / 500);
	place_close(&p);
}

/* The engine's counts equal the recorded mutations. */
static void
test_counts(void **state)
{
	const struct call call = plain_call(1);
	struct place p;

	place_open(&p);
	p.campaign->head.words_n = WORDS;
	place_begin(&p, &call, 1);
	run(&p, RUNS);
	for (unsigned op = 0; op < MEMORY_OPS_MAX; op++)
		if (op != MUTATE_COMPARE && op != MUTATE_PART_COUNT)
			assert_int_equal(p.worker.head->mutations[op],
				p.kinds[op]);
	place_close(&p);
}

/* A failing mutator ends the call and makes no candidate. */
static void
test_failure(void **state)
{
	const struct call call = plain_call(5);
	struct place p;
	uint32_t i;

	place_open(&p);
	target.mutator = FAILS;
	place_begin(&p, &call, 1);
	for (i = 0; i < 10000 && havoc_next(&p.child); i++)
		check_candidate(&p);
	assert_true(i < 10000);
	assert_true(fail_happened());
	assert_true(target.calls <= i * 8 + 8);
	place_close(&p);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_small_weight),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_failure),
	};

	return rows_run_with("child_chain", ROWS_OF(ROWS, name, test_row),
		others, ROWS(others), NULL, NULL);
}
