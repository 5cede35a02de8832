/*
 * frame: JSON messages over the control socket, see frame.h.
 *
 * Length, depth and number of members of a line are checked on the raw bytes
 * before the JSON parser runs, so that a hostile line cannot consume memory.
 * The owner learns of a lost peer from the event loop, never from inside its
 * own call. The owner may destroy the peer from inside a handler.
 */

#include "control/frame.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define FRAME_NAMES_MAX 64 /* members of one message to an engine, all levels */
#define FRAME_WHY_MAX 256
#define FRAME_TURN_NS 5000000u /* of messages per turn of the loop */

struct frame_peer {
	struct bufferevent *stream;
	struct event *closing; /* activated to report a lost peer */
	struct event *again;   /* activated to handle the remaining messages */
	struct frame_handlers handlers;
	void *arg;
	size_t max;     /* length of a line to read */
	size_t scanned; /* bytes of the input without a newline */
	bool in_call;   /* a handler of the owner is running … */
	bool destroyed; /* … and has destroyed the peer */
	bool mute;      /* the other side no longer reads */
	bool lost;
	char why[FRAME_WHY_MAX];
};

/* ---- the end of a peer -------------------------------------------------- */

static void
frame_peer_free(struct frame_peer *peer)
{
	event_free(peer->closing);
	event_free(peer->again);
	bufferevent_free(peer->stream);
	free(peer);
}

void
frame_peer_destroy(struct frame_peer *peer)
{
	if (!peer)
		return;
	peer->destroyed = true;
	peer->lost = true;
	if (!peer->in_call)
		frame_peer_free(peer);
}

/* Records the first reason; the owner learns of it from the event loop. */
__attribute__((format(printf, 2, 3))) static void
frame_lose(struct frame_peer *peer, const char *fmt, ...)
{
	char why[FRAME_WHY_MAX];
	va_list ap;

	if (peer->lost)
		return;
	peer->lost = true;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	text_clean_string(why, peer->why, sizeof(peer->why));
	bufferevent_disable(peer->stream, EV_READ | EV_WRITE);
	event_del(peer->again);
	event_active(peer->closing, 0, 0);
}

/* ---- looking at a line -------------------------------------------------- */

struct frame_shape {
	size_t depth, names;
};

/*
 * Computes the deepest nesting and the number of members. Strings are skipped.
 * For a line that is not JSON the numbers are arbitrary; the parser refuses it
 * later.
 */
static struct frame_shape
frame_look(const char *line, size_t len)
{
	struct frame_shape shape = { 0 };
	bool in_string = false;
	size_t depth = 0;

	for (size_t i = 0; i < len; i++) {
		char c = line[i];

		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = false;
		} else if (c == '"') {
			in_string = true;
		} else if (c == ':') {
			shape.names++;
		} else if (c == '{' || c == '[') {
			if (++depth > shape.depth)
				shape.depth = depth;
		} else if ((c == '}' || c == ']') && depth) {
			depth--;
		}
	}
	return shape;
}

/* A new reference; NULL: the message is bad and the peer is lost. */
static json_t *
frame_parse(struct frame_peer *peer, const char *line, size_t len)
{
	struct frame_shape shape = frame_look(line, len);
	json_error_t error;
	json_t *message;

	if (shape.depth > FRAME_DEPTH_MAX) {
		frame_lose(peer, "a message is nested more than %d deep",
			FRAME_DEPTH_MAX);
		return NULL;
	}
	if (peer->max <= FRAME_TO_ENGINE_MAX && shape.names > FRAME_NAMES_MAX) {
		frame_lose(peer, "a message has more than %d members",
			FRAME_NAMES_MAX);
		return NULL;
	}
	message = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!message) {
		frame_lose(peer, "a message is not JSON: %s at byte %d",
			error.text, error.position);
		return NULL;
	}
	if (!json_is_object(message)) {
		frame_lose(peer, "a message is not an object");
		json_decref(message);
		return NULL;
	}
	return message;
}

/* ---- reading ------------------------------------------------------------ */

/* Length of the first complete line without its newline; -1: none. */
static ev_ssize_t
frame_line_len(struct frame_peer *peer, struct evbuffer *input)
{
	struct evbuffer_ptr start, found;

	if (evbuffer_ptr_set(input, &start, peer->scanned, EVBUFFER_PTR_SET) !=
		0)
		return -1;
	found = evbuffer_search_eol(input, &start, NULL, EVBUFFER_EOL_LF);
	if (found.pos < 0)
		peer->scanned = evbuffer_get_length(input);
	else
		peer->scanned = 0;
	return found.pos;
}

/*
 * Takes one line; a new reference. NULL: no complete line has arrived yet, or
 * the peer is lost.
 */
static json_t *
frame_next(struct frame_peer *peer)
{
	struct evbuffer *input = bufferevent_get_input(peer->stream);
	ev_ssize_t len = frame_line_len(peer, input);
	unsigned char *line;
	json_t *message;

	if (len < 0 && evbuffer_get_length(input) < peer->max)
		return NULL;
	if (len < 0 || (size_t)len >= peer->max) {
		frame_lose(peer, "a message is longer than %zu bytes",
			peer->max);
		return NULL;
	}
	line = evbuffer_pullup(input, len + 1);
	if (!line)
		xmalloc_fail();
	message = frame_parse(peer, (const char *)line, (size_t)len);
	evbuffer_drain(input, (size_t)len + 1);
	return message;
}

/*
 * Handles messages for a limited time. A message may be expensive to answer,
 * and thousands may arrive at once. The rest waits for the next turn of the
 * loop, or until the other side has read the answers. Meanwhile nothing more is
 * read.
 */
static void
frame_take_turn(struct frame_peer *peer)
{
	const struct timeval now = { 0, 0 };
	uint64_t end = clock_now_ns() + FRAME_TURN_NS;
	json_t *message;

	peer->in_call = true;
	do {
		message = frame_next(peer);
		if (message)
			peer->handlers.on_message(peer->arg, message);
		json_decref(message);
	} while (message && !peer->lost && frame_backlog(peer) <= FRAME_HOLD &&
		clock_now_ns() < end);
	peer->in_call = false;
	if (peer->destroyed) {
		frame_peer_free(peer);
	} else if (!peer->lost && !message) {
		bufferevent_enable(peer->stream, EV_READ);
	} else if (!peer->lost) {
		bufferevent_disable(peer->stream, EV_READ);
		if (frame_backlog(peer) <= FRAME_HOLD)
			event_add(peer->again, &now);
	}
}

static void
frame_on_read(struct bufferevent *stream, void *arg)
{
	struct frame_peer *peer = arg;

	if (peer->lost)
		return;
	if (frame_backlog(peer) <= FRAME_HOLD)
		frame_take_turn(peer);
	else
		bufferevent_disable(peer->stream, EV_READ);
}

static void
frame_on_again(evutil_socket_t fd, short what, void *arg)
{
	frame_on_read(NULL, arg);
}

/*
 * Writing failed: the other side has closed its end. Its last messages may
 * still wait to be read.
 */
static void
frame_fall_silent(struct frame_peer *peer)
{
	if (peer->lost)
		return;
	peer->mute = true;
	frame_on_read(peer->stream, peer);
}

static void
frame_on_event(struct bufferevent *stream, short what, void *arg)
{
	int errnum = EVUTIL_SOCKET_ERROR();
	struct frame_peer *peer = arg;

	if (what & BEV_EVENT_EOF)
		frame_lose(peer, "the other side closed the connection");
	else if ((what & BEV_EVENT_ERROR) && (what & BEV_EVENT_WRITING))
		frame_fall_silent(peer);
	else if (what & BEV_EVENT_ERROR)
		frame_lose(peer, "the connection failed: %s", strerror(errnum));
}

static void
frame_on_closing(evutil_socket_t fd, short what, void *arg)
{
	struct frame_peer *peer = arg;

	peer->in_call = true;
	peer->handlers.on_closed(peer->arg, peer->why);
	peer->in_call = false;
	if (peer->destroyed)
		frame_peer_free(peer);
}

/* ---- writing ------------------------------------------------------------ */

static void
frame_free_text(const void *text, size_t len, void *arg)
{
	free((void *)text);
}

char *
frame_encode(const json_t *message, size_t *len)
{
	/*
	 * Dump to one string: json_dump_callback() calls back for each small
	 * piece.
	 */
	char *text =
		json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(10));

	if (text == NULL)
		return NULL;
	*len = strlen(text) + 1;
	text[*len - 1] = '\n'; /* replaces the terminating NUL */
	return text;
}

static enum status
frame_check_room(struct frame_peer *peer, struct error *err)
{
	if (peer->lost || peer->mute)
		return error_set(err, E_STATE, "the connection is closed");
	if (frame_backlog(peer) <= FRAME_BACKLOG_MAX)
		return OK;
	frame_lose(peer, "the other side does not read");
	return error_set(err, E_FULL, "the other side does not read");
}

enum status
frame_send_text(struct frame_peer *peer, const char *text, size_t len,
	struct error *err)
{
	enum status status = frame_check_room(peer, err);

	if (status != OK)
		return status;
	if (evbuffer_add(bufferevent_get_output(peer->stream), text, len) != 0)
		xmalloc_fail();
	return OK;
}

enum status
frame_send(struct frame_peer *peer, const json_t *message, struct error *err)
{
	enum status status = frame_check_room(peer, err);
	char *text;
	size_t len;

	if (status != OK)
		return status;
	text = frame_encode(message, &len);
	if (text == NULL)
		return error_set(err, E_INTERNAL,
			"a message cannot be encoded");
	if (evbuffer_add_reference(bufferevent_get_output(peer->stream), text,
		    len, frame_free_text, NULL) != 0)
		xmalloc_fail();
	return OK;
}

size_t
frame_backlog(const struct frame_peer *peer)
{
	if (peer->mute)
		return 0;
	return evbuffer_get_length(bufferevent_get_output(peer->stream));
}

void
frame_flush(struct frame_peer *peer)
{
	struct evbuffer *output = bufferevent_get_output(peer->stream);

	if (peer->lost || peer->mute)
		return;
	/* A bufferevent lets nobody but itself take from it. */
	evbuffer_unfreeze(output, 1);
	(void)evbuffer_write(output, bufferevent_getfd(peer->stream));
	evbuffer_freeze(output, 1);
}

static void
frame_on_written(struct bufferevent *stream, void *arg)
{
	struct frame_peer *peer = arg;

	if (peer->lost)
		return;
	peer->in_call = true;
	if (peer->handlers.on_sent)
		peer->handlers.on_sent(peer->arg);
	peer->in_call = false;
	if (peer->destroyed)
		frame_peer_free(peer);
	else if (!(bufferevent_get_enabled(stream) & EV_READ))
		frame_on_read(stream, peer); /* it was paused */
}

/* ---- its start ---------------------------------------------------------- */

struct frame_peer *
frame_peer_create(struct event_base *base, int take_fd, size_t max,
	const struct frame_handlers *handlers, void *arg)
{
	struct frame_peer *peer = xcalloc(1, sizeof(*peer));

	peer->handlers = *handlers;
	peer->arg = arg;
	peer->max = max;
	evutil_make_socket_nonblocking(take_fd);
	evutil_make_socket_closeonexec(take_fd);
	peer->stream =
		bufferevent_socket_new(base, take_fd, BEV_OPT_CLOSE_ON_FREE);
	peer->closing = event_new(base, -1, 0, frame_on_closing, peer);
	peer->again = event_new(base, -1, 0, frame_on_again, peer);
	bufferevent_setcb(peer->stream, frame_on_read, frame_on_written,
		frame_on_event, peer);
	/* the input buffer never holds more than the limit */
	bufferevent_setwatermark(peer->stream, EV_READ, 0, max + 1);
	if (bufferevent_enable(peer->stream, EV_READ | EV_WRITE) != 0)
		xmalloc_fail();
	return peer;
}
