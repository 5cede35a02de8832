/* web_private: the parts of web.c. */
#ifndef CFUZZ_ENGINE_WEB_WEB_PRIVATE_H
#define CFUZZ_ENGINE_WEB_WEB_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/http.h>

#include "engine/web/web.h"
#include "engine/web/web_series.h"

#define WEB_TOKEN_SIZE 33 /* with the NUL */
#define WEB_TOKEN_MIN 16  /* characters of one that a user chooses */

struct web_stream;

struct web {
	struct engine *engine;
	struct evhttp *http;
	struct evconnlistener *listener;
	char address[64];
	uint16_t port;
	bool loopback;
	char token[WEB_TOKEN_SIZE]; /* "": none is needed */
	struct web_series series;
	struct web_stream *streams;
	size_t streams_n;
	uint64_t series_ns, streams_ns; /* when they are due */
};

/* ---- web_guard.c: who may read ---- */

/* "PORT", "ADDR:PORT", "[ADDR]:PORT". E_FORMAT otherwise. */
enum status web_parse_address(const char *text, char address[64],
	uint16_t *port, struct error *err) MUST_CHECK;
/* Does the Host header name this server? host may be NULL. */
bool web_host_is_ours(const char *host, const char *address, bool loopback);
/* May a user choose it? It stands in a URL as it is. */
bool web_token_is_good(const char *token);
/* Compares in constant time. */
bool web_token_is(const char *given, const char *token);

/* ---- web_events.c: /events ---- */

void web_events_start(struct web *web, struct evhttp_request *request);
void web_events_send(struct web *web);
void web_events_end(struct web *web);

/* ---- web_page.c: files that are built in ---- */

struct web_file {
	const char *path, *type, *text;
};

/* NULL: there is none of that path. */
const struct web_file *web_page_find(const char *path);

#endif
