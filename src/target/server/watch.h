/*
 * watch: waits for the end of a child's call, by SIGCHLD or by the link,
 * whichever comes first.
 */
#ifndef CFUZZ_TARGET_SERVER_WATCH_H
#define CFUZZ_TARGET_SERVER_WATCH_H

#include "target/server/fork_server_state.h"

enum watch_event {
	WATCH_NOTHING, /* the child lives, or there is none */
	WATCH_ANSWER,
	WATCH_DEATH, /* not reaped yet */
	WATCH_STOP,
	WATCH_LINK_LOST, /* closed, but the child lives */
	WATCH_JUNK,      /* unexpected bytes on the link */
	WATCH_ENGINE_GONE,
};

/*
 * Looks at the child, if there is one, without waiting: WATCH_NOTHING,
 * WATCH_DEATH or WATCH_STOP. Reaps orphans that have ended. With WATCH_STOP,
 * *stop_signo is the signal. A stop while the engine pauses the worker is no
 * event, nor is one of a child that has asked to be traced: it goes on.
 */
enum watch_event watch_look(struct fork_server *server, int *stop_signo);

/* Reaps ended processes except the child. */
void watch_reap_orphans(const struct fork_server *server);

/* Waits for the end of a call; never WATCH_NOTHING. *stop_signo: as above. */
enum watch_event watch_wait(struct fork_server *server, int *stop_signo);

#endif
