/*
 * test_settings_args: command lines, the nearest name, the help text.
 */

#include "control/settings.h"

#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"

#define ARGS_MAX 8

struct line {
	const char *args[ARGS_MAX]; /* without the program's name */
	unsigned front_end;
	int operand; /* index in argv */
	enum option_id id;
	const char *value; /* of that option */
	const char *message;
};

static void
check_line(const struct line *line)
{
	char *argv[ARGS_MAX + 1] = { (char *)"cfuzz" };
	const char *first = line->args[0] ? line->args[0] : "(nothing)";
	struct error err = { 0 };
	struct settings settings;
	enum status status;
	char value[64];
	int argc = 1, operand = -1;

	for (; argc <= ARGS_MAX && line->args[argc - 1]; argc++)
		argv[argc] = (char *)line->args[argc - 1];
	settings_init(&settings);
	status = settings_parse_args(&settings, argc, argv, line->front_end,
		&operand, &err);
	if (line->message) {
		row_check(status != OK && err.code == status, "%s", first);
		row_check(strcmp(err.text, line->message) == 0, "%s: %s", first,
			err.text);
	} else {
		row_check(status == OK, "%s: %s", first, err.text);
		row_check(operand == line->operand, "%s: %d", first, operand);
		settings_format(&settings, line->id, value, sizeof(value));
		row_check(strcmp(value, line->value) == 0, "%s: %s", first,
			value);
	}
	settings_clear(&settings);
}

static void
test_good_lines(void **state)
{
	static const struct line lines[] = {
		{ { NULL }, 0, 1, OPT_TIMEOUT, "1s", NULL },
		{ { "prog" }, 0, 1, OPT_TIMEOUT, "1s", NULL },
		{ { "--timeout", "50", "prog" }, 0, 3, OPT_TIMEOUT, "50ms",
			NULL },
		{ { "--timeout=50", "prog" }, 0, 2, OPT_TIMEOUT, "50ms", NULL },
		{ { "prog", "--timeout=50" }, 0, 1, OPT_TIMEOUT, "1s", NULL },
		{ { "-j", "3", "prog" }, 0, 3, OPT_PARALLEL, "3", NULL },
		{ { "-j3", "prog" }, 0, 2, OPT_PARALLEL, "3", NULL },
		{ { "-j3", "-j4" }, 0, 3, OPT_PARALLEL, "4", NULL },
		{ { "-j=3", "prog" }, 0, 2, OPT_PARALLEL, "3", NULL },
		{ { "-o=a=b", "prog" }, 0, 2, OPT_OUTPUT, "a=b", NULL },
		{ { "-o/x=b", "prog" }, 0, 2, OPT_OUTPUT, "/x=b", NULL },
		{ { "-oout", "prog" }, 0, 2, OPT_OUTPUT, "out", NULL },
		{ { "-o", "-x", "prog" }, 0, 3, OPT_OUTPUT, "-x", NULL },
		{ { "--output=a=b" }, 0, 2, OPT_OUTPUT, "a=b", NULL },
		{ { "--", "--timeout=5" }, 0, 2, OPT_TIMEOUT, "1s", NULL },
		{ { "-j2", "--", "-x" }, 0, 3, OPT_PARALLEL, "2", NULL },
		{ { "--" }, 0, 2, OPT_TIMEOUT, "1s", NULL },
		{ { "-", "x" }, 0, 1, OPT_TIMEOUT, "1s", NULL },
		{ { "", "x" }, 0, 1, OPT_TIMEOUT, "1s", NULL },
		{ { "--dict", "a", "--dict=b" }, 0, 4, OPT_DICT, "a, b", NULL },
		{ { "--stop-on-crash", "p" }, 0, 2, OPT_STOP_ON_CRASH, "on",
			NULL },
		{ { "--stop-on-crash=off" }, 0, 2, OPT_STOP_ON_CRASH, "off",
			NULL },
		{ { "--stop-on-crash", "--no-stop-on-crash" }, 0, 3,
			OPT_STOP_ON_CRASH, "off", NULL },
		{ { "--no-color", "--color" }, 0, 3, OPT_NO_COLOR, "off",
			NULL },
		{ { "--no-color" }, 0, 2, OPT_NO_COLOR, "on", NULL },
		{ { "--debug", "prog" }, 0, 2, OPT_DEBUG, "cfuzz.debug", NULL },
		{ { "--debug=f", "prog" }, 0, 2, OPT_DEBUG, "f", NULL },
		{ { "-h" }, 0, 2, OPT_HELP, "on", NULL },
		{ { "--help" }, 0, 2, OPT_HELP, "on", NULL },
		{ { "--version" }, 0, 2, OPT_VERSION, "on", NULL },
		{ { "--stop-on-hangup" }, OPTION_CONSOLE, 2, OPT_STOP_ON_HANGUP,
			"on", NULL },
		{ { "--json" }, OPTION_RUN, 2, OPT_JSON, "on", NULL },
		{ { "--control-fd=7" }, OPTION_RUN, 2, OPT_CONTROL_FD, "7",
			NULL },
		{ { "--theme", "dark" }, OPTION_RUN, 3, OPT_THEME, "dark",
			NULL },
	};

	for (size_t i = 0; i < ROWS(lines); i++)
		check_line(&lines[i]);
}

#define BAD(message, ...) \
	{ \
		{ __VA_ARGS__ }, OPTION_RUN, 0, OPT_TIMEOUT, "", message \
	}

static void
test_bad_lines(void **state)
{
	static const struct line lines[] = {
		BAD("unknown option --timout; did you mean --timeout?",
			"--timout", "5"),
		BAD("unknown option --timout; did you mean --timeout?",
			"--timout=5"),
		BAD("unknown option --time; did you mean --timeout?", "--time"),
		BAD("unknown option -timeout; did you mean --timeout, in "
		    "milliseconds?",
			"-timeout"),
		BAD("unknown option -timeout; did you mean --timeout, in "
		    "milliseconds?",
			"-timeout=5"),
		BAD("unknown option -max_total_time; did you mean --fuzztime, "
		    "such as 60s?",
			"-max_total_time=5"),
		BAD("unknown option -V; did you mean --fuzztime, such as 60s?",
			"-V", "5"),
		BAD("unknown option -rss_limit_mb; did you mean --rss-limit?",
			"-rss_limit_mb=5"),
		BAD("unknown option --qqqqqqq; --help lists all of them",
			"--qqqqqqq"),
		BAD("unknown option -only_ascii; --help lists all of them",
			"-only_ascii=1"),
		BAD("unknown option -jobs; did you mean --parallel?",
			"-jobs=4"),
		BAD("unknown option -jobs; did you mean --parallel?", "-jobs",
			"4"),
		BAD("unknown option -q; --help lists all of them", "-q"),
		BAD("unknown option -i; did you mean --seeds?", "-i", "in"),
		BAD("unknown option -runs; did you mean --fuzztime, such "
		    "as 1000x?",
			"-runs=100"),
		BAD("unknown option --workers; did you mean --parallel?",
			"--workers", "1"),
		BAD("unknown option --no-timeout; did you mean --timeout?",
			"--no-timeout"),
		BAD("unknown option --no-json; did you mean --json?",
			"--no-json=on"),
		BAD("unknown option --\\x1b[31m; --help lists all of them",
			"--\x1b[31m"),
		BAD("unknown option --"
		    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		    "; --help lists all of them",
			"--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
		BAD("--timeout needs an argument: --timeout MS", "--timeout"),
		BAD("--parallel needs an argument: --parallel N", "-j"),
		BAD("--output needs an argument, but it is empty", "-o", ""),
		BAD("--debug needs an argument, but it is empty", "--debug="),
		BAD("--stop-on-hangup is an option of cfuzz-tui only",
			"--stop-on-hangup"),
		BAD("--parallel: \"=x\" is not a whole number from 1 to 256",
			"-j==x"),
		BAD("--stop-on-crash: \"x\" is neither on nor off",
			"--stop-on-crash=x"),
		BAD("--timeout: \"\" is not a time; write milliseconds or a "
		    "unit, such as 250, 250ms or 2s",
			"--timeout="),
	};
	static const struct line console = { { "--json" }, OPTION_CONSOLE, 0,
		OPT_JSON, "", "--json is an option of cfuzz run only" };

	for (size_t i = 0; i < ROWS(lines); i++)
		check_line(&lines[i]);
	check_line(&console);
}

static void
test_nearest(void **state)
{
	static const struct {
		const char *name, *nearest;
	} rows[] = {
		{ "timeout", "timeout" },
		{ "timeuot", "timeout" },
		{ "fuzz-time", "fuzztime" },
		{ "maxlen", "max-len" },
		{ "max_len", "max-len" },
		{ "mini", "minimizetime" },
		{ "colour", "" },
		{ "", "" },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *nearest = settings_nearest(rows[i].name, 0, NULL);

		row_check(strcmp(nearest ? nearest : "", rows[i].nearest) == 0,
			"%s: %s", rows[i].name, nearest ? nearest : "nothing");
	}
	assert_null(settings_nearest("stop-on-hangup", OPTION_RUN, NULL));
	assert_string_equal(settings_nearest("stop-on-hangup", OPTION_CONSOLE,
				    NULL),
		"stop-on-hangup");
}

static void
check_help_width(const char *help)
{
	while (*help) {
		size_t len = strcspn(help, "\n");

		row_check(len <= 80, "%.*s", (int)len, help);
		row_check(help[len] == '\n', "%.*s", (int)len, help);
		row_check(len == 0 || help[len - 1] != ' ', "%.*s", (int)len,
			help);
		help += len + 1;
	}
}

static void
test_help(void **state)
{
	static char help[16384];
	char small[100];

	settings_help(OPTION_RUN, help, sizeof(help));
	check_help_width(help);
	assert_non_null(strstr(help, "\n      --timeout MS "));
	assert_non_null(strstr(help, "  -j, --parallel N "));
	assert_non_null(strstr(help, "      --debug[=FILE] "));
	assert_non_null(strstr(help, "same-bucket|same-kind|any-failure"));
	assert_non_null(strstr(help, "--json"));
	assert_null(strstr(help, "--stop-on-hangup"));
	settings_help(OPTION_CONSOLE, help, sizeof(help));
	check_help_width(help);
	assert_null(strstr(help, "--json"));
	assert_non_null(strstr(help, "--stop-on-hangup"));
	settings_help(0, help, sizeof(help));
	for (int i = 0; i < OPT_COUNT_; i++)
		assert_non_null(
			strstr(help, settings_option((enum option_id)i)->name));
	settings_help(0, small, sizeof(small));
	assert_int_equal(strlen(small), sizeof(small) - 1);
	assert_memory_equal(small, help, sizeof(small) - 1);
}

static void
test_arguments(void **state)
{
	static const struct arguments {
		const char *args[ARGS_MAX];
		const char *refused; /* NULL: none is */
		int skipped;         /* words between program and arguments */
	} rows[] = {
		{ { NULL }, NULL, 0 },
		{ { "prog" }, NULL, 0 },
		{ { "prog", "--" }, NULL, 1 },
		{ { "prog", "--", "@@" }, NULL, 1 },
		{ { "prog", "a", "--", "@@" }, NULL, 0 },
		{ { "--", "prog", "--", "@@" }, NULL, 0 },
		{ { "prog", "a", "-" }, NULL, 0 },
		{ { "prog", "--fuzztime", "2s" }, "--fuzztime", 0 },
		{ { "prog", "--fuzztime=2s" }, "--fuzztime", 0 },
		{ { "prog", "x", "--json" }, "--json", 0 },
		{ { "prog", "--no-leaks" }, "--no-leaks", 0 },
		{ { "prog", "--leaks" }, "--leaks", 0 },
		{ { "prog", "--theme=x" }, "--theme", 0 },
		{ { "prog", "-j" }, "-j", 0 },
		{ { "prog", "-j4" }, "-j4", 0 },
		{ { "prog", "-jobs=4" }, NULL, 0 },
		{ { "prog", "-output" }, NULL, 0 },
		{ { "prog", "-o" }, "-o", 0 },
		{ { "prog", "-x", "--nosuch", "--fuzz" }, NULL, 0 },
		{ { "--", "prog", "--fuzztime", "2s" }, NULL, 0 },
		{ { "prog", "--", "--fuzztime", "2s" }, NULL, 1 },
		{ { "prog", "--json", "--" }, "--json", 0 },
		{ { "-o", "--", "prog", "--json" }, "--json", 0 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *refused = rows[i].refused;
		char *argv[ARGS_MAX + 2] = { (char *)"cfuzz" };
		struct error err = { 0 };
		struct settings settings;
		int argc = 1, operand = -1;

		for (; rows[i].args[argc - 1]; argc++)
			argv[argc] = (char *)rows[i].args[argc - 1];
		settings_init(&settings);
		row_check(settings_parse_args(&settings, argc, argv, 0,
				  &operand, &err) == OK,
			"row %zu: %s", i, err.text);
		row_check(settings_check_arguments(&settings, argv, operand,
				  &err) == (refused ? E_USAGE : OK),
			"row %zu: %s", i, err.text);
		if (refused)
			row_check(strncmp(err.text, refused, strlen(refused)) ==
						0 &&
					strstr(err.text,
						"behind the target prog,"),
				"row %zu: %s", i, err.text);
		else if (operand < argc)
			row_check(settings_target_arguments(&settings, argv,
					  operand) ==
					argv + operand + 1 + rows[i].skipped,
				"row %zu: skipped", i);
		settings_clear(&settings);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_lines),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
