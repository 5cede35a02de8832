/* web: see web.h. */
#include "engine/web/web.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <event2/util.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/hex_text.h"
#include "base/log.h"
#include "base/rlimits.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "engine/front/engine_stats.h"
#include "engine/front/server.h"
#include "engine/front/snapshot_view.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/triage/triage.h"
#include "engine/web/metrics.h"
#include "engine/web/web_private.h"
#include "findings/finding.h"

#define WEB_HEADERS_MAX 8192 /* bytes */
#define WEB_BODY_MAX 0
#define WEB_TIMEOUT_S 10
#define WEB_BACKLOG 16
#define WEB_REPORT_MAX (1u << 20)
#define WEB_EVENTS_NS 250000000ull

/* ---- replies ---- */

static void
web_put_headers(struct evhttp_request *request, const char *type)
{
	static const char *const pairs[][2] = {
		{ "Cache-Control", "no-store" },
		{ "Content-Security-Policy",
			"default-src 'none'; img-src data:; script-src 'self'; style-src "
			"'self'; connect-src 'self'; base-uri 'none'; "
			"form-action 'none'; frame-ancestors 'none'" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Referrer-Policy", "no-referrer" },
	};
	struct evkeyvalq *headers = evhttp_request_get_output_headers(request);

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		evhttp_add_header(headers, pairs[i][0], pairs[i][1]);
	if (type != NULL)
		evhttp_add_header(headers, "Content-Type", type);
}

static bool
web_is_head(const struct evhttp_request *request)
{
	return evhttp_request_get_command(request) == EVHTTP_REQ_HEAD;
}

/* libevent would send the body of a HEAD as well, before the next reply. */
static void
web_reply(struct evhttp_request *request, const char *type,
	struct evbuffer *body)
{
	web_put_headers(request, type);
	evhttp_send_reply(request, HTTP_OK, "OK",
		web_is_head(request) ? NULL : body);
}

static void
web_reply_text(struct evhttp_request *request, const char *type,
	const char *text)
{
	struct evbuffer *body = evbuffer_new();

	evbuffer_add(body, text, strlen(text));
	web_reply(request, type, body);
	evbuffer_free(body);
}

static void
web_reply_json(struct evhttp_request *request, json_t *take_json)
{
	char *text = json_dumps(take_json, JSON_COMPACT);

	if (text != NULL)
		web_reply_text(request, "application/json", text);
	else
		evhttp_send_error(request, HTTP_INTERNAL, NULL);
	free(text);
	json_decref(take_json);
}

static void
web_refuse(struct evhttp_request *request, int code, const char *status,
	const char *why)
{
	struct evbuffer *body = web_is_head(request) ? NULL : evbuffer_new();

	web_put_headers(request, "text/plain; charset=utf-8");
	if (body != NULL)
		evbuffer_add_printf(body, "%s\n", why);
	evhttp_send_reply(request, code, status, body);
	if (body != NULL)
		evbuffer_free(body);
}

/* ---- what is served ---- */

static void
web_send_metrics(struct web *web, struct evhttp_request *request)
{
	struct evbuffer *body = evbuffer_new();
	struct snapshot snapshot;

	view_make(web->engine, &snapshot);
	server_view(engine_server(web->engine), &snapshot);
	metrics_write(&snapshot, body);
	snapshot_clear(&snapshot);
	web_reply(request, "text/plain; version=0.0.4; charset=utf-8", body);
	evbuffer_free(body);
}

static void
web_send_stats(struct web *web, struct evhttp_request *request)
{
	web_reply_json(request, engine_stats_encode(web->engine));
}

static void
web_send_series(struct web *web, struct evhttp_request *request)
{
	web_reply_json(request, web_series_encode(&web->series));
}

/* The folder comes from the finding, never from the request. */
static void
web_send_report(struct web *web, struct evhttp_request *request, const char *id)
{
	const struct finding *f = triage_find(web->engine, id);
	char *path = NULL, *clean;
	uint8_t *data;
	size_t len;

	if (f != NULL)
		path = xasprintf("%s/%s/report.txt",
			engine_output_path(web->engine), f->folder);
	if (path == NULL ||
		file_read_at(AT_FDCWD, path, WEB_REPORT_MAX, &data, &len,
			NULL) != OK) {
		web_refuse(request, HTTP_NOTFOUND, "Not Found",
			"there is no such report");
	} else {
		clean = text_clean_lines(data, len);
		web_reply_text(request, "text/plain; charset=utf-8", clean);
		free(clean);
		free(data);
	}
	free(path);
}

static void
web_send_events(struct web *web, struct evhttp_request *request)
{
	if (web_is_head(request)) {
		web_reply(request, "text/event-stream", NULL);
		return;
	}
	web_put_headers(request, NULL);
	web_events_start(web, request);
}

/* Paths with data, which may need a token. False: there is no such path. */
static bool
web_send_data(struct web *web, struct evhttp_request *request, const char *path)
{
	static const struct {
		const char *path;
		void (*send)(struct web *web, struct evhttp_request *request);
	} routes[] = {
		{ "/metrics", web_send_metrics },
		{ "/stats.json", web_send_stats },
		{ "/series.json", web_send_series },
		{ "/events", web_send_events },
	};

	if (strncmp(path, "/findings/", 10) == 0) {
		web_send_report(web, request, path + 10);
		return true;
	}
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++)
		if (strcmp(path, routes[i].path) == 0) {
			routes[i].send(web, request);
			return true;
		}
	return false;
}

/* ---- requests ---- */

/* "Authorization: Bearer TOKEN", or ?token=TOKEN for a browser. */
static bool
web_is_allowed(const struct web *web, struct evhttp_request *request)
{
	const char *given =
		evhttp_find_header(evhttp_request_get_input_headers(request),
			"Authorization");
	const char *query =
		evhttp_uri_get_query(evhttp_request_get_evhttp_uri(request));

	if (web->token[0] == '\0')
		return true;
	if (given != NULL && strncmp(given, "Bearer ", 7) == 0)
		return web_token_is(given + 7, web->token);
	return query != NULL && strncmp(query, "token=", 6) == 0 &&
		web_token_is(query + 6, web->token);
}

static void
web_on_request(struct evhttp_request *request, void *arg)
{
	struct web *web = arg;
	const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
	const char *path = uri != NULL ? evhttp_uri_get_path(uri) : NULL;
	const struct web_file *file = path != NULL ? web_page_find(path) : NULL;

	if (!web_host_is_ours(evhttp_find_header(
				      evhttp_request_get_input_headers(request),
				      "Host"),
		    web->address, web->loopback))
		web_refuse(request, 421, "Misdirected Request",
			"the Host header does not name this address");
	else if (file != NULL)
		web_reply_text(request, file->type, file->text);
	else if (!web_is_allowed(web, request))
		web_refuse(request, 401, "Unauthorized",
			"the token is missing or wrong: send the header "
			"`Authorization: Bearer TOKEN`, or add ?token=TOKEN");
	else if (path == NULL || !web_send_data(web, request, path))
		web_refuse(request, HTTP_NOTFOUND, "Not Found",
			"there is nothing at this path; cfuzz-http(7) lists "
			"all paths");
}

/* Called for each connection; new ones may not take the workers' descriptors. */
static struct bufferevent *
web_on_connection(struct event_base *base, void *arg)
{
	struct web *web = arg;
	int fd =
		fcntl(evconnlistener_get_fd(web->listener), F_DUPFD_CLOEXEC, 0);

	if (fd < 0 || !rlimits_can_spare(fd))
		evconnlistener_disable(web->listener);
	if (fd >= 0)
		close(fd);
	return bufferevent_socket_new(base, -1, 0);
}

/* Until the next tick. libevent passes its own evhttp here, not our web. */
static void
web_on_accept_error(struct evconnlistener *listener, void *http)
{
	log_debug("http: accept: %s", strerror(errno));
	evconnlistener_disable(listener);
}

/* ---- life ---- */

static bool
web_is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static enum status
web_listen(struct web *web, struct error *err)
{
	bool v6 = strchr(web->address, ':') != NULL;
	struct sockaddr_storage where;
	int len = (int)sizeof(where);
	char text[96];

	snprintf(text, sizeof(text), v6 ? "[%s]:%u" : "%s:%u", web->address,
		(unsigned)web->port);
	if (evutil_parse_sockaddr_port(text, (struct sockaddr *)&where, &len) !=
		0)
		return error_set(err, E_USAGE,
			"--http: %s is not the address of a network interface",
			text);
	web->listener =
		evconnlistener_new_bind(engine_base(web->engine), NULL, NULL,
			LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC |
				LEV_OPT_REUSEABLE,
			WEB_BACKLOG, (struct sockaddr *)&where, len);
	if (web->listener == NULL)
		return error_set(err, E_USAGE, "--http: %s: %s", text,
			strerror(errno));
	evconnlistener_set_error_cb(web->listener, web_on_accept_error);
	return OK;
}

/* Random hex digits that fill buf, with the NUL. size: odd, at most that of a
 * token. */
static void
web_make_word(char *buf, size_t size)
{
	uint8_t random[(WEB_TOKEN_SIZE - 1) / 2];

	random_bytes(random, (size - 1) / 2);
	hex_encode(random, (size - 1) / 2, buf);
}

/* E_USAGE: the user's token is invalid. */
static enum status
web_make_token(struct web *web, struct error *err)
{
	const char *given = getenv("CFUZZ_HTTP_TOKEN");

	if (web->loopback)
		return OK;
	web_make_word(web->token, sizeof(web->token));
	if (given == NULL || given[0] == '\0')
		return OK;
	if (!web_token_is_good(given))
		return error_set(err, E_USAGE,
			"--http: CFUZZ_HTTP_TOKEN needs 16 to 32 letters, "
			"digits and -._~");
	snprintf(web->token, sizeof(web->token), "%s", given);
	return OK;
}

static void
web_open(struct web *web)
{
	web->http = evhttp_new(engine_base(web->engine));
	if (web->http == NULL)
		xmalloc_fail();
	evhttp_set_allowed_methods(web->http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
	evhttp_set_max_headers_size(web->http, WEB_HEADERS_MAX);
	evhttp_set_max_body_size(web->http, WEB_BODY_MAX);
	evhttp_set_timeout(web->http, WEB_TIMEOUT_S);
	evhttp_set_gencb(web->http, web_on_request, web);
	evhttp_set_bevcb(web->http, web_on_connection, web);
	evhttp_bind_listener(web->http, web->listener);
}

/* The line to open it by. */
void
web_begin(struct web *web)
{
	bool v6;
	char text[256];

	if (web == NULL)
		return;
	v6 = strchr(web->address, ':') != NULL;
	snprintf(text, sizeof(text), "http://%s%s%s:%u/%s%s", v6 ? "[" : "",
		web->address, v6 ? "]" : "", (unsigned)web->port,
		web->token[0] != '\0' ? "?token=" : "", web->token);
	message_print(web->engine, "shown at %s", text);
	message_event(web->engine, "http", NULL, "shown at %s", text);
}

enum status
web_create(struct web **web, struct engine *e, struct error *err)
{
	const char *http = engine_settings(e)->http;
	struct web *w;

	*web = NULL;
	if (http == NULL || http[0] == '\0')
		return OK;
	w = xcalloc(1, sizeof(*w));
	w->engine = e;
	if (web_parse_address(http, w->address, &w->port, err) != OK) {
		free(w);
		return err->code;
	}
	w->loopback = web_is_loopback(w->address);
	web_make_word(w->engine_id, sizeof(w->engine_id));
	if (web_make_token(w, err) != OK || web_listen(w, err) != OK) {
		free(w);
		return err->code;
	}
	web_open(w);
	*web = w;
	return OK;
}

void
web_destroy(struct web *web)
{
	if (web == NULL)
		return;
	web_events_end(web);
	evhttp_free(web->http);
	free(web);
}

static void
web_add_point(struct web *web)
{
	struct snapshot snapshot;

	view_make(web->engine, &snapshot);
	web_series_add(&web->series, &snapshot);
	snapshot_clear(&snapshot);
}

void
web_tick(struct web *web, uint64_t now)
{
	if (web == NULL)
		return;
	/* The listener may rest, see above; else this changes nothing. */
	evconnlistener_enable(web->listener);
	if (now >= web->streams_ns) {
		web_events_send(web);
		web->streams_ns = now + WEB_EVENTS_NS;
	}
	if (now >= web->series_ns) {
		web_add_point(web);
		web->series_ns = now + CLOCK_NS_PER_S;
	}
}
