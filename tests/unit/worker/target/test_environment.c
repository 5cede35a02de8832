#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "lib/rows.h"
#include "shared/file_stamp.h"
#include "shared/wire/memory.h"
#include "worker/target/environment.h"

#define OURS \
	"abort_on_error=1:halt_on_error=1:symbolize=0:handle_abort=0:" \
	"exitcode=77:log_path=stderr:leak_check_at_exit=0"
#define GAPS "print_summary=1:malloc_context_size=10"

struct row {
	const char *name, *user, *want;
	uint64_t limit_mb;
	const char *variable; /* NULL: that of AddressSanitizer */
	bool no_leaks;
};

static const struct row rows[] = {
	{ "nothing of the user", NULL, GAPS ":" OURS, 0, NULL, false },
	{ "empty", "", GAPS ":" OURS, 0, NULL, false },
	{ "the user's value wins", "detect_leaks=1",
		"detect_leaks=1:" GAPS ":" OURS, 0, NULL, false },
	{ "ours whatever the user says", "symbolize=1:exitcode=3:log_path=/x",
		GAPS ":" OURS, 0, NULL, false },
	{ "thread starters are dropped",
		"hard_rss_limit_mb=5,soft_rss_limit_mb=6", GAPS ":" OURS, 0,
		NULL, false },
	{ "memory limit becomes the largest allocation", NULL,
		GAPS ":max_allocation_size_mb=2048:" OURS, 2048, NULL, false },
	{ "the user's largest allocation", "max_allocation_size_mb=7",
		"max_allocation_size_mb=7:" GAPS ":" OURS, 2048, NULL, false },
	{ "undefined behaviour has stacks", NULL,
		GAPS ":print_stacktrace=1:" OURS, 0, "UBSAN_OPTIONS", false },
	{ "leaks are not wanted", NULL,
		"print_summary=1:malloc_context_size=10:detect_leaks=0:" OURS,
		0, NULL, true },
	{ "leaks are, of the user", "detect_leaks=1",
		"detect_leaks=1:" GAPS ":" OURS, 0, NULL, true },
	{ "few leaks in a report", NULL, GAPS ":max_leaks=10:" OURS, 0,
		"LSAN_OPTIONS", false },
	{ "separators", "a=1, b=2:c=3\td=4", "a=1:b=2:c=3:d=4:" GAPS ":" OURS,
		0, NULL, false },
};

static void
test_merge(void **state)
{
	const struct row *row = *state;
	const struct environment_spec spec = {
		.rss_limit_mb = row->limit_mb,
		.no_leaks = row->no_leaks,
	};
	char *text = environment_merge(row->user,
		row->variable != NULL ? row->variable : "ASAN_OPTIONS", &spec);

	assert_string_equal(text, row->want);
	free(text);
}

static const char *
value_of(char **env, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; env[i] != NULL; i++)
		if (strncmp(env[i], name, n) == 0 && env[i][n] == '=')
			return env[i] + n + 1;
	return NULL;
}

static void
test_create(void **state)
{
	char *from[] = { (char[]){ "HOME=/h" }, (char[]){ "EXTRA=1" },
		(char[]){ "CFUZZ_WORKER=9" }, (char[]){ "CFUZZ_CC=x" },
		(char[]){ "LC_ALL=C" }, (char[]){ "ASAN_OPTIONS=a=1" }, NULL };
	const struct environment_spec all = { 0 }, clean = { .clean = true };
	char **env;

	env = environment_create(from, &all);
	assert_string_equal(value_of(env, "HOME"), "/h");
	assert_string_equal(value_of(env, "EXTRA"), "1");
	assert_null(value_of(env, "CFUZZ_CC"));
	assert_string_equal(value_of(env, "CFUZZ_WORKER"), "3");
	assert_non_null(strstr(value_of(env, "ASAN_OPTIONS"), "a=1:"));
	xfree_list(env);
	env = environment_create(from, &clean);
	assert_null(value_of(env, "EXTRA"));
	assert_string_equal(value_of(env, "LC_ALL"), "C");
	xfree_list(env);
	xfree_list(NULL);
}

/* All variables of ours at once have room. */
static void
test_own(void **state)
{
	static const struct {
		const char *name, *value;
	} own[] = { { "CFUZZ_WORKER", "3" }, { "CFUZZ_CMPLOG", "/c" },
		{ "CFUZZ_PLAIN", "1" }, { "LD_BIND_NOW", "cfuzz" },
		{ "LD_PRELOAD", "/p.so:/mine.so" } };
	char *from[] = { (char[]){ "LD_PRELOAD=/mine.so" }, NULL };
	const struct environment_spec spec = { .cmplog = "/c",
		.preload = "/p.so",
		.plain = true };
	char **none = environment_create(from + 1, &spec);
	char **env = environment_create(from, &spec);

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		assert_string_equal(value_of(env, own[i].name), own[i].value);
	assert_string_equal(value_of(none, "LD_PRELOAD"), "/p.so");
	xfree_list(none);
	xfree_list(env);
}

/* The adapter starts both programs by their paths, and sees by these whether
 * they are still the files that the engine saw. */
static void
test_stamps(void **state)
{
	char *from[] = { NULL };
	int fd = open("/bin/sh", O_RDONLY | O_CLOEXEC);
	const struct environment_spec spec = { .program_fd = fd,
		.cmplog = "/bin/cat" };
	const struct environment_spec gone = { .cmplog = "/no/such" };
	char program[FILE_STAMP_SIZE], cmplog[FILE_STAMP_SIZE];
	char **env = environment_create(from, &spec);
	char **none = environment_create(from, &gone);
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	file_stamp(&st, program);
	assert_int_equal(stat("/bin/cat", &st), 0);
	file_stamp(&st, cmplog);
	assert_string_not_equal(program, cmplog);
	assert_string_equal(value_of(env, WORKER_PROGRAM_STAMP), program);
	assert_string_equal(value_of(env, WORKER_CMPLOG_STAMP), cmplog);
	assert_string_equal(value_of(none, WORKER_CMPLOG), "/no/such");
	assert_null(value_of(none, WORKER_PROGRAM_STAMP));
	assert_null(value_of(none, WORKER_CMPLOG_STAMP));
	xfree_list(none);
	xfree_list(env);
	close(fd);
}

/* Calls are resolved at the start, unless the user has decided. */
static void
test_bind(void **state)
{
	static const struct {
		const char *from, *now;
	} settings[] = { { "A=1", "cfuzz" }, { "LD_BIND_NOW=1", "1" },
		{ "LD_BIND_LAZY=1", NULL } };
	const struct environment_spec spec = { 0 };

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		char entry[64];
		char *from[] = { entry, NULL };
		char **env;

		snprintf(entry, sizeof(entry), "%s", settings[i].from);
		env = environment_create(from, &spec);
		if (settings[i].now != NULL)
			assert_string_equal(value_of(env, "LD_BIND_NOW"),
				settings[i].now);
		else
			assert_null(value_of(env, "LD_BIND_NOW"));
		xfree_list(env);
	}
}

/* Only the options of the target's sanitizer are shown. */
static void
test_tell(void **state)
{
	static char *const from[] = { "PATH=/bin",
		"ASAN_OPTIONS=verbosity=1\033", NULL };
	static const struct {
		const char *sanitizer, *start;
		const char *has; /* first letters of all variables shown */
	} told[] = {
		{ "address", "ASAN_OPTIONS=verbosity=1\\x1b:", "AUL" },
		{ "undefined", "UBSAN_OPTIONS=", "U" },
		{ "memory", "MSAN_OPTIONS=", "MU" },
		{ "thread", "TSAN_OPTIONS=", "TU" },
		{ "leak", "LSAN_OPTIONS=", "LU" },
		{ "", "", "" },
		{ "other", "", "" },
	};
	static const char *const names[] = { "ASAN_OPTIONS=", "UBSAN_OPTIONS=",
		"MSAN_OPTIONS=", "TSAN_OPTIONS=", "LSAN_OPTIONS=" };
	const struct environment_spec spec = { .rss_limit_mb = 100 };
	char **env = environment_create(from, &spec);
	char text[1024];

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		environment_describe(env, told[i].sanitizer, text,
			sizeof(text));
		assert_memory_equal(text, told[i].start, strlen(told[i].start));
		assert_int_equal(text[0] == '\0', told[i].start[0] == '\0');
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			assert_int_equal(strstr(text, names[k]) != NULL,
				strchr(told[i].has, names[k][0]) != NULL);
	}
	xfree_list(env);
}

/* The user's settings for the dynamic linker are kept and shown. */
static void
test_libraries(void **state)
{
	char *const from[] = { "PATH=/bin", "LD_PRELOAD=/x/\033y.so",
		"LD_LIBRARY_PATH=/lib", NULL };
	const struct environment_spec as_is = { 0 }, clean = { .clean = true };
	char **env = environment_create(from, &as_is), text[4096];

	assert_non_null(value_of(env, "LD_PRELOAD"));
	environment_describe(env, "", text, sizeof(text));
	assert_string_equal(text,
		"LD_PRELOAD=/x/\\x1by.so LD_LIBRARY_PATH=/lib");
	environment_describe(env, "address", text, sizeof(text));
	assert_non_null(strstr(text, " LD_PRELOAD=/x/"));
	xfree_list(env);
	env = environment_create(from, &clean);
	assert_null(value_of(env, "LD_PRELOAD"));
	environment_describe(env, "", text, sizeof(text));
	assert_string_equal(text, "LD_LIBRARY_PATH=/lib");
	xfree_list(env);
	env = environment_create(from + 3, &as_is);
	assert_null(value_of(env, "LD_PRELOAD"));
	assert_null(value_of(env, "LD_LIBRARY_PATH"));
	xfree_list(env);
}

/* The target is not a worker; the last of two values counts. */
static void
test_create_debug(void **state)
{
	char *const from[] = { "PATH=/bin", "CFUZZ_WORKER=5", "CFUZZ_X=1",
		"ASAN_OPTIONS=a=1", NULL };
	const struct environment_spec spec = { .rss_limit_mb = 100 };
	char **env = environment_create_debug(from, &spec);

	assert_string_equal(value_of(env, "PATH"), "/bin");
	assert_null(value_of(env, "CFUZZ_WORKER"));
	assert_null(value_of(env, "CFUZZ_X"));
	assert_null(value_of(env, "LD_BIND_NOW"));
	assert_string_equal(value_of(env, "ASAN_OPTIONS"),
		"a=1:" GAPS ":max_allocation_size_mb=100:" OURS ":symbolize=1");
	assert_non_null(strstr(value_of(env, "UBSAN_OPTIONS"), "symbolize=1"));
	xfree_list(env);
}

/* Another limit for processes that start later, and nothing else. */
static void
test_change(void **state)
{
	char *const from[] = { "PATH=/bin", "ASAN_OPTIONS=a=1", NULL };
	static const struct {
		uint64_t mb;
		const char *options;
	} changes[] = {
		{ 100, "a=1:" GAPS ":max_allocation_size_mb=100:" OURS },
		{ 8192, "a=1:" GAPS ":max_allocation_size_mb=8192:" OURS },
		{ 0, "a=1:" GAPS ":" OURS },
	};
	struct environment_spec spec = { .rss_limit_mb = 1 };
	char **env = environment_create(from, &spec);

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		spec.rss_limit_mb = changes[i].mb;
		environment_change(env, from, &spec);
		assert_string_equal(value_of(env, "ASAN_OPTIONS"),
			changes[i].options);
		assert_string_equal(value_of(env, "PATH"), "/bin");
	}
	xfree_list(env);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_tell),
		cmocka_unit_test(test_create_debug),
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_bind),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_stamps),
		cmocka_unit_test(test_change),
	};

	return rows_run_with("environment", ROWS_OF(rows, name, test_merge),
		others, ROWS(others), NULL, NULL);
}
