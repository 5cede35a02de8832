#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/environment.h"

#define OURS \
	"abort_on_error=1:halt_on_error=1:symbolize=0:handle_abort=0:" \
	"exitcode=77:log_path=stderr"
#define GAPS "detect_leaks=0:print_summary=1:malloc_context_size=10"

struct row {
	const char *name, *user, *want;
	uint64_t limit_mb;
	bool undefined;
};

static const struct row rows[] = {
	{ "nothing of the user", NULL, GAPS ":" OURS, 0, false },
	{ "empty", "", GAPS ":" OURS, 0, false },
	{ "the user's value wins", "detect_leaks=1",
		"detect_leaks=1:print_summary=1:malloc_context_size=10:" OURS,
		0, false },
	{ "ours whatever the user says", "symbolize=1:exitcode=3:log_path=/x",
		GAPS ":" OURS, 0, false },
	{ "thread starters are dropped",
		"hard_rss_limit_mb=5,soft_rss_limit_mb=6", GAPS ":" OURS, 0,
		false },
	{ "memory limit becomes the largest allocation", NULL,
		GAPS ":max_allocation_size_mb=2048:" OURS, 2048, false },
	{ "the user's largest allocation", "max_allocation_size_mb=7",
		"max_allocation_size_mb=7:" GAPS ":" OURS, 2048, false },
	{ "undefined behaviour has stacks", NULL,
		GAPS ":print_stacktrace=1:" OURS, 0, true },
	{ "separators", "a=1, b=2:c=3\td=4", "a=1:b=2:c=3:d=4:" GAPS ":" OURS,
		0, false },
};

static void
test_merge(void **state)
{
	const struct row *row = *state;
	char *text =
		environment_merge(row->user, row->limit_mb, row->undefined);

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

	(void)state;
	env = environment_create(from, &all);
	assert_string_equal(value_of(env, "HOME"), "/h");
	assert_string_equal(value_of(env, "EXTRA"), "1");
	assert_null(value_of(env, "CFUZZ_CC"));
	assert_string_equal(value_of(env, "CFUZZ_WORKER"), "3");
	assert_non_null(strstr(value_of(env, "ASAN_OPTIONS"), "a=1:"));
	environment_destroy(env);
	env = environment_create(from, &clean);
	assert_null(value_of(env, "EXTRA"));
	assert_string_equal(value_of(env, "LC_ALL"), "C");
	environment_destroy(env);
	environment_destroy(NULL);
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N + 1];
	size_t i;

	for (i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name,
			.test_func = test_merge,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	tests[N] = (struct CMUnitTest)cmocka_unit_test(test_create);
	return _cmocka_run_group_tests("environment", tests, N + 1, NULL, NULL);
}
