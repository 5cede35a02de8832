/*
 * runner_say: what a tool tells its front end while it runs inputs.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "tools/runner.h"

static void __attribute__((format(printf, 3, 0)))
runner_report(const struct runner *runner, enum report_kind kind,
	const char *fmt, va_list ap)
{
	struct report report = { .kind = kind };
	char text[4096];

	vsnprintf(text, sizeof(text), fmt, ap);
	report.text = text;
	runner->config->report(runner->config->arg, &report);
}

void
runner_say(const struct runner *runner, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	runner_report(runner, REPORT_LINE, fmt, ap);
	va_end(ap);
}

void
runner_say_progress(const struct runner *runner, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	runner_report(runner, REPORT_PROGRESS, fmt, ap);
	va_end(ap);
}

void
runner_say_event(const struct runner *runner, json_t *take_event)
{
	struct report report = { .kind = REPORT_EVENT, .event = take_event };

	if (take_event != NULL)
		runner->config->report(runner->config->arg, &report);
	json_decref(take_event);
}

void
runner_say_target(const struct runner *runner)
{
	char path[1024];

	text_clean_string(runner->target.path, path, sizeof(path));
	runner_say(runner, "running %s (build %.8s)", path,
		runner->target.build);
}
