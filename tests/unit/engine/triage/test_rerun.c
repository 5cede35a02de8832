/*
 * test_rerun: command lines for a shell, with any paths and options.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "engine/engine_private.h"
#include "engine/triage/rerun.h"
#include "findings/finding.h"

static void
test_commands(void **state)
{
	static const struct {
		const char *title, *target, *output;
		const char *set[2]; /* an option and its value */
		const char *command;
		const char *limits; /* in crash.json; NULL: none */
	} rows[] = {
		{ "plain", "./t", "out", { NULL, NULL },
			"cfuzz repro ./t out/crashes/x/input", NULL },
		{ "blank", "./my target", "out", { NULL, NULL },
			"cfuzz repro './my target' out/crashes/x/input", NULL },
		{ "quote", "./t", "it's", { NULL, NULL },
			"cfuzz repro ./t 'it'\\''s/crashes/x/input'", NULL },
		{ "a command in it", "$(reboot)", "`x`", { NULL, NULL },
			"cfuzz repro '$(reboot)' '`x`/crashes/x/input'", NULL },
		{ "control characters", "t\x1b[31m", "a\nb", { NULL, NULL },
			"cfuzz repro $'t\\033[31m' "
			"$'a\\012b/crashes/x/input'",
			NULL },
		{ "timeout", "t", "o", { "timeout", "250ms" },
			"cfuzz repro --timeout 250ms t o/crashes/x/input",
			NULL },
		{ "memory", "t", "o", { "rss-limit", "64" },
			"cfuzz repro --rss-limit 64M t o/crashes/x/input",
			NULL },
		{ "environment", "t", "o", { "clean-env", "on" },
			"cfuzz repro --clean-env t o/crashes/x/input", NULL },
		/* The run in which it failed had other limits than this one. */
		{ "another limit", "t", "o", { "timeout", "250ms" },
			"cfuzz repro --timeout 70ms t o/crashes/x/input",
			"{\"timeout\":\"70ms\",\"rss-limit\":\"2G\"}" },
		{ "the default", "t", "o", { "timeout", "250ms" },
			"cfuzz repro --timeout 1s t o/crashes/x/input",
			"{\"timeout\":\"1s\"}" },
		{ "the whole environment", "t", "o", { "clean-env", "on" },
			"cfuzz repro --no-clean-env t o/crashes/x/input",
			"{\"clean-env\":\"off\"}" },
		{ "invalid limits", "t", "o", { "timeout", "250ms" },
			"cfuzz repro --timeout 250ms t o/crashes/x/input",
			"{\"timeout\":\";reboot\",\"rss-limit\":4}" },
	};
	struct finding f = { .folder = "crashes/x" };
	char command[RERUN_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		static struct engine e;

		memset(&e, 0, sizeof(e));
		settings_init(&e.settings);
		e.target.path = (char *)(uintptr_t)rows[i].target;
		e.output_path = (char *)(uintptr_t)rows[i].output;
		if (rows[i].set[0] != NULL)
			assert_int_equal(settings_set(&e.settings,
						 rows[i].set[0], rows[i].set[1],
						 ORIGIN_FLAG, NULL),
				OK);
		if (rows[i].limits != NULL)
			f.limits = json_loads(rows[i].limits, 0, NULL);
		rerun_command(&e, &f, false, command, sizeof(command));
		if (strcmp(command, rows[i].command) != 0)
			fail_msg("%s: %s", rows[i].title, command);
		json_decref(f.limits);
		f.limits = NULL;
		settings_clear(&e.settings);
	}
}

/* The smallest file that fails with this build, or the folder of a sequence. */
static void
test_files(void **state)
{
	static struct engine e;
	struct finding f = { .folder = "crashes/x",
		.minimized = (uint8_t[]){ 'a' },
		.minimized_len = 1 };
	char command[RERUN_MAX];

	settings_init(&e.settings);
	e.target.path = (char *)(uintptr_t) "t";
	e.output_path = (char *)(uintptr_t) "o";
	rerun_command(&e, &f, false, command, sizeof(command));
	assert_string_equal(command, "cfuzz repro t o/crashes/x/minimized");
	strcpy(f.minimized_build, "another");
	rerun_command(&e, &f, false, command, sizeof(command));
	assert_string_equal(command, "cfuzz repro t o/crashes/x/input");
	f.sequence_n = 2;
	rerun_command(&e, &f, false, command, sizeof(command));
	assert_string_equal(command, "cfuzz repro t o/crashes/x");
	settings_clear(&e.settings);
}

/* Paths that work in any folder. */
static void
test_absolute(void **state)
{
	static struct engine e;
	struct finding f = { .folder = "hangs/y" };
	char command[RERUN_MAX];

	settings_init(&e.settings);
	e.output_path = (char *)(uintptr_t) "/usr/../usr/bin/.";
	snprintf(e.target.info.path, sizeof(e.target.info.path),
		"/opt/a target");
	rerun_command(&e, &f, true, command, sizeof(command));
	assert_string_equal(command,
		"cfuzz repro '/opt/a target' /usr/bin/hangs/y/input");
	settings_clear(&e.settings);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_absolute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
