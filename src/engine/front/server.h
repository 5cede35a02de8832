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

struct engine;
struct query;
struct reply;
struct server;

struct server_handlers {
	/* Answers a query with server_reply(), now or later. */
	void (*on_query)(struct engine *e, uint64_t id,
		const struct query *query);
	/* Runs a command and answers it with one sentence. */
	enum status (*on_command)(struct engine *e, const char *line,
		char *answer, size_t size, struct error *err);
};

/* handlers: kept. */
struct server *server_create(struct engine *e, int take_fd,
	const struct server_handlers *handlers);
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
