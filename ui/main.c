/*
 * main: cfuzz-tui, the console of a campaign.
 *
 * On a terminal, launcher, console and engine are three processes. Without a
 * terminal the engine runs in this process and reports in plain lines.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/harden.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/campaign_index.h"
#include "control/endpoint.h"
#include "control/libraries.h"
#include "control/settings.h"
#include "engine/engine.h"
#include "isolate/isolate.h"
#include "shared/beside.h"
#include "symbols/helper.h"
#include "ui/console/launcher.h"
#include "ui/console/recording/player.h"
#include "ui/console/recording/recorder.h"
#include "ui/console/shown.h"
#include "ui/console/summary.h"
#include "ui/model/keys_file.h"
#include "ui/term/terminal.h"
#include "ui/term/theme.h"

#define HELP_SIZE 16384
#define PROGRAM_NOT_ATTACHED 255 /* exit status of attach */

struct program {
	struct settings settings;
	const char *target;
	char **args; /* passed to the target */
	char *output;
	char *demo;                     /* the tour's own target, or NULL */
	bool watch, alone, follow;      /* attach -r, -d, --follow */
	int attached_fd;                /* to a running campaign; 0: none */
	char owner[ENDPOINT_USER_SIZE]; /* of it, if that is another user */
	bool past; /* `output` is that of a campaign that is over */
};

static int
program_fail(const char *text)
{
	fflush(stdout);
	summary_complain(stderr, text);
	return EXIT_SETUP;
}

/* ---- the engine ---- */

static struct engine_config
program_config(const struct program *p)
{
	return (struct engine_config){
		.settings = &p->settings,
		.target = p->target,
		.args = p->args,
		.control_fd = -1,
		.watch_signals = true,
	};
}

/* The engine process of struct launcher. */
static int
program_engine(void *arg, int control_fd, int note_fd)
{
	const struct program *p = arg;
	struct engine_config config = program_config(arg);

	return p->past
		? engine_serve_past(&config, p->output, control_fd, note_fd)
		: engine_serve(&config, control_fd, note_fd);
}

/* The same for --play: a player takes the engine's place. */
static int
program_player(void *arg, int control_fd, int note_fd)
{
	const struct program *p = arg;
	struct error err = { 0 };
	int status;

	signal(SIGPIPE, SIG_IGN);
	status = player_run(p->settings.play, control_fd, &err);
	if (err.code != OK)
		(void)!fd_write_all(note_fd, err.text, strlen(err.text), NULL);
	return status;
}

/* ---- without a terminal ---- */

static void
program_on_report(void *arg, const struct report *report)
{
	const struct program *p = arg;

	switch (report->kind) {
	case REPORT_LINE:
		puts(report->text);
		break;
	case REPORT_FINDING:
	case REPORT_SEQUENCE:
	case REPORT_MINIMIZED:
		summary_finding(stdout, report->finding, p->output);
		break;
	case REPORT_ENDED:
		/* No campaign ran: program_run_lines() reports the error. */
		if (report->snapshot->exit_status != EXIT_SETUP)
			summary_write(stdout, report->snapshot, p->output,
				report->snapshot->exit_status);
		break;
	case REPORT_EVENT:
	case REPORT_PROGRESS:
		break;
	}
	/* Ignore errors: a closed stdout does not end the campaign. */
	fflush(stdout);
}

static int
program_run_lines(struct program *p)
{
	struct engine_config config = program_config(p);
	enum exit_status status = EXIT_SETUP;
	struct engine *engine;
	struct error err = { 0 };

	signal(SIGPIPE, SIG_IGN);
	config.report = program_on_report;
	config.arg = p;
	engine = engine_create(&config, &status, &err);
	if (engine != NULL)
		status = engine_run(engine, &err);
	engine_destroy(engine);
	if (err.code != OK)
		program_fail(err.text);
	return (int)status;
}

/* Says why no console opens; only a terminal's user expects one. */
static void
program_say_why_lines(struct error *err)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return;
	summary_complain(stderr, err->text);
	summary_complain(stderr, "so there are plain lines instead");
}

/* ---- start ---- */

static bool
program_plays(const struct program *p)
{
	return p->settings.play[0] != '\0';
}

/* --record and --play need a console: fail without a terminal. */
static int
program_run_without_terminal(struct program *p, struct error *err)
{
	if (p->past || p->attached_fd > 0) {
		summary_complain(stderr, err->text);
		return program_fail("a campaign is shown by the console, which "
				    "needs a terminal; `cfuzz show` prints it");
	}
	if (!program_plays(p) && p->settings.record[0] == '\0') {
		program_say_why_lines(err);
		return program_run_lines(p);
	}
	summary_complain(stderr, err->text);
	return program_fail("a recording is made and shown by the console, "
			    "which needs a terminal");
}

static int
program_run(struct program *p)
{
	struct launcher launcher = {
		.console = {
			.settings = &p->settings,
			.target = p->target,
			.past = p->past,
			.watch = p->watch,
			.alone = p->alone,
			.follow = p->follow,
			.owner = p->owner,
		},
		.output = program_plays(p) ? NULL : p->output,
		.engine = program_plays(p) ? program_player : program_engine,
		.arg = p,
		.attached_fd = p->attached_fd,
	};
	struct theme theme;
	struct error err = { 0 };
	int status;

	if (theme_load(p->settings.theme, &theme, &err) != OK)
		return program_fail(err.text);
	if (p->settings.keys[0] != '\0' &&
		keys_load(p->settings.keys, &err) != OK)
		return program_fail(err.text);
	if (terminal_check(STDIN_FILENO, STDOUT_FILENO, &err) != OK)
		return program_run_without_terminal(p, &err);
	if (p->settings.record[0] != '\0' &&
		recorder_open_file(p->settings.record,
			&launcher.console.record_fd, &err) != OK)
		return program_fail(err.text);
	status = launcher_run(&launcher);
	/* The next try needs the name again. */
	if (status == EXIT_SETUP && p->settings.record[0] != '\0')
		(void)unlink(p->settings.record);
	return status;
}

static void
program_print_help(void)
{
	char *options = xmalloc(HELP_SIZE);

	settings_help(OPTION_CONSOLE, options, HELP_SIZE);
	printf("usage: cfuzz-tui [OPTION]... TARGET [ARGUMENT]...\n"
	       "       cfuzz-tui [OPTION]... OUT\n"
	       "       cfuzz-tui attach [-r] [-d] [--follow] [OPTION]... [OUT]\n\n"
	       "The first form fuzzes a program; @@ in its arguments names "
	       "the input's file.\nThe second form shows the campaign in "
	       "OUT, an output directory, also after its\nend. The third form "
	       "opens a console on a campaign that runs: -r watches,\n"
	       "-d detaches the other consoles, --follow watches what the "
	       "one in control shows.\n\n%s\n"
	       "In the console, ? lists the keys. The manual is "
	       "cfuzz-tui(1).\n",
		options);
	free(options);
}

/* --help, --version */
static int
program_about(const struct program *p)
{
	struct error err = { 0 };

	if (p->settings.help)
		program_print_help();
	else
		puts("cfuzz-tui " CFUZZ_VERSION);
	if (fd_check_output(&err) != OK)
		summary_complain(stderr, err.text);
	return err.code == OK ? 0 : EXIT_LOST;
}

/* Finds the demonstration target: beside this program, or installed. */
static bool
program_find_demo(struct program *p)
{
	static char *none[] = { NULL };
	char path[4096];

	if (!beside_find("demo", CFUZZ_LIBDIR "/cfuzz", X_OK, path,
		    sizeof(path)))
		return false;
	p->target = p->demo = xstrdup(path);
	p->args = none;
	return true;
}

/* A tour needs a new output directory: in an old campaign, the events that its
 * steps wait for have already happened. */
static char *
program_fresh_output(const char *name)
{
	char *path = xasprintf("%s-tour.cfuzz", name);

	for (unsigned i = 2; access(path, F_OK) == 0; i++) {
		free(path);
		path = xasprintf("%s-tour-%u.cfuzz", name, i);
	}
	return path;
}

static char *
program_output(struct program *p)
{
	if (p->settings.tour &&
		(p->settings.output == NULL || p->settings.output[0] == '\0')) {
		free(p->settings.output);
		p->settings.output = program_fresh_output(basename(p->target));
	}
	return settings_output(&p->settings, p->target);
}

static int
program_play(struct program *p, int operands)
{
	if (operands > 0)
		return program_fail("--play shows a recording: it takes no "
				    "target");
	if (p->settings.record[0] != '\0')
		return program_fail("--play and --record exclude each other");
	p->target = p->settings.play;
	return program_run(p);
}

/* ---- attach ---- */

static int
program_cannot_attach(const char *text)
{
	program_fail(text);
	return PROGRAM_NOT_ATTACHED;
}

/* Takes -r, -d and --follow, which stand first. Returns how many. */
static int
program_attach_flags(struct program *p, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (strcmp(argv[i], "-r") == 0)
			p->watch = true;
		else if (strcmp(argv[i], "-d") == 0)
			p->alone = true;
		else if (strcmp(argv[i], "--follow") == 0)
			p->watch = p->follow = true;
		else
			break;
	return i;
}

/* The campaign in the output directory that is named so: running, or over. */
static enum status
program_open_output(struct program *p, const char *name, struct error *err)
{
	enum status status;

	p->output = settings_named_output(name);
	status =
		endpoint_connect_any(p->output, &p->attached_fd, p->owner, err);
	if (status != E_NOT_FOUND || !dir_exists(p->output))
		return status;
	p->attached_fd = 0;
	error_clear(err);
	p->past = engine_check_past(p->output, err) == OK;
	p->settings.stop_on_hangup |= p->past; /* nothing goes on */
	return p->past ? OK : err->code;
}

/* output: NULL: the only campaign that runs. */
static enum status
program_connect(struct program *p, const char *output, struct error *err)
{
	return output == NULL
		? campaign_index_connect(&p->output, &p->attached_fd, err)
		: program_open_output(p, output, err);
}

/* Whether the user, who starts a campaign that runs already, wants to see it. */
static bool
program_offers_attach(struct program *p)
{
	char output[ERROR_TEXT_MAX], answer[16] = "";
	struct error err = { 0 };

	if (p->settings.tour ||
		terminal_check(STDIN_FILENO, STDOUT_FILENO, &err) != OK ||
		endpoint_connect(p->output, &p->attached_fd, &err) != OK) {
		p->attached_fd = 0;
		return false;
	}
	text_clean_string(p->output, output, sizeof(output));
	printf("A campaign runs in %s already. Attach to it? [Y/n] ", output);
	fflush(stdout);
	if (fgets(answer, sizeof(answer), stdin) != NULL &&
		strchr("yY\n", answer[0]) != NULL)
		return true;
	fd_close(&p->attached_fd);
	p->attached_fd = 0;
	return false;
}

/* argv[0] is "attach". */
static int
program_attach(struct program *p, int argc, char **argv)
{
	int skipped = program_attach_flags(p, argc - 1, argv + 1), operand;
	struct error err = { 0 };

	argc -= skipped;
	argv += skipped;
	if (settings_parse_args(&p->settings, argc, argv, OPTION_CONSOLE,
		    &operand, &err) != OK)
		return program_cannot_attach(err.text);
	if (p->settings.help || p->settings.version)
		return program_about(p);
	if (shown_check_operands(argv + operand,
		    "cfuzz attach [-r] [-d] [--follow]", &err) != OK ||
		shown_check_options(&p->settings, &err) != OK ||
		terminal_check(STDIN_FILENO, STDOUT_FILENO, &err) != OK ||
		program_connect(p, argv[operand], &err) != OK)
		return program_cannot_attach(err.text);
	p->target = p->output;
	return program_run(p);
}

/* cfuzz-tui OUT */
static int
program_show(struct program *p, char **operands)
{
	struct error err = { 0 };

	if (shown_check_operands(operands, "cfuzz-tui", &err) != OK ||
		shown_check_options(&p->settings, &err) != OK ||
		program_open_output(p, operands[0], &err) != OK)
		return program_fail(err.text);
	p->target = p->output;
	return program_run(p);
}

static int
program_detach(struct program *p)
{
	struct engine_config config = program_config(p);

	return engine_start_detached(&config);
}

static int
program_start(struct program *p, int argc, char **argv)
{
	struct error err = { 0 };
	int operand;

	if (argc > 1 && strcmp(argv[1], "attach") == 0)
		return program_attach(p, argc - 1, argv + 1);
	if (settings_parse_args(&p->settings, argc, argv, OPTION_CONSOLE,
		    &operand, &err) != OK ||
		settings_check_arguments(&p->settings, argv, operand, &err) !=
			OK)
		return program_fail(err.text);
	if (p->settings.help || p->settings.version)
		return program_about(p);
	if (program_plays(p))
		return program_play(p, argc - operand);
	if (operand >= argc && !(p->settings.tour && program_find_demo(p)))
		return program_fail(
			"the target is missing: cfuzz-tui ./target");
	if (p->target == NULL && dir_exists(argv[operand]))
		return program_show(p, argv + operand);
	if (p->target == NULL) {
		p->target = argv[operand];
		p->args =
			settings_target_arguments(&p->settings, argv, operand);
	}
	p->output = program_output(p);
	if (p->settings.detach)
		return program_detach(p);
	if (program_offers_attach(p))
		p->target = p->output;
	return program_run(p);
}

int
main(int argc, char **argv)
{
	struct program program = { 0 };
	struct error err = { 0 };
	int status;

	fd_fill_standard();
	if (symbols_helper_main(argc, argv, &status) ||
		isolate_main(argc, argv, &status))
		return status;
	fd_mark_inherited();
	if (harden_check_user(&err) != OK)
		return program_fail(err.text);
	libraries_prepare();
	settings_init(&program.settings);
	status = program_start(&program, argc, argv);
	settings_clear(&program.settings);
	free(program.output);
	free(program.demo);
	return status;
}
