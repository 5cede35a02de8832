/* cmd_repro: `cfuzz repro` runs files through a target. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz repro [OPTION]... TARGET FILE... [-- ARG...]\n"
	"       cfuzz repro --gdb TARGET FILE [-- ARG...]\n\n"
	"Executes each file in a fresh process of the target and reports the "
	"result. For\nthe folder of a finding, the files of its `sequence` are "
	"executed in a row in\none process, or else its `minimized`, or else "
	"its `input`. Files of an output\ndirectory are executed with the "
	"arguments and limits of their campaign; "
	"files\nfor which these differ are refused together. Other files are "
	"executed without\narguments, or with ARG..., such as `-- @@` for a "
	"program that names its file.\n\n"
	"      --sequence            Execute all files in one process, in this "
	"order.\n"
	"      --gdb                 Execute the file in gdb, which stops at "
	"the failure.\n" TOOL_TARGET_HELP ".\n\n"
	"Exit status: 0 none fails, 1 one fails, 2 the target cannot be used, "
	"3 a file\ncould not be read.\n";

/* The command's own flags, in the order of their bits. */
static const char *const flags[] = { "--gdb", "--sequence", NULL };
enum {
	FLAG_GDB = 1,
	FLAG_SEQUENCE = 2
};

static enum exit_status
repro_run(struct tool *tool, struct error *err)
{
	char **files = tool->operands + 1;

	tool->config.target = tool->operands[0];
	tool->config.together = (tool->flags & FLAG_SEQUENCE) != 0;
	if (!(tool->flags & FLAG_GDB))
		return engine_repro(&tool->config, files, err);
	if (files[1] == NULL)
		return engine_debug(&tool->config, files[0], err);
	error_set(err, E_USAGE, "--gdb takes one file");
	return EXIT_SETUP;
}

const struct tool_command cli_repro = {
	.help = help,
	.options = TOOL_OPTIONS(TOOL_TARGET_OPTIONS),
	.least = 2,
	.flags = flags,
	.args = true,
	.missing = "name a target and a file: cfuzz repro ./target "
		   "FILE",
	.run = repro_run,
};
