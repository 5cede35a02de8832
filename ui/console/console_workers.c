/*
 * console_workers: the console's commands for one worker.
 */
#include "ui/console/console_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct snapshot_worker *
console_worker(struct console *c)
{
	const struct snapshot_worker *worker = model_worker(&c->model);

	if (worker == NULL)
		model_say(&c->model, true, "no worker is running");
	return worker;
}

void
console_toggle_worker(struct console *c)
{
	const struct snapshot_worker *worker = console_worker(c);
	char line[64];

	if (worker == NULL)
		return;
	snprintf(line, sizeof(line), "%s %" PRIu32,
		worker->paused ? "resume" : "pause", worker->id);
	console_send(c, line);
}

void
console_stop_worker(struct console *c)
{
	const struct snapshot_worker *worker = console_worker(c);
	char line[64];

	if (worker == NULL)
		return;
	snprintf(line, sizeof(line), "stop %" PRIu32, worker->id);
	console_line(c, line, true);
}

void
console_select(struct console *c, const char *arg)
{
	char *end;
	unsigned long id = strtoul(arg, &end, 10);

	if (arg[0] == '\0')
		console_say_usage(c, ACTION_SELECT);
	else if (strchr("0123456789", arg[0]) == NULL || *end != '\0' ||
		id > UINT32_MAX ||
		snapshot_find_worker(c->model.snapshot, (uint32_t)id) == NULL)
		model_say(&c->model, true, "there is no worker %s", arg);
	else
		c->model.selected_worker = (uint32_t)id;
}
