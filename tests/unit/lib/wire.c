/*
 * wire: see wire.h.
 */
#include "lib/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "lib/rows.h"

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

const struct frame_handlers wire_handlers = {
	.on_message = on_message,
	.on_closed = on_closed,
	.on_sent = on_sent,
};

void
wire_open(struct wire *wire, size_t max)
{
	int fds[2];

	*wire = (struct wire){ 0 };
	wire->base = event_base_new();
	assert_int_equal(fd_socketpair(fds, NULL), OK);
	wire->peer = frame_peer_create(wire->base, fds[0], max, &wire_handlers,
		wire);
	assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	wire->fd = fds[1];
}

void
wire_close(struct wire *wire)
{
	fd_close(&wire->fd);
	frame_peer_destroy(wire->peer);
	event_base_free(wire->base);
}

void
wire_turn(struct wire *wire)
{
	/* Some events need more than one turn of the loop. */
	for (int i = 0; i < 4; i++)
		assert_true(event_base_loop(wire->base, EVLOOP_NONBLOCK) >= 0);
}

void
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

void
wire_say(struct wire *wire, const char *text)
{
	wire_write(wire, text, strlen(text));
}

char *
wire_message(size_t len)
{
	char *text = xmalloc(len + 1);

	memset(text, 'x', len);
	memcpy(text, "{\"t\":\"", 6);
	memcpy(text + len - 3, "\"}\n", 4);
	return text;
}
