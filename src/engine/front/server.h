/*
 * server: the control socket.
 */
#ifndef CFUZZ_ENGINE_FRONT_SERVER_H
#define CFUZZ_ENGINE_FRONT_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"

struct command;
struct engine;
struct query;
struct reply;
struct server;
struct snapshot;

struct server_handlers {
	/* Answers a query with server_reply(), now or later. */
	void (*on_query)(struct engine *e, uint64_t id,
		const struct query *query);
	/* Runs a command and answers it with one sentence; as command_fn. */
	enum status (*on_command)(struct engine *e,
		const struct command *command, char *answer, size_t size,
		struct error *err);
};

/*
 * take_fd: the socket to the console that was started with the engine, -1:
 * none. Others attach at OUT/control.sock; if that cannot be made, a warning is
 * kept. handlers: borrowed; they outlive the server.
 */
struct server *server_create(struct engine *e, int take_fd,
	const struct server_handlers *handlers);
void server_destroy(struct server *server); /* NULL is fine */
/* Sends snapshots that are due, and drops clients that do not read. now: of
 * clock_now_ns(). NULL is fine. */
void server_tick(struct server *server, uint64_t now);
/* Counts the watchers, and names the user who controls. NULL is fine. */
void server_view(const struct server *server, struct snapshot *view);
/*
 * After the end of the campaign consoles may stay, if they asked for it when
 * they greeted. server_any_stays(): there is such a console.
 * server_begin_over() says goodbye to all others with this text, and nobody can
 * attach any more.
 */
bool server_any_stays(const struct server *server); /* NULL is fine */
void server_begin_over(struct server *server, const char *text);
bool server_has_clients(const struct server *server); /* NULL is fine */

/* The commands take, give and detach, for the client that gave them; as
 * command_fn. Without a name, give takes the first watcher who is no guest.
 * E_STATE: not possible now. E_NOT_FOUND: no such user watches. */
enum status server_take(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err);
enum status server_give(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err);
enum status server_detach(struct engine *e, const struct command *c,
	char *answer, size_t size, struct error *err);
/* Says goodbye to the client that asks, if it has attached and only watches;
 * all others stay. False: it controls, or it was started with the engine. NULL
 * is fine. */
bool server_leave(struct server *server);

/*
 * Postpones the answer to the current command until server_answer_late() with
 * this id. The client may have left before. False: nobody waits for the answer.
 * NULL is fine.
 */
bool server_hold(struct server *server, json_int_t *id);
void server_answer_late(struct server *server, json_int_t id, bool ok,
	const char *text);
/*
 * The client of this query has not read earlier data yet: send nothing large.
 * NULL is fine.
 */
bool server_is_behind(const struct server *server, uint64_t id);
/* Sends a reply, unless its client has gone. NULL is fine. */
void server_reply(struct server *server, uint64_t id,
	const struct reply *reply);
/*
 * Sends the last snapshot, and the end of the campaign, to all clients. After
 * that nobody can attach, and the journal gets no lines of clients. NULL is
 * fine.
 */
void server_say_bye(struct server *server, const char *text);
/* Waits until all clients have read all, at most a second. A later loop of the
 * base may end early, once, within a second. NULL is fine. */
void server_flush(struct server *server);

#endif
