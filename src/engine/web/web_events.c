/*
 * web_events: the journal as server-sent events
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>

#include "base/xmalloc.h"
#include "engine/log/event_ring.h"
#include "engine/log/messages.h"
#include "engine/web/web_private.h"

#define WEB_STREAMS_MAX 32
#define WEB_STREAM_PAST 64u           /* events that a new reader gets */
#define WEB_STREAM_ONCE 256u          /* events per sending */
#define WEB_STREAM_BACKLOG (1u << 20) /* bytes unsent: drop the reader */
#define WEB_STREAM_IN_MAX 4096        /* bytes from a reader: it is dropped */
#define WEB_STREAM_TIMEOUT_S 10       /* for a reader to take something */

struct web_stream {
	struct web *web;
	struct web_stream *next;
	struct evhttp_request *request;
	uint64_t seq; /* of the last event sent */
};

/* The connection is closed, by either side. A reader that left has a request
 * without a connection, which is ours to free. */
static void
web_stream_on_close(struct evhttp_connection *connection, void *arg)
{
	struct web_stream *stream = arg, **at = &stream->web->streams;

	if (evhttp_request_get_connection(stream->request) == NULL)
		evhttp_request_free(stream->request);
	while (*at != stream)
		at = &(*at)->next;
	*at = stream->next;
	stream->web->streams_n--;
	free(stream);
}

static void
web_event_write(const struct web *web, const struct snapshot_event *event,
	struct evbuffer *to)
{
	json_t *json = json_pack("{s:f, s:s, s:s, s:s, s:f}", "at_s",
		event->at_s, "event", event->kind, "text", event->text, "about",
		event->about, "wall_s", event->wall_s);
	char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;

	if (text != NULL)
		evbuffer_add_printf(to, "id: %s-%" PRIu64 "\ndata: %s\n\n",
			web->engine_id, event->seq, text);
	free(text);
	json_decref(json);
}

/* The number in an id that this engine wrote. False: it did not; id may be
 * NULL. */
static bool
web_event_number(const struct web *web, const char *id, uint64_t *seq)
{
	size_t n = strlen(web->engine_id);
	char *end;

	if (id == NULL || strncmp(id, web->engine_id, n) != 0 || id[n] != '-' ||
		id[n + 1] < '0' || id[n + 1] > '9')
		return false;
	*seq = strtoull(id + n + 1, &end, 10);
	return *end == '\0';
}

/* Does the reader take too little, or send too much? */
static bool
web_stream_is_bad(struct evhttp_connection *connection)
{
	struct bufferevent *bev = evhttp_connection_get_bufferevent(connection);

	return evbuffer_get_length(bufferevent_get_output(bev)) >
		WEB_STREAM_BACKLOG ||
		evbuffer_get_length(bufferevent_get_input(bev)) >=
		WEB_STREAM_IN_MAX;
}

static void
web_stream_send(struct web_stream *stream)
{
	struct evhttp_connection *connection =
		evhttp_request_get_connection(stream->request);
	struct event_ring *events = message_events(stream->web->engine);
	uint64_t newest = event_ring_ever(events), n = 0;
	uint64_t oldest = newest - event_ring_kept(events) + 1;
	struct evbuffer *buffer;

	if (web_stream_is_bad(connection)) {
		evhttp_connection_free(connection);
		return;
	}
	if (stream->seq >= newest)
		return;
	if (stream->seq + 1 < oldest)
		stream->seq = oldest - 1;
	buffer = evbuffer_new();
	for (; stream->seq < newest && n < WEB_STREAM_ONCE; n++) {
		struct snapshot_event event;

		event_ring_get(events, ++stream->seq, &event);
		web_event_write(stream->web, &event, buffer);
	}
	evhttp_send_reply_chunk(stream->request, buffer);
	evbuffer_free(buffer);
}

/* A reader need not send anything more, and may send only a little. */
static void
web_stream_expect_nothing(struct evhttp_connection *connection)
{
	struct bufferevent *bev = evhttp_connection_get_bufferevent(connection);
	const struct timeval timeout = { WEB_STREAM_TIMEOUT_S, 0 };

	bufferevent_set_timeouts(bev, NULL, &timeout);
	bufferevent_setwatermark(bev, EV_READ, 0, WEB_STREAM_IN_MAX);
}

void
web_events_start(struct web *web, struct evhttp_request *request)
{
	struct evkeyvalq *in = evhttp_request_get_input_headers(request);
	struct evkeyvalq *out = evhttp_request_get_output_headers(request);
	const char *last = evhttp_find_header(in, "Last-Event-ID");
	uint64_t newest = event_ring_ever(message_events(web->engine)), seq;
	struct web_stream *stream;

	if (web->streams_n >= WEB_STREAMS_MAX) {
		evhttp_send_error(request, HTTP_SERVUNAVAIL, NULL);
		return;
	}
	stream = xcalloc(1, sizeof(*stream));
	stream->web = web;
	stream->request = request;
	stream->next = web->streams;
	stream->seq = newest > WEB_STREAM_PAST ? newest - WEB_STREAM_PAST : 0;
	if (web_event_number(web, last, &seq) && seq <= newest)
		stream->seq = seq;
	web->streams = stream;
	web->streams_n++;
	evhttp_add_header(out, "Content-Type", "text/event-stream");
	evhttp_connection_set_closecb(evhttp_request_get_connection(request),
		web_stream_on_close, stream);
	evhttp_send_reply_start(request, HTTP_OK, "OK");
	web_stream_expect_nothing(evhttp_request_get_connection(request));
	web_stream_send(stream);
}

void
web_events_send(struct web *web)
{
	struct web_stream *stream, *next;

	for (stream = web->streams; stream != NULL; stream = next) {
		next = stream->next;
		web_stream_send(stream);
	}
}

void
web_events_end(struct web *web)
{
	while (web->streams != NULL)
		evhttp_connection_free(
			evhttp_request_get_connection(web->streams->request));
}
