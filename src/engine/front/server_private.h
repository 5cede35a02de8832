/* server_private: the state of server.c and its clients. */
#ifndef CFUZZ_ENGINE_FRONT_SERVER_PRIVATE_H
#define CFUZZ_ENGINE_FRONT_SERVER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/command.h"
#include "control/endpoint.h"
#include "engine/front/server.h"

enum client_role {
	CLIENT_WATCH,
	CLIENT_CONTROL
};

/* A front end on the control socket. */
struct client {
	struct server *server;
	struct client *next;
	struct frame_peer *peer; /* NULL: gone, to be freed */
	uint64_t number;         /* from 1, never used again */
	enum client_role role;
	bool own; /* the console that was started with the engine */
	bool greeted, refused;
	bool stays;          /* to look at the campaign after its end */
	bool follows;        /* shows what the console that controls shows */
	uint64_t place_seen; /* number of the place that it was sent */
	char user[ENDPOINT_USER_SIZE];
	uid_t uid;
	bool guest; /* another user of the group: see server_share.c */
	/* When it connected, greeted, or last read what it was sent. */
	uint64_t moved_ns;
	size_t backlog;      /* bytes not read after the last sending */
	uint64_t refused_ns; /* the last time that a refusal was noted */
};

struct server {
	struct engine *engine;
	const struct server_handlers *handlers;
	char user[ENDPOINT_USER_SIZE]; /* see server_user() */
	struct client *clients;        /* in the order of their numbers */
	uint64_t numbers;              /* given so far */
	struct listener *listener;     /* NULL: nobody can attach */
	struct client *asking; /* whose command is answered; NULL: none */
	bool held;             /* its answer comes later */
	json_int_t command;    /* id of that command, see server_hold() */
	uint64_t next_ns;      /* when the next snapshot is due */
	json_t *place;         /* of the console that controls; NULL: unknown */
	uint64_t places;       /* number of the place */
	bool over; /* goodbye was said: the journal has its last line */
	/* Rate limit of guests: theoretical arrival time of the next one, as in
	 * the generic cell rate algorithm (ITU-T I.371). */
	uint64_t guests_ns;
};

/* ---- server_client.c ---- */

/* Adds a client, owned by the server; takes its socket. Its greeting decides
 * about its role. */
struct client *client_create(struct server *s, int take_fd, bool own,
	const char *user);
void client_destroy(struct client *c);
/* Sends the message, unless the client is gone. */
void client_send(struct client *c, json_t *take_message);
void client_answer(struct client *c, json_int_t id, bool ok, const char *text);
/* Tells the client that the campaign has ended. */
void client_say_bye(struct client *c, const char *text);
/* Ends this client alone: it closes the connection when it has the message. */
void client_detach(struct client *c, const char *text);
const char *client_role_name(enum client_role role);
void client_set_role(struct client *c, enum client_role role, const char *text);
/* Drops a client that has attached and not greeted or read for ten seconds. */
void client_check(struct client *c, uint64_t now);

/* ---- server_roles.c ---- */

struct client *server_controller(const struct server *s); /* NULL: nobody */
void server_on_greeting(struct client *c, const json_t *hello);
/* Writes an event of this client; kind: see cfuzz-output(5), what: the words
 * behind the user's name. */
void server_note(const struct client *c, const char *kind, const char *what);

/* ---- server.c ---- */

/* Messages of a client, and its end. */
void server_run_command(struct client *c, json_int_t id, const char *line);
void server_run_query(struct client *c, const json_t *json);
void server_on_closed(struct client *c);
/* The place that the client's console shows; for those who follow. */
void server_on_place(struct client *c, const json_t *place);
/* The name of the user who runs the engine. */
const char *server_user(struct server *s);

/* ---- server_share.c ---- */

/* Opens the output directory to the group of --share-group, and returns that
 * group. PEER_NO_GROUP: it is shared with none. */
gid_t server_share(struct server *s);
void server_unshare(struct server *s);
/* Whether there is room for one more connection of this guest, and guests do
 * not come too fast. */
bool server_admits_guest(struct server *s, uid_t uid);
/* Why a guest may not run this command, static; "": it may. */
const char *server_guest_refusal(const struct command *command);

/* ---- server_listener.c ---- */

/* NULL: the socket cannot be made; a warning is kept. */
struct listener *listener_create(struct server *s);
void listener_destroy(struct listener *l); /* NULL is fine */
void listener_tick(struct listener *l);    /* once a second at least */

#endif
