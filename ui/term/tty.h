/*
 * tty: the terminal as a device: raw mode, size, and a way out that never
 * blocks.
 *
 * What is sent stands in a queue and leaves when the device takes it; a
 * terminal that nobody reads makes tty_busy() stay true and costs nothing.
 * No curses here; bytes in, bytes out.
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
	void (*on_drained)(void *arg); /* all that was sent has left */
	void (*on_resize)(void *arg);
	void (*on_continued)(void *arg); /* after a stop of the process */
	void (*on_gone)(void *arg);      /* hung up; nothing comes after it */
};

/* The descriptors stay the caller's and keep their flags. */
struct tty *tty_create(struct event_base *base, int in_fd, int out_fd,
	const struct tty_handlers *handlers, void *arg, struct error *err);
void tty_destroy(struct tty *tty); /* leaves raw mode; NULL is fine */

/* Does the terminal listen to us, or to another job of the shell? */
bool tty_foreground(const struct tty *tty);

enum status tty_enter(struct tty *tty, struct error *err) MUST_CHECK;
void tty_leave(struct tty *tty);

void tty_size(const struct tty *tty, int *w, int *h);

void tty_send(struct tty *tty, const void *data, size_t len);
bool tty_busy(const struct tty *tty);
/* Waits for the queue, but no longer than that; the rest is dropped. */
void tty_drain(struct tty *tty, int timeout_ms);

#endif
