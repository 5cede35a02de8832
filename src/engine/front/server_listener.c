/*
 * server_listener: accepts front ends at OUT/control.sock. They may not take the
 * descriptors that workers need.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <event2/listener.h>

#include "base/log.h"
#include "base/xmalloc.h"
#include "control/campaign_index.h"
#include "engine/front/server_private.h"
#include "engine/log/messages.h"
#include "engine/parts.h"

#define LISTENER_CLIENTS_MAX 256
#define LISTENER_SPARE_FILES 64 /* descriptors left for other uses */

struct listener {
	struct server *server;
	struct evconnlistener *events;
	bool resting; /* until the next tick: there are no descriptors */
};

static bool
listener_has_room(const struct server *s, int fd)
{
	const struct client *c;
	struct rlimit limit;
	size_t n = 0;

	for (c = s->clients; c != NULL; c = c->next)
		n++;
	return n < LISTENER_CLIENTS_MAX &&
		(getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
			(rlim_t)fd + LISTENER_SPARE_FILES < limit.rlim_cur);
}

/* The folder is closed to others, and this does not rely on it. */
static void
listener_on_accept(struct evconnlistener *events, evutil_socket_t fd,
	struct sockaddr *address, int len, void *arg)
{
	struct listener *l = arg;
	struct error err = { 0 };
	uid_t uid = (uid_t)-1;

	(void)events;
	(void)address;
	(void)len;
	if (endpoint_peer(fd, &uid, &err) != OK ||
		(uid != geteuid() && uid != 0) ||
		!listener_has_room(l->server, fd)) {
		log_debug("a client was refused: %s", err.text);
		close(fd);
		return;
	}
	client_create(l->server, fd, false,
		uid == geteuid() ? l->server->user : "root");
}

static void
listener_on_error(struct evconnlistener *events, void *arg)
{
	struct listener *l = arg;

	log_debug("accept: %s", strerror(errno));
	evconnlistener_disable(events);
	l->resting = true;
}

struct listener *
listener_create(struct server *s)
{
	struct error err = { 0 };
	struct listener *l;
	int fd;

	if (endpoint_listen(engine_output_path(s->engine), &fd, &err) != OK) {
		message_keep_warning(s->engine, "attach", err.text);
		return NULL;
	}
	if (campaign_index_add(engine_output_path(s->engine), &err) != OK)
		log_debug("not listed: %s", err.text);
	l = xcalloc(1, sizeof(*l));
	l->server = s;
	l->events = evconnlistener_new(engine_base(s->engine),
		listener_on_accept, l,
		LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
	if (l->events == NULL)
		xmalloc_fail();
	evconnlistener_set_error_cb(l->events, listener_on_error);
	return l;
}

void
listener_destroy(struct listener *l)
{
	if (l == NULL)
		return;
	evconnlistener_free(l->events);
	endpoint_remove(engine_output_path(l->server->engine));
	free(l);
}

void
listener_tick(struct listener *l)
{
	if (l == NULL || !l->resting)
		return;
	l->resting = false;
	evconnlistener_enable(l->events);
}
