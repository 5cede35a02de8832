/*
 * launcher_console: the process of the console, and its last words.
 */
#include "ui/console/launcher_private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "control/endpoint.h"
#include "ui/console/summary.h"

#define LAUNCHER_GREET_MS 5000

void
launcher_say_come_back(const struct launched *l)
{
	char line[ENDPOINT_LINE_SIZE];

	endpoint_come_back(l->launcher->output, line, sizeof(line));
	puts(line);
	fflush(stdout);
}

/* The status of a console whose campaign, which came with it, runs on; 0: it
 * does not. A quit may still wait for an engine that does not read. */
static int
launcher_leaves(const struct launched *l, const struct console_end *end)
{
	if (end->detached) {
		puts(end->text);
		return LAUNCHER_DETACHED;
	}
	/* The terminal was lost: that is a detach. A player has no output. */
	if (l->launcher->attached_fd > 0 || l->launcher->output == NULL ||
		l->launcher->console.settings->stop_on_hangup ||
		end->said_bye || !end->left)
		return 0;
	if (end->quits) {
		puts("the campaign was told to quit: it ends when its engine "
		     "answers");
		return LAUNCHER_DETACHED;
	}
	/* The launcher may have had the same signal, which ends the campaign;
	 * one that was killed says nothing. */
	if (getppid() == l->self)
		return LAUNCHER_LEFT;
	launcher_say_come_back(l);
	return LAUNCHER_DETACHED;
}

/*
 * The engine has cut the connection, or it is gone: the campaign may have ended
 * in order since. Files of another user are not opened.
 */
static int
launcher_say_dropped(const struct launched *l, const struct console_end *end)
{
	const char *output = l->launcher->output;
	char owner[ENDPOINT_USER_SIZE];
	bool foreign = l->launcher->console.owner[0] != '\0', goes_on = false;
	int fd = -1, status;

	if (output != NULL)
		goes_on = endpoint_connect_any(output, &fd, owner,
				  &(struct error){ 0 }) == OK &&
			endpoint_is_greeted(fd, LAUNCHER_GREET_MS);
	fd_close(&fd);
	if (goes_on) {
		summary_complain(stderr,
			"the campaign has cut the connection, because this "
			"console did not read for ten seconds");
		launcher_say_come_back(l);
		return LAUNCHER_DROPPED;
	}
	if (output != NULL && !foreign &&
		summary_print_ended(stdout, output, end->runs, &status))
		return status;
	summary_complain(stderr,
		foreign ? "the campaign is gone without a goodbye: it has "
			  "ended, was killed or has failed"
			: "the campaign is gone without a goodbye: it was "
			  "killed or has failed");
	return LAUNCHER_DROPPED;
}

/*
 * The status of an attached console is that of the program. A console with an
 * engine of its own tells the launcher only whether to wait for it.
 */
static int
launcher_console_status(const struct launched *l, const struct console_end *end)
{
	int status = launcher_leaves(l, end);

	fflush(stdout);
	if (end->refused) {
		summary_complain(stderr, end->text);
		return LAUNCHER_SETUP;
	}
	if (l->launcher->attached_fd <= 0)
		return status;
	if (end->said_bye && !end->detached) {
		if (end->text[0] != '\0')
			summary_complain(stderr, end->text);
		/* Files of another user are not opened. */
		summary_print(stdout,
			l->launcher->console.owner[0] != '\0'
				? NULL
				: l->launcher->output,
			end->runs, end->exit_status);
		return end->exit_status;
	}
	return end->said_bye || end->left ? 0 : launcher_say_dropped(l, end);
}

int
launcher_console(struct launched *l)
{
	struct console_config config = l->launcher->console;
	struct console_end end;
	struct error err = { 0 };
	char text[ERROR_TEXT_MAX];
	enum status status;

	fd_close(&l->control[1]);
	fd_close(&l->note[0]);
	fd_close(&l->note[1]);
	fd_close(&l->reset[0]);
	config.output = l->launcher->output;
	config.control_fd = l->control[0];
	config.report_fd = l->reset[1];
	config.attached = l->launcher->attached_fd > 0;
	status = console_run(&config, &end, &err);
	if (end.recording != 0) {
		snprintf(text, sizeof(text),
			"the recording %s is not complete: %s",
			config.settings->record, strerror(end.recording));
		summary_complain(stderr, text);
	}
	if (status == OK) {
		(void)!fd_write_all(l->reset[1], &end.runs, sizeof(end.runs),
			NULL);
		return launcher_console_status(l, &end);
	}
	summary_complain(stderr, err.text);
	return LAUNCHER_FAILED;
}
