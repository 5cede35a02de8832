/* function_events: see function_events.h. */
#include "engine/functions/function_events.h"

#include <stdio.h>
#include <string.h>
#include <event2/event.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/query.h"
#include "engine/log/messages.h"
#include "engine/parts.h"

#define FUNCTION_EVENTS_FIRST_MS 200 /* delay to collect others */
#define FUNCTION_EVENTS_NEXT_MS 1000 /* between two events */
#define FUNCTION_EVENTS_WORDS 80     /* bytes of a name in the text */

static void
function_events_on_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	function_events_tell(arg);
}

void
function_events_init(struct function_events *n, struct engine *e)
{
	memset(n, 0, sizeof(*n));
	n->engine = e;
	n->timer =
		event_new(engine_base(e), -1, 0, function_events_on_timer, n);
}

void
function_events_clear(struct function_events *n)
{
	event_free(n->timer);
	memset(n, 0, sizeof(*n));
}

/* "read_tile() and 2 more reached", and the input. */
static void
function_events_write(const struct function_events *n, char *text, size_t size)
{
	uint64_t others = n->names_n + n->more - 1;
	char name[FUNCTION_EVENTS_WORDS], by[40] = "", and[40] = "";
	const char *call;

	text_clean_string(n->names[0], name, sizeof(name));
	call = strpbrk(name, "(+") != NULL ? "" : "()";
	if (others > 0)
		snprintf(and, sizeof(and), " and %llu more",
			(unsigned long long)others);
	if (n->inputs > 1)
		snprintf(by, sizeof(by), "   by %u inputs", n->inputs);
	else if (n->by[0] != '\0')
		snprintf(by, sizeof(by), "   by %.6s", n->by);
	snprintf(text, size, "%s%s%s reached%s", name, call, and, by);
}

static json_t *
function_events_members(const struct function_events *n)
{
	json_t *names = json_array(), *members;
	uint32_t i;

	for (i = 0; i < n->names_n; i++)
		json_array_append_new(names, json_string(n->names[i]));
	members = json_pack("{s:o, s:I}", "functions", names, "count",
		(json_int_t)n->more + n->names_n);
	if (n->inputs == 1 && n->by[0] != '\0')
		json_object_set_new(members, "input", json_string(n->by));
	return members;
}

void
function_events_tell(struct function_events *n)
{
	char text[200];

	if (n->timing)
		event_del(n->timer);
	n->timing = false;
	if (n->names_n == 0)
		return;
	function_events_write(n, text, sizeof(text));
	message_event(n->engine, "reached", function_events_members(n), "%s",
		text);
	n->told_ns = clock_now_ns();
	n->names_n = 0;
	n->more = 0;
	n->inputs = 0;
}

static void
function_events_start_timer(struct function_events *n)
{
	uint64_t since = (clock_now_ns() - n->told_ns) / 1000000u;
	uint64_t ms = FUNCTION_EVENTS_FIRST_MS;
	struct timeval tv;

	if (n->timing)
		return;
	if (n->told_ns != 0 && since + ms < FUNCTION_EVENTS_NEXT_MS)
		ms = FUNCTION_EVENTS_NEXT_MS - since;
	tv.tv_sec = (time_t)(ms / 1000);
	tv.tv_usec = (suseconds_t)(ms % 1000 * 1000);
	n->timing = event_add(n->timer, &tv) == 0;
}

void
function_events_add(struct function_events *n,
	const struct reply_reached *function, unsigned where)
{
	if (where & FUNCTION_EVENTS_LIST)
		n->newest[n->newest_n++ % QUERY_REACHED_MAX] = *function;
	if (!(where & FUNCTION_EVENTS_EVENT))
		return;
	if (n->names_n == 0 || strcmp(function->entry, n->by) != 0)
		n->inputs++;
	snprintf(n->by, sizeof(n->by), "%s", function->entry);
	if (n->names_n < FUNCTION_EVENTS_NAMES_MAX)
		snprintf(n->names[n->names_n++], sizeof(n->names[0]), "%s",
			function->name);
	else
		n->more++;
	function_events_start_timer(n);
}

uint32_t
function_events_list(const struct function_events *n,
	struct reply_reached *list)
{
	uint64_t i,
		count = n->newest_n < QUERY_REACHED_MAX ? n->newest_n
							: QUERY_REACHED_MAX;

	for (i = 0; i < count; i++)
		list[i] = n->newest[(n->newest_n - count + i) %
			QUERY_REACHED_MAX];
	return (uint32_t)count;
}
