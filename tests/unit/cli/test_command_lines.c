/* The command lines of all commands: help, errors, and near misses. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tool.h"
#include "lib/output.h"
#include "lib/rows.h"

#define WORDS_MAX 6
#define COLUMNS 80 /* of a terminal */

/* clang-format off */
static const struct line_row {
	const char *words[WORDS_MAX];
	int status;
	const char *out, *err; /* the beginnings; "": nothing */
} LINES[] = {
	{ { "run", "--help" }, 0, "usage: cfuzz run [OPTION]... TARGET", "" },
	{ { "run", "-j", "1", "-h" }, 0, "usage: cfuzz run ", "" },
	{ { "run", "--version" }, 0, "cfuzz 0.", "" },
	{ { "run" }, 2, "", "cfuzz: name the target to fuzz: cfuzz run ./t" },
	{ { "run", "--nothing" }, 2, "", "cfuzz: unknown option --nothing" },
	{ { "run", "--control-fd", "2", "t" }, 2, "",
		"cfuzz: --control-fd: 0 to 2 are standard input, "
"output and error" },
	{ { "run", "--control-fd", "77", "t" }, 2, "",
		"cfuzz: --control-fd: 77 is not a stream socket" },
	{ { "run", "/nowhere/t" }, 2, "", "cfuzz: /nowhere/t" },
	{ { "repro", "--help" }, 0, "usage: cfuzz repro [OPTION]... T", "" },
	{ { "repro", "--version" }, 0, "cfuzz 0.", "" },
	{ { "repro" }, 2, "", "cfuzz: name a target and a file: cfuzz repro" },
	{ { "repro", "t" }, 2, "", "cfuzz: name a target and a file" },
	{ { "repro", "--gdbb", "t", "f" }, 2, "",
		"cfuzz: unknown option --gdbb; did you mean --gdb?\n" },
	{ { "repro", "--seqence", "t", "f" }, 2, "",
		"cfuzz: unknown option --seqence; did you mean --sequence?" },
	{ { "repro", "--gdb=1", "t", "f" }, 2, "",
		"cfuzz: --gdb takes no value\n" },
	{ { "convert", "--raw=", "f", "g" }, 2, "",
		"cfuzz: --raw takes no value\n" },
	{ { "repro", "--gdb", "t", "f", "g" }, 2, "",
		"cfuzz: --gdb takes one file\n" },
	{ { "repro", "--gdb", "/nowhere/t", "f" }, 2, "", "cfuzz: " },
	{ { "repro", "t", "--", "f" }, 2, "", "cfuzz: t does not exist" },
	{ { "repro", "--gdb", "t", "f", "--", "--gdb" }, 2, "",
		"cfuzz: cannot read f: " },
	{ { "repro", "t", "--" }, 2, "", "cfuzz: name a target and a file" },
	{ { "repro", "-j", "2", "t", "f" }, 2, "",
		"cfuzz: --parallel is not an option of cfuzz repro; --help lists" },
	{ { "min", "--help" }, 0, "usage: cfuzz min [OPTION]... TARGET", "" },
	{ { "min", "t" }, 2, "", "cfuzz: name a target and " },
	{ { "min", "t", "f", "g" }, 2, "",
		"cfuzz: cfuzz min: unexpected argument g\n" },
	{ { "min", "/nowhere/t", "f" }, 2, "", "cfuzz: " },
	{ { "cmin", "--help" }, 0, "usage: cfuzz cmin [OPTION]... TARGET", "" },
	{ { "cmin", "t" }, 2, "", "cfuzz: name a target and a folder: " },
	{ { "cmin", "t", "d" }, 2, "",
		"cfuzz: the directory for the smaller corpus is "
"missing: -o DIR\n" },
	{ { "cmin", "/nowhere/t", "d", "-o", "new" }, 2, "", "cfuzz: " },
	{ { "report", "--help" }, 0, "usage: cfuzz report [OPTION]... OUT", "" },
	{ { "report" }, 2, "", "cfuzz: name an output directory: cfuzz r" },
	{ { "report", "/nowhere", "--html" }, 2, "",
		"cfuzz: --html needs a value\n" },
	{ { "report", "/nowhere", "--htm=x" }, 2, "",
		"cfuzz: unknown option --htm; did you mean --html?\n" },
	{ { "report", "/nowhere", "--timeout=5" }, 2, "", "cfuzz: cannot read /nowhere: " },
	{ { "report", "/nowhere", "--github" }, 2, "", "cfuzz: cannot read /nowhere: " },
	{ { "ci", "--help" }, 0, "usage: cfuzz ci [OPTION]... TARGET", "" },
	{ { "ci" }, 2, "", "cfuzz: name a target and a folder: " },
	{ { "ci", "t" }, 2, "", "cfuzz: name the folder of inputs: --corpus" },
	{ { "ci", "t", "--corpus" }, 2, "", "cfuzz: --corpus needs a value\n" },
	{ { "ci", "t", "--timeout=5" }, 2, "", "cfuzz: name the folder of inputs: --corpus" },
	{ { "ci", "t", "--corpus=c", "--time=1s", "--fuzztime=2s" }, 2, "",
		"cfuzz: --time and --fuzztime are the same limit: give one\n" },
	{ { "ci", "t", "--corpus", "c", "--json" }, 2, "",
		"cfuzz: --json is not an option of cfuzz ci\n" },
	{ { "ls", "--help" }, 0, "usage: cfuzz ls [--json]", "" },
	{ { "ls", "a" }, 2, "", "cfuzz: cfuzz ls: unexpected argument a\n" },
	{ { "findings", "--help" }, 0, "usage: cfuzz findings [--json]", "" },
	{ { "findings" }, 2, "", "cfuzz: name an output directory: cfuzz f" },
	{ { "findings", "a", "b" }, 2, "",
		"cfuzz: cfuzz findings: unexpected argument b\n" },
	{ { "findings", "--", "--json" }, 2, "",
		"cfuzz: cannot open the folder --json: " },
	{ { "show", "--help" }, 0, "usage: cfuzz show [--json] OUT [ID]", "" },
	{ { "show" }, 2, "", "cfuzz: name an output directory or a file: " },
	{ { "check", "--help" }, 0, "usage: cfuzz check [OPTION]... OUT", "" },
	{ { "check" }, 2, "", "cfuzz: name an output directory: cfuzz check" },
	{ { "check", "/nowhere" }, 2, "", "cfuzz: cannot open the folder /now" },
	{ { "convert", "--help" }, 0, "usage: cfuzz convert FROM TO\n", "" },
	{ { "convert", "a" }, 2, "", "cfuzz: name a source and a destination" },
	{ { "convert", "--json", "a", "b" }, 2, "",
		"cfuzz: --json is not an option of cfuzz convert" },
	{ { "convert", "--raww", "a", "b" }, 2, "",
		"cfuzz: unknown option --raww; did you mean --raw?" },
	{ { "cmin", "-i", "t" }, 2, "",
		"cfuzz: unknown option -i; --help lists all of them\n" },
	{ { "min", "-i", "t" }, 2, "",
		"cfuzz: unknown option -i; --help lists all of them\n" },
	{ { "repro", "-i", "t" }, 2, "",
		"cfuzz: unknown option -i; --help lists all of them\n" },
	{ { "cmin", "-x", "t" }, 2, "",
		"cfuzz: unknown option -x; --help lists all of them\n" },
	{ { "cmin", "-V", "t" }, 2, "",
		"cfuzz: unknown option -V; --help lists all of them\n" },
	{ { "min", "-max_total_time=3", "t" }, 2, "",
		"cfuzz: unknown option -max_total_time; --help lists all of them\n" },
	{ { "repro", "-runs=1", "t" }, 2, "",
		"cfuzz: unknown option -runs; --help lists all of them\n" },
	{ { "show", "--timout=1", "t" }, 2, "",
		"cfuzz: unknown option --timout; --help lists all of them\n" },
	{ { "cmin", "--timout=1", "t" }, 2, "",
		"cfuzz: unknown option --timout; did you mean --timeout?\n" },
	{ { "cmin", "-m", "t" }, 2, "",
		"cfuzz: unknown option -m; did you mean --rss-limit?\n" },
	{ { "show", "--versio", "t" }, 2, "",
		"cfuzz: unknown option --versio; did you mean --version?\n" },
	{ { "convert", "/nowhere", "b\033" }, 2, "",
		"cfuzz: cannot read /nowhere" },
};

static const struct {
	const char *name;
	const struct tool_command *tool; /* NULL: cli_run() */
} COMMANDS[] = {
	{ "run", NULL }, { "repro", &cli_repro }, { "min", &cli_min },
	{ "ci", &cli_ci },
	{ "ls", &cli_ls },
	{ "report", &cli_report },
	{ "cmin", &cli_cmin }, { "findings", &cli_findings },
	{ "show", &cli_show }, { "check", &cli_check },
	{ "convert", &cli_convert },
};
/* clang-format on */

static int
run(const char *const *words)
{
	char *argv[WORDS_MAX + 1] = { NULL };
	int argc;

	for (argc = 0; argc < WORDS_MAX && words[argc] != NULL; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	for (size_t i = 0; i < ROWS(COMMANDS); i++)
		if (strcmp(words[0], COMMANDS[i].name) == 0)
			return COMMANDS[i].tool == NULL
				? cli_run(argc, argv)
				: tool_main(COMMANDS[i].tool, argc, argv);
	return -1;
}

static bool
begins(const char *text, const char *beginning)
{
	return beginning[0] == '\0'
		? text[0] == '\0'
		: strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The first line that a terminal of 80 columns breaks; NULL: none. */
static const char *
too_long(const char *text)
{
	size_t len;

	for (; *text != '\0'; text += len + (text[len] != '\0')) {
		len = strcspn(text, "\n");
		if (len > COLUMNS)
			return text;
	}
	return NULL;
}

static void
test_line(void **state)
{
	const struct line_row *row = *state;
	struct output output;
	int status;

	output_begin(&output);
	status = run(row->words);
	output_end(&output);
	row_check(status == row->status, "%d: %s", status, output.err);
	row_check(begins(output.out, row->out), "`%s`", output.out);
	row_check(begins(output.err, row->err), "`%s`", output.err);
	row_check(too_long(output.out) == NULL, "over %d columns: %.100s",
		COLUMNS, too_long(output.out));
}

static bool
takes(const struct tool_command *command, enum option_id id)
{
	const enum option_id *option = command->options;

	while (*option != OPT_COUNT_ && *option != id)
		option++;
	return *option == id;
}

/* What runs inputs of a campaign takes all that decides whether one fails. */
static void
test_target_options(void **state)
{
	static const struct tool_command *const commands[] = { &cli_repro,
		&cli_min, &cli_cmin, &cli_check, &cli_report };

	for (size_t i = 0; i < ROWS(commands); i++)
		for (int id = 0; id < OPT_COUNT_; id++) {
			const struct option *option =
				settings_option((enum option_id)id);

			row_check(!(option->flags & OPTION_TARGET) ||
					(takes(commands[i], option->id) &&
						strstr(commands[i]->help,
							option->name) != NULL),
				"%.20s: --%s", commands[i]->help, option->name);
		}
}

int
main(void)
{
	struct CMUnitTest tests[ROWS(LINES) + 1] = { 0 };
	char names[ROWS(LINES)][128] = { 0 };

	for (size_t i = 0; i < ROWS(LINES); i++) {
		for (int k = 0; k < WORDS_MAX && LINES[i].words[k]; k++) {
			size_t len = strlen(names[i]);

			snprintf(names[i] + len, sizeof(names[i]) - len, "%s%s",
				k > 0 ? " " : "", LINES[i].words[k]);
		}
		tests[i] = (struct CMUnitTest){ names[i], test_line, NULL, NULL,
			(void *)(uintptr_t)&LINES[i] };
	}
	tests[ROWS(LINES)] =
		(struct CMUnitTest)cmocka_unit_test(test_target_options);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
