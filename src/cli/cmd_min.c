/* cmd_min: `cfuzz min` makes one failing input smaller. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz min [OPTION]... TARGET FILE -o FILE\n"
	"       cfuzz min [OPTION]... TARGET FOLDER\n\n"
	"Minimizes a failing input: the smaller input fails in the same way. "
	"FILE is not\nchanged. FOLDER is the folder of a finding: its `input` "
	"is minimized, and\nwithout -o the result is its `minimized`. The "
	"result is only written after it\nhas failed again in a fresh process. "
	"^C ends with the smallest input so far.\n\n"
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
	"      --json                Print one JSON object.\n"
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n"
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n"
	"      --isolate, --readable PATH\n"
	"                            As for cfuzz run.\n\n"
	"Exit status: 0 the result is written, 2 the input does not fail or "
	"the target\ncannot be used, 3 the result could not be written or did "
	"not fail again.\n";

static const enum option_id options[] = { OPT_OUTPUT, OPT_MINIMIZETIME,
	OPT_MINIMIZE_RULE, OPT_VERIFY, OPT_JSON, OPT_TIMEOUT, OPT_RSS_LIMIT,
	OPT_MAX_LEN, OPT_START_TIMEOUT, OPT_STOP_STEP, OPT_FILE_LIMIT,
	OPT_CLEAN_ENV, OPT_NO_LEAKS, OPT_ISOLATE, OPT_READABLE };

int
cli_min(int argc, char **argv)
{
	static const struct tool_command command = {
		.help = help,
		.options = options,
		.options_n = sizeof(options) / sizeof(options[0]),
		.least = 2,
		.most = 2,
		.missing = "name a target and a failing input: cfuzz min "
			   "./target FILE -o FILE",
	};
	struct error err = { 0 };
	enum exit_status end;
	struct tool tool;
	const char *output;
	int status;

	if (tool_parse(&tool, &command, argc, argv, &status)) {
		output = tool.settings.output;
		if (output != NULL && output[0] == '\0')
			output = NULL;
		tool.config.target = tool.operands[0];
		end = engine_min(&tool.config, tool.operands[1], output, &err);
		status = tool_end(&tool, end, &err);
	}
	tool_clear(&tool);
	return status;
}
