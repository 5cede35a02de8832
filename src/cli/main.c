/* main: `cfuzz COMMAND`: the engine without a screen, and its tools. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"
#include "base/harden.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/tool.h"
#include "control/libraries.h"
#include "isolate/isolate.h"
#include "symbols/helper.h"

static const struct cli_row {
	const char *name;
	int (*run)(int argc, char **argv); /* NULL: the tool's */
	const struct tool_command *tool;
	const char *usage, *help;
} commands[] = {
	{ "run", cli_run, NULL, "[OPTION]... TARGET [ARGUMENT]...",
		"fuzz a target and print a status line every three seconds" },
	{ "ci", NULL, &cli_ci, "[OPTION]... TARGET --corpus DIR [--time TIME]",
		"one step of continuous integration: fuzz, report, keep inputs" },
	{ "ls", NULL, &cli_ls, "[--json]", "list your campaigns" },
	{ "attach", cli_attach, NULL, "[-r] [-d] [--follow] [OPTION]... [OUT]",
		"open the console on a campaign that runs or is over" },
	{ "repro", NULL, &cli_repro, "[OPTION]... TARGET FILE...",
		"run a target on files and report the result" },
	{ "min", NULL, &cli_min, "[OPTION]... TARGET FILE -o FILE",
		"minimize a failing input" },
	{ "cmin", NULL, &cli_cmin, "[OPTION]... TARGET DIR... -o DIR",
		"minimize a corpus, keeping its coverage" },
	{ "findings", NULL, &cli_findings, "[--json] OUT",
		"list the findings" },
	{ "show", NULL, &cli_show, "[--json] OUT|FILE [ID]",
		"show a finding, an input, or any file" },
	{ "report", NULL, &cli_report, "OUT [-o DIR] [--sarif FILE] ...",
		"write a report for browsers and continuous integration" },
	{ "check", NULL, &cli_check, "[OPTION]... OUT [TARGET]",
		"replay all findings and list those that still fail" },
	{ "convert", NULL, &cli_convert, "[--raw] FROM TO",
		"convert raw inputs to corpus files, or back" },
};

#define COMMANDS_N (sizeof(commands) / sizeof(commands[0]))

static int
main_help(FILE *to)
{
	size_t i;

	fputs("usage: cfuzz COMMAND [OPTION]... TARGET ...\n\n", to);
	for (i = 0; i < COMMANDS_N; i++)
		fprintf(to, "  cfuzz %s %s\n      %s\n", commands[i].name,
			commands[i].usage, commands[i].help);
	fputs("\n`cfuzz COMMAND --help` lists the options. "
	      "`cfuzz-tui TARGET` opens the console.\n"
	      "A target that `cfuzz-cc` has built is the fastest; most other "
	      "programs run as\nthey are.\n",
		to);
	return 0;
}

int
main(int argc, char **argv)
{
	char name[64];
	size_t i;
	struct error err = { 0 };
	int status;

	fd_fill_standard();
	/* If the parent ignores it, nobody can wait for a child. */
	signal(SIGCHLD, SIG_DFL);
	if (symbols_helper_main(argc, argv, &status) ||
		isolate_main(argc, argv, &status))
		return status;
	fd_mark_inherited();
	if (harden_check_user(&err) != OK)
		return cli_fail(EXIT_SETUP, "%s", err.text);
	libraries_prepare();
	if (argc < 2) {
		main_help(stderr);
		return EXIT_SETUP;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "help") == 0)
		return cli_end(main_help(stdout));
	if (strcmp(argv[1], "--version") == 0)
		return cli_end(cli_print_version());
	for (i = 0; i < COMMANDS_N; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run != NULL
				? commands[i].run(argc - 1, argv + 1)
				: tool_main(commands[i].tool, argc - 1,
					  argv + 1);
	text_clean_string(argv[1], name, sizeof(name));
	return cli_fail(EXIT_SETUP,
		"there is no command %s; `cfuzz --help` lists the "
		"commands",
		name);
}
