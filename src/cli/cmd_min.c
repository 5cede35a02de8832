/* cmd_min: `cfuzz min` makes one failing input smaller. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz min [OPTION]... TARGET FILE -o FILE [-- ARG...]\n"
	"       cfuzz min [OPTION]... TARGET FOLDER [-- ARG...]\n\n"
	"Minimizes a failing input: the smaller input fails in the same way. "
	"FILE is not\nchanged. FOLDER is the folder of a finding: its `input` "
	"is minimized, and\nwithout -o the result is its `minimized`, if it still "
	"fails as the finding. The\nresult is only written after it has failed "
	"again in a fresh process. "
	"^C ends\nwith the smallest input so far. ARG... are arguments for the "
	"target; a file of\nan output directory needs none.\n\n"
	"  -o, --output FILE         The file for the smaller input.\n"
	"      --minimizetime TIME|Nx\n"
	"                            Time limit or number of executions "
	"(default: 60s).\n"
	"      --minimize-rule RULE  The failure to keep: same-bucket (at the "
	"same\n"
	"                            place), same-kind, any-failure.\n"
	"      --verify N            Replays in fresh processes before the "
	"result is\n"
	"                            accepted, and before the input is "
	"reported not to\n"
	"                            fail (default: 5).\n"
	"      --json                Print one JSON object.\n" TOOL_TARGET_HELP
	".\n\n"
	"Exit status: 0 the result is written, 2 the input does not fail, or "
	"not as its\nfinding, or the target cannot be used, 3 the result could "
	"not be written or\ndid not fail again.\n";

static enum exit_status
min_run(struct tool *tool, struct error *err)
{
	const char *output = tool->settings.output;

	if (output != NULL && output[0] == '\0')
		output = NULL;
	tool->config.target = tool->operands[0];
	return engine_min(&tool->config, tool->operands[1], output, err);
}

const struct tool_command cli_min = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_OUTPUT, OPT_MINIMIZETIME, OPT_MINIMIZE_RULE,
		OPT_VERIFY, OPT_JSON, TOOL_TARGET_OPTIONS),
	.least = 2,
	.most = 2,
	.args = true,
	.missing = "name a target and a failing input: cfuzz min "
		   "./target FILE -o FILE",
	.run = min_run,
};
