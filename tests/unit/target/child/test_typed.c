/*
 * typed: workers with typed arguments: their description, and good and bad
 * tuples.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "lib/engine_double.h"
#include "shared/values/tuple.h"

#define ROOM 1024

struct arguments {
	const char *text;
	int64_t from;
	const char *word;
};

/* Packs arguments for the target in tests/targets/typed.c. */
static size_t
pack(uint8_t *out, struct arguments a)
{
	const struct value values[] = {
		{ .type = VALUE_BYTES,
			.data = (uint8_t *)(uintptr_t)a.text,
			.len = strlen(a.text) },
		{ .type = VALUE_INT32, .i = a.from },
		{ .type = VALUE_STRING,
			.data = (uint8_t *)(uintptr_t)a.word,
			.len = strlen(a.word) },
	};

	tuple_pack(values, 3, out);
	return tuple_size(values, 3);
}

static void
start(struct engine_double *d, const char *name, const char *mode)
{
	char variable[64];
	char *env[] = { variable, NULL };

	if (double_target(name) == NULL)
		skip();
	snprintf(variable, sizeof(variable), "MODE=%s", mode);
	double_start(d, double_target(name), env);
}

static void
test_types(void **state)
{
	struct engine_double d;

	start(&d, "typed", "");
	assert_int_equal(d.reply.types.n, 3);
	assert_int_equal(d.reply.types.types[0], VALUE_BYTES);
	assert_int_equal(d.reply.types.types[1], VALUE_INT32);
	assert_int_equal(d.reply.types.types[2], VALUE_STRING);
	assert_int_equal(d.reply.seeds_n, 0);
	assert_int_equal(d.reply.seeds_lost, 0);
	assert_true(d.reply.custom_unused);
	assert_int_equal(double_stop(&d), 0);
}

/* A single argument of type bytes is no tuple, and mutators are used. */
static void
test_plain(void **state)
{
	static const uint8_t seeds[] = { 5, 0, 0, 0, 's', 'e', 'e', 'd', 's' };
	struct engine_double d;

	start(&d, "typed_bytes", "");
	assert_int_equal(d.reply.types.n, 0);
	assert_false(d.reply.custom_unused);
	assert_int_equal(d.reply.seeds_n, 1);
	assert_memory_equal(d.worker.map + d.layout.ring_offset, seeds,
		sizeof(seeds));
	assert_true(double_run(&d, "x", 1));
	assert_false(d.reply.died);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(d.reply.rejected, 0);
	assert_true(double_run(&d, "bad", 3));
	assert_int_equal(d.reply.failure.kind, FAILURE_ERROR);
	assert_string_equal(d.reply.failure.text, "3 bytes are bad");
	assert_true(double_run(&d, "write", 5));
	assert_int_equal(d.reply.failure.kind, FAILURE_INPUT_MODIFIED);
	assert_int_equal(double_stop(&d), 0);
}

static const struct run_case {
	const char *name;
	const char *mode;
	struct arguments arguments;
	enum failure_kind kind;
	const char *text; /* part of the report */
} RUN_CASES[] = {
	{ "fine", "", { "hello", 1, "sesame" }, FAILURE_NONE, "" },
	{ "all empty", "", { "", 0, "" }, FAILURE_NONE, "" },
	{ "beyond the text", "", { "hello", 5, "sesame" }, FAILURE_SIGNAL, "" },
	{ "says so", "fail", { "hello", 7, "x" }, FAILURE_ERROR, "seven" },
	{ "writes to bytes", "write", { "hello", 1, "x" },
		FAILURE_INPUT_MODIFIED, "" },
	{ "writes to long bytes", "write",
		{ "a text that is longer than any vector", 1, "x" },
		FAILURE_INPUT_MODIFIED, "" },
	{ "writes over the NUL", "write-nul", { "hello", 1, "x" },
		FAILURE_INPUT_MODIFIED, "" },
	{ "reads behind bytes", "behind", { "hello", 1, "x" }, FAILURE_SIGNAL,
		"" },
	{ "reads behind no bytes", "behind", { "", 1, "x" }, FAILURE_SIGNAL,
		"" },
	{ "reads behind the NUL", "behind-nul", { "hello", 1, "x" },
		FAILURE_SIGNAL, "" },
	{ "reads behind an empty string", "behind-nul", { "hello", 1, "" },
		FAILURE_SIGNAL, "" },
	{ "a seed that is late", "late", { "hello", 1, "x" }, FAILURE_ERROR,
		"too late" },
};

static void
check_run(struct engine_double *d, const struct run_case *c, bool sanitized)
{
	enum failure_kind kind = c->kind;
	uint8_t tuple[ROOM];

	if (sanitized && kind == FAILURE_SIGNAL)
		kind = FAILURE_SANITIZER;
	assert_true(double_run(d, tuple, pack(tuple, c->arguments)));
	if (d->reply.failure.kind != kind)
		fail_msg("%s: %s (%s)", c->name,
			failure_kind_name(d->reply.failure.kind),
			d->reply.failure.text);
	assert_int_equal(d->reply.rejected, 0);
	assert_int_equal(d->reply.count, 1);
	assert_non_null(strstr(d->reply.failure.text, c->text));
	/* The stack ends with the target's frames. */
	if (kind == FAILURE_SIGNAL || kind == FAILURE_ERROR)
		assert_in_range(d->reply.failure.frames_n, 1, 2);
}

static void
run_all(const char *target, bool sanitized)
{
	for (size_t i = 0; i < sizeof(RUN_CASES) / sizeof(*RUN_CASES); i++) {
		struct engine_double d;

		start(&d, target, RUN_CASES[i].mode);
		/* The second call may run in another process. */
		check_run(&d, &RUN_CASES[i], sanitized);
		check_run(&d, &RUN_CASES[i], sanitized);
		assert_int_equal(double_stop(&d), 0);
		assert_int_equal(double_count_processes(&d), 0);
	}
}

static void
test_runs(void **state)
{
	run_all("typed", false);
}

static void
test_runs_sanitized(void **state)
{
	run_all("typed.asan", true);
}

/* No uninitialised memory of the runtime is reported. */
static void
test_runs_tracked(void **state)
{
	uint8_t tuple[ROOM];
	struct engine_double d;

	start(&d, "typed.msan", "");
	for (int i = 0; i < 3; i++) {
		assert_true(double_run(&d, tuple,
			pack(tuple,
				(struct arguments){ "hello", 1, "sesame" })));
		if (d.reply.failure.kind != FAILURE_NONE)
			fail_msg("%s", d.reply.failure.text);
		assert_int_equal(d.reply.rejected, 0);
	}
	assert_int_equal(double_stop(&d), 0);
}

/* Other bytes than a tuple of these types are rejected without a call. */
static void
test_bad_tuples(void **state)
{
	uint8_t tuple[ROOM], other[ROOM];
	size_t len = pack(tuple, (struct arguments){ "hello", 1, "sesame" });
	struct engine_double d;

	/* A call of the target would fail. */
	start(&d, "typed", "behind");
	for (size_t n = 0; n < len; n++) {
		assert_true(double_run(&d, tuple, n));
		assert_int_equal(d.reply.rejected, 1);
		assert_false(d.reply.died);
	}
	for (size_t i = 0; i < len; i++) {
		memcpy(other, tuple, len);
		other[i] ^= 0xff;
		/* A change of contents leaves the types intact. */
		if ((i >= 5 && i < 10) || (i > 10 && i < 19) || i >= len - 6)
			continue;
		assert_true(double_run(&d, other, len));
		assert_int_equal(d.reply.rejected, 1);
	}
	tuple[len] = 0;
	assert_true(double_run(&d, tuple, len + 1));
	assert_int_equal(d.reply.rejected, 1);
	assert_true(double_run(&d, tuple, len));
	assert_true(d.reply.died);
	assert_int_equal(double_stop(&d), 0);
}

/* Mutations of a tuple are tuples: none is rejected. */
static void
test_fuzz(void **state)
{
	uint8_t tuple[ROOM];
	size_t len = pack(tuple, (struct arguments){ "hello", 1, "x" });
	struct engine_double d;

	start(&d, "typed", "");
	for (int i = 0; i < 20; i++) {
		assert_true(double_fuzz(&d, tuple, len, 500));
		if (d.reply.died)
			continue;
		assert_int_equal(d.reply.count, 500);
		assert_int_equal(d.reply.rejected, 0);
	}
	assert_int_equal(double_stop(&d), 0);
}

/* The failing value is unchanged. */
static void
test_witness(void **state)
{
	uint8_t tuple[ROOM];
	size_t len = pack(tuple, (struct arguments){ "hello", 1, "x" });
	struct engine_double d;

	start(&d, "typed", "write");
	assert_true(double_run(&d, tuple, len));
	assert_int_equal(d.head->value_len, len);
	assert_memory_equal(d.worker.map + d.layout.value_offset, tuple, len);
	assert_int_equal(double_stop(&d), 0);
}

/* ---- seeds ---------------------------------------------------------------- */

static void
test_seeds(void **state)
{
	const struct tuple_types types = { 3,
		{ VALUE_BYTES, VALUE_INT32, VALUE_STRING } };
	struct engine_double d;
	struct tuple tuple;
	const uint8_t *at;
	uint32_t len;

	start(&d, "typed", "seeds");
	assert_int_equal(d.reply.seeds_n, 2);
	at = d.worker.map + d.layout.ring_offset;
	memcpy(&len, at, sizeof(len));
	at += sizeof(len);
	assert_true(tuple_parse_as(at, len, &types, &tuple));
	assert_memory_equal(at + tuple.fields[0].offset, "hello", 5);
	assert_int_equal(tuple_bits(at, &tuple.fields[1]), 50);
	assert_memory_equal(at + tuple.fields[2].offset, "seed", 4);
	at += len;
	memcpy(&len, at, sizeof(len));
	at += sizeof(len);
	assert_true(tuple_parse_as(at, len, &types, &tuple));
	assert_int_equal(tuple.fields[0].len, 0);
	assert_int_equal(tuple.fields[2].len, 3);
	assert_memory_equal(at + tuple.fields[2].offset, "a\0b", 3);
	assert_int_equal(double_stop(&d), 0);
}

/* As many as fit. */
static void
test_many_seeds(void **state)
{
	struct engine_double d;
	size_t used = 0;
	uint32_t len = 0;

	start(&d, "typed", "many");
	assert_true(d.reply.seeds_n > 0);
	assert_int_equal(d.reply.seeds_n + d.reply.seeds_lost, 2000);
	for (uint32_t i = 0; i < d.reply.seeds_n; i++) {
		memcpy(&len, d.worker.map + d.layout.ring_offset + used,
			sizeof(len));
		used += sizeof(len) + len;
	}
	assert_true(used <= d.layout.ring_size);
	assert_true(used + sizeof(len) + len > d.layout.ring_size);
	assert_int_equal(double_stop(&d), 0);
}

static const struct refusal_case {
	const char *mode;
	const char *says;
} REFUSAL_CASES[] = {
	{ "other", "[[]uint8 int string], want [[]uint8 int32 string]" },
	{ "few", "2, want 3" },
	{ "none", "0 values" },
	{ "early", "2, want 3" },
	{ "untyped", "no type" },
	{ "nowhere", "at no address" },
};

static void
test_refusals(void **state)
{
	if (double_target("typed") == NULL)
		skip();
	for (size_t i = 0; i < sizeof(REFUSAL_CASES) / sizeof(*REFUSAL_CASES);
		i++) {
		const struct refusal_case *c = &REFUSAL_CASES[i];
		char variable[64], said[1000];
		char *env[] = { variable, NULL };
		struct engine_double d;
		int status;

		snprintf(variable, sizeof(variable), "MODE=%s", c->mode);
		double_spawn(&d, double_target("typed"), env);
		d.request = (struct rpc_request){ .kind = RPC_PING };
		double_send(&d);
		assert_false(double_receive(&d));
		memcpy(said, d.output.map, sizeof(said) - 1);
		said[sizeof(said) - 1] = '\0';
		status = double_wait(&d);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 70);
		if (!strstr(said, c->says))
			fail_msg("%s: said: %s", c->mode, said);
		assert_non_null(strstr(said, "cfuzz: CFUZZ_SEED(): "));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_runs_sanitized),
		cmocka_unit_test(test_runs_tracked),
		cmocka_unit_test(test_bad_tuples),
		cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_witness),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_many_seeds),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
