/* cmd_min: `cfuzz min` makes one failing input smaller. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz min [OPTION]... TARGET FILE -o FILE\n"
	"       cfuzz min [OPTION]... TARGET FOLDER\n\n"
	"Makes a failing input smaller, as long as it fails in the same way. "
	"FILE stays as\nit is. FOLDER is that of a finding: its `input` is "
	"taken, and without -o the\nresult becomes `minimized` in it. What is "
	"written has failed once more in a fresh\nprocess. ^C ends it with the "
	"smallest so far.\n\n"
	"  -o, --output FILE         Where the smaller input goes.\n"
	"      --minimizetime TIME|Nx\n"
	"                            Time or executions for it (default: "
	"60s).\n"
	"      --minimize-rule RULE  What it must still do: same-bucket (fail "
	"at the same\n"
	"                            place), same-kind, any-failure.\n"
	"      --verify N            Runs in fresh processes before it is "
	"believed, and\n"
	"                            before an input is said not to fail "
	"(default: 5).\n"
	"      --json                Print one JSON object.\n"
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n"
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n"
	"      --isolate, --readable PATH\n"
	"                            As for cfuzz run.\n\n"
	"Exit status: 0 it is written, 2 the input does not fail or the target "
	"cannot be\nused, 3 it could not be written or did not fail again.\n";

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
