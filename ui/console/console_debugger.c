/*
 * console_debugger: runs a finding in a debugger, which owns the terminal.
 *
 * The campaign and the console continue meanwhile, without a screen. If the
 * campaign ends, the console waits for the end of the debugger.
 */
#include "ui/console/console_private.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/command.h"
#include "ui/console/debugger.h"

#define CONSOLE_DEBUGGER "gdb"

static void
console_on_debugged(void *arg, int status)
{
	struct console *c = arg;

	c->debugger = NULL;
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		model_say(&c->model, true, "the debugger ended with status %d",
			WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		model_say(&c->model, true, "the debugger ended by signal %d",
			WTERMSIG(status));
	if (c->ending || terminal_enter(c->terminal, NULL) != OK)
		console_end(c);
}

/*
 * By its id, or by the first digits as in the engine's commands; n: the ids
 * that begin with them.
 */
static const struct snapshot_finding *
console_find_finding(const struct snapshot *s, const char *id, size_t *n)
{
	const struct snapshot_finding *f = snapshot_find_finding(s, id);
	size_t len = strlen(id);

	*n = 0;
	if (f != NULL || len < COMMAND_DIGITS_MIN)
		return f;
	for (size_t i = 0; i < s->findings_n; i++)
		if (strncmp(s->findings[i].id, id, len) == 0) {
			f = &s->findings[i];
			(*n)++;
		}
	return *n == 1 ? f : NULL;
}

/* The finding to debug; NULL: not possible, and a message says why. */
static const struct snapshot_finding *
console_debuggable(struct console *c, const char *id)
{
	size_t n;
	const struct snapshot_finding *f =
		console_find_finding(c->model.snapshot, id, &n);

	if (c->model.foreign)
		model_say(&c->model, true,
			"the campaign belongs to %s: its target does not run "
			"with your rights",
			c->config->owner);
	else if (c->model.playback.on)
		model_say(&c->model, true, "a recording has no target to run");
	else if (n > 1)
		model_say(&c->model, true,
			"the ids of %zu findings begin with %s: write more "
			"digits",
			n, id);
	else if (f == NULL)
		model_say(&c->model, true, "there is no finding %s", id);
	else if (!snapshot_can_debug(c->model.snapshot, f))
		model_say(&c->model, true,
			"the finding needs %" PRIu32
			" inputs in a row; of a program with a main() %s runs "
			"one",
			f->sequence, CONSOLE_DEBUGGER);
	else if (!debugger_is_installed(CONSOLE_DEBUGGER))
		model_say(&c->model, true,
			"%s is not installed; the finding's detail has the "
			"command to re-run it",
			CONSOLE_DEBUGGER);
	else
		return f;
	return NULL;
}

void
console_debug(struct console *c, const char *id)
{
	const struct snapshot_finding *f = console_debuggable(c, id);
	char option[] = "--" CONSOLE_DEBUGGER;
	char *cfuzz, path[2 * PATH_MAX];
	/* Not of the snapshot, whose paths are cut and those of the engine. If
	 * attached, `target` is the output directory, which names it. */
	const char *target = c->config->target;
	struct error err = { 0 };

	if (f == NULL)
		return;
	snprintf(path, sizeof(path), "%s/%s%s", c->config->output, f->folder,
		f->sequence > 1                ? "" /* all of its inputs */
			: f->minimized_len > 0 ? "/minimized"
					       : "/input");
	cfuzz = debugger_cfuzz();
	terminal_leave(c->terminal);
	if (debugger_start(&c->debugger, c->base, STDIN_FILENO,
		    (char *[]){ cfuzz, "repro", option,
			    (char *)(uintptr_t)target, path, NULL },
		    console_on_debugged, c, &err) != OK) {
		model_say(&c->model, true, "%s", err.text);
		if (terminal_enter(c->terminal, NULL) != OK)
			console_end(c);
	}
	free(cfuzz);
}
