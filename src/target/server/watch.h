/*
 * watch: what becomes of the keeper's child, by the kernel's word and by the
 * link's, whichever tells first.
 */
#ifndef CFUZZ_TARGET_SERVER_WATCH_H
#define CFUZZ_TARGET_SERVER_WATCH_H

#include "target/server/fork_server.h"

enum watch_event {
	WATCH_NOTHING, /* the child lives */
	WATCH_ANSWER,
	WATCH_DEATH, /* not reaped yet */
	WATCH_STOP,
	WATCH_LINK_LOST, /* closed, but the child lives */
	WATCH_JUNK,      /* on the link */
	WATCH_ENGINE_GONE,
};

/*
 * Looks at the child, if there is one, and waits for nothing. Reaps strays
 * that have ended. With WATCH_STOP, *stop_signo is the signal.
 */
enum watch_event watch_look(struct fork_server *keeper, int *stop_signo);

/* Reaps what has ended, but for the child. */
void watch_reap_strays(const struct fork_server *keeper);

/* Waits for the end of a call. */
enum watch_event watch_wait(struct fork_server *keeper, int *stop_signo);

#endif
