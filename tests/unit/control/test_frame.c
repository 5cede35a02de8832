/*
 * test_frame: messages over a socket pair: whole, in pieces, hostile, lost, and
 * a reader that does not read.
 */

#include "control/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "lib/rows.h"

#define TURNS_MAX 100000

/* A peer on an event loop, and the other end of its socket. */
struct wire {
	struct event_base *base;
	struct frame_peer *peer;
	int fd;
	int messages, closed, sent;
	bool destroy_on_message, destroy_on_sent, echo;
	uint64_t takes_ns; /* a message */
	char last[256];    /* member "text" of the last message */
	char why[256];
};

static void
on_message(void *arg, json_t *message)
{
	struct wire *wire = arg;
	const char *text = json_string_value(json_object_get(message, "text"));

	uint64_t start = clock_now_ns();

	wire->messages++;
	while (clock_now_ns() - start < wire->takes_ns)
		continue;
	snprintf(wire->last, sizeof(wire->last), "%s", text ? text : "");
	if (wire->echo)
		assert_int_equal(frame_send(wire->peer, message, NULL), OK);
	if (wire->destroy_on_message) {
		frame_peer_destroy(wire->peer);
		wire->peer = NULL;
	}
}

static void
on_closed(void *arg, const char *why)
{
	struct wire *wire = arg;

	wire->closed++;
	snprintf(wire->why, sizeof(wire->why), "%s", why);
	frame_peer_destroy(wire->peer);
	wire->peer = NULL;
}

static void
on_sent(void *arg)
{
	struct wire *wire = arg;

	wire->sent++;
	if (wire->destroy_on_sent) {
		frame_peer_destroy(wire->peer);
		wire->peer = NULL;
	}
}

static const struct frame_handlers HANDLERS = {
	.on_message = on_message,
	.on_closed = on_closed,
	.on_sent = on_sent,
};

static void
wire_open(struct wire *wire, size_t max)
{
	int fds[2];

	*wire = (struct wire){ 0 };
	wire->base = event_base_new();
	assert_int_equal(fd_socketpair(fds, NULL), OK);
	wire->peer =
		frame_peer_create(wire->base, fds[0], max, &HANDLERS, wire);
	assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	wire->fd = fds[1];
}

static void
wire_close(struct wire *wire)
{
	fd_close(&wire->fd);
	frame_peer_destroy(wire->peer);
	event_base_free(wire->base);
}

/* Handles pending events without waiting. */
static void
wire_turn(struct wire *wire)
{
	/* Some events need more than one turn of the loop. */
	for (int i = 0; i < 4; i++)
		assert_true(event_base_loop(wire->base, EVLOOP_NONBLOCK) >= 0);
}

/* Writes all bytes and runs the loop while the socket is full. */
static void
wire_write(struct wire *wire, const char *bytes, size_t len)
{
	while (len && wire->peer) {
		ssize_t n = send(wire->fd, bytes, len, MSG_NOSIGNAL);

		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		} else if (errno != EAGAIN) {
			break;
		}
		wire_turn(wire);
	}
	wire_turn(wire);
	wire_turn(wire);
}

static void
wire_say(struct wire *wire, const char *text)
{
	wire_write(wire, text, strlen(text));
}

/* ---- tests -------------------------------------------------------------- */

static void
test_messages(void **state)
{
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, "{\"text\": \"one\"}\n");
	assert_int_equal(wire.messages, 1);
	assert_string_equal(wire.last, "one");
	wire_say(&wire, "{}\n{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":");
	assert_int_equal(wire.messages, 4);
	assert_string_equal(wire.last, "b");
	wire_say(&wire, "\"c\"}");
	assert_int_equal(wire.messages, 4);
	wire_say(&wire, "\n");
	assert_int_equal(wire.messages, 5);
	assert_string_equal(wire.last, "c");
	wire_say(&wire, " {\"text\": \"braces }{ and \\\" inside\"}\r\n");
	assert_int_equal(wire.messages, 6);
	assert_int_equal(wire.closed, 0);
	wire_close(&wire);
}

static void
test_byte_by_byte(void **state)
{
	static const char text[] = "{\"text\": \"slow\"}\n{\"text\": \"er\"}\n";
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		wire_write(&wire, &text[i], 1);
	assert_int_equal(wire.messages, 2);
	assert_string_equal(wire.last, "er");
	wire_close(&wire);
}

/* The other side may close the connection after any byte. */
static void
test_cut_after_any_byte(void **state)
{
	static const char text[] = "{\"hello\": {\"version\": 1}}\n{}\n";

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		struct wire wire;

		wire_open(&wire, FRAME_TO_ENGINE_MAX);
		wire_write(&wire, text, len);
		fd_close(&wire.fd);
		wire_turn(&wire);
		wire_turn(&wire);
		row_check(wire.closed == 1, "after %zu bytes", len);
		row_check(wire.messages == (len >= 26) + (len >= 29),
			"after %zu bytes", len);
		assert_string_equal(wire.why,
			"the other side closed the connection");
		wire_close(&wire);
	}
}

static void
test_hostile_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "\n", "a message is not JSON: " },
		{ "hello\n", "a message is not JSON: " },
		{ "{\n", "a message is not JSON: " },
		{ "{} {}\n", "a message is not JSON: " },
		{ "{\"a\": NaN}\n", "a message is not JSON: " },
		{ "{\"a\": 1e999}\n", "a message is not JSON: " },
		{ "{\"a\": 99999999999999999999}\n",
			"a message is not JSON: " },
		{ "{\"a\": \"\\ud800\"}\n", "a message is not JSON: " },
		{ "{\"a\": \"\\u0000\"}\n", "a message is not JSON: " },
		{ "{\"a\": \"\xff\"}\n", "a message is not JSON: " },
		{ "{\"a\": 1, \"a\": 2}\n", "a message is not JSON: " },
		{ "\x1b]0;x\x07\n", "a message is not JSON: " },
		{ "[]\n", "a message is not an object" },
		{ "\"text\"\n", "a message is not JSON: " },
		{ "{\"a\":[[[[[[[[1]]]]]]]]}\n",
			"a message is nested more than 8 deep" },
		{ "{\"a\":[[[[[[[1]]]]]]],\"b\":[[[[[[[[1]]]]]]]]}\n",
			"a message is nested more than 8 deep" },
	};
	struct wire wire;

	(void)state;
	for (size_t i = 0; i < ROWS(rows); i++) {
		wire_open(&wire, FRAME_TO_ENGINE_MAX);
		wire_say(&wire, rows[i].line);
		row_check(wire.closed == 1, "%s", rows[i].line);
		row_check(wire.messages == 0, "%s", rows[i].line);
		row_check(strncmp(wire.why, rows[i].why, strlen(rows[i].why)) ==
				0,
			"%s: %s", rows[i].line, wire.why);
		row_check(!strchr(wire.why, '\x1b') && !strchr(wire.why, '\n'),
			"%s: raw", rows[i].line);
		wire_close(&wire);
	}
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, "{\"a\":[[[[[[[1]]]]]]],\"b\":\"[[[[[[[[[[\"}\n");
	wire_write(&wire, "{\"a\":\0}\n", 8);
	assert_int_equal(wire.messages, 1);
	assert_int_equal(wire.closed, 1);
	wire_close(&wire);
}

static void
test_nothing_after_a_bad_line(void **state)
{
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, "{}\nnonsense\n{}\n{}\n");
	assert_int_equal(wire.messages, 1);
	assert_int_equal(wire.closed, 1);
	wire_close(&wire);
}

/* {"0": 0, …} with n members. */
static char *
many_members(size_t n)
{
	char *text = xmalloc(n * 16 + 4);
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += (size_t)sprintf(text + len, "%c\"%zu\":0", i ? ',' : '{',
			i);
	strcpy(text + len, "}\n");
	return text;
}

static void
test_members_are_capped_towards_the_engine(void **state)
{
	char *text_64 = many_members(64), *text_65 = many_members(65);
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, text_64);
	assert_int_equal(wire.messages, 1);
	wire_say(&wire, text_65);
	assert_int_equal(wire.messages, 1);
	assert_string_equal(wire.why, "a message has more than 64 members");
	wire_close(&wire);
	wire_open(&wire, FRAME_TO_CONSOLE_MAX);
	wire_say(&wire, text_65);
	assert_int_equal(wire.messages, 1);
	wire_close(&wire);
	free(text_64);
	free(text_65);
}

/* A message of exactly len bytes, including its newline. */
static char *
message_of(size_t len)
{
	char *text = xmalloc(len + 1);

	memset(text, 'x', len);
	memcpy(text, "{\"t\":\"", 6);
	memcpy(text + len - 3, "\"}\n", 4);
	return text;
}

static void
check_size(size_t max, size_t len, bool fits)
{
	char *text = message_of(len);
	struct wire wire;

	wire_open(&wire, max);
	wire_write(&wire, text, len);
	row_check(wire.messages == fits, "%zu of %zu", len, max);
	row_check(wire.closed == !fits, "%zu of %zu", len, max);
	if (!fits)
		row_check(strncmp(wire.why, "a message is longer than ", 25) ==
				0,
			"%s", wire.why);
	wire_close(&wire);
	free(text);
}

static void
test_length_cap(void **state)
{
	(void)state;
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX - 1, true);
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX, true);
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX + 1, false);
	check_size(FRAME_TO_ENGINE_MAX, FRAME_TO_ENGINE_MAX * 3, false);
	check_size(FRAME_TO_CONSOLE_MAX, FRAME_TO_CONSOLE_MAX, true);
	check_size(FRAME_TO_CONSOLE_MAX, FRAME_TO_CONSOLE_MAX + 1, false);
}

static long
resident_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* A line without an end is refused at the limit. */
static void
test_endless_line(void **state)
{
	static char block[1 << 16];
	size_t written = 0;
	struct wire wire;
	long before;

	(void)state;
	memset(block, '{', sizeof(block));
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	before = resident_kb();
	while (wire.peer && written < (size_t)1 << 30) {
		ssize_t n = send(wire.fd, block, sizeof(block), MSG_NOSIGNAL);

		if (n > 0)
			written += (size_t)n;
		wire_turn(&wire);
	}
	assert_int_equal(wire.closed, 1);
	assert_string_equal(wire.why, "a message is longer than 65536 bytes");
	assert_true(written < 2 << 20);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
	assert_true(resident_kb() - before <= 1024);
#else
	(void)before;
#endif
	wire_close(&wire);
}

static void
test_deep_nesting(void **state)
{
	size_t n = 30000;
	char *text = xmalloc(2 * n + 8);
	struct wire wire;

	(void)state;
	memset(text, '[', n);
	memset(text + n, ']', n);
	strcpy(text + 2 * n, "\n");
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire_say(&wire, text);
	assert_int_equal(wire.closed, 1);
	assert_string_equal(wire.why, "a message is nested more than 8 deep");
	wire_close(&wire);
	free(text);
}

static void
test_send(void **state)
{
	json_t *message = json_pack("{s:s, s:f}", "text", "há", "x", 0.1);
	char buf[64] = "";
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	assert_int_equal(frame_send(wire.peer, message, NULL), OK);
	assert_int_equal(frame_backlog(wire.peer), 23);
	wire_turn(&wire);
	assert_int_equal(frame_backlog(wire.peer), 0);
	assert_int_equal(wire.sent, 1);
	assert_int_equal(read(wire.fd, buf, sizeof(buf)), 23);
	assert_string_equal(buf, "{\"text\":\"h\xc3\xa1\",\"x\":0.1}\n");
	wire.destroy_on_sent = true;
	assert_int_equal(frame_send(wire.peer, message, NULL), OK);
	wire_turn(&wire);
	assert_null(wire.peer);
	assert_int_equal(wire.closed, 0);
	json_decref(message);
	wire_close(&wire);
}

static void
test_send_fails(void **state)
{
	json_t *message = json_object();
	struct error err = { 0 };
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	assert_int_equal(frame_send(wire.peer, NULL, &err), E_INTERNAL);
	assert_int_equal(frame_backlog(wire.peer), 0);
	fd_close(&wire.fd);
	assert_int_equal(frame_send(wire.peer, message, NULL), OK);
	for (int i = 0; i < 3; i++)
		wire_turn(&wire);
	assert_int_equal(wire.closed, 1);
	json_decref(message);
	wire_close(&wire);
}

/* The backlog of a peer that does not read grows until the peer is dropped. */
static void
test_slow_reader(void **state)
{
	char *text = message_of(100000);
	json_t *message;
	enum status status = OK;
	size_t before = 0;
	struct wire wire;
	int sent = 0;

	(void)state;
	message = json_loads(text, 0, NULL);
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	while (sent < 1000) {
		status = frame_send(wire.peer, message, NULL);
		if (status != OK)
			break;
		sent++;
		wire_turn(&wire);
		assert_true(frame_backlog(wire.peer) >= before);
		before = frame_backlog(wire.peer);
	}
	assert_int_equal(status, E_FULL);
	assert_int_equal(frame_send(wire.peer, message, NULL), E_STATE);
	assert_true(before > FRAME_BACKLOG_MAX);
	assert_true(before < FRAME_BACKLOG_MAX + 200000);
	assert_int_equal(wire.closed, 0); /* never from inside a call */
	wire_turn(&wire);
	assert_int_equal(wire.closed, 1);
	assert_string_equal(wire.why, "the other side does not read");
	json_decref(message);
	free(text);
	wire_close(&wire);
}

/*
 * Writes `text` repeatedly until the socket is full; returns the number of
 * bytes.
 */
static size_t
wire_push(struct wire *wire, const char *text, size_t len, size_t from,
	size_t end)
{
	size_t at = from;

	while (at < end) {
		ssize_t n = send(wire->fd, text + at % len, len - at % len,
			MSG_NOSIGNAL);

		if (n <= 0)
			break;
		at += (size_t)n;
		wire_turn(wire);
	}
	return at - from;
}

/* A peer that asks without reading the answers is paused, not dropped. */
static void
test_asking_without_reading(void **state)
{
	enum {
		LEN = 60000,
		ALL = 300 * LEN
	};
	char *text = message_of(LEN), buf[65536];
	size_t said = 0, got = 0, more;
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire.echo = true;
	while ((more = wire_push(&wire, text, LEN, said, ALL)) > 0)
		said += more;
	assert_true(said < ALL);
	assert_true(frame_backlog(wire.peer) > FRAME_HOLD);
	assert_true(frame_backlog(wire.peer) <= FRAME_HOLD + LEN);
	for (int i = 0; i < TURNS_MAX && got < ALL; i++) {
		ssize_t n = read(wire.fd, buf, sizeof(buf));

		if (n > 0)
			got += (size_t)n;
		wire_turn(&wire);
		said += wire_push(&wire, text, LEN, said, ALL);
	}
	assert_int_equal(got, ALL);
	assert_int_equal(wire.messages, ALL / LEN);
	assert_int_equal(wire.closed, 0);
	free(text);
	wire_close(&wire);
}

static void
on_other(evutil_socket_t fd, short what, void *arg)
{
	const struct wire *wire = arg;

	(void)fd;
	(void)what;
	assert_true(wire->messages < 3);
}

/* Expensive messages let other events run; no message is lost. */
static void
test_costly_messages(void **state)
{
	const struct timeval soon = { 0, 1000 };
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire.takes_ns = 6000000;
	assert_int_equal(send(wire.fd, "{}\n{}\n{}\n", 9, 0), 9);
	fd_close(&wire.fd);
	assert_int_equal(event_base_once(wire.base, -1, EV_TIMEOUT, on_other,
				 &wire, &soon),
		0);
	while (wire.closed == 0)
		wire_turn(&wire);
	assert_int_equal(wire.messages, 3);
	wire_close(&wire);
}

static void
test_backlog_drains(void **state)
{
	char *text = message_of(1000000), buf[65536];
	json_t *message = json_loads(text, 0, NULL);
	struct wire wire;
	size_t got = 0;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	assert_int_equal(frame_send(wire.peer, message, NULL), OK);
	for (int i = 0; i < TURNS_MAX && got < 1000000; i++) {
		ssize_t n = read(wire.fd, buf, sizeof(buf));

		if (n > 0)
			got += (size_t)n;
		wire_turn(&wire);
	}
	assert_int_equal(got, 1000000);
	assert_int_equal(frame_backlog(wire.peer), 0);
	json_decref(message);
	free(text);
	wire_close(&wire);
}

static void
test_destroy_inside_a_handler(void **state)
{
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	wire.destroy_on_message = true;
	wire_say(&wire, "{}\n{}\n{}\n");
	assert_int_equal(wire.messages, 1);
	assert_int_equal(wire.closed, 0);
	assert_null(wire.peer);
	wire_close(&wire);
	frame_peer_destroy(NULL);
}

static void
test_destroy_while_closing(void **state)
{
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	assert_int_equal(send(wire.fd, "x\n", 2, 0), 2);
	event_base_loop(wire.base, EVLOOP_ONCE);
	frame_peer_destroy(wire.peer); /* lost, before its owner is informed */
	wire.peer = NULL;
	wire_turn(&wire);
	assert_true(wire.closed <= 1);
	wire_close(&wire);
}

/*
 * Messages of a peer that closes the connection during a write are still
 * handled.
 */
static void
test_last_word_is_heard(void **state)
{
	static const char text[] = "{\"text\": \"goodbye\"}\n";
	json_t *message = json_pack("{s:s}", "text", "ping");
	struct wire wire;

	(void)state;
	wire_open(&wire, FRAME_TO_CONSOLE_MAX);
	assert_int_equal(send(wire.fd, text, strlen(text), MSG_NOSIGNAL),
		strlen(text));
	fd_close(&wire.fd);
	assert_int_equal(frame_send(wire.peer, message, NULL), OK);
	for (int i = 0; i < TURNS_MAX && !wire.closed; i++)
		event_base_loop(wire.base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
	assert_int_equal(wire.messages, 1);
	assert_string_equal(wire.last, "goodbye");
	assert_int_equal(wire.closed, 1);
	json_decref(message);
	wire_close(&wire);
}

static void
test_two_peers_talk(void **state)
{
	json_t *message = json_pack("{s:s}", "text", "ping");
	struct wire a, b;
	int fds[2];

	(void)state;
	a = (struct wire){ .base = event_base_new(), .fd = -1 };
	b = (struct wire){ .base = a.base, .fd = -1, .echo = true };
	assert_int_equal(fd_socketpair(fds, NULL), OK);
	a.peer = frame_peer_create(a.base, fds[0], FRAME_TO_CONSOLE_MAX,
		&HANDLERS, &a);
	b.peer = frame_peer_create(b.base, fds[1], FRAME_TO_ENGINE_MAX,
		&HANDLERS, &b);
	for (int i = 0; i < 100; i++)
		assert_int_equal(frame_send(a.peer, message, NULL), OK);
	for (int i = 0; i < TURNS_MAX && a.messages < 100; i++)
		event_base_loop(a.base, EVLOOP_ONCE);
	assert_int_equal(b.messages, 100);
	assert_int_equal(a.messages, 100);
	assert_string_equal(a.last, "ping");
	frame_peer_destroy(b.peer);
	wire_turn(&a);
	wire_turn(&a);
	assert_int_equal(a.closed, 1);
	json_decref(message);
	wire_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_byte_by_byte),
		cmocka_unit_test(test_cut_after_any_byte),
		cmocka_unit_test(test_hostile_lines),
		cmocka_unit_test(test_nothing_after_a_bad_line),
		cmocka_unit_test(test_members_are_capped_towards_the_engine),
		cmocka_unit_test(test_length_cap),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_send),
		cmocka_unit_test(test_send_fails),
		cmocka_unit_test(test_slow_reader),
		cmocka_unit_test(test_asking_without_reading),
		cmocka_unit_test(test_costly_messages),
		cmocka_unit_test(test_backlog_drains),
		cmocka_unit_test(test_destroy_inside_a_handler),
		cmocka_unit_test(test_destroy_while_closing),
		cmocka_unit_test(test_last_word_is_heard),
		cmocka_unit_test(test_two_peers_talk),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
