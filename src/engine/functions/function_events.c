/* function_events: see function_events.h. */
#include "engine/functions/function_events.h"

#include <stdio.h>
#include <string.h>
#include <event2/event.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/libraries.h"
#include "control/query.h"
#include "engine/log/messages.h"
#include "engine/parts.h"

#define FUNCTION_EVENTS_FIRST_MS 200 /* delay to collect others */
#define FUNCTION_EVENTS_NEXT_MS 1000 /* between two events */
#define FUNCTION_EVENTS_WORDS 80     /* bytes of a name in the text */

static void
function_events_on_timer(evutil_socket_t fd, short what, void *arg)
{
	function_events_tell(arg);
}

void
function_events_init(struct function_events *events, struct engine *e)
{
	memset(events, 0, sizeof(*events));
	events->engine = e;
	events->timer = event_new(engine_base(e), -1, 0,
		function_events_on_timer, events);
}

void
function_events_clear(struct function_events *events)
{
	event_free(events->timer);
	memset(events, 0, sizeof(*events));
}

/* "read_tile() and 2 more reached", and the input. */
static void
function_events_write(const struct function_events *events, char *text,
	size_t size)
{
	uint64_t others = events->names_n + events->more - 1;
	char name[FUNCTION_EVENTS_WORDS], by[40] = "", and[40] = "";
	const char *call;

	text_clean_string(events->names[0], name, sizeof(name));
	call = strpbrk(name, "(+") != NULL ? "" : "()";
	if (others > 0)
		snprintf(and, sizeof(and), " and %llu more",
			(unsigned long long)others);
	if (events->inputs > 1)
		snprintf(by, sizeof(by), "   by %u inputs", events->inputs);
	else if (events->by[0] != '\0')
		snprintf(by, sizeof(by), "   by %.6s", events->by);
	snprintf(text, size, "%s%s%s reached%s", name, call, and, by);
}

static json_t *
function_events_members(const struct function_events *events)
{
	json_t *names = json_array(), *members;
	uint32_t i;

	for (i = 0; i < events->names_n; i++)
		json_array_append_new(names, json_string(events->names[i]));
	members = json_pack("{s:o, s:I}", "functions", names, "count",
		(json_int_t)events->more + events->names_n);
	if (events->inputs == 1 && events->by[0] != '\0')
		json_object_set_new(members, "input", json_string(events->by));
	return members;
}

void
function_events_tell(struct function_events *events)
{
	char text[200];

	if (events->timing)
		event_del(events->timer);
	events->timing = false;
	if (events->names_n == 0)
		return;
	function_events_write(events, text, sizeof(text));
	message_event(events->engine, "reached",
		function_events_members(events), "%s", text);
	events->told_ns = clock_now_ns();
	events->names_n = 0;
	events->more = 0;
	events->inputs = 0;
}

static void
function_events_start_timer(struct function_events *events)
{
	uint64_t since = (clock_now_ns() - events->told_ns) / 1000000u;
	uint64_t ms = FUNCTION_EVENTS_FIRST_MS;

	if (events->timing)
		return;
	if (events->told_ns != 0 && since + ms < FUNCTION_EVENTS_NEXT_MS)
		ms = FUNCTION_EVENTS_NEXT_MS - since;
	libraries_set_timer(events->timer, ms);
	events->timing = true;
}

void
function_events_add(struct function_events *events,
	const struct reply_new_function *function, unsigned where)
{
	if (where & FUNCTION_EVENTS_LIST)
		events->newest[events->newest_n++ % QUERY_NEW_FUNCTIONS_MAX] =
			*function;
	if (!(where & FUNCTION_EVENTS_EVENT))
		return;
	if (events->names_n == 0 || strcmp(function->entry, events->by) != 0)
		events->inputs++;
	snprintf(events->by, sizeof(events->by), "%s", function->entry);
	if (events->names_n < FUNCTION_EVENTS_NAMES_MAX)
		snprintf(events->names[events->names_n++],
			sizeof(events->names[0]), "%s", function->name);
	else
		events->more++;
	function_events_start_timer(events);
}

uint32_t
function_events_list(const struct function_events *events,
	struct reply_new_function *list)
{
	uint64_t i,
		count = events->newest_n < QUERY_NEW_FUNCTIONS_MAX
		? events->newest_n
		: QUERY_NEW_FUNCTIONS_MAX;

	for (i = 0; i < count; i++)
		list[i] = events->newest[(events->newest_n - count + i) %
			QUERY_NEW_FUNCTIONS_MAX];
	return (uint32_t)count;
}
