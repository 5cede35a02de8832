/*
 * custom: mutators of a target, good and bad ones. A mutator that may die runs
 * in a process of its own. This program is the target.
 * FLAGS: -pthread
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cfuzz.h"
#include "lib/rows.h"
#include "target/child/custom.h"
#include "target/crash/crash.h"

#define SIZE 5000u

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
	const uint8_t *other, size_t other_size, uint8_t *out, size_t max_size,
	unsigned seed);

/* ---- the mutators -------------------------------------------------------- */

typedef size_t mutator(uint8_t *data, size_t size, size_t max, unsigned seed);

static struct {
	mutator *mutator;
	unsigned calls;
	size_t max;    /* as passed in */
	unsigned seed; /* ditto */
	bool lent;     /* this thread may use the steps */
} target;

static volatile int sink;

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned seed)
{
	target.calls++;
	target.max = max_size;
	target.seed = seed;
	return target.mutator(data, size, max_size, seed);
}

static uint8_t
checksum(const uint8_t *data, size_t size)
{
	uint8_t sum = 0;

	for (size_t i = 1; i < size; i++)
		sum = (uint8_t)(sum + data[i]);
	return sum;
}

/* Keeps the sum of the other bytes in the first byte. */
static size_t
mutate_sum(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	if (max < 2)
		return 0;
	size = 1 + LLVMFuzzerMutate(data + 1, size > 0 ? size - 1 : 0, max - 1);
	data[0] = checksum(data, size);
	return size;
}

static size_t
mutate_decline(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	if (size > 0)
		data[0] ^= 0xff;
	return 0;
}

static size_t
mutate_same(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return size;
}

static size_t
mutate_fill(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	memset(data, (int)seed, max);
	return max;
}

static size_t
mutate_too_much(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	memset(data, 'x', max);
	return max + 1000000;
}

static size_t
mutate_behind(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	((volatile uint8_t *)data)[max] = 'x';
	return max;
}

static size_t
mutate_before(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	((volatile uint8_t *)data)[-1] = 'x';
	return 1;
}

/* Behaves in the second call, which checks the bounds. */
static size_t
mutate_before_once(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return target.calls > 1 ? 1 : mutate_before(data, size, max, seed);
}

static size_t
mutate_null(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	int *volatile nothing = NULL;

	*(volatile int *)nothing = 1;
	return 1;
}

static size_t
mutate_fail(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	cfuzz_fail("a value of %zu bytes", size);
	return 1;
}

static size_t
mutate_exit(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	_exit(3);
}

static size_t
mutate_fork(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	pid_t pid = fork();

	if (pid > 0)
		waitpid(pid, NULL, 0);
	data[0] = 'x';
	return 1;
}

static size_t
mutate_hang(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	while (sink == 0)
		;
	return size;
}

static size_t
mutate_thousand(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	for (int i = 0; i < 1000; i++) {
		size = LLVMFuzzerMutate(data, size, max);
		if (size == 0 || size > max)
			abort();
	}
	return size;
}

/* All of one input and as much of the other as fits. */
size_t
LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
	const uint8_t *other, size_t other_size, uint8_t *out, size_t max_size,
	unsigned seed)
{
	size_t n = one_size < max_size ? one_size : max_size;
	size_t more = other_size < max_size - n ? other_size : max_size - n;

	target.calls++;
	target.seed = seed;
	if (target.mutator != NULL)
		return target.mutator(out, one_size, max_size, seed);
	memcpy(out, one, n);
	memcpy(out + n, other, more);
	return n + more;
}

/* ---- set-up -------------------------------------------------------------- */

struct place {
	struct worker_head *head; /* shared with processes that die */
	struct custom custom;
	uint8_t value[SIZE];
	size_t len;
	struct prng choice;
};

static void
place_open(struct place *p, mutator *function)
{
	void *head = mmap(NULL, sizeof(*p->head), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memset(&target, 0, sizeof(target));
	target.mutator = function;
	memset(p, 0, sizeof(*p));
	assert_ptr_not_equal(head, MAP_FAILED);
	p->head = head;
	assert_true(custom_init(&p->custom, p->head, SIZE));
	prng_init(&p->choice, 1, 1);
	memcpy(p->value, "value", 5);
	p->len = 5;
	fail_reset(p->head);
}

static void
place_close(struct place *p)
{
	munmap(p->head, sizeof(*p->head));
}

static enum custom_result
mutate(struct place *p, size_t cap)
{
	return custom_mutate(&p->custom, p->value, &p->len, cap, &p->choice);
}

/* ---- good mutators ------------------------------------------------------- */

static void
test_sum(void **state)
{
	struct place p;
	int changed = 0;

	place_open(&p, mutate_sum);
	assert_true(custom_has_mutator());
	p.value[0] = checksum(p.value, p.len);
	for (int i = 0; i < 2000; i++) {
		size_t cap = 2 + (size_t)i % 300;
		size_t most = cap > p.len ? cap - 1 : p.len;

		changed += mutate(&p, cap) == CUSTOM_DONE;
		assert_true(p.len > 0 && p.len <= most);
		assert_int_equal(target.max, most);
		assert_int_equal(p.value[0], checksum(p.value, p.len));
		assert_int_equal(p.head->failure.origin, FAILURE_IN_TARGET);
	}
	assert_true(changed > 1900);
	assert_int_equal(target.calls, 2000);
	assert_false(p.custom.too_long);
	place_close(&p);
}

static void
test_decline(void **state)
{
	static mutator *const MUTATORS[] = { mutate_decline, mutate_same };
	struct place p;

	for (size_t i = 0; i < 2; i++) {
		place_open(&p, MUTATORS[i]);
		assert_int_equal(mutate(&p, 100), CUSTOM_DECLINED);
		assert_int_equal(p.len, 5);
		assert_memory_equal(p.value, "value", 5);
		place_close(&p);
	}
}

/* For any size, all of the buffer may be used, and no more. */
static void
test_capacities(void **state)
{
	struct place p;

	place_open(&p, mutate_fill);
	for (size_t cap = 0; cap <= SIZE; cap++) {
		p.len = 1;
		p.value[0] = 0;
		while (mutate(&p, cap) == CUSTOM_DECLINED)
			; /* the seed was 0 */
		assert_int_equal(p.len, cap > 2 ? cap - 1 : 1);
		assert_int_equal(p.value[p.len - 1], (uint8_t)target.seed);
	}
	/* A value that is too long already keeps its length. */
	p.len = 200;
	assert_int_equal(mutate(&p, 100), CUSTOM_DONE);
	assert_int_equal(p.len, 200);
	p.len = 0;
	assert_int_equal(mutate(&p, 1), CUSTOM_DECLINED);
	place_close(&p);
}

static void
test_too_much(void **state)
{
	struct place p;

	place_open(&p, mutate_too_much);
	assert_int_equal(mutate(&p, 101), CUSTOM_DONE);
	assert_int_equal(p.len, 100);
	assert_int_equal(p.value[99], 'x');
	assert_true(p.custom.too_long);
	assert_int_equal(p.head->failure.origin, FAILURE_IN_TARGET);
	place_close(&p);
}

/* The same random choices give the same bytes. */
static void
test_thousand(void **state)
{
	static uint8_t first[SIZE];
	size_t first_len = 0;
	struct place p;

	for (int i = 0; i < 2; i++) {
		place_open(&p, mutate_thousand);
		assert_int_equal(mutate(&p, SIZE), CUSTOM_DONE);
		if (i == 0) {
			memcpy(first, p.value, p.len);
			first_len = p.len;
		}
		assert_int_equal(p.len, first_len);
		assert_memory_equal(p.value, first, p.len);
		place_close(&p);
	}
}

static void
test_cross(void **state)
{
	static uint8_t partner[SIZE];
	struct place p;

	place_open(&p, NULL);
	assert_true(custom_has_crossover());
	memset(partner, 'p', sizeof(partner));
	assert_int_equal(custom_cross(&p.custom, p.value, &p.len, 100, partner,
				 3, &p.choice),
		CUSTOM_DONE);
	assert_int_equal(p.len, 8);
	assert_memory_equal(p.value, "valueppp", 8);
	assert_int_equal(custom_cross(&p.custom, p.value, &p.len, 51, partner,
				 SIZE, &p.choice),
		CUSTOM_DONE);
	assert_int_equal(p.len, 50);
	assert_int_equal(p.value[49], 'p');
	assert_int_equal(custom_cross(&p.custom, p.value, &p.len, 51, partner,
				 0, &p.choice),
		CUSTOM_DECLINED);
	assert_int_equal(custom_cross(&p.custom, p.value, &p.len, 51, partner,
				 SIZE + 1, &p.choice),
		CUSTOM_DECLINED);
	place_close(&p);
}

/* ---- bad mutators -------------------------------------------------------- */

/* clang-format off */
static const struct bad {
	const char *name;
	mutator *mutator;
	bool cross;
	const char *what;
	const char *text; /* start of the text */
	const char *end;  /* text that must follow */
} BAD[] = {
	{ "one byte behind", mutate_behind, false, "SIGSEGV",
		"custom mutator: segmentation fault (SIGSEGV)",
		"behind its buffer" },
	{ "one byte before", mutate_before, false, "SIGSEGV",
		"custom mutator: segmentation fault (SIGSEGV)",
		"before its buffer" },
	{ "before, once", mutate_before_once, false, "error",
		"custom mutator: it wrote before its buffer", "" },
	{ "null", mutate_null, false, "SIGSEGV",
		"custom mutator: segmentation fault (SIGSEGV) near address 0",
		"" },
	{ "cfuzz_fail", mutate_fail, false, "error",
		"custom mutator: a value of 5 bytes", "" },
	{ "exit", mutate_exit, false, "exit 3",
		"custom mutator: ended the process: exit 3", "" },
	{ "crossover behind", mutate_behind, true, "SIGSEGV",
		"custom crossover: segmentation fault (SIGSEGV)",
		"behind its buffer" },
	{ "crossover null", mutate_null, true, "SIGSEGV",
		"custom crossover: segmentation fault (SIGSEGV)", "" },
};
/* clang-format on */

/* Makes one call in a child; status 0: the call failed without a crash. */
static void
run_bad(struct place *p, bool cross)
{
	static const int SIGNALS[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE,
		SIGILL };
	enum custom_result result;

	/* Removes cmocka's signal handlers. */
	for (size_t i = 0; i < sizeof(SIGNALS) / sizeof(SIGNALS[0]); i++)
		signal(SIGNALS[i], SIG_DFL);
	crash_prepare();
	crash_install(p->head);
	result = cross ? custom_cross(&p->custom, p->value, &p->len, 100,
				 (const uint8_t *)"partner", 7, &p->choice)
		       : mutate(p, 100);
	_exit(result == CUSTOM_FAILED ? 0 : 100);
}

static void
test_bad(void **state)
{
	const struct bad *bad = *state;
	struct failure f;
	struct place p;
	int status;
	pid_t pid;

	place_open(&p, bad->mutator);
	if (p.custom.copy.align)
		skip(); /* a sanitizer here reports in other words */
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		run_bad(&p, bad->cross);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	failure_describe(&f, status, &p.head->failure, NULL, 0);
	failure_set_mutator(&f, &p.head->failure);
	assert_int_equal(f.kind, FAILURE_MUTATOR);
	assert_string_equal(f.what, bad->what);
	if (strncmp(f.text, bad->text, strlen(bad->text)) != 0)
		assert_string_equal(f.text, bad->text);
	assert_non_null(strstr(f.text, bad->end));
	/* The input value is unchanged. */
	assert_memory_equal(p.value, "value", 5);
	place_close(&p);
}

static void
test_hang(void **state)
{
	struct failure f;
	struct place p;
	int status;
	pid_t pid;

	place_open(&p, mutate_hang);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		run_bad(&p, false);
	while (__atomic_load_n(&p.head->failure.origin, __ATOMIC_RELAXED) !=
		FAILURE_IN_MUTATOR)
		usleep(1000);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	failure_describe(&f, status, &p.head->failure, NULL, 0);
	failure_set_mutator(&f, &p.head->failure);
	assert_int_equal(f.kind, FAILURE_MUTATOR);
	assert_int_equal(f.signo, SIGKILL);
	assert_string_equal(f.text, "custom mutator: killed (SIGKILL)");
	place_close(&p);
}

/* A copy of the process that the target forks ends. */
static void
test_fork(void **state)
{
	volatile uint8_t *original = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct place p;

	assert_ptr_not_equal(original, MAP_FAILED);
	if (madvise((void *)(uintptr_t)original, 4096, MADV_WIPEONFORK) != 0)
		skip();
	*original = 1;
	place_open(&p, mutate_fork);
	p.custom.original = original;
	assert_int_equal(mutate(&p, 100), CUSTOM_DONE);
	assert_int_equal(p.len, 1);
	place_close(&p);
	munmap((void *)(uintptr_t)original, 4096);
}

/* A mutator that failed is called less often for a while. */
static void
test_rest(void **state)
{
	struct place p;
	int tries = 0, status;
	pid_t pid;

	place_open(&p, mutate_null);
	if (p.custom.copy.align)
		skip();
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		run_bad(&p, false);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	target.mutator = mutate_sum;
	for (; target.calls < 256; tries++)
		(void)mutate(&p, 100);
	assert_true(tries > 8 * 256 && tries < 32 * 256);
	target.calls = 0;
	for (tries = 0; tries < 100; tries++)
		(void)mutate(&p, 100);
	assert_int_equal(target.calls, 100);
	place_close(&p);
}

/* ---- LLVMFuzzerMutate ---------------------------------------------------- */

/* Handles any size, and writes no byte past the allowed ones. */
static void
test_mutate_sizes(void **state)
{
	static const size_t MAXS[] = { 0, 1, 2, 3, 8, 100, 4096 };
	static uint8_t value[4096 + 1];

	for (size_t i = 0; i < sizeof(MAXS) / sizeof(MAXS[0]); i++) {
		size_t max = MAXS[i], size = 0, largest = 0;

		for (int n = 0; n < 3000; n++) {
			if (n % 100 == 0)
				size = n % 200 == 0 ? 0 : max + 1;
			value[max] = 0x5a;
			size = LLVMFuzzerMutate(value, size, max);
			assert_int_equal(value[max], 0x5a);
			assert_true(size <= max);
			assert_true(size > 0 || max == 0);
			largest = size > largest ? size : largest;
		}
		assert_int_equal(largest, max);
	}
}

static bool
lent_step(void *arg, struct mutable *m, struct prng *prng)
{
	pthread_t *owner = arg;

	if (!pthread_equal(*owner, pthread_self()))
		abort();
	target.lent = true;
	memcpy(m->data, "lent", 4);
	m->len = 4;
	return true;
}

static void *
mutate_elsewhere(void *arg)
{
	uint8_t value[64] = { 0 };
	size_t size = 1;

	for (int i = 0; i < 1000; i++) {
		size = LLVMFuzzerMutate(value, size, sizeof(value));
		if (size == 0 || size > sizeof(value))
			abort();
	}
	return NULL;
}

static size_t
mutate_lent(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, mutate_elsewhere, NULL) != 0)
		return 0;
	size = LLVMFuzzerMutate(data, size, max);
	pthread_join(thread, NULL);
	return size;
}

/* Only the mutator and its thread may use the lent steps. */
static void
test_lent(void **state)
{
	pthread_t self = pthread_self();
	uint8_t value[8] = { 0 };
	struct place p;

	place_open(&p, mutate_lent);
	p.custom.mutator = lent_step;
	p.custom.mutator_arg = &self;
	assert_int_equal(mutate(&p, 100), CUSTOM_DONE);
	assert_true(target.lent);
	assert_int_equal(p.len, 4);
	assert_memory_equal(p.value, "lent", 4);
	target.lent = false;
	assert_true(LLVMFuzzerMutate(value, 4, 8) <= 8);
	assert_false(target.lent);
	place_close(&p);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_decline),
		cmocka_unit_test(test_capacities),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_thousand),
		cmocka_unit_test(test_cross),
		cmocka_unit_test(test_hang),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_mutate_sizes),
		cmocka_unit_test(test_lent),
	};

	int failed;

	failed = cmocka_run_group_tests_name("custom", others, NULL, NULL);
	return failed + rows_run("bad", ROWS_OF(BAD, name, test_bad));
}
