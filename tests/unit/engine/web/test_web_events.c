/*
 * /events: who gets which events, readers that leave, lag, flood or are too
 * many, and streams that outlive the time limit of a request.
 */
#include "lib/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "engine/log/event_ring.h"
#include "engine/log/messages.h"
#include "lib/fake_worker.h"
#include "lib/files.h"
#include "lib/own_note.h"
#include "lib/web_reader.h"

#define STREAMS_MAX 32
#define STREAM(headers) \
	"GET /events HTTP/1.1\r\nHost: localhost\r\n" headers "\r\n"

static const char *const plain[] = { "parallel", "1", NULL };

static void
serve(struct web_server *server, const struct tree *tree)
{
	web_server_open(server, tree, "good", plain);
	assert_true(web_server_listen(server, "127.0.0.1"));
}

static void
add_event(struct web_server *server, const char *text)
{
	message_event(server->engine, "note", NULL, "%s", text);
}

/* Many, without a journal. */
static void
add_events(struct web_server *server, unsigned n, const char *text)
{
	for (; n > 0; n--)
		event_ring_add(message_events(server->engine), "note", 1, text,
			"");
}

static bool
no_streams(void *arg)
{
	const struct web_server *server = arg;

	return server->web->streams_n == 0;
}

/* Opens a stream and waits for its first event, with this text. */
static void
open_stream(struct web_reader *reader, struct web_server *server,
	const char *request, const char *text)
{
	web_reader_open(reader, server, request);
	web_reader_await(reader, text);
}

/* Comes back with the id of the last event that it has seen. */
static void
open_stream_again(struct web_reader *reader, struct web_server *server,
	const char *last_id)
{
	char request[256];

	snprintf(request, sizeof(request), STREAM("Last-Event-ID: %s\r\n"),
		last_id);
	web_reader_open(reader, server, request);
}

/* "id: ", the id of an event, then `end`. */
static void
write_id(const struct web_server *server, uint64_t seq, const char *end,
	char *buf, size_t size)
{
	snprintf(buf, size, "\nid: %s-%" PRIu64 "\n%s", server->web->engine_id,
		seq, end);
}

/* ---- events --------------------------------------------------------------- */

static void
test_events(void **state)
{
	struct web_server server;
	struct web_reader reader;
	char id[64];

	serve(&server, *state);
	open_stream(&reader, &server, STREAM(""), "\"text\":\"shown at ");
	assert_non_null(strstr(reader.text, "HTTP/1.1 200 "));
	assert_non_null(
		strstr(reader.text, "\r\nContent-Type: text/event-stream\r\n"));
	add_event(&server, "a \"new\" one");
	add_event(&server, "and another");
	web_server_tick(&server);
	web_reader_await(&reader, "\"text\":\"a \\\"new\\\" one\",\"about\":");
	web_reader_await(&reader, "\"text\":\"and another\"");
	write_id(&server, event_ring_ever(message_events(server.engine)),
		"data: {", id, sizeof(id));
	web_reader_await(&reader, id);
	/* The server ends: so does the stream. */
	web_destroy(server.web);
	server.engine->front.web = NULL;
	web_reader_reply(&reader);
	web_reader_close(&reader);
	web_server_close(&server);
}

/* clang-format off */
static const struct past_row {
	const char *name;
	const char *run; /* NULL: this engine's */
	const char *rest; /* of the id; NULL: no id at all */
	const char *first, *absent; /* of the events "<N>" */
} PAST[] = {
	{ "a new reader", "", NULL, "<37>", "<36>" },
	{ "one that comes back", NULL, "-98", "<99>", "<98>" },
	{ "from the start", NULL, "-0", "shown at", "nothing" },
	{ "of another engine", "0123456789abcdef", "-98", "<37>", "<36>" },
	{ "an event to come", NULL, "-5000", "<37>", "<36>" },
	{ "below all numbers", NULL, "--1", "<37>", "<36>" },
	{ "above all numbers", NULL, "-18446744073709551617", "<37>", "<36>" },
	{ "a number alone", "", "98", "<37>", "<36>" },
	{ "no number", NULL, "-x", "<37>", "<36>" },
	{ "more than a number", NULL, "-98x", "<37>", "<36>" },
	{ "an engine alone", NULL, "-", "<37>", "<36>" },
	{ "nothing", "", "", "<37>", "<36>" },
};
/* clang-format on */

/* A reader gets what it has missed, and a new one the last 64. */
static void
test_past(void **state)
{
	struct web_server server;
	struct web_reader reader;
	char text[16], first[32], id[64];

	serve(&server, *state);
	for (unsigned i = event_ring_ever(message_events(server.engine)) + 1;
		i <= 100; i++) {
		snprintf(text, sizeof(text), "<%u>", i);
		add_event(&server, text);
	}
	for (size_t i = 0; i < ROWS(PAST); i++) {
		const struct past_row *row = &PAST[i];

		snprintf(id, sizeof(id), "%s%s",
			row->run != NULL ? row->run : server.web->engine_id,
			row->rest != NULL ? row->rest : "");
		if (row->rest == NULL)
			web_reader_open(&reader, &server, STREAM(""));
		else
			open_stream_again(&reader, &server, id);
		web_reader_await(&reader, "<100>");
		snprintf(first, sizeof(first), "\"text\":\"%s", row->first);
		row_check(strstr(reader.text, first) != NULL, "%s: %s",
			row->name, reader.text);
		row_check(strstr(reader.text, row->absent) == NULL, "%s: %s",
			row->name, reader.text);
		web_reader_close(&reader);
	}
	web_server_until(&server, no_streams, &server);
	web_server_close(&server);
}

/* A page that stays open sees the next campaign from its first event on. */
static void
test_next_engine(void **state)
{
	struct web_server server;
	struct web_reader reader;
	const char *id, *at;
	char last[64];
	uint64_t n = 0;

	serve(&server, *state);
	open_stream(&reader, &server, STREAM(""), "\ndata: {");
	id = strstr(reader.text, "\nid: ");
	assert_non_null(id);
	assert_int_equal(sscanf(id, "\nid: %63s", last), 1);
	web_reader_close(&reader);
	web_server_close(&server);
	serve(&server, *state);
	add_event(&server, "the newest");
	open_stream_again(&reader, &server, last);
	web_reader_await(&reader, "\"text\":\"the newest\"");
	for (at = reader.text; (at = strstr(at, "\ndata: {")) != NULL; at++)
		n++;
	assert_int_equal(n, event_ring_ever(message_events(server.engine)));
	web_reader_close(&reader);
	web_server_close(&server);
}

/* A reader that is behind by more than is kept goes on with the oldest. */
static void
test_overtaken(void **state)
{
	struct web_server server;
	struct web_reader reader;
	char last[64];
	uint64_t n;

	serve(&server, *state);
	add_events(&server, EVENT_RING_MAX + 10, "x");
	n = event_ring_ever(message_events(server.engine));
	snprintf(last, sizeof(last), "%s-1", server.web->engine_id);
	open_stream_again(&reader, &server, last);
	write_id(&server, n - EVENT_RING_MAX + 1, "", last, sizeof(last));
	web_reader_await(&reader, last);
	write_id(&server, n - EVENT_RING_MAX, "", last, sizeof(last));
	assert_null(strstr(reader.text, last));
	/* At most 256 at once. */
	write_id(&server, n - EVENT_RING_MAX + 256, "", last, sizeof(last));
	web_reader_await(&reader, last);
	web_server_tick(&server);
	write_id(&server, n - EVENT_RING_MAX + 512, "", last, sizeof(last));
	web_reader_await(&reader, last);
	web_reader_close(&reader);
	web_server_close(&server);
}

/* ---- bad readers ---------------------------------------------------------- */

static void
test_too_many(void **state)
{
	struct web_reader readers[STREAMS_MAX], more;
	struct web_server server;

	serve(&server, *state);
	for (size_t i = 0; i < STREAMS_MAX; i++)
		open_stream(&readers[i], &server, STREAM(""), "shown at");
	assert_int_equal(server.web->streams_n, STREAMS_MAX);
	web_reader_open(&more, &server, STREAM("Connection: close\r\n"));
	assert_non_null(strstr(web_reader_reply(&more), "HTTP/1.1 503 "));
	web_reader_close(&more);
	for (size_t i = 0; i < STREAMS_MAX; i++)
		web_reader_close(&readers[i]);
	web_server_until(&server, no_streams, &server);
	/* There is room again. */
	open_stream(&more, &server, STREAM(""), "shown at");
	web_reader_close(&more);
	web_server_close(&server);
}

/* A reader that takes nothing is dropped; the others go on. */
static void
test_lag(void **state)
{
	enum {
		TURNS = 1000 /* of 256 events: the kernel's buffers are full */
	};
	struct web_server server;
	struct web_reader slow, good;
	char text[190];
	int turn;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	serve(&server, *state);
	open_stream(&slow, &server, STREAM(""), "shown at");
	bufferevent_disable(slow.bev, EV_READ);
	for (turn = 0; turn < TURNS && server.web->streams_n > 0; turn++) {
		add_events(&server, 256, text);
		web_server_tick(&server);
		event_base_loop(server.engine->base, EVLOOP_NONBLOCK);
	}
	assert_int_equal(server.web->streams_n, 0);
	assert_true(turn > 1);
	open_stream(&good, &server, STREAM(""), "xxx");
	web_reader_close(&good);
	web_reader_close(&slow);
	web_server_close(&server);
}

/* A reader that sends on and on is dropped, before it fills the memory. */
static void
test_flood(void **state)
{
	enum {
		FLOOD = 32 << 20,
		TURNS = 100,        /* in which nothing is taken */
		KEPT_MAX = 12 << 20 /* by the kernel, for both ends */
	};
	static char bytes[1 << 20];
	struct web_server server;
	struct web_reader bad, good;
	struct evbuffer *out;
	size_t left = FLOOD;

	serve(&server, *state);
	open_stream(&good, &server, STREAM(""), "shown at");
	open_stream(&bad, &server, STREAM(""), "shown at");
	out = bufferevent_get_output(bad.bev);
	for (size_t i = 0; i < FLOOD / sizeof(bytes); i++)
		evbuffer_add_reference(out, bytes, sizeof(bytes), NULL, NULL);
	for (int i = 0; i < TURNS && left > 0; i++) {
		event_base_loop(server.engine->base, EVLOOP_NONBLOCK);
		if (evbuffer_get_length(out) < left)
			i = 0;
		left = evbuffer_get_length(out);
	}
	assert_true(left > FLOOD - KEPT_MAX);
	web_server_tick(&server);
	assert_int_equal(server.web->streams_n, 1);
	add_event(&server, "later");
	web_server_tick(&server);
	web_reader_await(&good, "\"text\":\"later\"");
	web_reader_close(&bad);
	web_reader_close(&good);
	web_server_close(&server);
}

/* The time limit is one of requests: a stream without events stays. */
static void
test_quiet(void **state)
{
	/* Long enough for the request of the stream on a busy machine. */
	const struct timeval limit = { 2, 0 };
	struct web_server server;
	struct web_reader stream, idle;

	serve(&server, *state);
	evhttp_set_timeout_tv(server.web->http, &limit);
	open_stream(&stream, &server, STREAM(""), "shown at");
	web_reader_open(&idle, &server, "GET / HT");
	web_reader_reply(&idle);
	assert_false(stream.closed);
	assert_int_equal(server.web->streams_n, 1);
	add_event(&server, "late");
	web_server_tick(&server);
	web_reader_await(&stream, "\"text\":\"late\"");
	web_reader_close(&idle);
	web_reader_close(&stream);
	web_server_close(&server);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_events),
		ROW(test_past),
		ROW(test_next_engine),
		ROW(test_overtaken),
		ROW(test_too_many),
		ROW(test_lag),
		ROW(test_flood),
		ROW(test_quiet),
	};

	fake_worker_main(argv);
	if (!files_allow(256))
		return FILES_SKIP;
	return cmocka_run_group_tests_name("web_events", tests, NULL, NULL);
}
