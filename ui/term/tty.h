/*
 * tty: the terminal as a device: raw mode, size and output that never blocks.
 *
 * Output waits in a queue until the device takes it. If nobody reads the
 * terminal, tty_busy() stays true and the console goes on. tty does not use
 * curses: it only moves bytes.
 */
#ifndef CFUZZ_UI_TERM_TTY_H
#define CFUZZ_UI_TERM_TTY_H

#include <stdbool.h>
#include <stddef.h>

#include <event2/event.h>

#include "shared/status.h"

struct tty;

struct tty_handlers {
	void (*on_input)(void *arg, const char *data, size_t len);
	void (*on_drained)(void *arg); /* the queue is empty */
	void (*on_resize)(void *arg);
	void (*on_continued)(void *arg); /* continued after a stop */
	void (*on_gone)(void *arg);      /* hung up; the last event */
};

/* The descriptors stay the caller's; their flags do not change. The process
 * ignores SIGTTOU from then on. NULL: the terminal does not answer (E_IO). */
struct tty *tty_create(struct event_base *base, int in_fd, int out_fd,
	const struct tty_handlers *handlers, void *arg, struct error *err);
void tty_destroy(struct tty *tty); /* leaves raw mode; NULL is fine */

/* Is the process in the terminal's foreground group? */
bool tty_foreground(const struct tty *tty);

/* Begins raw mode and input. E_IO: the terminal cannot be set. */
enum status tty_enter(struct tty *tty, struct error *err) MUST_CHECK;
/* Drops unread input, and restores the mode that tty_enter() found. */
void tty_leave(struct tty *tty);

/* Cells, 1 to 1000 a side; 80 by 24 if the terminal does not know. */
void tty_size(const struct tty *tty, int *w, int *h);

/* Copies the bytes to the queue. */
void tty_send(struct tty *tty, const void *data, size_t len);
bool tty_busy(const struct tty *tty);
/* Sends the queue until the time-out, then drops the rest. */
void tty_drain(struct tty *tty, int timeout_ms);

#endif
