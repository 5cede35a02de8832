/*
 * test_bucket: which failures are the same bug, and which are not.
 */
#include "findings/bucket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "findings/names.h"

/*
 * A failure in one line: "KIND WHAT|TEXT|frame|frame…". A frame is
 * "function@path:line-declared"; inlined functions are separated by '^',
 * innermost first. A frame without a name is "module+hex". Frames are in module
 * "t", or after "lib!" in "libc.so.6".
 */
struct row {
	const char *title, *a, *b;
	bool same;
};

/* clang-format off */
static const struct row rows[] = {
	{ "the same",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20|main@m.c:1-1",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20|main@m.c:1-1", true },
	{ "moved in its file",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20",
	  "signal SIGSEGV||f@a.c:109-105|g@a.c:31-20", true },
	{ "another line of the function",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20",
	  "signal SIGSEGV||f@a.c:10-5|g@a.c:30-20", false },
	{ "another line, where it begins is not known",
	  "signal SIGSEGV||f@a.c:9-0",
	  "signal SIGSEGV||f@a.c:10-0", false },
	{ "other lines of the callers",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20|h@a.c:50-40",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:31-20|h@a.c:51-40", true },
	{ "another caller",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20",
	  "signal SIGSEGV||f@a.c:9-5|h@a.c:30-20", false },
	{ "another caller, far away",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:3-2|h@a.c:5-4|i@a.c:7-6",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:3-2|h@a.c:5-4|j@a.c:7-6", true },
	{ "the same name in another file",
	  "signal SIGSEGV||f@a.c:9-5",
	  "signal SIGSEGV||f@b.c:9-5", false },
	{ "inlined here, called there",
	  "signal SIGSEGV||f@a.c:9-5^g@a.c:30-20|h@a.c:2-1",
	  "signal SIGSEGV||f@a.c:9-5|g@a.c:30-20|h@a.c:2-1", true },
	{ "an inlined helper, two bugs",
	  "signal SIGSEGV||put@a.c:9-5^g@a.c:30-20",
	  "signal SIGSEGV||put@a.c:9-5^h@a.c:30-20", false },
	{ "an instance of a template",
	  "signal SIGSEGV||get<int>@a.h:9-5|parse@p.cc:8-1",
	  "signal SIGSEGV||get<long>@a.h:9-5|parse@p.cc:8-1", true },
	{ "a clone",
	  "signal SIGSEGV||f.constprop.0@a.c:9-5",
	  "signal SIGSEGV||f.isra.0.cold@a.c:9-5", true },
	{ "another kind",
	  "signal SIGSEGV||f@a.c:9-5",
	  "sanitizer SIGSEGV||f@a.c:9-5", false },
	{ "another class",
	  "signal SIGSEGV||f@a.c:9-5",
	  "signal SIGFPE||f@a.c:9-5", false },
	{ "read and write",
	  "sanitizer heap|x: heap (READ of size 4)|f@a.c:9-5",
	  "sanitizer heap|x: heap (WRITE of size 4)|f@a.c:9-5", false },
	{ "more is read",
	  "sanitizer heap|x: heap (READ of size 4)|f@a.c:9-5",
	  "sanitizer heap|x: heap (READ of size 8)|f@a.c:9-5", true },
	{ "assertions",
	  "signal SIGABRT|aborted (SIGABRT): t: a.c:9: f: Assertion `x > 0' "
	  "failed.|f@a.c:9-5",
	  "signal SIGABRT|aborted (SIGABRT): t: a.c:9: f: Assertion `y > 0' "
	  "failed.|f@a.c:9-5", false },
	{ "numbers in an assertion",
	  "signal SIGABRT|x: Check failed: a == b (3 vs. 4)|f@a.c:9-5",
	  "signal SIGABRT|x: Check failed: a == b (0x7ffc vs. 4)|f@a.c:9-5",
	  true },
	{ "what a target says of itself",
	  "error error|tile 3 is bad|f@a.c:9-5",
	  "error error|tile 99 is bad|f@a.c:9-5", true },
	{ "exit statuses",
	  "exit exit 3||",
	  "exit exit 4||", false },
	{ "frames of libraries",
	  "signal SIGABRT||lib!raise|lib!abort|f@a.c:9-5",
	  "signal SIGABRT||lib!__pthread_kill|f@a.c:9-5", true },
	{ "a library in the middle",
	  "signal SIGSEGV||compare@a.c:9-5|lib!qsort+10|sort@a.c:20-19",
	  "signal SIGSEGV||compare@a.c:9-5|lib!qsort+99|sort@a.c:20-19", true },
	{ "a sanitizer's own",
	  "sanitizer heap||__asan_memcpy@asan_interceptors.cpp:22-1|f@a.c:9-5",
	  "sanitizer heap||f@a.c:9-5", true },
	{ "the standard library's, inlined",
	  "signal SIGSEGV||std::vector<int>::at@v.h:9-5^f@a.cc:9-5",
	  "signal SIGSEGV||f@a.cc:9-5", true },
	{ "the C++ library's, called",
	  "signal SIGABRT||__terminate@/usr/include/c++/12/config.h:312-310|"
	  "f@a.cc:9-5",
	  "signal SIGABRT||__clang_call_terminate@:0-0|f@a.cc:9-5", true },
	{ "only a library's",
	  "signal SIGABRT||lib!raise|lib!abort",
	  "signal SIGABRT||lib!other|lib!abort", false },
	{ "no names",
	  "signal SIGSEGV||t+10|t+20|t+30|t+40",
	  "signal SIGSEGV||t+10|t+20|t+30|t+50", true },
	{ "no names, another place",
	  "signal SIGSEGV||t+10|t+20|t+30",
	  "signal SIGSEGV||t+11|t+20|t+30", false },
	{ "a name alone",
	  "signal SIGSEGV||f@:0-0|g@:0-0",
	  "signal SIGSEGV||f@:0-0|g@:0-0", true },
	{ "depth of a recursion",
	  "signal SIGSEGV||leaf@a.c:9-5|obj@a.c:20-19|arr@a.c:30-29|top@a.c:4-3",
	  "signal SIGSEGV||leaf@a.c:9-5|obj@a.c:20-19|arr@a.c:30-29|"
	  "obj@a.c:20-19|arr@a.c:30-29|obj@a.c:21-19|top@a.c:4-3", true },
	{ "a used up stack",
	  "sanitizer stack-overflow||leaf@a.c:9-5|f@a.c:20-19|g@a.c:30-29|"
	  "f@a.c:20-19|g@a.c:30-29",
	  "sanitizer stack-overflow||g@a.c:29-29|f@a.c:20-19|g@a.c:30-29|"
	  "f@a.c:20-19|g@a.c:30-29", true },
	{ "stacks used up by others",
	  "sanitizer stack-overflow||f@a.c:20-19|g@a.c:30-29|f@a.c:20-19|"
	  "g@a.c:30-29",
	  "sanitizer stack-overflow||f@a.c:20-19|h@a.c:30-29|f@a.c:20-19|"
	  "h@a.c:30-29", false },
	{ "where a hang was ended",
	  "hang hang||loop@a.c:20-19|top@a.c:30-29",
	  "hang hang||loop@a.c:22-19|top@a.c:30-29", true },
	{ "a hang below a recursion of any depth",
	  "hang hang||loop@a.c:20-19|f@a.c:30-29|g@a.c:40-39|f@a.c:31-29|"
	  "g@a.c:40-39|main@a.c:2-1",
	  "hang hang||loop@a.c:20-19|g@a.c:40-39|f@a.c:31-29|g@a.c:40-39|"
	  "f@a.c:30-29", true },
	{ "two hangs",
	  "hang hang||loop@a.c:20-19|top@a.c:30-29",
	  "hang hang||pool@a.c:20-19|top@a.c:30-29", false },
	{ "linked statically",
	  "signal SIGABRT||__pthread_kill_implementation.constprop.0@:0-0|"
	  "gsignal@:0-0|abort@:0-0|__assert_fail_base.cold@:0-0|f@a.c:9-5",
	  "signal SIGABRT||f@a.c:9-5", true },
	{ "linked statically, for this processor",
	  "signal SIGSEGV||__memmove_avx512_unaligned_erms@:0-0|f@a.c:9-5",
	  "signal SIGSEGV||____strtol_l_internal@:0-0|f@a.c:9-5", true },
	{ "a function of such a name",
	  "signal SIGSEGV||__strip@a.c:2-1|f@a.c:9-5",
	  "signal SIGSEGV||f@a.c:9-5", false },
	{ "what a compiler calls",
	  "signal SIGSEGV||__popcountdi2@:0-0|f@a.c:9-5",
	  "signal SIGSEGV||__udivti3@:0-0|f@a.c:9-5", true },
	{ "a stack that was written over",
	  "signal stack-smashed||f@a.c:9-5|g@a.c:30-20",
	  "signal stack-smashed||t+10", true },
	{ "of another kind",
	  "signal stack-smashed||f@a.c:9-5",
	  "signal SIGSEGV||f@a.c:9-5", false },
	{ "where nothing of the target runs",
	  "signal stack-smashed||f@a.c:9-5|g@a.c:30-20",
	  "signal SIGSEGV||__do_global_dtors_aux@:0-0|seeds@:0-0", true },
	{ "seen by a canary",
	  "signal SIGABRT|aborted: *** stack smashing detected ***|f@a.c:9-5",
	  "signal SIGABRT|aborted: *** stack smashing detected ***|f@a.c:9-5|"
	  "g@a.c:30-20", true },
	{ "seen by the canaries of two",
	  "signal SIGABRT|aborted: *** stack smashing detected ***|f@a.c:9-5",
	  "signal SIGABRT|aborted: *** stack smashing detected ***|g@a.c:9-5",
	  false },
	{ "no function there",
	  "signal SIGSEGV||?+0|f@a.c:9-5",
	  "signal SIGSEGV||f@a.c:9-5", true },
};
/* clang-format on */

static void
take_symbol(char *text, struct symbol *s)
{
	char *file = strchr(text, '@'), *line;

	if (file != NULL) {
		*file++ = '\0';
		line = strchr(file, ':');
		*line++ = '\0';
		s->line = (uint32_t)strtoul(line, &line, 10);
		s->declared = (uint32_t)strtoul(line + 1, NULL, 10);
		snprintf(s->path, sizeof(s->path), "%s", file);
		snprintf(s->file, sizeof(s->file), "%s", basename(file));
	}
	snprintf(s->function, sizeof(s->function), "%s", text);
}

static void
take_frame(char *text, struct failure_frame *frame, struct symbols_at *at)
{
	bool library = strncmp(text, "lib!", 4) == 0;
	char *plus = strchr(text, '@') == NULL ? strchr(text, '+') : NULL;
	char *save = NULL, *word;

	snprintf(frame->module, sizeof(frame->module), "%s",
		library ? "libc.so.6" : "t");
	frame->offset = 77;
	at->symbols = xcalloc(8, sizeof(*at->symbols));
	if (plus != NULL) {
		*plus = '\0';
		frame->offset = strtoull(plus + 1, NULL, 16);
		if (!library) {
			snprintf(frame->module, sizeof(frame->module), "%s",
				text);
			return;
		}
	}
	for (word = strtok_r(library ? text + 4 : text, "^", &save);
		word != NULL; word = strtok_r(NULL, "^", &save))
		take_symbol(word, &at->symbols[at->n++]);
}

static struct symbols_answer *
take(const char *line, struct failure *f)
{
	struct symbols_answer *answer = xcalloc(1, sizeof(*answer));
	char *copy = xstrdup(line), *rest = copy, *kind, *what, *text, *frame;

	*f = (struct failure){ .kind = FAILURE_NONE };
	kind = strsep(&rest, "|");
	text = strsep(&rest, "|");
	what = strchr(kind, ' ');
	*what++ = '\0';
	f->kind = failure_kind_parse(kind);
	assert_true(f->kind != FAILURE_NONE);
	snprintf(f->what, sizeof(f->what), "%s", what);
	snprintf(f->text, sizeof(f->text), "%s", text);
	while (rest != NULL && *rest != '\0') {
		frame = strsep(&rest, "|");
		take_frame(frame, &f->frames[f->frames_n],
			&answer->at[f->frames_n]);
		f->frames_n++;
	}
	answer->n = f->frames_n;
	free(copy);
	return answer;
}

static void
test_row(void **state)
{
	const struct row *row = *state;
	char key_a[BUCKET_KEY_SIZE], key_b[BUCKET_KEY_SIZE];
	struct symbols_answer *names_a, *names_b;
	struct failure a, b;

	names_a = take(row->a, &a);
	names_b = take(row->b, &b);
	bucket_key(&a, names_a, key_a, sizeof(key_a));
	bucket_key(&b, names_b, key_b, sizeof(key_b));
	if (row->same)
		assert_string_equal(key_a, key_b);
	else
		assert_string_not_equal(key_a, key_b);
	assert_int_equal(bucket_identity(&a, names_a) ==
			bucket_identity(&b, names_b),
		row->same);
	symbols_answer_destroy(names_a);
	symbols_answer_destroy(names_b);
}

static void
test_key(void **state)
{
	char key[BUCKET_KEY_SIZE];
	struct symbols_answer *names;
	struct failure f;

	names = take(
		"sanitizer heap-buffer-overflow|AddressSanitizer: "
		"heap-buffer-overflow (READ of size 4)|"
		"fill<int>@t.c:9-5^read@t.c:30-20|top@t.c:3-1|main@t.c:1-1",
		&f);
	bucket_key(&f, names, key, sizeof(key));
	assert_string_equal(key,
		"sanitizer, heap-buffer-overflow, READ, fill t.c +4, "
		"read t.c, top t.c");
	bucket_key(&f, NULL, key, sizeof(key));
	assert_string_equal(key,
		"sanitizer, heap-buffer-overflow, READ, t+0x4d");
	symbols_answer_destroy(names);
}

/* The same stack hash gives the same bucket, but not the other way round. */
static void
test_finer(void **state)
{
	const struct row *row = *state;
	struct symbols_answer *names_a, *names_b;
	struct failure a, b;

	names_a = take(row->a, &a);
	names_b = take(row->b, &b);
	if (bucket_identity(&a, NULL) != bucket_identity(&b, NULL))
		assert_true(failure_stack_hash(&a) != failure_stack_hash(&b));
	symbols_answer_destroy(names_a);
	symbols_answer_destroy(names_b);
}

/* Numbers in a failure and in an answer are not trusted. */
static void
test_bounds(void **state)
{
	char key[BUCKET_KEY_SIZE];
	struct symbols_answer *names = xcalloc(1, sizeof(*names));
	struct failure f = { .kind = FAILURE_SANITIZER };
	uint32_t i, k, depth;

	memset(f.what, 'w', sizeof(f.what) - 1);
	memset(f.text, 0xff, sizeof(f.text));
	f.frames_n = UINT32_MAX;
	for (i = 0; i < FAILURE_FRAMES_MAX; i++) {
		memset(f.frames[i].module, 'm', FAILURE_MODULE_MAX);
		f.frames[i].module[FAILURE_MODULE_MAX - 1] = '\0';
		names->at[i].n = SYMBOL_DEPTH_MAX;
		names->at[i].symbols =
			xcalloc(SYMBOL_DEPTH_MAX, sizeof(struct symbol));
		for (k = 0; k < SYMBOL_DEPTH_MAX; k++) {
			struct symbol *s = &names->at[i].symbols[k];

			memset(s->function, 'a' + (int)k, SYMBOL_FUNCTION_MAX);
			s->function[SYMBOL_FUNCTION_MAX - 1] = '\0';
			memset(s->file, 'A' + (int)i, SYMBOL_FILE_MAX);
			s->file[SYMBOL_FILE_MAX - 1] = '\0';
			s->line = UINT32_MAX;
		}
	}
	names->n = FAILURE_FRAMES_MAX;
	bucket_key(&f, names, key, sizeof(key));
	assert_true(strlen(key) < sizeof(key));
	strcpy(f.what, "stack-overflow");
	bucket_key(&f, names, key, sizeof(key));
	assert_true(strlen(key) < sizeof(key));
	assert_int_equal(names_own_frame(&f, names, &depth), 0);
	f.frames_n = 0;
	assert_int_equal(names_own_frame(&f, names, &depth), 0);
	assert_true(bucket_identity(&f, NULL) != 0);
	symbols_answer_destroy(names);
}

static void
test_overflow(void **state)
{
	assert_true(bucket_overflow(FAILURE_SIGNAL) != 0);
	assert_true(bucket_overflow(FAILURE_SIGNAL) !=
		bucket_overflow(FAILURE_SANITIZER));
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[2 * N + 3];
	size_t i;

	for (i = 0; i < N; i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].title,
			.test_func = test_row,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
		tests[N + i] = (struct CMUnitTest){
			.name = "finer",
			.test_func = test_finer,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	}
	tests[2 * N] = (struct CMUnitTest)cmocka_unit_test(test_key);
	tests[2 * N + 1] = (struct CMUnitTest)cmocka_unit_test(test_bounds);
	tests[2 * N + 2] = (struct CMUnitTest)cmocka_unit_test(test_overflow);
	return _cmocka_run_group_tests("bucket", tests, 2 * N + 3, NULL, NULL);
}
