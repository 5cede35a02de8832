/*
 * test_frame_send: messages that are sent to a peer that does not read, costs
 * of a peer, and its end.
 */
#include "control/frame.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/rows.h"
#include "lib/wire.h"

#define TURNS_MAX 100000

static void
test_send(void **state)
{
	json_t *message = json_pack("{s:s, s:f}", "text", "há", "x", 0.1);
	char buf[64] = "";
	struct wire wire;

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

/* Who leaves without a turn of the loop has still said his last word. */
static void
test_flush(void **state)
{
	json_t *message = json_pack("{s:i}", "x", 1);
	char buf[64] = "";
	struct wire wire;

	wire_open(&wire, FRAME_TO_ENGINE_MAX);
	assert_int_equal(frame_send(wire.peer, message, NULL), OK);
	frame_flush(wire.peer);
	assert_int_equal(frame_backlog(wire.peer), 0);
	frame_peer_destroy(wire.peer);
	wire.peer = NULL;
	assert_int_equal(read(wire.fd, buf, sizeof(buf)), 8);
	assert_string_equal(buf, "{\"x\":1}\n");
	json_decref(message);
	wire_close(&wire);
}

static void
test_send_fails(void **state)
{
	json_t *message = json_object();
	struct error err = { 0 };
	struct wire wire;

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
	char *text = wire_message(100000);
	json_t *message;
	enum status status = OK;
	size_t before = 0;
	struct wire wire;
	int sent = 0;

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
	char *text = wire_message(LEN), buf[65536];
	size_t said = 0, got = 0, more;
	struct wire wire;

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

	assert_true(wire->messages < 3);
}

/* Expensive messages let other events run; no message is lost. */
static void
test_costly_messages(void **state)
{
	const struct timeval soon = { 0, 1000 };
	struct wire wire;

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
	char *text = wire_message(1000000), buf[65536];
	json_t *message = json_loads(text, 0, NULL);
	struct wire wire;
	size_t got = 0;

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

	a = (struct wire){ .base = event_base_new(), .fd = -1 };
	b = (struct wire){ .base = a.base, .fd = -1, .echo = true };
	assert_int_equal(fd_socketpair(fds, NULL), OK);
	a.peer = frame_peer_create(a.base, fds[0], FRAME_TO_CONSOLE_MAX,
		&wire_handlers, &a);
	b.peer = frame_peer_create(b.base, fds[1], FRAME_TO_ENGINE_MAX,
		&wire_handlers, &b);
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
		cmocka_unit_test(test_send),
		cmocka_unit_test(test_flush),
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
