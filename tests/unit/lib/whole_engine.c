/*
 * whole_engine: see whole_engine.h.
 */
#include "lib/whole_engine.h"

#include <limits.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "control/command.h"
#include "engine/engine_over.h"
#include "engine/front/commands.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"

/* Runs this program as the target, unless the configuration names another. */
static struct engine *
whole_engine_create(const struct tree *tree, struct engine_config *config,
	const char *mode, const char *const *options, struct error *err)
{
	char *args[] = { (char *)(uintptr_t)mode, NULL };
	char target[PATH_MAX] = "";
	struct settings settings;
	enum exit_status status;
	struct engine *e;

	assert_true(readlink("/proc/self/exe", target, sizeof(target) - 1) > 0);
	if (config->target == NULL)
		config->target = target;
	config->args = args;
	config->settings = &settings;
	settings_init(&settings);
	assert_int_equal(settings_set(&settings, "output",
				 tree_path(tree, "out"), ORIGIN_FLAG, err),
		OK);
	for (; *options != NULL; options += 2)
		if (settings_set(&settings, options[0], options[1], ORIGIN_FLAG,
			    err) != OK)
			fail_msg("%s", err->text);
	e = engine_create(config, &status, err);
	assert_true(e != NULL || status == EXIT_SETUP);
	settings_clear(&settings);
	return e;
}

static struct engine *
whole_engine_must(const struct tree *tree, struct engine_config *config,
	const char *mode, const char *const *options)
{
	struct error err = { 0 };
	struct engine *e =
		whole_engine_create(tree, config, mode, options, &err);

	if (e == NULL)
		fail_msg("%s", err.text);
	return e;
}

struct engine *
whole_engine_try(const struct tree *tree, const char *const *options,
	struct error *err)
{
	struct engine_config config = { .control_fd = -1 };

	return whole_engine_create(tree, &config, "good", options, err);
}

struct engine *
whole_engine_open(const struct tree *tree, const char *mode,
	const char *const *options, int control_fd, engine_report_fn *report,
	void *arg)
{
	struct engine_config config = {
		.control_fd = control_fd,
		.report = report,
		.arg = arg,
	};

	return whole_engine_must(tree, &config, mode, options);
}

struct engine *
whole_engine_open_past(const struct tree *tree, const char *path,
	const char *mode, int control_fd, engine_report_fn *report, void *arg)
{
	static const char *const none[] = { NULL };
	struct engine_config config = {
		.target = path,
		.control_fd = control_fd,
		.report = report,
		.arg = arg,
		.past = true,
	};

	return whole_engine_must(tree, &config, mode, none);
}

#define PATIENCE_S 120 /* much, as a loaded machine is slow */

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	if (engine_over(arg))
		over_leave(arg);
	else
		engine_stop(arg, END_USER);
}

enum exit_status
whole_engine_run(struct engine *e, struct error *err)
{
	const struct timeval patience = { PATIENCE_S, 0 };
	struct event *deadline = event_new(e->base, -1, 0, on_deadline, e);
	enum exit_status status;

	event_add(deadline, &patience);
	status = engine_run(e, err);
	assert_true(event_pending(deadline, EV_TIMEOUT, NULL));
	event_free(deadline);
	return status;
}

enum status
whole_engine_command(struct engine *e, const char *line, char *answer,
	size_t size, struct error *err)
{
	struct command command;

	if (command_parse(line, &command, err) != OK)
		return err->code;
	return commands_run(e, &command, answer, size, err);
}

struct minimize_task *
whole_engine_add_replay(struct engine *e)
{
	struct failure failure = { .kind = FAILURE_ERROR, .what = "bad" };
	struct finding *f = finding_create(&failure, 1);

	f->input = xmemdup("bad", 3);
	f->len = 3;
	f->owner = e;
	findings_add(e, f);
	assert_int_equal(triage_replay(e, f, 1, NULL), OK);
	return minimize_tasks_of_finding(e, f);
}

bool
whole_engine_has(const struct engine *e, const struct minimize_task *m)
{
	size_t i;

	for (i = 0; i < e->minimize.n; i++)
		if (e->minimize.tasks[i] == m)
			return true;
	return false;
}
