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
	"                            (default: 5).\n"
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n"
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n"
	"      --isolate, --readable PATH\n"
	"                            As for cfuzz run.\n\n"
	"Exit status: 0 none fails, 1 one still fails or fails differently, 2 "
	"the target\nor the directory cannot be used, 3 a finding could not be "
	"replayed.\n";

static const enum option_id options[] = { OPT_JSON, OPT_PARALLEL, OPT_VERIFY,
	OPT_TIMEOUT, OPT_RSS_LIMIT, OPT_MAX_LEN, OPT_START_TIMEOUT,
	OPT_STOP_STEP, OPT_FILE_LIMIT, OPT_CLEAN_ENV, OPT_NO_LEAKS, OPT_ISOLATE,
	OPT_READABLE };

int
cli_check(int argc, char **argv)
{
	static const struct tool_command command = {
		.help = help,
		.options = options,
		.options_n = sizeof(options) / sizeof(options[0]),
		.least = 1,
		.most = 2,
		.missing = "name an output directory: cfuzz check OUT TARGET",
	};
	struct error err = { 0 };
	enum exit_status end;
	struct tool tool;
	int status;

	if (tool_parse(&tool, &command, argc, argv, &status)) {
		tool.config.target = tool.operands[1];
		end = engine_check(&tool.config, tool.operands[0], &err);
		status = tool_end(&tool, end, &err);
	}
	tool_clear(&tool);
	return status;
}
