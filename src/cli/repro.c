/* repro: `cfuzz repro`, files through a target, a fresh child each. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "engine/engine.h"

static void
print_report(void *arg, const struct report *report)
{
	(void)arg;
	if (report->kind == REPORT_LINE)
		puts(report->text);
	fflush(stdout);
}

static int
print_help(void)
{
	puts("usage: cfuzz repro [OPTION]... TARGET FILE...\n\n"
	     "Runs each file (or the input in a finding's folder) in a fresh "
	     "process of the\ntarget and says what happened. Exit status: 0 "
	     "none fails, 1 one fails, 2 the\ntarget cannot be used, 3 a file "
	     "could not be read.\n\n"
	     "Options: --timeout MS, --rss-limit MB, --max-len N, "
	     "--clean-env, as for cfuzz run.");
	return 0;
}

int
cli_repro(int argc, char **argv)
{
	struct engine_config config = {
		.control_fd = -1,
		.report = print_report,
	};
	struct settings settings;
	struct error err = { 0 };
	int operand, status;

	if (argc > 1 &&
		(strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return print_help();
	settings_init(&settings);
	config.settings = &settings;
	if (settings_parse_args(&settings, argc, argv, OPTION_RUN, &operand,
		    &err) != OK) {
		status = cli_fail(EXIT_SETUP, "%s", err.text);
	} else if (settings.help) {
		status = print_help();
	} else if (settings.version) {
		status = cli_print_version();
	} else if (argc - operand < 2) {
		status = cli_fail(EXIT_SETUP,
			"name a target and a file: cfuzz repro ./target FILE");
	} else {
		config.target = argv[operand];
		status = (int)engine_repro(&config, argv + operand + 1, &err);
		if (status == EXIT_SETUP)
			cli_fail(status, "%s", err.text);
	}
	settings_clear(&settings);
	return status;
}
