/* test_rpc: messages encoded and decoded, and lines of hostile workers. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shared/prng.h"
#include "shared/wire/rpc.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* clang-format off */
static const struct rpc_request REQUESTS[] = {
	{ .kind = RPC_PING, .seq = 1, .nonce = 2, .parent = MEMORY_NO_ENTRY },
	{ .kind = RPC_PING, .seq = INT64_MAX, .nonce = UINT64_MAX,
		.parent = MEMORY_NO_ENTRY },
	{ .kind = RPC_FUZZ, .parent = MEMORY_NO_ENTRY },
	{ .kind = RPC_FUZZ, .seq = 7, .nonce = 1ull << 63, .timeout_ns = 100000000,
		.limit = 5, .warmup = true, .fresh = true, .confirm = true,
		.parent = 0, .cap = UINT32_MAX, .stack_max = MEMORY_MUTATIONS_MAX },
	{ .kind = RPC_FUZZ, .limit = INT64_MAX, .parent = MEMORY_NO_ENTRY - 1 },
	{ .kind = RPC_FUZZ, .fresh = true, .parent = MEMORY_NO_ENTRY,
		.sequence_n = MEMORY_SEQUENCE_MAX },
	{ .kind = RPC_MINIMIZE, .seq = 9, .timeout_ns = 1, .limit = 2, .index = 3,
		.want_coverage = true, .keep_n = MEMORY_KEEP_MAX,
		.parent = MEMORY_NO_ENTRY },
	{ .kind = RPC_MINIMIZE, .stack_hash = UINT64_MAX,
		.rule = MINIMIZE_ANY_FAILURE, .what = "heap-buffer-overflow",
		.failure_kind = FAILURE_SANITIZER, .parent = MEMORY_NO_ENTRY },
	{ .kind = RPC_PC_TABLE, .parent = MEMORY_NO_ENTRY,
		.module = { UINT64_MAX, MEMORY_COUNTERS_MAX, UINT32_MAX },
		.first = MEMORY_COUNTERS_MAX },
};
/* clang-format on */

static void
test_requests(void **state)
{
	char line[RPC_LINE_MAX];

	for (size_t i = 0; i < N(REQUESTS); i++) {
		struct rpc_request back;
		struct error err = { .code = OK };
		size_t len;

		assert_int_equal(rpc_encode_request(&REQUESTS[i], line,
					 sizeof(line), &len, &err),
			OK);
		assert_int_equal(line[len - 1], '\n');
		assert_null(memchr(line, '\n', len - 1));
		assert_int_equal(rpc_decode_request(line, len - 1, &back, &err),
			OK);
		assert_memory_equal(&back, &REQUESTS[i], sizeof(back));
	}
}

/* The members of the reference engine are in their places. */
static void
test_request_text(void **state)
{
	struct rpc_request q = { .kind = RPC_PING, .seq = 1 };
	char line[RPC_LINE_MAX];
	size_t len;

	assert_int_equal(rpc_encode_request(&q, line, sizeof(line), &len, NULL),
		OK);
	line[len] = '\0';
	assert_string_equal(line,
		"{\"Ping\":{},\"Fuzz\":null,\"Minimize\":null,\"Seq\":1,"
		"\"Nonce\":\"0000000000000000\"}\n");
	q = (struct rpc_request){ .kind = RPC_FUZZ,
		.timeout_ns = 100000000,
		.limit = 5,
		.parent = MEMORY_NO_ENTRY };
	assert_int_equal(rpc_encode_request(&q, line, sizeof(line), &len, NULL),
		OK);
	line[len] = '\0';
	assert_non_null(strstr(line,
		"{\"Ping\":null,\"Fuzz\":{\"Timeout\":100000000,\"Limit\":5,"
		"\"Warmup\":false,\"CoverageData\":null,"));
}

static void
fill_reply(struct rpc_reply *p, enum rpc_kind kind)
{
	memset(p, 0, sizeof(*p));
	p->kind = kind;
	p->seq = 5;
	p->nonce = UINT64_MAX - 1;
	if (kind == RPC_PING) {
		p->version = WIRE_VERSION;
		p->threads = 3;
		p->no_fork = true;
		strcpy(p->sanitizer, "address");
		strcpy(p->instrumentation, "trace-pc");
		p->types.n = TUPLE_MAX;
		for (uint32_t i = 0; i < TUPLE_MAX; i++)
			p->types.types[i] = (enum value_type)(i % VALUE_TYPE_N);
		p->seeds_n = 7;
		strcpy(p->function, "parser::slice_2");
		p->seeds_lost = 3;
		p->words_n = 7;
		p->custom_unused = true;
		p->modules_n = MEMORY_MODULES_MAX;
		for (uint32_t i = 0; i < p->modules_n; i++)
			p->modules[i] =
				(struct counter_module){ .key = UINT64_MAX - i,
					.n = MEMORY_COUNTERS_MAX - i,
					.base = UINT32_MAX };
		return;
	}
	p->count = INT64_MAX;
	p->total_ns = kind == RPC_PC_TABLE ? 0 : 2;
	p->end = CALL_REFUSED;
	p->rejected = 3;
	p->odd_return = true;
	p->died = true;
	p->fork_ns = 4;
	strcpy(p->internal_err, "nothing works");
	p->failure = (struct failure){ .kind = FAILURE_SIGNAL,
		.signo = 11,
		.exit_status = 255,
		.what = "SIGSEGV",
		.stack_full = true,
		.frames_n = FAILURE_FRAMES_MAX };
	memset(p->failure.text, '"', sizeof(p->failure.text) - 1);
	for (uint32_t i = 0; i < FAILURE_FRAMES_MAX; i++) {
		p->failure.frames[i].offset = UINT64_MAX - i;
		memset(p->failure.frames[i].module, '\\',
			FAILURE_MODULE_MAX - 1);
	}
	if (kind == RPC_FUZZ) {
		p->run_ns = 5;
		p->finds = UINT32_MAX;
		p->ring_used = 6;
		p->late_n = N(p->late);
		for (uint32_t i = 0; i < p->late_n; i++)
			p->late[i] = (struct counter_module){ .key = i,
				.n = i + 1,
				.base = UINT32_MAX };
	} else if (kind == RPC_MINIMIZE) {
		p->wrote_to_mem = true;
		p->best_len = 7;
		p->tries = 8;
		p->accepted = 9;
	}
}

/* The largest replies fit a line and are decoded completely. */
static void
test_replies(void **state)
{
	char line[RPC_LINE_MAX];

	for (enum rpc_kind kind = 0; kind < RPC_KIND_COUNT; kind++) {
		struct error err = { .code = OK };
		struct rpc_reply reply, back;
		size_t len;

		fill_reply(&reply, kind);
		assert_int_equal(rpc_encode_reply(&reply, line, sizeof(line),
					 &len, &err),
			OK);
		assert_int_equal(rpc_decode_reply(line, len - 1, kind, &back,
					 &err),
			OK);
		assert_memory_equal(&back, &reply, sizeof(back));
	}
}

/* Text that is not UTF-8, and the longest possible text. */
static void
test_foreign_text(void **state)
{
	static const char *const TEXTS[][2] = {
		{ "plain", "plain" },
		{ "\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "a\xc3(b", "a\xef\xbf\xbd(b" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\x1b[31m\x01", "\x1b[31m\x01" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
	};
	char line[RPC_LINE_MAX];
	struct rpc_reply reply, back;
	size_t len;

	fill_reply(&reply, RPC_FUZZ);
	for (size_t i = 0; i < N(TEXTS); i++) {
		strcpy(reply.failure.text, TEXTS[i][0]);
		assert_int_equal(rpc_encode_reply(&reply, line, sizeof(line),
					 &len, NULL),
			OK);
		assert_int_equal(rpc_decode_reply(line, len - 1, RPC_FUZZ,
					 &back, NULL),
			OK);
		assert_string_equal(back.failure.text, TEXTS[i][1]);
	}
	/* Not even terminated. */
	memset(reply.failure.text, 0xff, sizeof(reply.failure.text));
	memset(reply.failure.what, 0x01, sizeof(reply.failure.what));
	for (uint32_t i = 0; i < FAILURE_FRAMES_MAX; i++)
		memset(reply.failure.frames[i].module, 0x01,
			FAILURE_MODULE_MAX);
	assert_int_equal(rpc_encode_reply(&reply, line, sizeof(line), &len,
				 NULL),
		OK);
	assert_int_equal(rpc_decode_reply(line, len - 1, RPC_FUZZ, &back, NULL),
		OK);
	assert_true(strlen(back.failure.text) > 1000);
}

static void
test_does_not_fit(void **state)
{
	struct rpc_reply reply;
	char line[RPC_LINE_MAX];
	size_t len;

	fill_reply(&reply, RPC_PING);
	for (size_t size = 0; size < 200; size++)
		assert_int_equal(rpc_encode_reply(&reply, line, size, &len,
					 NULL),
			E_RANGE);
	reply.modules_n = UINT32_MAX;
	assert_int_equal(rpc_encode_reply(&reply, line, sizeof(line), &len,
				 NULL),
		E_RANGE);
	fill_reply(&reply, RPC_FUZZ);
	reply.count = UINT64_MAX;
	assert_int_equal(rpc_encode_reply(&reply, line, sizeof(line), &len,
				 NULL),
		E_RANGE);
}

/* clang-format off */
static const char *const BAD_REQUESTS[] = {
	"", " ", "x", "{", "}", "[]", "null", "1", "\"Ping\"", "{}",
	"{\"Ping\":null}", "{\"Ping\":[]}", "{\"Ping\":1}", "{\"Ping\":true}",
	"{\"Ping\":{},\"Fuzz\":{}}", "{\"Ping\":{},\"Ping\":{}}",
	"{\"Ping\":{},\"Seq\":-1}", "{\"Ping\":{},\"Seq\":1.0}",
	"{\"Ping\":{},\"Seq\":\"1\"}", "{\"Ping\":{},\"Seq\":9223372036854775808}",
	"{\"Ping\":{},\"Nonce\":1}", "{\"Ping\":{},\"Nonce\":\"12\"}",
	"{\"Ping\":{},\"Nonce\":\"000000000000000g\"}",
	"{\"Ping\":{},\"Nonce\":\"00000000000000000\"}",
	"{\"Ping\":{}} x", "{\"Ping\":{}}{}",
	"{\"Fuzz\":{\"Parent\":-1}}", "{\"Fuzz\":{\"Parent\":4294967295}}",
	"{\"Fuzz\":{\"Parent\":null}}", "{\"Fuzz\":{\"Parent\":\"1\"}}",
	"{\"Fuzz\":{\"Cap\":4294967296}}", "{\"Fuzz\":{\"Chain\":65}}",
	"{\"Fuzz\":{\"Warmup\":1}}", "{\"Fuzz\":{\"Limit\":[]}}",
	"{\"Fuzz\":{\"Limit\":1e3}}",
	"{\"Minimize\":{\"Keep\":65537}}", "{\"Minimize\":{\"Rule\":3}}",
	"{\"Minimize\":{\"Kind\":5}}",
	"{\"Minimize\":{\"What\":\"0123456789012345678901234567890123456789012345678901234567890123\"}}",
	"{\"Tables\":[]}", "{\"Tables\":{},\"Ping\":{}}",
	"{\"Tables\":{\"Key\":7}}", "{\"Tables\":{\"N\":-1}}",
	"{\"Tables\":{\"N\":16777217}}", "{\"Tables\":{\"First\":16777217}}",
	"[[[[[[[[[[[[[[[[[[[[", "{\"Ping\":{\"a\":[[[[[[[[1]]]]]]]]}}",
	"{\"Ping\":{}\xff}", "{\"Ping\":\"\xff\"}",
};

static const char *const BAD_REPLIES[] = {
	"", "{", "[]", "null", "{\"Seq\":-5}", "{\"Count\":-1}", "{\"Count\":\"1\"}",
	"{\"Count\":1.5}", "{\"End\":9}", "{\"End\":-1}", "{\"Died\":0}",
	"{\"Late\":{}}", "{\"Late\":[1]}", "{\"Late\":[null]}", "{\"Late\":[[]]}",
	"{\"Late\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]}",
	"{\"Late\":[{\"N\":16777217}]}", "{\"Late\":[{\"Key\":1}]}",
	"{\"Failure\":[]}", "{\"Failure\":{}}", "{\"Failure\":{\"Kind\":\"none\"}}",
	"{\"Failure\":{\"Kind\":\"x\"}}", "{\"Failure\":{\"Kind\":\"signal\",\"Signal\":128}}",
	"{\"Failure\":{\"Kind\":\"signal\",\"Signal\":-1}}",
	"{\"Failure\":{\"Kind\":\"exit\",\"Exit\":256}}",
	"{\"Failure\":{\"Kind\":\"signal\",\"Frames\":{}}}",
	"{\"Failure\":{\"Kind\":\"signal\",\"Frames\":[1]}}",
	"{\"Failure\":{\"Kind\":\"signal\",\"Frames\":[{\"Module\":1}]}}",
	"{\"Failure\":{\"Kind\":\"signal\",\"What\":\"0123456789012345678901234567890123456789012345678901234567890123\"}}",
	"{\"InternalErr\":{}}", "{\"Finds\":4294967296}",
	"{\"TotalDuration\":9223372036854775808}",
};
/* clang-format on */

static void
test_bad_requests(void **state)
{
	for (size_t i = 0; i < N(BAD_REQUESTS); i++) {
		struct error err = { .code = OK };
		struct rpc_request q;

		/* Missing and null mean the same. */
		if (strstr(BAD_REQUESTS[i], "Parent\":null"))
			continue;
		if (rpc_decode_request(BAD_REQUESTS[i], strlen(BAD_REQUESTS[i]),
			    &q, &err) != E_PROTOCOL)
			fail_msg("accepted: %s", BAD_REQUESTS[i]);
		assert_true(err.text[0] != '\0');
	}
}

static void
test_bad_replies(void **state)
{
	for (size_t i = 0; i < N(BAD_REPLIES); i++) {
		struct error err = { .code = OK };
		struct rpc_reply p;

		if (rpc_decode_reply(BAD_REPLIES[i], strlen(BAD_REPLIES[i]),
			    RPC_FUZZ, &p, &err) != E_PROTOCOL)
			fail_msg("accepted: %s", BAD_REPLIES[i]);
		assert_true(err.text[0] != '\0');
	}
}

/* A reply may be empty: members are zero, unknown ones ignored. */
static void
test_missing_members(void **state)
{
	struct rpc_reply p;

	assert_int_equal(rpc_decode_reply("{}", 2, RPC_FUZZ, &p, NULL), OK);
	assert_int_equal(p.failure.kind, FAILURE_NONE);
	assert_int_equal(p.end, CALL_RUNNING);
	assert_int_equal(rpc_decode_reply("{\"New\":[1,{}],\"Count\":3}", 24,
				 RPC_FUZZ, &p, NULL),
		OK);
	assert_int_equal(p.count, 3);
}

static void
test_long_line(void **state)
{
	size_t len = RPC_LINE_MAX + 1;
	char *line = malloc(len);
	struct rpc_reply p;

	assert_non_null(line);
	memset(line, ' ', len);
	memcpy(line, "{}", 2);
	assert_int_equal(rpc_decode_reply(line, len - 1, RPC_FUZZ, &p, NULL),
		OK);
	assert_int_equal(rpc_decode_reply(line, len, RPC_FUZZ, &p, NULL),
		E_PROTOCOL);
	memset(line, '[', len - 1);
	assert_int_equal(rpc_decode_reply(line, len - 1, RPC_FUZZ, &p, NULL),
		E_PROTOCOL);
	free(line);
}

static void
assert_bounded(const struct rpc_reply *p)
{
	assert_true(p->late_n <= N(p->late));
	assert_true(p->modules_n <= MEMORY_MODULES_MAX);
	assert_true(p->types.n <= TUPLE_MAX);
	assert_non_null(memchr(p->function, '\0', sizeof(p->function)));
	assert_null(strpbrk(p->function, " \t\n\"';\\/\033"));
	for (uint32_t i = 0; i < p->types.n; i++)
		assert_true((unsigned)p->types.types[i] < VALUE_TYPE_N);
	assert_true(p->failure.frames_n <= FAILURE_FRAMES_MAX);
	assert_true((unsigned)p->end <= CALL_UNKNOWN);
	assert_true((unsigned)p->failure.kind < FAILURE_KIND_COUNT);
	assert_non_null(memchr(p->failure.text, '\0', FAILURE_TEXT_MAX));
	assert_non_null(memchr(p->failure.what, '\0', FAILURE_WHAT_MAX));
}

static void
test_damaged(void **state)
{
	char lines[RPC_KIND_COUNT][RPC_LINE_MAX];
	size_t lens[RPC_KIND_COUNT];
	struct prng prng;

	prng_init(&prng, 1, 1);
	for (enum rpc_kind kind = 0; kind < RPC_KIND_COUNT; kind++) {
		struct rpc_reply reply;

		fill_reply(&reply, kind);
		reply.modules_n = 2;
		reply.failure.frames_n = 2;
		strcpy(reply.failure.text, "short");
		assert_int_equal(rpc_encode_reply(&reply, lines[kind],
					 RPC_LINE_MAX, &lens[kind], NULL),
			OK);
	}
	for (int round = 0; round < 40000; round++) {
		enum rpc_kind kind = prng_u32n(&prng, RPC_KIND_COUNT);
		size_t len = lens[kind] - 1;
		char *line = malloc(len);
		struct rpc_reply p;

		assert_non_null(line);
		memcpy(line, lines[kind], len);
		for (uint32_t i = 1 + prng_u32n(&prng, 3); i > 0; i--)
			line[prng_intn(&prng, len)] = prng_bool(&prng)
				? (char)prng_u32(&prng)
				: "0123456789{}[]\",:-"[prng_intn(&prng, 18)];
		if (rpc_decode_reply(line, len, kind, &p, NULL) == OK)
			assert_bounded(&p);
		free(line);
	}
}

static void
test_random_bytes(void **state)
{
	struct prng prng;

	prng_init(&prng, 2, 1);
	for (int round = 0; round < 40000; round++) {
		size_t len = prng_intn(&prng, 64);
		char *line = malloc(len + (len == 0));
		struct rpc_request q;
		struct rpc_reply p;

		assert_non_null(line);
		for (size_t i = 0; i < len; i++)
			line[i] = prng_bool(&prng)
				? (char)prng_u32(&prng)
				: "{}[]\":,1n"[prng_intn(&prng, 9)];
		assert_int_equal(rpc_decode_request(line, len, &q, NULL),
			E_PROTOCOL);
		if (rpc_decode_reply(line, len, RPC_FUZZ, &p, NULL) == OK)
			assert_bounded(&p);
		free(line);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_request_text),
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_foreign_text),
		cmocka_unit_test(test_does_not_fit),
		cmocka_unit_test(test_bad_requests),
		cmocka_unit_test(test_bad_replies),
		cmocka_unit_test(test_missing_members),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
