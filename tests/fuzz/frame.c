/* frame: what a console may send to an engine's socket, in pieces. */
#include <signal.h>
#include <sys/socket.h>

#include "control/frame.h"
#include "fuzz/fuzz.h"

int fuzz_frame(const uint8_t *data, size_t size);

struct frame_fuzz {
	struct frame_peer *peer;
	unsigned messages;
	bool closed;
};

static void
frame_fuzz_message(void *arg, json_t *message)
{
	struct frame_fuzz *f = arg;
	struct error err = { 0 };

	f->messages++;
	if (frame_send(f->peer, message, &err) != OK)
		FUZZ_CHECK(err.text[0] != '\0');
}

static void
frame_fuzz_closed(void *arg, const char *why)
{
	struct frame_fuzz *f = arg;

	FUZZ_CHECK(!f->closed && why != NULL);
	f->closed = true;
}

int
fuzz_frame(const uint8_t *data, size_t size)
{
	static const struct frame_handlers handlers = {
		.on_message = frame_fuzz_message,
		.on_closed = frame_fuzz_closed,
	};
	static struct event_base *base;
	struct frame_fuzz f = { 0 };
	size_t at = 0, n;
	int fds[2];

	if (base == NULL) {
		base = event_base_new();
		signal(SIGPIPE, SIG_IGN); /* as engine and console do */
	}
	if (size == 0 ||
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		return 0;
	f.peer = frame_peer_create(base, fds[0], FRAME_TO_ENGINE_MAX, &handlers,
		&f);
	for (at = 1; at < size && !f.closed; at += n) {
		n = data[0] == 0 || data[0] > size - at ? size - at : data[0];
		if (send(fds[1], data + at, n, MSG_DONTWAIT | MSG_NOSIGNAL) !=
			(ssize_t)n)
			break;
		(void)event_base_loop(base, EVLOOP_NONBLOCK);
	}
	close(fds[1]);
	for (int i = 0; i < 3; i++)
		(void)event_base_loop(base, EVLOOP_NONBLOCK);
	frame_peer_destroy(f.peer);
	(void)event_base_loop(base, EVLOOP_NONBLOCK);
	return 0;
}

FUZZ_TARGET(frame)
