/* cmd_run: `cfuzz run` runs the engine with a line reporter. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/reporter.h"
#include "engine/engine.h"

static int
run_print_help(void)
{
	char text[8192];

	settings_help(OPTION_RUN, text, sizeof(text));
	printf("usage: cfuzz run [OPTION]... TARGET [ARGUMENT]...\n\n%s", text);
	return cli_end(0);
}

/* Takes the control socket. Targets must not inherit it. */
static enum status
run_take_control(struct settings *settings, int *fd, struct error *err)
{
	int type = 0;
	socklen_t size = sizeof(type);

	*fd = -1;
	if (settings->control_fd == 0)
		return OK;
	if (settings->control_fd <= STDERR_FILENO)
		return error_set(err, E_RANGE,
			"--control-fd: 0 to 2 are standard input, output and "
			"error");
	*fd = (int)settings->control_fd;
	settings->stop_on_hangup = true; /* a script's campaign ends with it */
	if (getsockopt(*fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
		type != SOCK_STREAM)
		return error_set(err, E_USAGE,
			"--control-fd: %d is not a stream socket", *fd);
	if (fcntl(*fd, F_SETFD, FD_CLOEXEC) != 0)
		return error_set(err, E_IO, "--control-fd: %d: %s", *fd,
			strerror(errno));
	return OK;
}

int
cli_run_campaign(struct settings *settings, const char *target, char **args,
	bool *begun)
{
	char *output = settings_output(settings, target);
	struct cli_reporter lines = {
		.json = settings->json,
		.only_new = settings->ci,
		.target = target,
		.output = output,
	};
	struct engine_config config = {
		.settings = settings,
		.target = target,
		.args = args,
		.watch_signals = true,
		.report = cli_reporter_report,
		.arg = &lines,
	};
	enum exit_status status = EXIT_NOTHING;
	struct error err = { 0 };
	struct engine *engine = NULL;

	if (run_take_control(settings, &config.control_fd, &err) != OK)
		status = EXIT_SETUP;
	else
		engine = engine_create(&config, &status, &err);
	if (engine != NULL)
		status = engine_run(engine, &err);
	engine_destroy(engine);
	free(output);
	*begun = engine != NULL && status != EXIT_SETUP;
	if (status == EXIT_SETUP || (engine == NULL && err.code != OK))
		cli_fail(status, "%s", err.text);
	return (int)status;
}

static int
run_detached(const struct settings *settings, const char *target, char **args)
{
	const struct engine_config config = {
		.settings = settings,
		.target = target,
		.args = args,
		.control_fd = -1,
		.watch_signals = true,
	};

	return engine_start_detached(&config);
}

int
cli_run(int argc, char **argv)
{
	struct settings settings;
	struct error err = { 0 };
	int operand, status;
	bool begun;

	if (argc > 1 &&
		(strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return run_print_help();
	settings_init(&settings);
	if (settings_parse_args(&settings, argc, argv, OPTION_RUN, &operand,
		    &err) != OK ||
		settings_check_arguments(&settings, argv, operand, &err) != OK)
		status = cli_fail(EXIT_SETUP, "%s", err.text);
	else if (settings.help)
		status = run_print_help();
	else if (settings.version)
		status = cli_end(cli_print_version());
	else if (operand == argc)
		status = cli_fail(EXIT_SETUP,
			"name the target to fuzz: cfuzz run ./target");
	else if (settings.detach)
		status = run_detached(&settings, argv[operand],
			settings_target_arguments(&settings, argv, operand));
	else
		status = cli_run_campaign(&settings, argv[operand],
			settings_target_arguments(&settings, argv, operand),
			&begun);
	settings_clear(&settings);
	return status;
}
