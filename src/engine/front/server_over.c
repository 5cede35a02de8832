/*
 * server_over: the consoles that stay when the campaign is over.
 */
#include "base/clock.h"
#include "engine/front/server_private.h"

bool
server_any_stays(const struct server *s)
{
	const struct client *c;

	for (c = s != NULL ? s->clients : NULL; c != NULL; c = c->next)
		if (c->peer != NULL && !c->refused &&
			(c->greeted ? c->stays : c->own))
			return true;
	return false;
}

void
server_begin_over(struct server *s, const char *text)
{
	struct client *c;

	listener_destroy(s->listener);
	s->listener = NULL;
	s->next_ns = 0;
	server_tick(s, clock_now_ns());
	/* A client that has not greeted yet says in its greeting whether it
	 * stays. */
	for (c = s->clients; c != NULL; c = c->next)
		if (c->greeted && !c->stays && !c->refused) {
			client_say_bye(c, text);
			c->refused = true;
		}
}
