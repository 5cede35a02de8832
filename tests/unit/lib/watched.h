/*
 * watched: one real console in a child process; the test is its engine and its
 * terminal.
 *
 * Nothing happens that the test did not cause: the engine sends what the test
 * says, and the test sees the screen and each command. Every wait ends by such
 * an event, or fails after 30 seconds.
 *
 * A test that wants it says `FLAGS: -lutil`.
 */
#ifndef CFUZZ_TESTS_WATCHED_H
#define CFUZZ_TESTS_WATCHED_H

#include <event2/event.h>
#include <jansson.h>

#include "control/frame.h"
#include "control/snapshot.h"
#include "lib/session.h"
#include "lib/vt_screen.h"

struct watched {
	struct session session;
	struct vt_screen *screen;
	struct event_base *base;
	struct frame_peer *engine; /* NULL: closed */
	struct event *output, *patience;
	size_t fed; /* bytes of the session on the screen */
	struct snapshot snapshot;
	unsigned beats;      /* snapshots sent */
	char commands[2048]; /* that nobody waited for, each with a newline */
	const char *answer; /* to the next commands; "!": refused; NULL: none */
	bool mute;          /* queries get no reply */
	bool greeted;       /* by the console */
	const char *wanted; /* text that a wait is for; NULL: it was seen */
	const char *unwanted; /* the wait is for its end; NULL: there is none */
};

/*
 * Starts the console on 24x80 characters. HOME and the working directory are the
 * session's folder. env: NULL-ended or NULL.
 */
void watched_open(struct watched *w, const char *const *env);
/* The same, but the engine has not greeted the console yet. */
void watched_open_silent(struct watched *w, const char *const *env);
void watched_greet(struct watched *w);
/* Waits for the end of the console; returns its exit status. */
int watched_close(struct watched *w);

/*
 * Sends the snapshot with a later time, and waits until the screen shows it:
 * then the console has painted all that came before.
 */
void watched_beat(struct watched *w);

/* What the user does, and what must come of it; each but `keys` may be NULL. */
struct watched_step {
	const char *name;
	const char *keys;
	const char *commands; /* exactly these, each with a newline */
	const char *shows;    /* not on the screen before, but then */
	const char *gone;     /* on the screen before, but then no longer */
};
void watched_step(struct watched *w, const struct watched_step *step);

/* Exactly these, each with a newline. */
void watched_expect_commands(struct watched *w, const char *lines);

void watched_say(struct watched *w, json_t *take_message);
/* The engine says it; then the screen shows the text, as it did not before. */
void watched_say_expect(struct watched *w, json_t *take_message,
	const char *text);
void watched_expect_text(struct watched *w, const char *text);
/* The engine is gone without a word. */
void watched_hang_up(struct watched *w);
/* Waits for the end of the engine's connection. */
void watched_expect_closed(struct watched *w);

#endif
