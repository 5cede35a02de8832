/*
 * test_report_names: the lines of a report that get names, and all others. This
 * program is both the helper and the target.
 */
#include "findings/report_names.h"

#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "symbols/helper.h"

/*
 * Marks in the reports: "@": "(/x/MODULE+0xOFFSET)" of place_one(), "%": of
 * place_two(), "~": of an address without a name; "=", "&": name and place of
 * place_one() and place_two(); "!": as "@", of a function that calls a target;
 * "^": as "@", of code that is inlined, in a file of the user.
 */
static const struct row {
	const char *title, *report, *named; /* NULL: nothing is requested */
} rows[] = {
	{ "nothing", "", NULL },
	{ "no places", "ERROR: x\n    #0 0x12 in main a.c:7\n", NULL },
	{ "a stack", "    #0 0x55ab  @ (BuildId: 12)\n",
		"    #0 0x55ab in = @ (BuildId: 12)\n" },
	{ "several",
		"ERROR\n#0 0x1 @\n#1 0x2  %\n\nfreed by T0 here:\n#0 0x2 %\n",
		"ERROR\n#0 0x1 in = @\n#1 0x2 in & %\n\nfreed by T0 here:\n"
		"#0 0x2 in & %\n" },
	{ "the summary", "SUMMARY: AddressSanitizer: SEGV @ (BuildId: 1) \n",
		"SUMMARY: AddressSanitizer: SEGV in = @ (BuildId: 1) \n" },
	{ "as ThreadSanitizer says it", "  #0 <null> <null> @\n",
		"  #0 in = @\n" },
	{ "one has a name", "#0 0x1 in f a.c:7 @\n#1 0x1 @\n",
		"#0 0x1 in f a.c:7 @\n#1 0x1 in = @\n" },
	{ "one cannot have one", "#0 0x1 @\n#1 0x1 ~\n#2 0x2 %\n",
		"#0 0x1 in = @\n#1 0x1 ~\n#2 0x2 in & %\n" },
	{ "not from the beginning", "x\n#7 0x1 @\n#8 0x1 @\n",
		"x\n#7 0x1 in = @\n#8 0x1 in = @\n" },
	{ "what it says of itself",
		"#0 \033[31m 0x1 @\n#0 0x1 @\nx\033]0;y\a\n",
		"#0 \\x1b[31m 0x1 @\n#0 0x1 in = @\nx\\x1b]0;y\\x07\n" },
	{ "no end of line", "#0 0x1 @", "#0 0x1 in = @\n" },
	{ "outside of the target",
		"#0 0x1 @\n#1 0x2 !\n#2 0x3 %\n\nfreed by T0 here:\n"
		"#0 0x2 %\n#1 0x2 !\n#2 0x3 ~\nx\n",
		"#0 0x1 in = @\n\nfreed by T0 here:\n#0 0x2 in & %\nx\n" },
	{ "inlined in a folder of the runtime's name", "#0 0x1 ^\n",
		"#0 0x1 in arm_check arm.c:4 ^\n#1 0x1 in arm_halt arm.c:12 ^\n" },
	{ "inside of what calls it", "#0 0x1 !\n#1 0x2 @\n",
		"#0 0x1 in child_execute child.c:1 !\n#1 0x2 in = @\n" },
};

/* clang-format off */
__attribute__((noinline)) static int place_one(int x) { return x * 3; }
__attribute__((noinline)) static int place_two(int x) { return x * 5; }
enum { LINE_ONE = __LINE__ - 2 };
/* clang-format on */

static int child_execute(int x);
static int arm_halt(int x);
extern const char arm_place[];

static char program[PATH_MAX];

static void
write_place(FILE *out, uintptr_t place)
{
	Dl_info info;

	assert_true(dladdr((void *)place, &info) != 0);
	fprintf(out, "(%s+0x%lx)", program,
		(unsigned long)(place - (uintptr_t)info.dli_fbase));
}

/* Returns a new string with the marks of the table replaced. */
static char *
fill_in(const char *text)
{
	char *filled = NULL;
	size_t len;
	FILE *out = open_memstream(&filled, &len);

	for (; *text != '\0'; text++) {
		if (*text == '@')
			write_place(out, (uintptr_t)place_one);
		else if (*text == '%')
			write_place(out, (uintptr_t)place_two);
		else if (*text == '!')
			write_place(out, (uintptr_t)child_execute);
		else if (*text == '^')
			write_place(out, (uintptr_t)arm_place);
		else if (*text == '~')
			fprintf(out, "(%s+0x7fffffff)", program);
		else if (*text == '=')
			fprintf(out, "place_one test_report_names.c:%d",
				LINE_ONE);
		else if (*text == '&')
			fprintf(out, "place_two test_report_names.c:%d",
				LINE_ONE + 1);
		else
			fputc(*text, out);
	}
	fclose(out);
	return filled;
}

struct asking {
	struct event_base *base;
	struct target_info target;
	struct names *names;
	struct report_names *reports;
	char *text; /* that came */
};

static void
setup(struct asking *a)
{
	memset(a, 0, sizeof(*a));
	a->base = event_base_new();
	a->target.fd = -1;
	snprintf(a->target.path, sizeof(a->target.path), "%s", program);
	snprintf(a->target.name, sizeof(a->target.name), "%s",
		strrchr(program, '/') + 1);
	a->names = names_create(a->base, &a->target, NULL);
	a->reports = report_names_create(a->names);
}

static void
teardown(struct asking *a)
{
	names_destroy(a->names);
	report_names_destroy(a->reports);
	event_base_free(a->base);
	free(a->text);
}

static void
on_text(void *arg, char *take_text)
{
	struct asking *a = arg;

	a->text = take_text;
	event_base_loopbreak(a->base);
}

static void
test_row(void **state)
{
	const struct row *row = *state;
	struct asking a;
	char *report = fill_in(row->report), *named;
	bool asked;

	setup(&a);
	asked = report_names_ask(a.reports, report, strlen(report), 0, on_text,
		&a);
	assert_int_equal(asked, row->named != NULL);
	if (asked) {
		event_base_dispatch(a.base);
		named = fill_in(row->named);
		assert_string_equal(a.text, named);
		free(named);
	}
	free(report);
	teardown(&a);
}

/* Many places and long lines stay within the limits. */
static void
test_large(void **state)
{
	char *report = NULL;
	size_t len, i;
	FILE *out = open_memstream(&report, &len);
	struct asking a;

	for (i = 0; i < 3 * REPORT_NAMES_MAX; i++)
		fprintf(out, "#%zu 0x1 (%s+0x%zx)\n", i, program, i);
	for (i = 0; i < 5000; i++)
		fputc('x', out);
	fclose(out);
	setup(&a);
	assert_true(report_names_ask(a.reports, report, len, 0, on_text, &a));
	event_base_dispatch(a.base);
	assert_non_null(strstr(a.text, "\nxxxxx"));
	assert_true(strlen(a.text) > len);
	free(report);
	teardown(&a);
}

/* A forgotten question has no callback, and all memory is freed. */
static void
test_forgotten(void **state)
{
	char *report = fill_in("#0 0x1 @\n");
	size_t len = strlen(report);
	struct asking a, other;

	setup(&a);
	memset(&other, 0, sizeof(other));
	assert_true(
		report_names_ask(a.reports, report, len, 0, on_text, &other));
	report_names_forget(a.reports, &other);
	assert_true(report_names_ask(a.reports, report, len, 0, on_text, &a));
	event_base_dispatch(a.base);
	assert_non_null(a.text);
	assert_null(other.text);
	assert_true(
		report_names_ask(a.reports, report, len, 0, on_text, &other));
	free(report);
	teardown(&a);
}

/* Pretends to be in that file. */
/* clang-format off */
#line 1 "src/target/child/child.c"
__attribute__((noinline)) static int child_execute(int x) { return x * 7; }
#line 1 "/x/src/target/arm.c"
static inline __attribute__((always_inline)) int
arm_check(int x)
{
	__asm__ volatile("nop\n\t.hidden arm_place\n\t.globl arm_place\narm_place:\n\tnop\n\tnop");
	return x * 9;
}

__attribute__((noinline, used)) static int
arm_halt(int x)
{

	return arm_check(x) + 1;
}
/* clang-format on */

int
main(int argc, char **argv)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N + 2] = { { 0 } };
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	int status;
	size_t i;

	if (symbols_helper_main(argc, argv, &status))
		return status;
	if (n < 0 || place_one(1) + place_two(1) + arm_halt(1) != 18)
		return 1;
	for (i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){ .name = rows[i].title,
			.test_func = test_row,
			.initial_state = (void *)(uintptr_t)&rows[i] };
	tests[N] = (struct CMUnitTest)cmocka_unit_test(test_large);
	tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_forgotten);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
