/* cmd_check: `cfuzz check` tells which findings still fail. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz check [OPTION]... OUT [TARGET]\n\n"
	"Replays all findings of an output directory on a new build of the "
	"target, with\nthe arguments and limits of the campaign. Says of each "
	"finding whether it still\nfails, fails differently, or is fixed. "
	"TARGET defaults to the target of the\ncampaign. No file is "
	"changed.\n\n"
	"      --json                Print one JSON object.\n"
	"  -j, --parallel N          Number of worker processes.\n"
	"      --verify N            Replays of a finding that fails only "
	"sometimes\n"
	"                            (default: 5).\n" TOOL_TARGET_HELP ".\n\n"
	"Exit status: 0 none fails, 1 one still fails or fails differently, 2 "
	"the target\nor the directory cannot be used, 3 a finding could not be "
	"replayed.\n";

static enum exit_status
check_run(struct tool *tool, struct error *err)
{
	tool->config.target = tool->operands[1];
	return engine_check(&tool->config, tool->operands[0], err);
}

const struct tool_command cli_check = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_JSON, OPT_PARALLEL, OPT_VERIFY,
		TOOL_TARGET_OPTIONS),
	.least = 1,
	.most = 2,
	.missing = "name an output directory: cfuzz check OUT TARGET",
	.output_from = 1,
	.run = check_run,
};
