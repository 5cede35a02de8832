/*
 * libraries: jansson and libevent allocate with xmalloc(), which never fails.
 *
 * xmalloc() reports lack of memory and ends the program with exit status 3, so
 * that callers need not check whether an event or a JSON value was created. A
 * JSON string still fails on invalid UTF-8: texts from outside are cleaned
 * first.
 */
#ifndef CFUZZ_CONTROL_LIBRARIES_H
#define CFUZZ_CONTROL_LIBRARIES_H

#include <stdint.h>

#include <event2/event.h>

/* Before the first use of either library; a second call does nothing. */
void libraries_prepare(void);

/* As event_base_new(), but never NULL; calls libraries_prepare() before. The
 * caller frees the base with event_base_free(). */
struct event_base *libraries_base_new(void);

/* Starts the timer, or starts it again; it expires after so many ms. */
void libraries_set_timer(struct event *timer, uint64_t ms);

/*
 * Waits for a signal that ends us. NULL if it is ignored already: whoever
 * started us wants us to go on, as nohup does, and a shell for its background
 * jobs. SIGTERM is taken even so. The caller frees the event.
 */
struct event *libraries_watch_end(struct event_base *base, int signo,
	event_callback_fn on_signal, void *arg);

#endif
