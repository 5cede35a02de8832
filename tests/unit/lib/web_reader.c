/*
 * web_reader: see web_reader.h.
 */
#include "lib/web_reader.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "base/clock.h"
#include "control/settings.h"

#define PATIENCE_S 120 /* much, as a loaded machine is slow */
#define PORTS_TRIED 50 /* others may take a port that was free */

/* ---- the server ---- */

static void
web_server_on_report(void *arg, const struct report *report)
{
	struct web_server *server = arg;
	size_t len = strlen(server->lines);

	if (report->kind == REPORT_LINE)
		snprintf(server->lines + len, sizeof(server->lines) - len,
			"%s\n", report->text);
}

void
web_server_open(struct web_server *server, const struct tree *tree,
	const char *mode, const char *const *options)
{
	*server = (struct web_server){ 0 };
	server->engine = whole_engine_open(tree, mode, options, -1,
		web_server_on_report, server);
}

static uint16_t
web_server_free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	close(fd);
	return ntohs(at.sin_port);
}

bool
web_server_listen(struct web_server *server, const char *address)
{
	struct engine *e = server->engine;
	struct error err = { 0 };
	char text[80];

	for (int i = 0; i < PORTS_TRIED; i++) {
		err = (struct error){ 0 };
		server->port = web_server_free_port();
		snprintf(text, sizeof(text), "%s:%u", address, server->port);
		assert_int_equal(settings_set(engine_change_settings(e), "http",
					 text, ORIGIN_FLAG, &err),
			OK);
		if (web_create(&e->front.web, e, &err) == OK) {
			server->web = e->front.web;
			web_begin(server->web);
			return true;
		}
		if (strstr(err.text, "in use") == NULL)
			break;
	}
	if (strstr(err.text, "Cannot assign") == NULL &&
		strstr(err.text, "not supported") == NULL)
		fail_msg("%s", err.text);
	return false;
}

void
web_server_close(struct web_server *server)
{
	engine_destroy(server->engine);
}

void
web_server_tick(struct web_server *server)
{
	/* Two seconds on, so that all is due. */
	web_tick(server->web, server->web->series_ns + 2 * CLOCK_NS_PER_S);
}

static void
web_server_on_deadline(evutil_socket_t fd, short what, void *arg)
{
	*(bool *)arg = true;
}

void
web_server_until(struct web_server *server, bool (*is)(void *arg), void *arg)
{
	const struct timeval patience = { PATIENCE_S, 0 };
	bool late = false;
	struct event *deadline = event_new(server->engine->base, -1, 0,
		web_server_on_deadline, &late);

	event_add(deadline, &patience);
	while (!is(arg) && !late)
		event_base_loop(server->engine->base, EVLOOP_ONCE);
	event_free(deadline);
	assert_false(late);
}

/* ---- the reader ---- */

static void
web_reader_on_read(struct bufferevent *bev, void *arg)
{
	struct web_reader *reader = arg;
	size_t more = evbuffer_get_length(bufferevent_get_input(bev));

	reader->text = realloc(reader->text, reader->len + more + 1);
	assert_non_null(reader->text);
	reader->len += bufferevent_read(bev, reader->text + reader->len, more);
	reader->text[reader->len] = '\0';
}

/* A server that closes early leaves its reply to be read. */
static void
web_reader_on_event(struct bufferevent *bev, short what, void *arg)
{
	struct web_reader *reader = arg;

	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) &&
		!(what & BEV_EVENT_WRITING))
		reader->closed = true;
}

void
web_reader_open(struct web_reader *reader, struct web_server *server,
	const char *request)
{
	struct sockaddr_in at = { .sin_family = AF_INET };

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	at.sin_port = htons(server->port);
	*reader = (struct web_reader){ .server = server, .text = strdup("") };
	reader->bev = bufferevent_socket_new(server->engine->base, -1,
		BEV_OPT_CLOSE_ON_FREE);
	bufferevent_setcb(reader->bev, web_reader_on_read, NULL,
		web_reader_on_event, reader);
	bufferevent_enable(reader->bev, EV_READ | EV_WRITE);
	bufferevent_write(reader->bev, request, strlen(request));
	assert_int_equal(bufferevent_socket_connect(reader->bev,
				 (struct sockaddr *)&at, sizeof(at)),
		0);
}

static bool
web_reader_is_closed(void *arg)
{
	const struct web_reader *reader = arg;

	return reader->closed;
}

const char *
web_reader_reply(struct web_reader *reader)
{
	web_server_until(reader->server, web_reader_is_closed, reader);
	return reader->text;
}

struct web_wait {
	struct web_reader *reader;
	const char *text;
};

static bool
web_reader_has(void *arg)
{
	const struct web_wait *wait = arg;

	return strstr(wait->reader->text, wait->text) != NULL;
}

void
web_reader_await(struct web_reader *reader, const char *text)
{
	struct web_wait wait = { reader, text };

	web_server_until(reader->server, web_reader_has, &wait);
}

void
web_reader_close(struct web_reader *reader)
{
	bufferevent_free(reader->bev);
	free(reader->text);
}
