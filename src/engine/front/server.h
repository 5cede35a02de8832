/*
 * server: the control socket.
 */
#ifndef CFUZZ_ENGINE_FRONT_SERVER_H
#define CFUZZ_ENGINE_FRONT_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct engine;
struct query;
struct reply;
struct server;

/* Answers a query with server_reply(), now or later. */
typedef void server_query_fn(struct engine *e, uint64_t id,
	const struct query *query);
struct server *server_create(struct engine *e, int take_fd,
	server_query_fn *on_query);
void server_destroy(struct server *server);
void server_tick(struct server *server, uint64_t now);
/*
 * Postpones the answer to the current command until server_answer_late(). The
 * console may have left before. False: nobody waits for the answer.
 */
bool server_hold(struct server *server, json_int_t *id);
void server_answer_late(struct server *server, json_int_t id, bool ok,
	const char *text);
/*
 * The console has not read earlier data yet: send nothing large. NULL is fine.
 */
bool server_is_behind(const struct server *server);
/* Sends a reply, unless its console has gone. NULL is fine. */
void server_reply(struct server *server, uint64_t id,
	const struct reply *reply);
void server_say_bye(struct server *server, const char *text);
/* Waits a limited time until the console has read all. */
void server_flush(struct server *server);

#endif
