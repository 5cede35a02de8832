/*
 * server_roles: who controls the campaign and who watches it. One front end
 * controls, any number watch; each change is in the journal.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "control/json_text.h"
#include "control/snapshot.h"
#include "engine/engine_end.h"
#include "engine/front/server_private.h"
#include "engine/log/messages.h"
#include "engine/parts.h"

struct client *
server_controller(const struct server *s)
{
	struct client *c;

	for (c = s->clients; c != NULL; c = c->next)
		if (c->peer != NULL && c->greeted && c->role == CLIENT_CONTROL)
			return c;
	return NULL;
}

/* Not one that was sent off and has not closed yet. */
static bool
server_has(const struct client *c)
{
	return c->peer != NULL && c->greeted && !c->refused;
}

void
server_view(const struct server *s, struct snapshot *view)
{
	const struct client *c;

	for (c = s != NULL ? s->clients : NULL; c != NULL; c = c->next) {
		if (!server_has(c))
			continue;
		if (c->role == CLIENT_WATCH)
			view->watchers++;
		else
			snprintf(view->controller, sizeof(view->controller),
				"%s", c->user);
	}
}

void
server_note(const struct client *c, const char *kind, const char *what)
{
	if (engine_over(c->server->engine))
		return; /* it changes nothing any more */
	message_event(c->server->engine, kind,
		json_pack("{s:s, s:s}", "user", c->user, "role",
			client_role_name(c->role)),
		"%s %s", c->user, what);
}

static void
server_send_others_off(const struct client *self)
{
	struct client *c;
	char text[128];

	snprintf(text, sizeof(text), "detached by %s, who took the campaign",
		self->user);
	for (c = self->server->clients; c != NULL; c = c->next)
		if (c != self && c->greeted)
			client_detach(c, text);
}

/* A guest watches, whatever it asks for. */
static void
server_say_guest(const struct client *c, bool *watches, char *text, size_t size)
{
	text[0] = '\0';
	if (!c->guest)
		return;
	if (!*watches)
		snprintf(text, size,
			"you watch: only %s, whose campaign it is, gives control",
			server_user(c->server));
	*watches = true;
}

void
server_on_greeting(struct client *c, const json_t *hello)
{
	const char *role = json_text_get(hello, "role");
	bool watches = role != NULL && strcmp(role, "watch") == 0;
	char text[128];

	c->stays = json_is_true(json_object_get(hello, "stay"));
	if (engine_over(c->server->engine) && !c->stays) {
		client_say_bye(c, engine_failure(c->server->engine));
		c->refused = true;
		return;
	}
	server_say_guest(c, &watches, text, sizeof(text));
	if (!watches && json_is_true(json_object_get(hello, "alone")))
		server_send_others_off(c);
	c->greeted = false; /* it is not the controller that is looked for */
	watches = watches || server_controller(c->server) != NULL;
	c->greeted = true;
	c->role = watches ? CLIENT_WATCH : CLIENT_CONTROL;
	c->follows = json_is_true(json_object_get(hello, "follow"));
	c->moved_ns = clock_now_ns();
	c->server->next_ns = 0;
	if (c->own)
		return;
	client_set_role(c, c->role, text);
	server_note(c, "attach", watches ? "watches" : "attached");
}

enum status
server_take(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct client *self = engine_server(e)->asking, *other;
	char text[128];

	if (self == NULL)
		return error_set(err, E_STATE, "nobody asks for control");
	other = server_controller(self->server);
	if (other == self)
		return error_set(err, E_STATE, "you control already");
	if (other != NULL) {
		snprintf(text, sizeof(text),
			"%s took control: you watch; :take takes it back",
			self->user);
		client_set_role(other, CLIENT_WATCH, text);
	}
	client_set_role(self, CLIENT_CONTROL, "");
	server_note(self, "take", "took control");
	snprintf(answer, size, "you control the campaign");
	return OK;
}

/* The watcher of that name; without a name the first one that is no guest. */
static struct client *
server_watcher(const struct server *s, const char *user)
{
	struct client *c;

	for (c = s->clients; c != NULL; c = c->next)
		if (server_has(c) && c->role == CLIENT_WATCH &&
			(user == NULL ? !c->guest : strcmp(c->user, user) == 0))
			return c;
	return NULL;
}

static bool
server_has_guest(const struct server *s)
{
	const struct client *c = s->clients;

	while (c != NULL && !(c->guest && server_has(c)))
		c = c->next;
	return c != NULL;
}

enum status
server_give(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	const struct server *s = engine_server(e);
	const char *user = c->argc > 0 ? c->argv[0] : NULL;
	struct client *self = s->asking, *other = server_watcher(s, user);
	char text[128];

	if (self == NULL || other == NULL)
		return error_set(err, E_NOT_FOUND,
			user != NULL ? "%s does not watch"
				: server_has_guest(s)
				? "only other users watch: "
				  "name one, as in :give ann"
				: "nobody watches",
			user);
	if (self->guest && other->guest)
		return error_set(err, E_STATE,
			"only the user of the campaign gives control to "
			"another user");
	client_set_role(self, CLIENT_WATCH, "");
	snprintf(text, sizeof(text), "%s gave you control", self->user);
	client_set_role(other, CLIENT_CONTROL, text);
	server_note(other, "give", "was given control");
	snprintf(answer, size, "%s controls, you watch", other->user);
	return OK;
}

bool
server_leave(struct server *s)
{
	/* The shell waits for the engine if it has started the console. */
	if (s == NULL || s->asking == NULL || s->asking->own ||
		s->asking->role == CLIENT_CONTROL)
		return false;
	client_say_bye(s->asking, "");
	s->asking->refused = true;
	return true;
}

enum status
server_detach(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct client *self = engine_server(e)->asking;
	char text[ENDPOINT_LINE_SIZE];

	if (self == NULL)
		return error_set(err, E_STATE, "nobody is attached");
	if (engine_stopping(e))
		snprintf(text, sizeof(text),
			"the campaign is being stopped: it ends without this "
			"console");
	else
		endpoint_come_back(engine_output_path(e), text, sizeof(text));
	client_detach(self, text);
	snprintf(answer, size, "detached");
	return OK;
}
