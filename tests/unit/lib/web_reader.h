/*
 * web_reader: an engine with --http on a free port, and raw connections to it.
 *
 * Engine and reader share the engine's loop, so nothing waits for a time.
 */
#ifndef CFUZZ_TESTS_WEB_READER_H
#define CFUZZ_TESTS_WEB_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/web/web_private.h"
#include "lib/whole_engine.h"

struct bufferevent;

struct web_server {
	struct engine *engine;
	struct web *web; /* e->front.web */
	uint16_t port;
	char lines[4096]; /* that the engine printed */
};

struct web_reader {
	struct web_server *server;
	struct bufferevent *bev;
	bool closed; /* by the server */
	char *text;  /* that has come */
	size_t len;
};

/* mode: of the fake worker; options: as in whole_engine.h, without http. The
 * engine does not run yet. */
void web_server_open(struct web_server *server, const struct tree *tree,
	const char *mode, const char *const *options);
/* --http ADDRESS:PORT, on a port that is free; address "127.0.0.1" and so on.
 * False: this machine has no such address. */
bool web_server_listen(struct web_server *server, const char *address);
void web_server_close(struct web_server *server);
/* One turn of the engine, with the clock as far as the test wants it. */
void web_server_tick(struct web_server *server);
/* Runs the loop until this is true; fails after two minutes. */
void web_server_until(struct web_server *server, bool (*is)(void *arg),
	void *arg);

/* Connects to the IPv4 loopback address and sends the bytes. */
void web_reader_open(struct web_reader *reader, struct web_server *server,
	const char *request);
/* Runs the loop until the server has closed the connection; all that came. */
const char *web_reader_reply(struct web_reader *reader);
/* Runs the loop until this text has come. */
void web_reader_await(struct web_reader *reader, const char *text);
void web_reader_close(struct web_reader *reader);

#endif
