/*
 * talk: the test as a console of an engine, over the control socket.
 *
 * The program needs fake_worker_main() in its main(), and own_note.h.
 */
#ifndef CFUZZ_TESTS_TALK_H
#define CFUZZ_TESTS_TALK_H

#include <jansson.h>

#include "control/frame.h"
#include "lib/whole_engine.h"

#define TALK_PATIENCE_S 120

struct talk {
	struct engine *engine;
	struct frame_peer *peer; /* NULL: the console has gone */
	json_t *messages;        /* from the engine */
	json_t *events;          /* of the journal */
	bool closed;             /* by the engine */
};

/* See whole_engine_open(). */
void talk_open(struct talk *talk, const struct tree *tree,
	const char *const *options);
/* A campaign that is over, in "out". See whole_engine_open_past(). */
void talk_open_past(struct talk *talk, const struct tree *tree,
	const char *target, const char *mode);
/* Stops the engine unless the console has gone, and runs it to its end. From a
 * campaign that is over the console leaves. */
enum exit_status talk_close(struct talk *talk);

/* One more console of that engine, at its socket; it has not greeted. */
void talk_attach(struct talk *talk, const struct talk *first);
void talk_leave(struct talk *talk);
/* Runs the loop until the engine has closed the connection. */
void talk_wait_closed(struct talk *talk);

/* Sends this JSON text. */
void talk_say(struct talk *talk, const char *text);
void talk_greet(struct talk *talk, long long version);
/* A console that stays after the end. */
void talk_greet_staying(struct talk *talk);
/* The last message with that member, once there is one; all are forgotten. The
 * caller owns it. */
json_t *talk_hear(struct talk *talk, const char *member);
/* NULL: none yet; borrowed. */
json_t *talk_find(const struct talk *talk, const char *member);
/* Gives a command; the answer, the caller's. *ok: it was done. */
char *talk_command(struct talk *talk, const char *line, bool *ok);
/* The number of journal events of a kind. */
size_t talk_events(const struct talk *talk, const char *kind);

#endif
