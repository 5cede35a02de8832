/* cmd_cmin: `cfuzz cmin` makes a corpus smaller. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz cmin [OPTION]... TARGET DIR... -o DIR [-- ARG...]\n\n"
	"Minimizes a corpus: executes all files of the directories once and "
	"copies a\nsmall subset with the same coverage, preferring small "
	"files, to a new directory.\nThe original files are not changed. For "
	"an output directory, its corpus is used.\nFiles on which the target "
	"fails are left out and listed. ARG... are arguments\nfor the target, "
	"in place of those of the campaign.\n\n"
	"  -o, --output DIR          A new or empty directory.\n"
	"      --json                Print one JSON object.\n"
	"  -j, --parallel N          Number of worker processes.\n" TOOL_TARGET_HELP
	"; without --max-len no "
	"file\n"
	"                            is too long.\n\n"
	"Exit status: 0 the corpus is written, 2 there are no files to choose "
	"from or the\ntarget cannot be used, 3 the corpus could not be "
	"written, or the command was\nstopped.\n";

static enum exit_status
cmin_run(struct tool *tool, struct error *err)
{
	tool->config.target = tool->operands[0];
	if (tool->settings.output[0] != '\0')
		return engine_cmin(&tool->config, tool->operands + 1,
			tool->settings.output, err);
	error_set(err, E_USAGE,
		"the directory for the smaller corpus is missing: -o DIR");
	return EXIT_SETUP;
}

const struct tool_command cli_cmin = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_OUTPUT, OPT_JSON, OPT_PARALLEL,
		TOOL_TARGET_OPTIONS),
	.least = 2,
	.args = true,
	.missing = "name a target and a folder: cfuzz cmin ./target "
		   "DIR -o NEW",
	.run = cmin_run,
};
