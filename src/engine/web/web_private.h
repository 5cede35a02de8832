/* web_private: the parts of web.c. */
#ifndef CFUZZ_ENGINE_WEB_WEB_PRIVATE_H
#define CFUZZ_ENGINE_WEB_WEB_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/http.h>

#include "engine/web/web.h"
#include "engine/web/web_series.h"

#define WEB_TOKEN_SIZE 33     /* with the NUL */
#define WEB_ENGINE_ID_SIZE 17 /* with the NUL */
#define WEB_TOKEN_MIN 16      /* characters of one that a user chooses */

struct web_stream;

struct web {
	struct engine *engine;
	struct evhttp *http;
	struct evconnlistener *listener;
	char address[64]; /* numeric; IPv6 without brackets */
	uint16_t port;
	bool loopback;
	char token[WEB_TOKEN_SIZE]; /* "": none is needed */
	struct web_series series;
	struct web_stream *streams;
	size_t streams_n;
	char engine_id[WEB_ENGINE_ID_SIZE]; /* random; begins ids of events */
	uint64_t series_ns, streams_ns;     /* when they are due */
};

/* ---- web_guard.c: who may read ---- */

/* Splits "PORT", "ADDR:PORT" or "[ADDR]:PORT"; without an address it is
 * 127.0.0.1. E_FORMAT: neither of these, or no port from 1 to 65535. */
enum status web_parse_address(const char *text, char address[64],
	uint16_t *port, struct error *err) MUST_CHECK;
/* Does the Host header name this server? Without `loopback` any name does,
 * because the token guards. host may be NULL: then no. */
bool web_host_is_ours(const char *host, const char *address, bool loopback);
/* May a user choose this token? It is used in URLs as it is. */
bool web_token_is_good(const char *token);
/* Compares in a time that depends only on the lengths. given may be NULL. */
bool web_token_is(const char *given, const char *token);

/* ---- web_events.c: /events ---- */

/* Answers the request with the latest events, or those after the one of its
 * Last-Event-ID, and keeps it for the next ones. An id is ENGINE-NUMBER; one of
 * another engine is ignored. */
void web_events_start(struct web *web, struct evhttp_request *request);
/* Sends new events to all such requests. */
void web_events_send(struct web *web);
void web_events_end(struct web *web);

/* ---- web_page.c: files that are built in ---- */

struct web_file {
	const char *path, *type, *text;
};

/* NULL: there is none of that path. */
const struct web_file *web_page_find(const char *path);

#endif
