/* repro: `cfuzz repro`, files through a target. */
#include <string.h>

#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz repro [OPTION]... TARGET FILE...\n"
	"       cfuzz repro --gdb TARGET FILE\n\n"
	"Runs each file in a fresh process of the target and says what "
	"happened. A finding's\nfolder stands for the files of its "
	"`sequence`, one after the other in one process,\nor else for the "
	"`minimized` in it, or the `input`. Files of an output directory are\n"
	"run with the arguments and limits of their campaign.\n\n"
	"      --sequence            All files in one process, in this order.\n"
	"      --gdb                 Run the file in gdb, which stops where "
	"it fails.\n"
	"      --timeout MS, --rss-limit MB, --max-len N, --start-timeout MS,\n"
	"      --stop-step MS, --file-limit MB, --clean-env, --no-leaks,\n"
	"      --isolate, --readable PATH\n"
	"                            As for cfuzz run.\n\n"
	"Exit status: 0 none fails, 1 one fails, 2 the target cannot be used, "
	"3 a file could\nnot be read.\n";

/* An option of this command alone is taken out; false: it was not there. */
static bool
take_option(int *argc, char **argv, const char *name)
{
	int i = 1;

	while (i < *argc && strcmp(argv[i], name) != 0) {
		if (strcmp(argv[i], "--") == 0)
			return false;
		i++;
	}
	if (i >= *argc)
		return false;
	memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof(*argv));
	--*argc;
	return true;
}

static int
repro(struct tool *tool)
{
	struct error err = { 0 };
	enum exit_status end = EXIT_SETUP;
	char **files = tool->operands + 1;

	tool->config.target = tool->operands[0];
	if (!tool->flag)
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
		.least = 2,
		.flag = "--gdb",
		.missing = "name a target and a file: cfuzz repro ./target "
			   "FILE",
	};
	struct tool tool;
	bool together = take_option(&argc, argv, "--sequence");
	int status;

	if (tool_parse(&tool, &command, argc, argv, &status)) {
		tool.config.together = together;
		status = repro(&tool);
	}
	tool_clear(&tool);
	return status;
}
