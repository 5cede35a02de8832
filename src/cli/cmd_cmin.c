/* cmd_cmin: `cfuzz cmin` makes a corpus smaller. */
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz cmin [OPTION]... TARGET DIR... -o DIR\n\n"
	"Minimizes a corpus: executes all files of the directories once and "
	"copies a\nsmall subset with the same coverage, preferring small "
	"files, to a new directory.\nThe original files are not changed. For "
	"an output directory, its corpus is used.\nFiles on which the target "
	"fails are left out and listed.\n\n"
	"  -o, --output DIR          A new or empty directory.\n"
	"      --json                Print one JSON object.\n"
	"  -j, --parallel N          Number of worker processes.\n"
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n"
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n"
	"      --isolate, --readable PATH\n"
	"                            As for cfuzz run; without --max-len no "
	"file\n"
	"                            is too long.\n\n"
	"Exit status: 0 the corpus is written, 2 there are no files to choose "
	"from or the\ntarget cannot be used, 3 the corpus could not be "
	"written, or interrupted.\n";

static const enum option_id options[] = { OPT_OUTPUT, OPT_JSON, OPT_PARALLEL,
	OPT_TIMEOUT, OPT_RSS_LIMIT, OPT_MAX_LEN, OPT_START_TIMEOUT,
	OPT_STOP_STEP, OPT_FILE_LIMIT, OPT_CLEAN_ENV, OPT_NO_LEAKS, OPT_ISOLATE,
	OPT_READABLE };

int
cli_cmin(int argc, char **argv)
{
	static const struct tool_command command = {
		.help = help,
		.options = options,
		.options_n = sizeof(options) / sizeof(options[0]),
		.least = 2,
		.missing = "name a target and a folder: cfuzz cmin ./target "
			   "DIR -o NEW",
	};
	struct error err = { 0 };
	enum exit_status end;
	struct tool tool;
	int status;

	if (tool_parse(&tool, &command, argc, argv, &status)) {
		tool.config.target = tool.operands[0];
		if (tool.settings.output[0] == '\0')
			status = cli_fail(EXIT_SETUP,
				"the directory for the smaller corpus is missing: -o DIR");
		else {
			end = engine_cmin(&tool.config, tool.operands + 1,
				tool.settings.output, &err);
			status = tool_end(&tool, end, &err);
		}
	}
	tool_clear(&tool);
	return status;
}
