/*
 * test_process_history: inputs from an execution log that a target can
 * overwrite.
 */
#include "worker/inputs/process_history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/wire/execution_log.h"

#define MAX_LEN 64
#define ALL SIZE_MAX

/* ---- worker memory
 * -------------------------------------------------------- */

struct place {
	struct campaign_memory campaign;
	struct worker_layout layout;
	uint8_t *memory;
	struct exec_log *log;
	struct mutation_stack stack;
};

static const struct tuple_types PLAIN = { .n = 0 };

static int
set_up(void **state)
{
	static struct place p;

	memset(&p, 0, sizeof(p));
	assert_int_equal(campaign_memory_open(&p.campaign, MAX_LEN, 65536,
				 NULL),
		OK);
	campaign_memory_add_entry(&p.campaign, (const uint8_t *)"one", 3);
	campaign_memory_add_entry(&p.campaign, (const uint8_t *)"two", 3);
	worker_layout_init(&p.layout, MAX_LEN);
	p.memory = xcalloc(1, p.layout.size);
	p.log = &((struct worker_head *)(void *)p.memory)->log;
	*state = &p;
	return 0;
}

static int
tear_down(void **state)
{
	struct place *p = *state;

	campaign_memory_close(&p->campaign);
	free(p->memory);
	return 0;
}

static struct exec_log_record *
put_record(struct place *p, const struct exec_log_record *record)
{
	uint32_t half = p->log->turns % 2;
	uint8_t *at = p->memory + p->layout.log_offset +
		(size_t)half * EXEC_LOG_HALF + p->log->used[half];

	memcpy(at, record, sizeof(*record));
	p->log->used[half] += (uint32_t)exec_log_record_size(record);
	return (void *)at;
}

static void
put_bytes(struct place *p, const char *bytes, uint32_t flags)
{
	const struct exec_log_record record = {
		.origin = { MEMORY_NO_ENTRY, MEMORY_NO_ENTRY, 0, 0 },
		.raw_n = (uint32_t)strlen(bytes),
		.flags = flags,
	};

	memcpy(put_record(p, &record) + 1, bytes, strlen(bytes));
}

/* Each mutation puts a letter in front of the input. */
static void
fill_steps(const char *letters, struct mutation *mutation, uint8_t *literals)
{
	for (; *letters != '\0'; letters++) {
		*mutation++ =
			(struct mutation){ .op = MUTATE_COMPARE, .len = 1 };
		*literals++ = (uint8_t)*letters;
	}
}

static struct exec_log_record *
put_chain(struct place *p, uint32_t parent, const char *letters, uint64_t runs,
	uint64_t again)
{
	const uint32_t n = (uint32_t)strlen(letters);
	const struct exec_log_record record = {
		.runs = runs,
		.again = again,
		.origin = { parent, MEMORY_NO_ENTRY, 0, MAX_LEN + 1 },
		.n = n,
		.literals_n = n,
	};
	struct exec_log_record *at = put_record(p, &record);
	struct mutation *mutation = (void *)(at + 1);

	fill_steps(letters, mutation, (uint8_t *)(mutation + n));
	return at;
}

/* Inputs with a blank after each, oldest first. */
static void
check_inputs(struct place *p, const struct mutation_stack *stack, size_t max_n,
	size_t max_bytes, const char *wanted)
{
	struct process_history *history = process_history_create(p->memory,
		&p->layout, stack, MAX_LEN + 1, &PLAIN);
	struct input_sequence inputs = { .n = 0 };
	char text[1024] = "";
	size_t i;

	if (history != NULL)
		process_history_inputs(history, &p->campaign, max_n, max_bytes,
			&inputs);
	for (i = 0; i < inputs.n; i++) {
		strncat(text, (const char *)inputs.inputs[i].data,
			inputs.inputs[i].len);
		strcat(text, " ");
	}
	assert_string_equal(text, wanted);
	input_sequence_clear(&inputs);
	process_history_destroy(history);
}

/* ---- cases ---------------------------------------------------------------- */

static void
test_nothing(void **state)
{
	struct place *p = *state;

	assert_null(process_history_create(p->memory, &p->layout, NULL, 65,
		&PLAIN));
	assert_null(process_history_create(p->memory, &p->layout, &p->stack, 65,
		&PLAIN));
	check_inputs(p, NULL, ALL, ALL, "");
	process_history_destroy(NULL);
}

static void
test_kinds(void **state)
{
	struct place *p = *state;

	put_chain(p, 0, "", 1, 0); /* an unchanged entry */
	/* After one mutation, and after three. */
	put_chain(p, 1, "abc", 2 | 8, 0);
	put_chain(p, 1, "xy", 4, 4); /* confirmed */
	put_bytes(p, "raw", EXEC_LOG_RAW);
	put_chain(p, 0, "k", 1 | 2, 0); /* the parent, then a mutation */
	check_inputs(p, NULL, ALL, ALL,
		"one atwo cbatwo yxtwo yxtwo raw one kone ");
}

static void
test_bounds(void **state)
{
	struct place *p = *state;

	put_chain(p, 0, "", 1, 0);
	put_chain(p, 1, "abc", 2 | 4 | 8, 0);
	put_bytes(p, "raw", EXEC_LOG_RAW);
	check_inputs(p, NULL, 1, ALL, "raw ");
	check_inputs(p, NULL, 3, ALL, "batwo cbatwo raw ");
	check_inputs(p, NULL, 0, ALL, "");
	/* When packed, each input has four bytes more. */
	check_inputs(p, NULL, ALL, 7, "raw ");
	check_inputs(p, NULL, ALL, 16, "raw ");
	check_inputs(p, NULL, ALL, 17, "cbatwo raw ");
}

static void
test_own_starts(void **state)
{
	struct place *p = *state;

	put_chain(p, MEMORY_NO_ENTRY, "u", 2, 0); /* from an unknown start */
	put_bytes(p, "first", EXEC_LOG_START);
	put_chain(p, MEMORY_NO_ENTRY, "a", 2, 0);
	put_bytes(p, "other", EXEC_LOG_START);
	put_bytes(p, "raw", EXEC_LOG_RAW);
	put_chain(p, MEMORY_NO_ENTRY, "b", 1 | 2, 0);
	put_chain(p, 0, "c", 2, 0);
	check_inputs(p, NULL, ALL, ALL, "afirst raw other bother cone ");
	put_bytes(p, "", EXEC_LOG_LOST);
	put_chain(p, MEMORY_NO_ENTRY, "d", 2, 0);
	check_inputs(p, NULL, ALL, ALL, "afirst raw other bother cone ");
}

/* The failing input is not part of the history, unless it ran before. */
static void
test_chain_under_way(void **state)
{
	struct place *p = *state;
	struct mutation_stack *stack = &p->stack;

	stack->parent = 0;
	stack->partner = MEMORY_NO_ENTRY;
	stack->n = stack->literals_n = 3;
	fill_steps("abc", stack->mutations, stack->literals);
	p->log->runs = 2 | 8;
	check_inputs(p, stack, ALL, ALL, "aone ");
	p->log->again = 8;
	check_inputs(p, stack, ALL, ALL, "aone cbaone ");
	p->log->again = 2 | 8;
	check_inputs(p, stack, ALL, ALL, "aone aone cbaone ");
	put_bytes(p, "raw", EXEC_LOG_RAW);
	check_inputs(p, stack, ALL, ALL, "raw aone aone cbaone ");
	check_inputs(p, NULL, ALL, ALL, "raw ");
}

static void
test_halves(void **state)
{
	struct place *p = *state;

	put_bytes(p, "oldest", EXEC_LOG_RAW);
	p->log->turns = 1;
	put_bytes(p, "older", EXEC_LOG_RAW);
	check_inputs(p, NULL, ALL, ALL, "oldest older ");
	p->log->turns = 2;
	p->log->used[0] = 0;
	put_bytes(p, "newest", EXEC_LOG_RAW);
	check_inputs(p, NULL, ALL, ALL, "older newest ");
	/* Before the first turn the other half is empty. */
	p->log->turns = 0;
	check_inputs(p, NULL, ALL, ALL, "newest ");
}

/* Mutations that do not fit, lost literal bytes, a missing entry. */
static void
test_left_out(void **state)
{
	struct place *p = *state;
	struct exec_log_record *record;

	put_bytes(p, "begin", EXEC_LOG_RAW);
	put_chain(p, 77, "a", 1 | 2, 0);
	record = put_chain(p, 0, "abc", 2 | 4 | 8, 0);
	((struct mutation *)(void *)(record + 1))[1].offset = 1000;
	put_chain(p, 1, "xy", 2 | 4, 0)->origin.cap = UINT32_MAX;
	put_bytes(p, "end", EXEC_LOG_RAW);
	check_inputs(p, NULL, ALL, ALL, "begin aone end ");
}

/* Invalid records, written by a target. */
static void
test_damage(void **state)
{
	struct place *p = *state;
	struct exec_log_record *record;

	put_bytes(p, "begin", EXEC_LOG_RAW);
	record = put_chain(p, 0, "abc", 2 | 4 | 8, 0);
	put_bytes(p, "end", EXEC_LOG_RAW);
	record->n = UINT32_MAX;
	check_inputs(p, NULL, ALL, ALL, "begin ");
	record->n = 0;
	record->raw_n = EXEC_LOG_HALF;
	check_inputs(p, NULL, ALL, ALL, "begin ");
	p->log->used[0] = 3;
	check_inputs(p, NULL, ALL, ALL, "");
	p->log->used[0] = UINT32_MAX;
	p->log->turns = UINT32_MAX;
	check_inputs(p, NULL, ALL, ALL, "");
	memset(p->memory + p->layout.log_offset, 0xff, p->layout.log_size);
	p->log->used[0] = p->log->used[1] = EXEC_LOG_HALF;
	check_inputs(p, NULL, ALL, ALL, "");
	memset(p->memory + p->layout.log_offset, 0, p->layout.log_size);
	check_inputs(p, NULL, ALL, ALL, "");
}

int
main(void)
{
#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_nothing),
		TEST(test_kinds),
		TEST(test_bounds),
		TEST(test_own_starts),
		TEST(test_chain_under_way),
		TEST(test_halves),
		TEST(test_left_out),
		TEST(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
