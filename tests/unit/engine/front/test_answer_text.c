/*
 * Readable forms of a finding's bytes: the C call of a typed target, and the
 * inputs of a sequence.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/front/answers.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"
#include "store/store_finding.h"

static const char *const plain[] = { "parallel", "1", "verify", "0",
	"minimizetime", "0x", NULL };

/* The arguments ("ab", -2) and ("", 1) of a function (string, int8). */
static const uint8_t long_call[] = { VALUE_STRING, 2, 0, 0, 0, 'a', 'b',
	VALUE_INT8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const uint8_t short_call[] = { VALUE_STRING, 0, 0, 0, 0, VALUE_INT8, 1,
	0, 0, 0, 0, 0, 0, 0 };

/* The answer as text; "": an error. Good until the next call. */
static const char *
ask(const struct idle *idle, const struct finding *f, const char *suffix)
{
	static char text[QUERY_BYTES_MAX + 1];
	struct query query = { .kind = QUERY_ENTRY, .count = QUERY_BYTES_MAX };
	struct reply reply = { .kind = QUERY_ENTRY };
	struct error err = { 0 };

	snprintf(query.name, sizeof(query.name), "%s%s", f->id, suffix);
	text[0] = '\0';
	if (answer_entry(idle->engine, 1, &query, &reply, &err) == OK) {
		memcpy(text, reply.entry.bytes.data, reply.entry.bytes.len);
		text[reply.entry.bytes.len] = '\0';
		assert_true(reply.entry.finding);
		assert_string_equal(reply.entry.name, query.name);
	}
	reply_clear(&reply);
	return text;
}

static struct finding *
add_finding(struct idle *idle)
{
	idle_fail(idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "one");
	idle_settle(idle);
	return idle->engine->findings.list[0];
}

static void
make_typed(struct engine *e)
{
	e->target.types = (struct tuple_types){ .n = 2,
		.types = { VALUE_STRING, VALUE_INT8 } };
	strcpy(e->target.function, "parse");
}

/* The call has the smallest input. */
static void
test_call(void **state)
{
	struct finding *f;
	struct idle idle;
	uint8_t *input;
	size_t len;

	idle_open(&idle, *state, plain);
	f = add_finding(&idle);
	make_typed(idle.engine);
	input = f->input;
	len = f->len;
	f->input = xmemdup(long_call, sizeof(long_call));
	f->len = sizeof(long_call);
	assert_non_null(strstr(ask(&idle, f, "/call"), "parse("));
	assert_non_null(strstr(ask(&idle, f, "/call"), "\"ab\""));
	assert_non_null(strstr(ask(&idle, f, "/call"), "-2"));
	f->minimized = xmemdup(short_call, sizeof(short_call));
	f->minimized_len = sizeof(short_call);
	/* What another build has minimized need not fail now. */
	assert_non_null(strstr(ask(&idle, f, "/call"), "-2"));
	strcpy(f->minimized_build, idle.engine->target.info.build);
	assert_non_null(strstr(ask(&idle, f, "/call"), "\"\""));
	assert_null(strstr(ask(&idle, f, "/call"), "-2"));
	/* No tuple, and an input that is on the disk alone. */
	f->minimized_len--;
	assert_non_null(
		strstr(ask(&idle, f, "/call"), "too long for the screen"));
	free(f->minimized);
	f->minimized = NULL;
	free(f->input);
	f->input = NULL;
	assert_string_equal(ask(&idle, f, "/call"),
		"The bytes are only on disk.\n");
	f->input = input;
	f->len = len;
	idle.engine->target.types.n = 0;
	idle_close(&idle);
}

static void
put(struct idle *idle, struct finding *f, uint32_t at, const void *data,
	size_t len)
{
	store_put_sequence(idle->engine->store, f->folder, at, data, len, true,
		NULL, NULL);
	f->sequence_n = at;
}

static void
wait_for_disk(struct idle *idle)
{
	assert_int_equal(store_finish(idle->engine->store, TREE_DISK_MS, NULL,
				 NULL),
		0);
}

/* All inputs in their order, as bytes and as text. */
static void
test_sequence(void **state)
{
	static const char begin[] = "input 1 of 4, 3 bytes\n"
				    "61 62 0a                 ab.\n\n"
				    "input 2 of 4, 10 bytes\n"
				    "30 31 32 33 34 35 36 37  01234567\n"
				    "38 39                    89\n\n"
				    "input 3 of 4, 600 bytes\n";
	char large[600];
	struct finding *f;
	struct idle idle;
	const char *text;

	memset(large, 'x', sizeof(large));
	idle_open(&idle, *state, plain);
	f = add_finding(&idle);
	put(&idle, f, 1, "ab\n", 3);
	put(&idle, f, 2, "0123456789", 10);
	put(&idle, f, 3, large, sizeof(large));
	put(&idle, f, 4, "z", 1);
	wait_for_disk(&idle);
	text = ask(&idle, f, "/seq");
	assert_memory_equal(text, begin, strlen(begin));
	assert_non_null(strstr(text, "... and 88 more\n"));
	assert_non_null(strstr(text, "\n\ninput 4 of 4, 1 byte\n7a "));
	idle_close(&idle);
}

/* An input that cannot be read is named, and the others are shown. */
static void
test_lost_input(void **state)
{
	struct finding *f;
	struct idle idle;
	const char *text;

	idle_open(&idle, *state, plain);
	f = add_finding(&idle);
	put(&idle, f, 2, "z", 1);
	wait_for_disk(&idle);
	text = ask(&idle, f, "/seq");
	assert_memory_equal(text, "input 1 of 2: ", 14);
	assert_non_null(strstr(text, "\ninput 2 of 2, 1 byte\n7a "));
	idle_close(&idle);
}

/* Inputs of a typed target are calls, which the page of the call has alone. */
static void
test_typed_sequence(void **state)
{
	struct finding *f;
	struct idle idle;
	const char *text;

	idle_open(&idle, *state, plain);
	f = add_finding(&idle);
	put(&idle, f, 1, long_call, sizeof(long_call));
	put(&idle, f, 2, short_call, sizeof(short_call));
	wait_for_disk(&idle);
	make_typed(idle.engine);
	text = ask(&idle, f, "/seq");
	assert_non_null(strstr(text, "parse("));
	assert_null(strstr(text, "61 62"));
	f->sequence_n = 3;
	text = ask(&idle, f, "/call");
	assert_string_equal(text,
		"parse(cfuzz_string_of(\"ab\", 2), INT8_C(-2));\n"
		"parse(cfuzz_string_of(\"\", 0), INT8_C(1));\n"
		"Input 3 cannot be shown as a call.\n");
	idle.engine->target.types.n = 0;
	idle_close(&idle);
}

/* Other names are no texts. */
static void
test_other_names(void **state)
{
	static const char *const names[] = { "/call", "/seq", "x/call",
		"0123456789abcdef/seq" };
	struct reply_entry entry = { 0 };
	struct query query = { .kind = QUERY_ENTRY, .count = 10 };
	struct idle idle;
	size_t i;

	idle_open(&idle, *state, plain);
	add_finding(&idle);
	for (i = 0; i < ROWS(names); i++) {
		snprintf(query.name, sizeof(query.name), "%s", names[i]);
		row_check(!answer_text(idle.engine, &query, &entry), "%s",
			names[i]);
	}
	idle_close(&idle);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_call),
		ROW(test_sequence),
		ROW(test_lost_input),
		ROW(test_typed_sequence),
		ROW(test_other_names),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("answer_text", tests, NULL, NULL);
}
