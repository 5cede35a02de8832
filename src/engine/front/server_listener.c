/*
 * server_listener: accepts front ends at OUT/control.sock. They may not take the
 * descriptors that workers need.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <event2/listener.h>

#include "base/log.h"
#include "base/rlimits.h"
#include "base/xmalloc.h"
#include "control/campaign_index.h"
#include "control/peer.h"
#include "engine/front/server_private.h"
#include "engine/log/messages.h"
#include "engine/parts.h"

#define LISTENER_CLIENTS_MAX 256
#define LISTENER_FULL \
	"too many watch it, or come too fast: try again in a minute"

struct listener {
	struct server *server;
	struct evconnlistener *events;
	gid_t group;  /* whose members may watch */
	bool resting; /* until the next tick: there are no descriptors */
};

static bool
listener_is_full(const struct server *s)
{
	const struct client *c;
	size_t n = 0;

	for (c = s->clients; c != NULL; c = c->next)
		n++;
	return n >= LISTENER_CLIENTS_MAX;
}

/*
 * The modes of folder and socket keep others out, and this does not rely on
 * them.
 */
static enum peer_standing
listener_judge(struct listener *l, int fd, uid_t *uid)
{
	enum peer_standing standing;
	struct error err = { 0 };
	struct peer peer;

	if (peer_read(fd, &peer, &err) != OK) {
		log_debug("a client was refused: %s", err.text);
		return PEER_STRANGER;
	}
	*uid = peer.uid;
	standing = peer_judge(&peer, geteuid(), l->group);
	peer_clear(&peer);
	return standing;
}

static void
listener_turn_away(int fd, const char *why)
{
	char bye[RLIMITS_TEXT_MAX + 128];
	int n = snprintf(bye, sizeof(bye),
		"{\"bye\": {\"exit\": 2, \"text\": \"the campaign does not take "
		"you: %s\"}}\n",
		why);

	(void)!send(fd, bye, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	close(fd);
}

static void
listener_on_accept(struct evconnlistener *events, evutil_socket_t fd,
	struct sockaddr *address, int len, void *arg)
{
	struct listener *l = arg;
	enum peer_standing standing;
	char user[ENDPOINT_USER_SIZE], why[RLIMITS_TEXT_MAX];
	uid_t uid = (uid_t)-1;
	struct client *c;

	standing = listener_judge(l, fd, &uid);
	if (standing == PEER_STRANGER) {
		close(fd);
		return;
	}
	if (listener_is_full(l->server) ||
		(standing == PEER_MEMBER &&
			!server_admits_guest(l->server, uid))) {
		listener_turn_away(fd, LISTENER_FULL);
		return;
	}
	if (!rlimits_can_spare(fd)) {
		listener_turn_away(fd, rlimits_text(EMFILE, why, sizeof(why)));
		return;
	}
	snprintf(user, sizeof(user), "%s",
		uid == geteuid() ? server_user(l->server) : "root");
	if (standing == PEER_MEMBER)
		endpoint_user_name(uid, user);
	c = client_create(l->server, fd, false, user);
	c->uid = uid;
	c->guest = standing == PEER_MEMBER;
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
	gid_t group = server_share(s);
	struct error err = { 0 };
	struct listener *l;
	int fd;

	if (endpoint_listen(engine_output_path(s->engine), group, &fd, &err) !=
		OK) {
		message_keep_warning(s->engine, "attach", err.text);
		server_unshare(s);
		return NULL;
	}
	if (campaign_index_add(engine_output_path(s->engine), &err) != OK)
		log_debug("not listed: %s", err.text);
	l = xcalloc(1, sizeof(*l));
	l->server = s;
	l->group = group;
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
	server_unshare(l->server);
	evconnlistener_free(l->events);
	endpoint_remove(engine_output_path(l->server->engine));
	campaign_index_sweep();
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
