/*
 * test_names: the frame that a failure is named after, and names on the disk.
 */
#include "findings/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "findings/bucket.h"

#define FRAMES_MAX 3
#define INLINES_MAX 2

struct row {
	const char *title;
	struct {
		const char *module;
		struct {
			const char *function, *file; /* or the path */
			uint32_t line;
		} symbols[INLINES_MAX];
	} frames[FRAMES_MAX];
	const char *where; /* NULL: none */
};

/* clang-format off */
static const struct row rows[] = {
	{ "plain",
	  { { "t", { { "read_tile", "tiles.c", 118 } } } },
	  "read_tile tiles.c:118" },
	{ "inlined",
	  { { "t", { { "fill", "tiles.c", 9 }, { "read", "tiles.c", 90 } } } },
	  "fill tiles.c:9" },
	{ "no line",
	  { { "t", { { "fill", "tiles.c", 0 } } } },
	  "fill tiles.c" },
	{ "no file",
	  { { "t", { { "fill", "", 0 } } } },
	  "fill t+0x10" },
	{ "no function",
	  { { "t", { { "", "tiles.c", 7 } } } },
	  "tiles.c:7" },
	{ "no name", { { "t", { { NULL, NULL, 0 } } } }, "t+0x10" },
	{ "unknown on top is where it is",
	  { { "libx.so", { { NULL, NULL, 0 } } },
	    { "t", { { "main", "main.c", 1 } } } },
	  "libx.so+0x10" },
	{ "unknown caller of a library",
	  { { "t", { { "__interceptor_memcpy", "", 0 } } },
	    { "libx.so", { { NULL, NULL, 0 } } },
	    { "t", { { "main", "main.c", 1 } } } },
	  "libx.so+0x20" },
	{ "interceptor",
	  { { "t", { { "__interceptor_memcpy", "", 0 } } },
	    { "t", { { "copy", "copy.c", 3 } } } },
	  "copy copy.c:3" },
	{ "sanitizer with lines",
	  { { "t", { { "ReportGeneric",
		       "/llvm/compiler-rt/lib/asan/asan_report.cpp", 400 } } },
	    { "t", { { "copy", "copy.c", 3 } } } },
	  "copy copy.c:3" },
	{ "library",
	  { { "libc.so.6", { { "abort", "", 0 } } },
	    { "t", { { "check", "check.c", 5 } } } },
	  "check check.c:5" },
	{ "static libc",
	  { { "t", { { "raise", "", 0 } } },
	    { "t", { { "abort", "", 0 } } },
	    { "t", { { "check", "check.c", 5 } } } },
	  "check check.c:5" },
	{ "inlined libc",
	  { { "t", { { "memcpy", "string_fortified.h", 29 },
		     { "copy", "copy.c", 3 } } } },
	  "copy copy.c:3" },
	{ "one's own memcpy",
	  { { "t", { { "memcpy", "my.c", 3 } } } },
	  "memcpy my.c:3" },
	{ "standard C++",
	  { { "t", { { "std::vector<int>::at", "stl_vector.h", 1100 },
		     { "parse", "p.cc", 8 } } } },
	  "parse p.cc:8" },
	{ "of the compiler for C++",
	  { { "t", { { "__clang_call_terminate", "", 0 } } },
	    { "t", { { "noex", "p.cc", 8 } } } },
	  "noex p.cc:8" },
	{ "header of the C++ library",
	  { { "t", { { "__terminate",
		       "/usr/include/x86_64-linux-gnu/c++/12/bits/c++config.h",
		       312 },
		     { "parse", "/x/p.cc", 8 } } } },
	  "parse p.cc:8" },
	{ "header of the other C++ library",
	  { { "t", { { "find", "/llvm-14/include/c++/v1/__tree", 9 } } },
	    { "t", { { "parse", "/x/p.cc", 8 } } } },
	  "parse p.cc:8" },
	{ "one's own header for C++",
	  { { "t", { { "find", "/x/include/c++/t.h", 9 } } },
	    { "t", { { "parse", "/x/p.cc", 8 } } } },
	  "find t.h:9" },
	{ "call of nothing",
	  { { "?", { { NULL, NULL, 0 } } },
	    { "t", { { "call", "call.c", 2 } } } },
	  "call call.c:2" },
	{ "only a sanitizer",
	  { { "t", { { "__asan_memcpy", "", 0 } } } },
	  NULL },
};
/* clang-format on */

static struct symbols_answer *
make_answer(const struct row *row, struct failure *f)
{
	struct symbols_answer *answer = xcalloc(1, sizeof(*answer));
	struct symbols_at *at;
	uint32_t i, k;

	memset(f, 0, sizeof(*f));
	for (i = 0; i < FRAMES_MAX && row->frames[i].module != NULL; i++) {
		snprintf(f->frames[i].module, sizeof(f->frames[i].module), "%s",
			row->frames[i].module);
		f->frames[i].offset = 16 * (i + 1);
		at = &answer->at[i];
		at->symbols = xcalloc(INLINES_MAX, sizeof(*at->symbols));
		for (k = 0; k < INLINES_MAX &&
			row->frames[i].symbols[k].function != NULL;
			k++) {
			snprintf(at->symbols[k].function, SYMBOL_FUNCTION_MAX,
				"%s", row->frames[i].symbols[k].function);
			snprintf(at->symbols[k].path, SYMBOL_PATH_MAX, "%s",
				row->frames[i].symbols[k].file);
			snprintf(at->symbols[k].file, SYMBOL_FILE_MAX, "%s",
				basename(at->symbols[k].path));
			at->symbols[k].line = row->frames[i].symbols[k].line;
			at->n++;
		}
	}
	f->frames_n = answer->n = i;
	return answer;
}

static void
test_where(void **state)
{
	struct symbols_answer *answer;
	char where[192];
	struct failure f;
	bool named;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("         %s\n", rows[i].title);
		answer = make_answer(&rows[i], &f);
		strcpy(where, "as it was");
		named = names_where(&f, answer, where, sizeof(where));
		assert_int_equal(named, rows[i].where != NULL);
		assert_string_equal(where,
			rows[i].where != NULL ? rows[i].where : "as it was");
		symbols_answer_destroy(answer);
	}
}

/* Long and hostile names are cut at whole characters, so that JSON takes
 * them. */
static void
test_long(void **state)
{
	const struct row row = { "", { { "t", { { "f", "g", 7 } } } }, "" };
	struct symbols_answer *answer;
	char where[192];
	struct failure f;
	json_t *json;
	size_t i;

	answer = make_answer(&row, &f);
	for (i = 0; i + 3 < SYMBOL_FUNCTION_MAX; i += 3)
		memcpy(answer->at[0].symbols[0].function + i, "\xe2\x82\xac",
			3);
	for (i = 0; i + 2 < SYMBOL_FILE_MAX; i += 2)
		memcpy(answer->at[0].symbols[0].file + i, "\xc3\xa4", 2);
	for (i = 1; i <= sizeof(where); i++) {
		assert_true(names_where(&f, answer, where, i));
		json = json_string(where);
		assert_non_null(json);
		json_decref(json);
	}
	symbols_answer_destroy(answer);
}

static void
test_round_trip(void **state)
{
	struct symbols_answer *answer, *again;
	struct failure f, read;
	json_t *json, *second;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		answer = make_answer(&rows[i], &f);
		json = names_frames(&f, answer);
		memset(&read, 0, sizeof(read));
		again = names_parse(&read, json);
		assert_int_equal(read.frames_n, f.frames_n);
		assert_memory_equal(read.frames, f.frames, sizeof(f.frames));
		second = names_frames(&read, again);
		assert_true(json_equal(json, second));
		json_decref(json);
		json_decref(second);
		symbols_answer_destroy(answer);
		symbols_answer_destroy(again);
	}
}

/* Without file and line the place in the function tells the bug. */
static void
test_round_trip_offset(void **state)
{
	static const uint64_t offsets[] = { 0, 0x12, 0x123456789abcdef };
	const struct row row = { "",
		{ { "t", { { "fill", "", 0 }, { "read", "", 0 } } } }, "" };
	struct symbols_answer *answer, *again;
	struct failure f, read = { 0 };
	json_t *json;

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		answer = make_answer(&row, &f);
		answer->at[0].symbols[0].offset = offsets[i];
		answer->at[0].symbols[1].offset = offsets[i] / 2;
		json = names_frames(&f, answer);
		again = names_parse(&read, json);
		json_decref(json);
		assert_true(again->at[0].symbols[0].offset == offsets[i]);
		assert_true(again->at[0].symbols[1].offset == offsets[i] / 2);
		assert_true(bucket_identity(&f, answer) ==
			bucket_identity(&read, again));
		symbols_answer_destroy(answer);
		symbols_answer_destroy(again);
	}
}

static void
test_damaged(void **state)
{
	static const char *const texts[] = {
		"[]", "{}", "[1, null, [], {}]",
		"[{\"module\": 7, \"offset\": \"x\", \"function\": 3}]",
		"[{\"function\": \"f\", \"line\": -1, \"inlined_into\": 4}]",
		"[{\"function\": \"\\u001b[2J\", \"line\": 99999999999}]",
		"[{\"function\": \"f\", \"function_offset\": -1}]",
		"[{\"file\": \"\", \"inlined_into\": [1, {}, [], {\"file\": {}}]}]"
	};
	struct symbols_answer *answer;
	struct failure f = { .frames_n = 3 };
	char where[64], *stack;
	json_t *json;
	size_t i;

	assert_null(names_parse(&f, NULL));
	assert_int_equal(f.frames_n, 0);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json = json_loads(texts[i], JSON_DECODE_ANY, NULL);
		assert_non_null(json);
		answer = names_parse(&f, json);
		json_decref(json);
		if (answer == NULL)
			continue;
		names_where(&f, answer, where, sizeof(where));
		stack = names_stack(&f, answer);
		assert_non_null(stack);
		assert_null(strchr(stack, '\033'));
		free(stack);
		symbols_answer_destroy(answer);
	}
}

static void
test_many_frames(void **state)
{
	struct symbols_answer *answer;
	json_t *frames = json_array(), *outer, *frame;
	struct failure f;
	int i, k;

	for (i = 0; i < 1000; i++) {
		outer = json_array();
		for (k = 0; k < 100; k++)
			json_array_append_new(outer,
				json_pack("{s:s}", "function", "g"));
		frame = json_pack("{s:s, s:i, s:s, s:o}", "module", "t",
			"offset", i, "function", "f", "inlined_into", outer);
		json_array_append_new(frames, frame);
	}
	answer = names_parse(&f, frames);
	json_decref(frames);
	assert_int_equal(f.frames_n, FAILURE_FRAMES_MAX);
	assert_int_equal(answer->at[0].n, SYMBOL_DEPTH_MAX);
	symbols_answer_destroy(answer);
}

static void
test_stack(void **state)
{
	static const struct row unnamed = { "",
		{ { "t", { { "copy", "copy.c", 3 } } },
			{ "libx.so", { { NULL, NULL, 0 } } },
			{ "t", { { "main", "main.c", 1 } } } },
		NULL };
	struct symbols_answer *answer;
	struct failure f;
	char *stack;

	answer = make_answer(&rows[1], &f);
	stack = names_stack(&f, answer);
	assert_string_equal(stack,
		"\nwhere, by name:\n    #0 fill tiles.c:9\n"
		"    #1 read tiles.c:90\n");
	free(stack);
	symbols_answer_destroy(answer);
	assert_null(names_stack(&f, NULL));
	answer = make_answer(&unnamed, &f);
	stack = names_stack(&f, answer);
	assert_string_equal(stack,
		"\nwhere, by name:\n    #0 copy copy.c:3\n"
		"    #1 libx.so+0x20\n    #2 main main.c:1\n");
	free(stack);
	symbols_answer_destroy(answer);
}

/* A leak whose stack ends in the C library: the report says how to see more. */
static void
test_no_caller(void **state)
{
	static const struct row asprintf_alone = { "",
		{ { "libc.so.6",
			{ { "__vasprintf_internal", "vasprintf.c", 71 } } } },
		NULL };
	static const struct {
		const char *name;
		const struct row *frames;
		enum failure_kind kind;
		bool says;
	} cases[] = {
		{ "a leak in the C library", &asprintf_alone, FAILURE_LEAK,
			true },
		{ "a leak of the target", &rows[1], FAILURE_LEAK, false },
		{ "a crash in the C library", &asprintf_alone, FAILURE_SIGNAL,
			false },
	};
	struct symbols_answer *answer;
	struct failure f;
	char *stack;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		answer = make_answer(cases[i].frames, &f);
		f.kind = cases[i].kind;
		stack = names_stack(&f, answer);
		if ((strstr(stack, "fast_unwind_on_malloc=0") != NULL) !=
			cases[i].says)
			fail_msg("%s: %s", cases[i].name, stack);
		free(stack);
		symbols_answer_destroy(answer);
	}
}

/* "target+0x10" without a name; "" without a frame. */
static void
test_spot(void **state)
{
	struct symbols_answer *answer;
	struct failure f;
	char spot[192];

	answer = make_answer(&rows[0], &f);
	names_spot(&f, answer, spot, sizeof(spot));
	assert_string_equal(spot, "read_tile tiles.c:118");
	names_spot(&f, NULL, spot, sizeof(spot));
	assert_string_equal(spot, "t+0x10");
	f.frames_n = 0;
	names_spot(&f, answer, spot, sizeof(spot));
	assert_string_equal(spot, "");
	symbols_answer_destroy(answer);
}

/* Lines and addresses differ between builds; functions do not. */
static void
test_same(void **state)
{
	/* clang-format off */
	static const struct {
		const char *title;
		struct row a, b;
		bool same;
	} pairs[] = {
		{ "another line",
		  { "", { { "t", { { "read", "t.c", 1 } } } }, NULL },
		  { "", { { "u", { { "read", "t.c", 9 } } } }, NULL }, true },
		{ "another function",
		  { "", { { "t", { { "read", "t.c", 1 } } } }, NULL },
		  { "", { { "t", { { "fill", "t.c", 1 } } } }, NULL }, false },
		{ "arguments with spaces",
		  { "", { { "t", { { "f(int, int)", "t.c", 1 } } } }, NULL },
		  { "", { { "t", { { "f(int, char)", "t.c", 1 } } } }, NULL },
		  false },
		{ "files alone",
		  { "", { { "t", { { "", "t.c", 1 } } } }, NULL },
		  { "", { { "t", { { "", "t.c", 7 } } } }, NULL }, true },
		{ "one without names",
		  { "", { { "t", { { "read", "t.c", 1 } } } }, NULL },
		  { "", { { "t", { { NULL, NULL, 0 } } } }, NULL }, true },
		{ "no file",
		  { "", { { "t", { { "read", "", 0 } } } }, NULL },
		  { "", { { "t", { { "read", "t.c", 1 } } } }, NULL }, true },
	};
	/* clang-format on */
	struct symbols_answer *a_names, *b_names;
	struct failure a, b;
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		a_names = make_answer(&pairs[i].a, &a);
		b_names = make_answer(&pairs[i].b, &b);
		a.kind = b.kind = FAILURE_SIGNAL;
		if (names_same(&a, a_names, &b, b_names) != pairs[i].same)
			fail_msg("%s", pairs[i].title);
		snprintf(b.what, sizeof(b.what), "SIGBUS");
		assert_false(names_same(&a, a_names, &b, b_names));
		assert_false(names_same(&a, NULL, &b, NULL));
		a.kind = FAILURE_EXIT;
		memcpy(a.what, b.what, sizeof(a.what));
		assert_false(names_same(&a, NULL, &b, NULL));
		symbols_answer_destroy(a_names);
		symbols_answer_destroy(b_names);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_round_trip_offset),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_many_frames),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_no_caller),
		cmocka_unit_test(test_spot),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
