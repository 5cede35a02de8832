/*
 * frame: JSON messages over the control socket, one per line.
 *
 * Both sides of a stream socket own a `struct frame_peer` on their event base.
 * A message has at most 8 levels; one to an engine has at most 64 KiB and 64
 * members, one to a console at most 4 MiB. A peer that exceeds a limit or sends
 * malformed data is dropped, with a reason in words. If the other side reads
 * slowly, frame_backlog() grows; the engine then skips snapshots and never
 * waits. The program must ignore SIGPIPE.
 *
 * Messages from engine to console:
 *   {"hello": {"version": 1, …}}, before anything
 *   {"role": {"role": "control" or "watch", "text": "…"}}, when it changes
 *   {"snapshot": {…}}
 *   {"answer": {"id": n, "ok": bool, "text": "…"}}
 *   {"reply": {"id": n, "kind": "…", …}}, see query.h
 *   {"place": {…}}, to those who follow; see ui/model/place.h
 *   {"bye": {"exit": n, "text": "…"}}; with "detached": true the campaign
 *   goes on
 * From console to engine:
 *   {"hello": {"version": 1, "role": "control" or "watch", "alone": bool,
 *   "follow": bool}}
 *   {"place": {…}}
 *   {"command": {"id": n, "line": "…"}}
 *   {"query": {"id": n, "kind": "…", …}}
 */
#ifndef CFUZZ_CONTROL_FRAME_H
#define CFUZZ_CONTROL_FRAME_H

#include <stddef.h>

#include <event2/event.h>
#include <jansson.h>

#include "shared/status.h"

#define CONTROL_VERSION 1
#define FRAME_TO_ENGINE_MAX (64u << 10)
#define FRAME_TO_CONSOLE_MAX (4u << 20)
#define FRAME_DEPTH_MAX 8
/* Bytes that wait to be sent. */
#define FRAME_BACKLOG_MAX (2u * FRAME_TO_CONSOLE_MAX) /* more: E_FULL */
#define FRAME_HOLD FRAME_TO_CONSOLE_MAX               /* see on_message() */

struct frame_peer;

struct frame_handlers {
	/*
	 * A complete message, borrowed during the call. Further messages may
	 * wait for the next turn of the loop. None is delivered while more than
	 * FRAME_HOLD bytes wait to be sent: a peer that asks much has to read
	 * the answers.
	 */
	void (*on_message)(void *arg, json_t *message);
	/*
	 * The peer is gone; `why` is for people. Called once, from the event
	 * loop; no other call follows.
	 */
	void (*on_closed)(void *arg, const char *why);
	/* All queued bytes were handed to the kernel; may be NULL. */
	void (*on_sent)(void *arg);
};

/*
 * Takes the socket and makes it non-blocking; frame_peer_destroy() closes it.
 * max: limit of a message to read in bytes, with its newline:
 * FRAME_TO_ENGINE_MAX or FRAME_TO_CONSOLE_MAX. `handlers` is copied.
 */
struct frame_peer *frame_peer_create(struct event_base *base, int take_fd,
	size_t max, const struct frame_handlers *handlers, void *arg);
/* Discards queued messages. Allowed in a handler; NULL is fine. */
void frame_peer_destroy(struct frame_peer *peer);

/*
 * Queues a message; `message` stays the caller's. E_STATE: the peer is gone;
 * E_FULL: the other side does not read, and the peer is dropped; E_INTERNAL:
 * the message cannot be encoded.
 */
enum status frame_send(struct frame_peer *peer, const json_t *message,
	struct error *err) MUST_CHECK;
/* The same for the text of frame_encode(), which is copied. */
enum status frame_send_text(struct frame_peer *peer, const char *text,
	size_t len, struct error *err) MUST_CHECK;
/* A message as it is sent, for several peers: *len bytes, to be freed. NULL: it
 * cannot be encoded. */
char *frame_encode(const json_t *message, size_t *len);
size_t frame_backlog(const struct frame_peer *peer); /* bytes not yet sent */
/* Sends now what waits for a turn of the loop, as far as the kernel has room:
 * for who leaves without one. */
void frame_flush(struct frame_peer *peer);

#endif
