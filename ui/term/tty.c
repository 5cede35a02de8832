/*
 * tty: the terminal as a device.
 *
 * O_NONBLOCK belongs to the open file description, which the shell shares: so
 * tty opens the device again for output. If the device cannot be opened again,
 * each write is short enough not to block after poll() has reported room.
 */
#include "ui/term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/xmalloc.h"

#define TTY_CHUNK_SHARED 128
#define TTY_CHUNK_OWN 16384
#define TTY_READ 4096
#define TTY_DEFAULT_W 80
#define TTY_DEFAULT_H 24
#define TTY_SIDE_MAX 1000

struct tty {
	const struct tty_handlers *handlers;
	void *arg;
	int in_fd, out_fd;
	int own_fd; /* the device, opened again, or -1 */
	struct termios saved;
	bool raw, gone;
	char *queue;
	size_t queue_len, queue_sent, queue_size;
	struct event *readable, *writable, *resized, *continued;
};

static void tty_on_readable(evutil_socket_t fd, short what, void *arg);
static void tty_on_writable(evutil_socket_t fd, short what, void *arg);
static void tty_on_resized(evutil_socket_t fd, short what, void *arg);
static void tty_on_continued(evutil_socket_t fd, short what, void *arg);

static int
tty_open_again(int fd)
{
	char path[PATH_MAX];

	if (ttyname_r(fd, path, sizeof(path)) != 0)
		return -1;
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

struct tty *
tty_create(struct event_base *base, int in_fd, int out_fd,
	const struct tty_handlers *handlers, void *arg, struct error *err)
{
	struct tty *tty = xcalloc(1, sizeof(*tty));

	tty->handlers = handlers;
	tty->arg = arg;
	tty->in_fd = in_fd;
	tty->out_fd = out_fd;
	tty->own_fd = tty_open_again(out_fd);
	if (tcgetattr(in_fd, &tty->saved) != 0) {
		error_set(err, E_IO, "the terminal does not answer: %s",
			strerror(errno));
		tty_destroy(tty);
		return NULL;
	}
	/* With SIGTTOU ignored, a background process may set the terminal
	 * without being stopped; callers check tty_foreground() first. */
	signal(SIGTTOU, SIG_IGN);
	if (tty->own_fd >= 0)
		out_fd = tty->own_fd;
	tty->readable = event_new(base, in_fd, EV_READ | EV_PERSIST,
		tty_on_readable, tty);
	tty->writable = event_new(base, out_fd, EV_WRITE, tty_on_writable, tty);
	tty->resized = evsignal_new(base, SIGWINCH, tty_on_resized, tty);
	tty->continued = evsignal_new(base, SIGCONT, tty_on_continued, tty);
	event_add(tty->resized, NULL);
	event_add(tty->continued, NULL);
	return tty;
}

static void
tty_event_free(struct event *event)
{
	if (event != NULL)
		event_free(event);
}

void
tty_destroy(struct tty *tty)
{
	if (tty == NULL)
		return;
	tty_leave(tty);
	tty_event_free(tty->readable);
	tty_event_free(tty->writable);
	tty_event_free(tty->resized);
	tty_event_free(tty->continued);
	fd_close(&tty->own_fd);
	free(tty->queue);
	free(tty);
}

/* ---- mode and size ---- */

bool
tty_foreground(const struct tty *tty)
{
	pid_t group = tcgetpgrp(tty->in_fd);

	return group < 0 || group == getpgrp();
}

enum status
tty_enter(struct tty *tty, struct error *err)
{
	struct termios raw;

	/* The shell may have changed the mode since the last tty_leave(). */
	if (!tty->raw && tcgetattr(tty->in_fd, &raw) == 0)
		tty->saved = raw;
	raw = tty->saved;
	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(tty->in_fd, TCSANOW, &raw) != 0)
		return error_set(err, E_IO, "the terminal cannot be set: %s",
			strerror(errno));
	tty->raw = true;
	event_add(tty->readable, NULL);
	return OK;
}

void
tty_leave(struct tty *tty)
{
	if (!tty->raw)
		return;
	tty->raw = false;
	event_del(tty->readable);
	/* Keys typed for the console must not reach the shell. */
	tcflush(tty->in_fd, TCIFLUSH);
	tcsetattr(tty->in_fd, TCSANOW, &tty->saved);
}

static int
tty_side(unsigned n, int otherwise)
{
	return n == 0 ? otherwise : n > TTY_SIDE_MAX ? TTY_SIDE_MAX : (int)n;
}

void
tty_size(const struct tty *tty, int *w, int *h)
{
	struct winsize size = { 0 };

	if (ioctl(tty->out_fd, TIOCGWINSZ, &size) != 0)
		size = (struct winsize){ 0 };
	*w = tty_side(size.ws_col, TTY_DEFAULT_W);
	*h = tty_side(size.ws_row, TTY_DEFAULT_H);
}

/* ---- output ---- */

static void
tty_hang_up(struct tty *tty)
{
	if (tty->gone)
		return;
	tty->gone = true;
	tty->queue_len = tty->queue_sent = 0;
	event_del(tty->readable);
	event_del(tty->writable);
	tty->handlers->on_gone(tty->arg);
}

/* Writes once; true: try again, there may be more room. */
static bool
tty_write_some(struct tty *tty)
{
	int fd = tty->own_fd >= 0 ? tty->own_fd : tty->out_fd;
	size_t n = tty->queue_len - tty->queue_sent;
	size_t most = tty->own_fd >= 0 ? TTY_CHUNK_OWN : TTY_CHUNK_SHARED;
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	ssize_t got;

	if (n == 0 || tty->gone)
		return false;
	if (tty->own_fd < 0 && poll(&room, 1, 0) != 1)
		return false;
	got = write(fd, tty->queue + tty->queue_sent, n < most ? n : most);
	if (got < 0 && errno != EAGAIN && errno != EINTR) {
		tty_hang_up(tty);
		return false;
	}
	if (got > 0)
		tty->queue_sent += (size_t)got;
	if (tty->queue_sent == tty->queue_len)
		tty->queue_sent = tty->queue_len = 0;
	return got > 0 && tty->queue_len > 0;
}

void
tty_send(struct tty *tty, const void *data, size_t len)
{
	if (tty->gone || len == 0)
		return;
	if (tty->queue_len + len > tty->queue_size) {
		tty->queue_size = 2 * (tty->queue_len + len);
		tty->queue = xrealloc(tty->queue, tty->queue_size);
	}
	memcpy(tty->queue + tty->queue_len, data, len);
	tty->queue_len += len;
	while (tty_write_some(tty))
		;
	if (tty_busy(tty))
		event_add(tty->writable, NULL);
}

bool
tty_busy(const struct tty *tty)
{
	return tty->queue_len > 0;
}

void
tty_drain(struct tty *tty, int timeout_ms)
{
	int fd = tty->own_fd >= 0 ? tty->own_fd : tty->out_fd;
	uint64_t now = clock_now_ns();
	uint64_t end = now + (uint64_t)timeout_ms * CLOCK_NS_PER_MS;

	while (tty_busy(tty) && now < end) {
		struct pollfd room = { .fd = fd, .events = POLLOUT };

		poll(&room, 1, (int)((end - now) / CLOCK_NS_PER_MS) + 1);
		tty_write_some(tty);
		now = clock_now_ns();
	}
	tty->queue_len = tty->queue_sent = 0;
}

/* ---- events ---- */

static void
tty_on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct tty *tty = arg;
	char data[TTY_READ];
	ssize_t n = read(fd, data, sizeof(data));

	if (n > 0)
		tty->handlers->on_input(tty->arg, data, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		tty_hang_up(tty);
}

static void
tty_on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct tty *tty = arg;

	while (tty_write_some(tty))
		;
	if (tty_busy(tty))
		event_add(tty->writable, NULL);
	else if (!tty->gone)
		tty->handlers->on_drained(tty->arg);
}

static void
tty_on_resized(evutil_socket_t fd, short what, void *arg)
{
	struct tty *tty = arg;

	tty->handlers->on_resize(tty->arg);
}

static void
tty_on_continued(evutil_socket_t fd, short what, void *arg)
{
	struct tty *tty = arg;

	tty->handlers->on_continued(tty->arg);
}
