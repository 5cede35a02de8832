#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "findings/finding.h"
#include "lib/rows.h"
#include "shared/wire/memory_call.h"
#include "worker/inputs/mutation_stack.h"

struct row {
	const char *name;
	struct failure failure;
	const char *folder, *where;
};

static const struct row rows[] = {
	{ "a signal",
		{ .kind = FAILURE_SIGNAL,
			.what = "SIGSEGV",
			.frames_n = 1,
			.frames = { { "target", 0x12 } } },
		"crashes/SIGSEGV-target+0x12-00000007", "target+0x12" },
	{ "no frames", { .kind = FAILURE_EXIT, .what = "exit 3" },
		"crashes/exit-3-00000007", "" },
	{ "hostile words",
		{ .kind = FAILURE_SANITIZER,
			.what = "../a b;\x1b[c",
			.frames_n = 1,
			.frames = { { "/../m\n", 1 } } },
		"crashes/..-a-b-c-..-m+0x1-00000007", "..-m+0x1" },
	{ "only unsafe ones",
		{ .kind = FAILURE_SANITIZER,
			.what = "///",
			.frames_n = 1,
			.frames = { { "\xff", 1 } } },
		"crashes/sanitizer-unknown+0x1-00000007", "unknown+0x1" },
	{ "a hang", { .kind = FAILURE_HANG, .what = "hang" },
		"hangs/hang-00000007", "" },
	{ "memory", { .kind = FAILURE_OOM, .what = "oom" }, "ooms/oom-00000007",
		"" },
	{ "a leak", { .kind = FAILURE_LEAK, .what = "" }, "leaks/leak-00000007",
		"" },
};

static void
test_names(void **state)
{
	const struct row *row = *state;
	struct finding *f = finding_create(&row->failure, 7);

	assert_string_equal(f->folder, row->folder);
	assert_string_equal(f->where, row->where);
	assert_string_equal(f->id, "0000000000000007");
	/* The name is one folder below ours, whatever the target calls
	 * itself. */
	assert_ptr_equal(strchr(f->folder, '/'), strrchr(f->folder, '/'));
	finding_destroy(f);
	finding_destroy(NULL);
}

static void
test_states(void **state)
{
	int i;

	for (i = 0; i < VERDICT_COUNT; i++)
		assert_int_equal(finding_verdict_parse(finding_verdict_name(
					 (enum finding_verdict)i)),
			i);
	assert_int_equal(finding_verdict_parse("nonsense"), VERDICT_NEW);
}

/* How it ended is read again, for the next crash.json. */
static void
test_read_end(void **state)
{
	json_t *info = json_pack("{s:s, s:s, s:s, s:i, s:i}", "id", "7", "kind",
		"exit", "what", "exit", "signal", 11, "exit_status", 3);
	struct finding *f = finding_read(info);

	assert_int_equal(f->failure.signo, 11);
	assert_int_equal(f->failure.exit_status, 3);
	finding_destroy(f);
	json_decref(info);
}

/* A number of files that no run has written is not believed: each would be
 * removed. */
static void
test_read_sequence(void **state)
{
	static const struct {
		json_int_t written;
		uint32_t read;
	} bounds[] = {
		{ 2, 2 },
		{ MEMORY_SEQUENCE_MAX, MEMORY_SEQUENCE_MAX },
		{ 4000000000, MEMORY_SEQUENCE_MAX },
		{ -1, 0 },
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		json_t *info = json_pack("{s:s, s:s, s:s, s:I}", "id", "7",
			"kind", "exit", "what", "exit", "sequence",
			bounds[i].written);
		struct finding *f = finding_read(info);

		assert_int_equal(f->sequence_n, bounds[i].read);
		finding_destroy(f);
		json_decref(info);
	}
}

/* The engine repeats the mutations of a worker and gets the same bytes. */
static void
test_chain(void **state)
{
	static const uint8_t start[] = "the start value";
	static const uint8_t partner[] = "another value";
	const struct mutation_sources sources = {
		.partner = partner,
		.partner_len = sizeof(partner),
	};
	uint8_t buf[8192], *again;
	struct mutation_stack stack = { .n = 8 };
	struct mutable m = { buf, sizeof(start), 1024 };
	struct prng choice;
	size_t len;

	prng_init(&choice, 1, 1);
	for (int round = 0; round < 500; round++) {
		memcpy(buf, start, sizeof(start));
		m.len = sizeof(start);
		for (uint32_t i = 0; i < stack.n;)
			i += mutation_apply(prng_u32n(&choice, MUTATE_N),
				prng_u32(&choice), &sources, &m,
				&stack.mutations[i]);
		again = mutation_stack_rebuild(&stack, start, sizeof(start),
			1024, &sources, &len);
		assert_non_null(again);
		assert_int_equal(len, m.len);
		assert_memory_equal(again, buf, len);
		free(again);
	}
	/* A mutation that does not fit the bytes is refused. */
	stack.mutations[0] =
		(struct mutation){ .op = MUTATE_REMOVE, .offset = 4000000000u };
	assert_null(mutation_stack_rebuild(&stack, start, sizeof(start), 1024,
		&sources, &len));
	stack.n = 0;
	again = mutation_stack_rebuild(&stack, start, 3, 1024, &sources, &len);
	assert_int_equal(len, 3);
	assert_memory_equal(again, start, 3);
	free(again);
}

/* Values that only the child knew are in the literal bytes. */
static void
test_literals(void **state)
{
	static const uint8_t start[] = { 'a', 'b', 'c', 'd' };
	const struct mutation_sources sources = { 0 };
	struct mutation_stack stack = {
		.n = 2,
		.literals_n = 5,
		.mutations = {
			{ .op = MUTATE_COMPARE, .offset = 1, .arg = 2,
				.len = 3 },
			{ .op = MUTATE_CUSTOM, .len = 2 },
		},
		.literals = "XYZuv",
	};
	uint8_t *again;
	size_t len;

	again = mutation_stack_rebuild(&stack, start, 4, 100, &sources, &len);
	assert_non_null(again);
	assert_int_equal(len, 2);
	assert_memory_equal(again, "uv", 2);
	free(again);
	stack.n = 1;
	again = mutation_stack_rebuild(&stack, start, 4, 100, &sources, &len);
	assert_non_null(again);
	assert_int_equal(len, 5);
	assert_memory_equal(again, "aXYZd", 5);
	free(again);
	stack.literals_n = 2; /* fewer literal bytes than the mutations take */
	assert_null(
		mutation_stack_rebuild(&stack, start, 4, 100, &sources, &len));
	stack.literals_n = MEMORY_LITERALS_MAX + 1; /* lost */
	assert_null(
		mutation_stack_rebuild(&stack, start, 4, 100, &sources, &len));
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_literals),
		cmocka_unit_test(test_read_end),
		cmocka_unit_test(test_read_sequence),
	};

	return rows_run_with("finding", ROWS_OF(rows, name, test_names), others,
		ROWS(others), NULL, NULL);
}
