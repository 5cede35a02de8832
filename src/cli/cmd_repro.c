/* cmd_repro: `cfuzz repro` runs files through a target. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz repro [OPTION]... TARGET FILE...\n"
	"       cfuzz repro --gdb TARGET FILE\n\n"
	"Executes each file in a fresh process of the target and reports the "
	"result. For\nthe folder of a finding, the files of its `sequence` are "
	"executed in a row in\none process, or else its `minimized`, or else "
	"its `input`. Files of an output\ndirectory are executed with the "
	"arguments and limits of their campaign.\n\n"
	"      --sequence            Execute all files in one process, in this "
	"order.\n"
	"      --gdb                 Execute the file in gdb, which stops at "
	"the failure.\n"
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n"
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n"
	"      --isolate, --readable PATH\n"
	"                            As for cfuzz run.\n\n"
	"Exit status: 0 none fails, 1 one fails, 2 the target cannot be used, "
	"3 a file\ncould not be read.\n";

static const enum option_id options[] = { OPT_TIMEOUT, OPT_RSS_LIMIT,
	OPT_MAX_LEN, OPT_START_TIMEOUT, OPT_STOP_STEP, OPT_FILE_LIMIT,
	OPT_CLEAN_ENV, OPT_NO_LEAKS, OPT_ISOLATE, OPT_READABLE };

/* The command's own flags, in the order of their bits. */
static const char *const flags[] = { "--gdb", "--sequence", NULL };
enum {
	FLAG_GDB = 1,
	FLAG_SEQUENCE = 2
};

static int
repro(struct tool *tool)
{
	struct error err = { 0 };
	enum exit_status end = EXIT_SETUP;
	char **files = tool->operands + 1;

	tool->config.target = tool->operands[0];
	tool->config.together = (tool->flags & FLAG_SEQUENCE) != 0;
	if (!(tool->flags & FLAG_GDB))
		end = engine_repro(&tool->config, files, &err);
	else if (files[1] != NULL)
		error_set(&err, E_USAGE, "--gdb takes one file");
	else
		end = engine_debug(&tool->config, files[0], &err);
	return tool_end(tool, end, &err);
}

int
cli_repro(int argc, char **argv)
{
	static const struct tool_command command = {
		.help = help,
		.options = options,
		.options_n = sizeof(options) / sizeof(options[0]),
		.least = 2,
		.flags = flags,
		.missing = "name a target and a file: cfuzz repro ./target "
			   "FILE",
	};
	struct tool tool;
	int status;

	if (tool_parse(&tool, &command, argc, argv, &status))
		status = repro(&tool);
	tool_clear(&tool);
	return status;
}
