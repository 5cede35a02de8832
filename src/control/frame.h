/*
 * frame: JSON messages over the control socket, one per line.
 *
 * Both sides of a stream socket own a `struct frame_peer` on their event
 * base. Towards an engine a frame is at most 64 KiB and 8 deep, towards a
 * console at most 4 MiB. A peer that breaks a cap or sends nonsense is
 * dropped with a reason in words. A slow reader makes frame_backlog() grow:
 * the engine then skips snapshots, it never waits. The program must ignore
 * SIGPIPE.
 *
 * Messages. Engine to console: {"hello": {"version": 1, …}},
 * {"snapshot": {…}}, {"answer": {"id": n, "ok": bool, "text": "…"}},
 * {"reply": {"id": n, "kind": "…", …}} (query.h), {"bye": {"exit": n,
 * "text": "…"}}. Console to engine: {"hello": {"version": 1}},
 * {"command": {"id": n, "line": "…"}}, {"query": {"id": n, "kind": "…", …}}.
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
#define FRAME_BACKLOG_MAX (2u * FRAME_TO_CONSOLE_MAX)
#define FRAME_HOLD FRAME_TO_CONSOLE_MAX

struct frame_peer;

struct frame_handlers {
	/*
	 * A whole message; borrowed for the time of the call. More of them come
	 * when the loop has had its turn; and while more than FRAME_HOLD bytes
	 * wait to be sent, none: who asks much has to read what he is told.
	 */
	void (*on_message)(void *arg, json_t *message);
	/*
	 * The peer is gone (why: for people); called once, from the event
	 * loop, then nothing.
	 */
	void (*on_closed)(void *arg, const char *why);
	/* Everything that was queued has gone to the kernel; may be NULL. */
	void (*on_sent)(void *arg);
};

/*
 * Takes fd (made non-blocking, closed by destroy). max: of frames read,
 * newline included. `handlers` is copied.
 */
struct frame_peer *frame_peer_create(struct event_base *base, int take_fd,
	size_t max, const struct frame_handlers *handlers, void *arg);
/* What is still queued is thrown away. Allowed in a handler; NULL is fine. */
void frame_peer_destroy(struct frame_peer *peer);

/*
 * Queues a message; `message` stays the caller's. E_STATE: the peer is gone;
 * E_FULL: it does not read and is dropped.
 */
enum status frame_send(struct frame_peer *peer, const json_t *message,
	struct error *err) MUST_CHECK;
size_t frame_backlog(const struct frame_peer *peer); /* bytes not yet sent */

#endif
