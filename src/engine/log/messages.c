/*
 * messages: the engine's messages, in three forms from one place: log lines
 * like the reference engine's, journal events, and short texts for the screen.
 */
#include "engine/log/messages.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "engine/log/event_ring.h"
#include "engine/log/messages_private.h"
#include "engine/parts.h"
#include "store/journal.h"
#include "store/store.h"

#define LAST_WORDS_MAX (48u << 10) /* bytes; a pipe has room for them */

void
messages_open(struct engine *e, engine_report_fn *report, void *arg)
{
	*engine_messages(e) = (struct messages){
		.report = report,
		.report_arg = arg,
		.events = event_ring_create(),
	};
}

void
messages_close(struct engine *e)
{
	struct messages *m = engine_messages(e);
	size_t i;

	event_ring_destroy(m->events);
	free(m->last_words);
	for (i = 0; i < m->warnings_n; i++)
		free(m->warnings[i].text);
	free(m->warnings);
}

void
message_report(struct engine *e, const struct report *report)
{
	const struct messages *m = engine_messages(e);

	if (m->report != NULL)
		m->report(m->report_arg, report);
}

static void
message_report_text(struct engine *e, const char *text)
{
	struct report report = { .kind = REPORT_LINE, .text = text };

	log_debug("%s", text);
	message_report(e, &report);
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

void
message_last_words(struct engine *e, const char *text)
{
	struct messages *m = engine_messages(e);
	size_t len = m->last_words != NULL ? strlen(m->last_words) : 0;
	char *longer;

	message_report_text(e, text);
	if (m->report != NULL || len >= LAST_WORDS_MAX)
		return;
	longer = xasprintf("%s%.*s\n", len > 0 ? m->last_words : "",
		(int)(LAST_WORDS_MAX - len), text);
	free(m->last_words);
	m->last_words = longer;
}

const char *
message_kept_words(const struct engine *e)
{
	const struct messages *m = engine_messages(e);

	return m->last_words != NULL ? m->last_words : "";
}

/* Name of the event's entry or finding; "": neither. */
static const char *
message_about(const json_t *members)
{
	const char *name = json_text_get(members, "input");

	if (name == NULL)
		name = json_text_get(members, "finding");
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
	const char *t = json_text_get(event, "t");
	struct tm tm = { .tm_isdst = 0 };

	return t != NULL && strptime(t, "%Y-%m-%dT%H:%M:%S", &tm) != NULL
		? (double)timegm(&tm)
		: 0;
}

void
message_recall(struct engine *e, const json_t *event, double latest_s)
{
	const char *kind = json_text_get(event, "event");
	const char *text = json_text_get(event, "text");
	double at_s = json_number_value(json_object_get(event, "at_s"));

	if (kind == NULL || text == NULL || !(at_s >= 0))
		return;
	event_ring_add_past(engine_messages(e)->events,
		message_shown_kind(kind, event), fmin(at_s, latest_s),
		message_written_s(event), text, message_about(event));
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
		event_ring_add(engine_messages(e)->events,
			message_shown_kind(kind, take_members), at_s, text,
			message_about(take_members));
		log_debug("%s: %s", kind, text);
		journal_set_text(event, "text", text);
	}
	if (take_members != NULL)
		json_object_update_missing(event, take_members);
	json_decref(take_members);
	if (engine_messages(e)->user != NULL &&
		json_object_get(event, "user") == NULL)
		journal_set_text(event, "user", engine_messages(e)->user);
	store_log(engine_store(e), event, message_is_finding(kind));
	message_report(e, &report);
	json_decref(event);
}

void
message_warn(struct engine *e, const char *kind, const char *text)
{
	message_print(e, "warning: %s", text);
	message_event(e, kind, NULL, "%s", text);
}

void
message_set_user(struct engine *e, const char *user)
{
	engine_messages(e)->user = user;
}

void
message_keep_warning(struct engine *e, const char *kind, const char *text)
{
	struct messages *m = engine_messages(e);

	m->warnings = xreallocarray(m->warnings, m->warnings_n + 1,
		sizeof(*m->warnings));
	m->warnings[m->warnings_n++] =
		(struct kept_warning){ .kind = kind, .text = xstrdup(text) };
}

void
message_print_warnings(struct engine *e)
{
	const struct messages *m = engine_messages(e);
	const char *text;
	size_t i;

	for (i = 0; (text = store_warning(engine_store(e), i)) != NULL; i++)
		message_warn(e, "files", text);
	for (i = 0; i < m->warnings_n; i++)
		message_warn(e, m->warnings[i].kind, m->warnings[i].text);
}

void
message_odd_return(struct engine *e)
{
	struct messages *m = engine_messages(e);

	if (!m->odd_return_said)
		message_warn(e, "target",
			"the target returned a value other than 0 and -1; it is "
			"taken as 0");
	m->odd_return_said = true;
}

void
message_no_module_room(struct engine *e)
{
	struct messages *m = engine_messages(e);

	if (!m->module_room_said)
		message_warn(e, "coverage",
			"no room for the counters of a module; its coverage "
			"does not count");
	m->module_room_said = true;
}

void
message_disk(struct engine *e, const char *files)
{
	struct messages *m = engine_messages(e);
	struct writer_status writer;

	store_get_status(engine_store(e), &writer);
	if (writer.unsaved == 0) {
		m->disk_said = false;
		return;
	}
	if (!m->disk_said)
		message_print(e, "warning: %s; %s: %llu", writer.text, files,
			(unsigned long long)writer.unsaved);
	m->disk_said = true;
}

bool
message_disk_said(const struct engine *e)
{
	return engine_messages(e)->disk_said;
}

struct event_ring *
message_events(const struct engine *e)
{
	return engine_messages(e)->events;
}
