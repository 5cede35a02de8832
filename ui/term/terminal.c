/*
 * terminal: draws the grid on a real terminal.
 *
 * Curses writes into a memory file, which never blocks; terminal_flush() moves
 * the bytes to the tty.
 */
#include "ui/term/terminal_private.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "ui/term/clipboard.h"

#define TERMINAL_AWAY_MS 250
#define TERMINAL_LEAVE_MS 300

static void terminal_on_input(void *arg, const char *data, size_t len);
static void terminal_on_drained(void *arg);
static void terminal_on_resize(void *arg);
static void terminal_on_continued(void *arg);
static void terminal_on_gone(void *arg);
static void terminal_on_input_timer(evutil_socket_t fd, short what, void *arg);
static void terminal_on_away_timer(evutil_socket_t fd, short what, void *arg);
static void terminal_on_stopped(evutil_socket_t fd, short what, void *arg);

static const struct tty_handlers terminal_tty_handlers = {
	.on_input = terminal_on_input,
	.on_drained = terminal_on_drained,
	.on_resize = terminal_on_resize,
	.on_continued = terminal_on_continued,
	.on_gone = terminal_on_gone,
};

/* ---- creation ---- */

/* Sets LINES and COLUMNS: curses has no terminal to ask for the size. */
static void
terminal_tell_size(const struct terminal *t)
{
	char text[16];
	int w, h;

	tty_size(t->tty, &w, &h);
	snprintf(text, sizeof(text), "%d", h);
	setenv("LINES", text, 1);
	snprintf(text, sizeof(text), "%d", w);
	setenv("COLUMNS", text, 1);
	setenv("NCURSES_NO_PADDING", "1", 1);
}

static enum status
terminal_open_curses(struct terminal *t, bool no_color, struct error *err)
{
	char direct[64];
	const char *name = terminal_kind_name();

	t->out_fd = memfd_create("screen", MFD_CLOEXEC);
	t->out = t->out_fd >= 0 ? fdopen(t->out_fd, "w+") : NULL;
	t->in = fopen("/dev/null", "re");
	if (t->out == NULL || t->in == NULL)
		return error_set(err, E_IO, "the screen cannot be set up: %s",
			strerror(errno));
	t->direct = !no_color && terminal_kind_direct(direct, sizeof(direct));
	terminal_tell_size(t);
	t->screen = newterm(t->direct ? direct : name, t->out, t->in);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	if (t->screen == NULL)
		return error_set(err, E_STATE, "curses cannot use TERM=%s",
			name);
	nonl();
	leaveok(stdscr, TRUE);
	curs_set(0);
	t->color =
		!no_color && has_colors() && start_color() == OK && COLORS >= 8;
	if (t->color)
		use_default_colors();
	return OK;
}

static void
terminal_make_events(struct terminal *t, struct event_base *base)
{
	t->input_timer = evtimer_new(base, terminal_on_input_timer, t);
	t->away_timer = evtimer_new(base, terminal_on_away_timer, t);
	/* Set the handler before newterm(), which keeps handlers it finds. */
	t->stopped = evsignal_new(base, SIGTSTP, terminal_on_stopped, t);
	event_add(t->stopped, NULL);
}

struct terminal *
terminal_create(struct event_base *base, const struct terminal_config *config,
	const struct terminal_handlers *handlers, void *arg, struct error *err)
{
	struct terminal *t = xcalloc(1, sizeof(*t));

	t->handlers = handlers;
	t->arg = arg;
	setlocale(LC_CTYPE, "");
	t->ascii = config->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	t->input_handlers.on_key = handlers->on_key;
	t->input_handlers.on_paste = handlers->on_paste;
	t->input_handlers.on_mouse = handlers->on_mouse;
	input_init(&t->input, &t->input_handlers, arg);
	t->tty = tty_create(base, config->in_fd, config->out_fd,
		&terminal_tty_handlers, t, err);
	if (t->tty != NULL)
		terminal_make_events(t, base);
	if (t->tty == NULL ||
		terminal_open_curses(t, config->no_color, err) != OK) {
		terminal_destroy(t);
		return NULL;
	}
	terminal_kind_reset(t);
	t->mouse = !config->no_mouse && terminal_kind_mouse(true)[0] != '\0';
	terminal_set_theme(t, config->theme);
	return t;
}

static void
terminal_event_free(struct event *event)
{
	if (event != NULL)
		event_free(event);
}

static void
terminal_close_curses(struct terminal *t)
{
	if (t->screen != NULL)
		delscreen(t->screen);
	if (t->out != NULL)
		fclose(t->out);
	if (t->in != NULL)
		fclose(t->in);
}

/* ---- entering and leaving the screen ---- */

/* Moves the output of curses to the tty. */
void
terminal_flush(struct terminal *t)
{
	off_t len = lseek(t->out_fd, 0, SEEK_CUR);
	char *data;
	ssize_t n;

	if (len <= 0)
		return;
	data = xmalloc((size_t)len);
	n = pread(t->out_fd, data, (size_t)len, 0);
	if (n > 0)
		tty_send(t->tty, data, (size_t)n);
	free(data);
	lseek(t->out_fd, 0, SEEK_SET);
	if (ftruncate(t->out_fd, 0) != 0)
		return;
}

static void
terminal_send_capability(struct terminal *t, const char *capability)
{
	const char *text = tigetstr((char *)capability);

	if (text != NULL && text != (char *)-1)
		tty_send(t->tty, text, strlen(text));
}

static void
terminal_send_mouse(struct terminal *t, bool on)
{
	const char *text = terminal_kind_mouse(on);

	tty_send(t->tty, text, strlen(text));
}

bool
terminal_set_mouse(struct terminal *t, bool on)
{
	if (terminal_kind_mouse(true)[0] == '\0')
		return false;
	t->mouse = on;
	if (t->active)
		terminal_send_mouse(t, on);
	return true;
}

enum status
terminal_enter(struct terminal *t, struct error *err)
{
	struct timeval again = { .tv_usec = TERMINAL_AWAY_MS * 1000 };

	if (!tty_foreground(t->tty)) {
		event_add(t->away_timer, &again);
		return OK;
	}
	if (tty_enter(t->tty, err) != OK)
		return err != NULL ? err->code : E_IO;
	if (!t->active) {
		terminal_send_capability(t, "BE");
		if (t->mouse)
			terminal_send_mouse(t, true);
	}
	t->active = true;
	t->redraw = true;
	terminal_on_resize(t);
	return OK;
}

void
terminal_leave(struct terminal *t)
{
	if (!t->active)
		return;
	t->active = false;
	/* Queue the last bytes, and wait for them only a short time. */
	if (t->mouse)
		terminal_send_mouse(t, false);
	terminal_send_capability(t, "BD");
	endwin();
	terminal_flush(t);
	tty_drain(t->tty, TERMINAL_LEAVE_MS);
	tty_leave(t->tty);
}

void
terminal_destroy(struct terminal *t)
{
	if (t == NULL)
		return;
	terminal_leave(t);
	terminal_event_free(t->input_timer);
	terminal_event_free(t->away_timer);
	terminal_event_free(t->stopped);
	terminal_close_curses(t);
	tty_destroy(t->tty);
	free(t->shown);
	free(t);
}

/* Terminals without a clipboard, which may print unknown sequences. */
static bool
terminal_is_plain(void)
{
	static const char *const names[] = { "linux", "vt", "cons", "dumb",
		"ansi", "sun" };
	const char *name = terminal_kind_name();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool
terminal_copy(struct terminal *t, const char *text)
{
	char *line;

	if (!t->active || terminal_is_plain())
		return false;
	line = clipboard_line(text);
	tty_send(t->tty, line, strlen(line));
	free(line);
	return true;
}

void
terminal_suspend(struct terminal *t)
{
	struct sigaction stop = { .sa_handler = SIG_DFL }, old;

	terminal_leave(t);
	sigaction(SIGTSTP, &stop, &old);
	kill(0, SIGTSTP); /* returns after the shell's SIGCONT */
	sigaction(SIGTSTP, &old, NULL);
	if (terminal_enter(t, NULL) != OK)
		t->handlers->on_gone(t->arg);
}

/* ---- questions ---- */

const char *
terminal_reset_text(const struct terminal *terminal)
{
	return terminal->reset;
}

bool
terminal_ascii(const struct terminal *t)
{
	return t->ascii;
}

bool
terminal_has_color(const struct terminal *t)
{
	return t->color;
}

bool
terminal_ready(const struct terminal *t)
{
	return t->active && !tty_busy(t->tty);
}

void
terminal_redraw(struct terminal *t)
{
	t->redraw = true;
}

/* ---- events ---- */

static void
terminal_on_input(void *arg, const char *data, size_t len)
{
	struct terminal *t = arg;
	struct timeval wait = { 0 };
	int wait_ms;

	event_del(t->input_timer);
	input_feed(&t->input, data, len, clock_now_ns() / CLOCK_NS_PER_MS);
	wait_ms = input_wait_ms(&t->input);
	if (wait_ms < 0)
		return;
	wait.tv_usec = wait_ms * 1000;
	event_add(t->input_timer, &wait);
}

static void
terminal_on_input_timer(evutil_socket_t fd, short what, void *arg)
{
	struct terminal *t = arg;

	input_flush(&t->input);
}

static void
terminal_on_drained(void *arg)
{
	struct terminal *t = arg;

	if (t->active)
		t->handlers->on_ready(t->arg);
}

static void
terminal_on_resize(void *arg)
{
	struct terminal *t = arg;
	int w, h;

	tty_size(t->tty, &w, &h);
	t->handlers->on_resize(t->arg, w, h);
}

/* The process was continued: another program may have changed the terminal. */
static void
terminal_on_continued(void *arg)
{
	struct terminal *t = arg;

	event_del(t->away_timer);
	if (terminal_enter(t, NULL) != OK)
		t->handlers->on_gone(t->arg);
}

static void
terminal_on_away_timer(evutil_socket_t fd, short what, void *arg)
{
	terminal_on_continued(arg);
}

static void
terminal_on_stopped(evutil_socket_t fd, short what, void *arg)
{
	terminal_suspend(arg);
}

static void
terminal_on_gone(void *arg)
{
	struct terminal *t = arg;

	t->active = false;
	t->handlers->on_gone(t->arg);
}
