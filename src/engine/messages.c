/*
 * messages: the engine's messages, in three forms from one place: log lines
 * like the reference engine's, journal events, and short texts for the screen.
 */
#include "engine/messages.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/pool.h"
#include "store/journal.h"

static void
message_report_text(struct engine *e, const char *text)
{
	struct report report = { .kind = REPORT_LINE, .text = text };

	log_debug("%s", text);
	e->messages.report(e->messages.report_arg, &report);
}

void
message_print(struct engine *e, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	message_report_text(e, text);
}

static void
message_warmup(struct engine *e, const char *elapsed)
{
	unsigned long long done = e->load.warmup_total - e->load.warmup_left;
	unsigned long long all = e->load.warmup_total;

	if (e->target.instrumented)
		message_print(e,
			"fuzz: elapsed: %s, gathering baseline coverage: "
			"%llu/%llu completed",
			elapsed, done, all);
	else
		message_print(e,
			"fuzz: elapsed: %s, testing seed corpus: %llu/%llu "
			"completed",
			elapsed, done, all);
}

/* Each finding is announced once; only this line counts repeats. */
static void
message_seen(const struct engine *e, char *buf, size_t size)
{
	unsigned long long n = 0, times = 0;
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < e->findings.n; i++) {
		if (!e->findings.list[i]->this_run ||
			e->findings.list[i]->verdict == VERDICT_IGNORED)
			continue;
		n++;
		times += e->findings.list[i]->count;
	}
	if (n > 0)
		snprintf(buf, size, ", findings: %llu (seen: %llu)", n, times);
}

static void
message_fuzzing(struct engine *e, const char *elapsed)
{
	uint64_t now = clock_now_ns(), count = engine_executions(e);
	unsigned long long total = e->load.warmup_total + e->counts.new_inputs;
	double s = (double)(now - e->messages.line_ns) / 1e9;
	double rate = s > 0 ? (double)(count - e->messages.line_count) / s : 0;
	char seen[80];

	e->messages.line_ns = now;
	e->messages.line_count = count;
	message_seen(e, seen, sizeof(seen));
	if (e->target.instrumented)
		message_print(e,
			"fuzz: elapsed: %s, execs: %llu (%.0f/sec), new "
			"interesting: %llu (total: %llu)%s",
			elapsed, (unsigned long long)count, rate,
			(unsigned long long)e->counts.new_inputs, total, seen);
	else
		message_print(e, "fuzz: elapsed: %s, execs: %llu (%.0f/sec)%s",
			elapsed, (unsigned long long)count, rate, seen);
}

void
message_statistics(struct engine *e)
{
	char elapsed[TEXT_NUMBER_SIZE];

	text_elapsed(run_clock_elapsed_ns(&e->clock), elapsed);
	if (engine_warming(e))
		message_warmup(e, elapsed);
	else if (e->findings.crash_minimizing != NULL && !e->end.ended)
		message_print(e, "fuzz: elapsed: %s, minimizing", elapsed);
	else
		message_fuzzing(e, elapsed);
}

void
message_warm(struct engine *e)
{
	char elapsed[TEXT_NUMBER_SIZE];
	unsigned long long n = e->load.warmup_total;

	text_elapsed(run_clock_elapsed_ns(&e->clock), elapsed);
	message_print(e,
		"fuzz: elapsed: %s, %s: %llu/%llu completed, now fuzzing with %u "
		"workers",
		elapsed,
		e->target.instrumented ? "gathering baseline coverage"
				       : "testing seed corpus",
		n, n, pool_wanted(e));
}

/* Name of the event's entry or finding; "": neither. */
static const char *
message_about(const json_t *members)
{
	const char *name = json_string_value(json_object_get(members, "input"));

	if (name == NULL)
		name = json_string_value(json_object_get(members, "finding"));
	return name != NULL ? name : "";
}

static bool
message_is_finding(const char *kind)
{
	return strcmp(kind, "crash") == 0 || strcmp(kind, "hang") == 0 ||
		strcmp(kind, "oom") == 0 || strcmp(kind, "leak") == 0;
}

/* On a screen, replays that did not fail are no verification. */
static const char *
message_shown_kind(const char *kind, const json_t *members)
{
	const json_t *n = json_object_get(members, "reproduced");

	return n != NULL && json_integer_value(n) == 0 ? "replayed" : kind;
}

/* The time of writing in seconds since 1970; 0: not valid. */
static double
message_written_s(const json_t *event)
{
	const char *t = json_string_value(json_object_get(event, "t"));
	struct tm tm = { .tm_isdst = 0 };

	return t != NULL && strptime(t, "%Y-%m-%dT%H:%M:%S", &tm) != NULL
		? (double)timegm(&tm)
		: 0;
}

void
message_recall(struct engine *e, const json_t *event)
{
	const char *kind = json_string_value(json_object_get(event, "event"));
	const char *text = json_string_value(json_object_get(event, "text"));
	double at_s = json_number_value(json_object_get(event, "at_s"));

	if (kind == NULL || text == NULL || !(at_s >= 0))
		return;
	event_ring_add_past(e->messages.events, message_shown_kind(kind, event),
		fmin(at_s, e->earlier.elapsed_s), message_written_s(event),
		text, message_about(event));
}

void
message_event(struct engine *e, const char *kind, json_t *take_members,
	const char *fmt, ...)
{
	double at_s = engine_campaign_s(e);
	json_t *event = journal_event(kind, at_s);
	struct report report = { .kind = REPORT_EVENT, .event = event };
	char text[512];
	va_list ap;

	if (fmt != NULL) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		event_ring_add(e->messages.events,
			message_shown_kind(kind, take_members), at_s, text,
			message_about(take_members));
		log_debug("%s: %s", kind, text);
		journal_set_text(event, "text", text);
	}
	if (take_members != NULL)
		json_object_update_missing(event, take_members);
	json_decref(take_members);
	store_log(e->store, event, message_is_finding(kind));
	e->messages.report(e->messages.report_arg, &report);
	json_decref(event);
}

void
message_warn(struct engine *e, const char *kind, const char *text)
{
	message_print(e, "warning: %s", text);
	message_event(e, kind, NULL, "%s", text);
}

void
message_keep_warning(struct engine *e, const char *kind, const char *text)
{
	e->messages.warnings = xreallocarray(e->messages.warnings,
		e->messages.warnings_n + 1, sizeof(*e->messages.warnings));
	e->messages.warnings[e->messages.warnings_n++] =
		(struct kept_warning){ .kind = kind, .text = xstrdup(text) };
}

void
message_print_warnings(struct engine *e)
{
	const char *text;
	size_t i;

	for (i = 0; (text = store_warning(e->store, i)) != NULL; i++)
		message_print(e, "warning: %s", text);
	for (i = 0; i < e->messages.warnings_n; i++)
		message_warn(e, e->messages.warnings[i].kind,
			e->messages.warnings[i].text);
}
