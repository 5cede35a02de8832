/*
 * symbols_client: see symbols_client.h. At most one request is under way, for
 * one place of the first question in the queue.
 */
#include "findings/symbols_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "symbols/helper_process.h"

#define CLIENT_REQUEST_MS 5000
#define CLIENT_IDLE_MS 10000
#define CLIENT_REAP_MS 20
#define CLIENT_FAILURES_MAX 3
#define CLIENT_BAD_MAX 16 /* files whose failures are counted */

/* A question: the places of one call of symbols_ask(). */
struct client_ask {
	struct client_ask *next;
	symbols_done_fn *done;
	void *arg;
	uint32_t n, at; /* number of places, and the first without an answer */
	struct symbols_request requests[SYMBOLS_PLACES_MAX];
	struct symbols_answer *answer;
};

struct client_bad {
	char *path; /* owned; NULL: free */
	unsigned failures;
};

struct symbols_client {
	struct symbols_client_config config;
	struct client_ask *first, **last;
	uint32_t asks_n;
	uint64_t seq;

	struct symbols_process process;
	bool waiting; /* for the reply to seq */
	struct event *read_event, *next_event, *late_event, *idle_event;

	struct event *reap_event;

	struct client_bad bad[CLIENT_BAD_MAX];
	uint32_t bad_next;
	bool broken; /* the helper cannot be started */
};

/* ---- files that did harm ---- */

static struct client_bad *
client_find_bad(struct symbols_client *c, const char *path)
{
	int i;

	for (i = 0; i < CLIENT_BAD_MAX; i++)
		if (c->bad[i].path != NULL && strcmp(c->bad[i].path, path) == 0)
			return &c->bad[i];
	return NULL;
}

static bool
client_is_bad(struct symbols_client *c, const char *path)
{
	const struct client_bad *bad = client_find_bad(c, path);

	return bad != NULL && bad->failures >= CLIENT_FAILURES_MAX;
}

static void
client_note_bad(struct symbols_client *c, const char *path)
{
	struct client_bad *bad = client_find_bad(c, path);

	if (bad == NULL) {
		bad = &c->bad[c->bad_next++ % CLIENT_BAD_MAX];
		free(bad->path);
		bad->path = xstrdup(path);
		bad->failures = 0;
	}
	bad->failures++;
}

/* ---- the process ---- */

static void client_on_readable(evutil_socket_t fd, short what, void *arg);

static bool
client_start(struct symbols_client *c)
{
	int e = symbols_process_start(&c->process, c->config.program,
		c->config.argv);

	if (e != 0) {
		log_debug("cannot start the symbols helper: %s", strerror(e));
		return false;
	}
	c->read_event = event_new(c->config.base, c->process.fd,
		EV_READ | EV_PERSIST, client_on_readable, c);
	event_add(c->read_event, NULL);
	log_debug("helper for symbols started, process %d",
		(int)c->process.pid);
	return true;
}

/* Kills the helper and reaps it later, so that nothing blocks. */
static void
client_end_helper(struct symbols_client *c)
{
	if (c->process.pid == 0)
		return;
	event_free(c->read_event);
	c->read_event = NULL;
	symbols_process_kill(&c->process);
	c->waiting = false;
	event_del(c->late_event);
	libraries_set_timer(c->reap_event, CLIENT_REAP_MS);
}

static void
client_on_reap(evutil_socket_t fd, short what, void *arg)
{
	struct symbols_client *c = arg;

	if (symbols_process_reap(&c->process))
		libraries_set_timer(c->reap_event, CLIENT_REAP_MS);
}

static void
client_on_idle(evutil_socket_t fd, short what, void *arg)
{
	client_end_helper(arg);
}

/* ---- questions ---- */

static void
client_destroy_ask(struct client_ask *ask)
{
	symbols_answer_destroy(ask->answer);
	free(ask);
}

static void
client_finish_ask(struct symbols_client *c)
{
	struct client_ask *ask = c->first;
	struct symbols_answer *answer = ask->answer;

	c->first = ask->next;
	if (c->first == NULL)
		c->last = &c->first;
	c->asks_n--;
	ask->answer = NULL;
	ask->done(ask->arg, answer);
	client_destroy_ask(ask);
}

static bool
client_send(struct symbols_client *c, struct symbols_request *request)
{
	ssize_t n;

	if (c->process.pid == 0 && !client_start(c)) {
		c->broken = true;
		return false;
	}
	request->seq = ++c->seq;
	do
		n = send(c->process.fd, request, sizeof(*request),
			MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(*request)) {
		/* The helper died between two questions: start a new one. */
		client_end_helper(c);
		client_note_bad(c, request->path);
		return false;
	}
	c->waiting = true;
	libraries_set_timer(c->late_event, c->config.request_ms);
	return true;
}

/* Continues with the next request until one is under way. */
static void
client_next(struct symbols_client *c)
{
	struct symbols_request *request;

	event_del(c->idle_event);
	while (!c->waiting && c->first != NULL) {
		if (c->first->at == c->first->n) {
			client_finish_ask(c);
			continue;
		}
		request = &c->first->requests[c->first->at];
		if (request->path[0] == '\0' || c->broken ||
			client_is_bad(c, request->path))
			c->first->at++;
		else
			client_send(c, request);
	}
	if (c->first == NULL)
		c->broken = false; /* the next question tries again */
	if (c->first == NULL && c->process.pid != 0)
		libraries_set_timer(c->idle_event, c->config.idle_ms);
}

static void
client_on_next(evutil_socket_t fd, short what, void *arg)
{
	client_next(arg);
}

/* Replaces a helper that failed; the new one gets the same request. */
static void
client_on_trouble(struct symbols_client *c, const char *why)
{
	bool asked = c->waiting;

	client_end_helper(c);
	if (asked) {
		log_debug("symbols helper: %s: %s", why,
			c->first->requests[c->first->at].path);
		client_note_bad(c, c->first->requests[c->first->at].path);
	}
	client_next(c);
}

static void
client_on_late(evutil_socket_t fd, short what, void *arg)
{
	client_on_trouble(arg, "no answer in time");
}

static void
client_take_reply(struct symbols_client *c, const struct symbols_reply *reply)
{
	struct client_ask *ask = c->first;
	struct symbols_at *at = &ask->answer->at[ask->at++];

	ask->answer->blind |= reply->blind != 0;
	if (reply->lines_n > 0) {
		ask->answer->lines_n = reply->lines_n;
		memcpy(ask->answer->lines, reply->lines, sizeof(reply->lines));
	}
	at->n = reply->n;
	if (reply->n > 0)
		at->symbols = xmemdup(reply->symbols,
			reply->n * sizeof(*reply->symbols));
	c->waiting = false;
	event_del(c->late_event);
	client_next(c);
}

static void
client_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct symbols_client *c = arg;
	struct symbols_reply reply;
	ssize_t n = recv(fd, &reply, sizeof(reply), MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0)
		client_on_trouble(c, "ended");
	else if (!c->waiting || !symbols_reply_check(&reply, (size_t)n) ||
		reply.seq != c->seq)
		client_on_trouble(c, "sent an invalid reply");
	else
		client_take_reply(c, &reply);
}

/* A path that is too long stays empty and is not requested. */
static void
client_fill_request(struct symbols_request *request,
	const struct symbols_place *place)
{
	const char *id = place->id != NULL ? place->id : "";

	request->offset = place->offset;
	request->source = place->source;
	if (place->path == NULL ||
		strlen(place->path) >= sizeof(request->path) ||
		strlen(id) >= sizeof(request->id))
		return;
	snprintf(request->path, sizeof(request->path), "%s", place->path);
	snprintf(request->id, sizeof(request->id), "%s", id);
}

bool
symbols_ask(struct symbols_client *c, const struct symbols_place *places,
	uint32_t n, symbols_done_fn *done, void *arg)
{
	struct client_ask *ask;
	uint32_t i;

	if (c->asks_n == SYMBOLS_QUEUE_MAX)
		return false;
	ask = xcalloc(1, sizeof(*ask));
	ask->done = done;
	ask->arg = arg;
	ask->n = n > SYMBOLS_PLACES_MAX ? SYMBOLS_PLACES_MAX : n;
	ask->answer = xcalloc(1, sizeof(*ask->answer));
	ask->answer->n = ask->n;
	for (i = 0; i < ask->n; i++)
		client_fill_request(&ask->requests[i], &places[i]);
	*c->last = ask;
	c->last = &ask->next;
	c->asks_n++;
	event_active(c->next_event, EV_TIMEOUT, 0);
	return true;
}

void
symbols_answer_destroy(struct symbols_answer *answer)
{
	uint32_t i;

	if (answer == NULL)
		return;
	for (i = 0; i < answer->n; i++)
		free(answer->at[i].symbols);
	free(answer);
}

struct symbols_client *
symbols_client_create(const struct symbols_client_config *config)
{
	struct symbols_client *c = xcalloc(1, sizeof(*c));
	struct event_base *base = config->base;

	c->config = *config;
	if (c->config.request_ms == 0)
		c->config.request_ms = CLIENT_REQUEST_MS;
	if (c->config.idle_ms == 0)
		c->config.idle_ms = CLIENT_IDLE_MS;
	c->process.fd = -1;
	c->last = &c->first;
	c->next_event = event_new(base, -1, 0, client_on_next, c);
	c->late_event = event_new(base, -1, 0, client_on_late, c);
	c->idle_event = event_new(base, -1, 0, client_on_idle, c);
	c->reap_event = event_new(base, -1, 0, client_on_reap, c);
	return c;
}

void
symbols_client_destroy(struct symbols_client *c)
{
	struct client_ask *ask;
	int i;

	if (c == NULL)
		return;
	client_end_helper(c);
	symbols_process_clear(&c->process);
	while ((ask = c->first) != NULL) {
		c->first = ask->next;
		client_destroy_ask(ask);
	}
	for (i = 0; i < CLIENT_BAD_MAX; i++)
		free(c->bad[i].path);
	event_free(c->next_event);
	event_free(c->late_event);
	event_free(c->idle_event);
	event_free(c->reap_event);
	free(c);
}
