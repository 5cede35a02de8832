/*
 * terminal: the grid on a real terminal; the one file that includes curses.
 *
 * Curses writes into a file in memory, which never blocks; what it wrote is
 * taken from there and given to tty. Cells that did not change since the
 * last paint are not even shown to curses.
 */
#include "ui/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include <term.h>
#include <curses.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "ui/input.h"
#include "ui/tty.h"

#define TERMINAL_LEVELS 21 /* steps of a gradient, 0, 5 … 100 */
#define TERMINAL_AWAY_MS 250
#define TERMINAL_LEAVE_MS 300
#define TERMINAL_RESET_MAX 256
#define TERMINAL_PAIR_UNKNOWN (-1)

struct terminal {
	const struct terminal_handlers *handlers;
	void *arg;
	struct tty *tty;
	struct input input;
	struct input_handlers input_handlers;
	struct event *input_timer, *away_timer, *stopped;
	SCREEN *screen;
	FILE *out, *in; /* of curses: memory, nothing */
	int out_fd;
	bool active; /* the screen is ours */
	bool ascii, color, direct;
	struct theme theme;
	int pairs[STYLE_COUNT][TERMINAL_LEVELS];
	struct cell *shown; /* what curses knows */
	int shown_w, shown_h;
	bool redraw;
	char reset[TERMINAL_RESET_MAX];
};

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

/* ---- what kind of terminal ---- */

static const char *
terminal_name(void)
{
	const char *name = getenv("TERM");

	return name != NULL ? name : "";
}

enum status
terminal_check(int in_fd, int out_fd, struct error *err)
{
	const char *name = terminal_name();
	int found = 0;
	bool moves;

	if (!isatty(in_fd) || !isatty(out_fd))
		return error_set(err, E_STATE, "this is no terminal");
	if (name[0] == '\0' || strcmp(name, "dumb") == 0 ||
		strcmp(name, "unknown") == 0)
		return error_set(err, E_STATE,
			"the terminal cannot place text (TERM=%s)", name);
	if (setupterm(name, out_fd, &found) != OK)
		return error_set(err, E_NOT_FOUND,
			"the terminal type in TERM is not known here");
	moves = cursor_address != NULL;
	del_curterm(cur_term);
	if (!moves)
		return error_set(err, E_STATE,
			"the terminal cannot place text (TERM=%s)", name);
	return OK;
}

/*
 * The entry with direct colour that belongs to TERM, where the terminal says
 * it has that and the database knows it.
 */
static bool
terminal_direct_name(char *buf, size_t size)
{
	const char *claim = getenv("COLORTERM"), *name = terminal_name();
	int found = 0;

	if (claim == NULL ||
		(strcmp(claim, "truecolor") != 0 &&
			strcmp(claim, "24bit") != 0))
		return false;
	snprintf(buf, size, "%.*s-direct", (int)strcspn(name, "-"), name);
	if (setupterm(buf, STDOUT_FILENO, &found) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

/* A capability without its delays, appended to the reset text. */
static void
terminal_reset_add(struct terminal *t, const char *capability)
{
	const char *text = tigetstr((char *)capability);
	size_t len = strlen(t->reset);

	if (text == NULL || text == (char *)-1)
		return;
	while (*text != '\0' && len + 1 < sizeof(t->reset)) {
		const char *end =
			strncmp(text, "$<", 2) == 0 ? strchr(text, '>') : NULL;

		if (end != NULL)
			text = end + 1;
		else
			t->reset[len++] = *text++;
	}
	t->reset[len] = '\0';
}

static void
terminal_make_reset(struct terminal *t)
{
	terminal_reset_add(t, "sgr0");
	if (t->color)
		terminal_reset_add(t, "op");
	terminal_reset_add(t, "cnorm");
	terminal_reset_add(t, "BD");
	terminal_reset_add(t, "rmcup");
}

const char *
terminal_reset_text(const struct terminal *terminal)
{
	return terminal->reset;
}

/* ---- making one ---- */

/* Curses learns the size from here, as it has no terminal to ask. */
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
	const char *name = terminal_name();

	t->out_fd = memfd_create("screen", MFD_CLOEXEC);
	t->out = t->out_fd >= 0 ? fdopen(t->out_fd, "w+") : NULL;
	t->in = fopen("/dev/null", "re");
	if (t->out == NULL || t->in == NULL)
		return error_set(err, E_IO, "set up the screen: %s",
			strerror(errno));
	t->direct = !no_color && terminal_direct_name(direct, sizeof(direct));
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
	/* Before curses, which respects handlers that it finds. */
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
	terminal_make_reset(t);
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

/* ---- taking and giving back the screen ---- */

/* Moves what curses wrote to the tty. */
static void
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
	if (!t->active)
		terminal_send_capability(t, "BE");
	t->active = true;
	t->redraw = true;
	terminal_on_resize(t);
	return OK;
}

static void
terminal_leave(struct terminal *t)
{
	if (!t->active)
		return;
	t->active = false;
	/* A frame that did not leave by now is not worth waiting for. */
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

void
terminal_suspend(struct terminal *t)
{
	struct sigaction stop = { .sa_handler = SIG_DFL }, old;

	terminal_leave(t);
	sigaction(SIGTSTP, &stop, &old);
	kill(0, SIGTSTP); /* here we stand until the shell continues us */
	sigaction(SIGTSTP, &old, NULL);
	if (terminal_enter(t, NULL) != OK)
		t->handlers->on_gone(t->arg);
}

/* ---- colours ---- */

void
terminal_size(const struct terminal *t, int *w, int *h)
{
	tty_size(t->tty, w, h);
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

/* Without colours only the theme that needs none makes sense. */
static void
terminal_mono_theme(struct terminal *t)
{
	size_t len;
	const char *text = theme_builtin_text("monochrome", &len);

	if (theme_parse("monochrome", text, len, &t->theme, NULL) != OK)
		memset(&t->theme, 0, sizeof(t->theme));
}

void
terminal_set_theme(struct terminal *t, const struct theme *theme)
{
	t->theme = *theme;
	if (!t->color)
		terminal_mono_theme(t);
	for (int s = 0; s < STYLE_COUNT; s++)
		for (int level = 0; level < TERMINAL_LEVELS; level++)
			t->pairs[s][level] = TERMINAL_PAIR_UNKNOWN;
	t->redraw = true;
}

static int
terminal_direct_color(struct color color)
{
	int rgb;

	if (color.kind == COLOR_DEFAULT)
		return -1;
	if (color.kind == COLOR_INDEX)
		color = color_of_index(color.index);
	rgb = color.r << 16 | color.g << 8 | color.b;
	/* The lowest numbers mean the palette. */
	return rgb > 0 && rgb < 8 ? 8 : rgb;
}

static int
terminal_make_pair(const struct terminal *t, enum style style, int level)
{
	struct color fg = theme_fg(&t->theme, style, level);
	struct color bg = t->theme.styles[style].bg;
	unsigned colors = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
	int pair;

	if (!t->color)
		return 0;
	if (t->direct)
		pair = alloc_pair(terminal_direct_color(fg),
			terminal_direct_color(bg));
	else
		pair = alloc_pair(color_nearest_text(fg, bg, colors),
			color_nearest(bg, colors));
	return pair < 0 ? 0 : pair;
}

static int
terminal_pair(struct terminal *t, const struct cell *cell)
{
	int step = theme_is_gradient(cell->style)
		? cell->level * (TERMINAL_LEVELS - 1) / 100
		: 0;
	int *pair = &t->pairs[cell->style][step];

	if (*pair == TERMINAL_PAIR_UNKNOWN)
		*pair = terminal_make_pair(t, cell->style,
			step * 100 / (TERMINAL_LEVELS - 1));
	return *pair;
}

static attr_t
terminal_attr(const struct terminal *t, const struct cell *cell)
{
	unsigned attr = t->theme.styles[cell->style].attr;

	return (attr & THEME_BOLD ? A_BOLD : 0) |
		(attr & THEME_DIM ? A_DIM : 0) |
		(attr & THEME_UNDERLINE ? A_UNDERLINE : 0) |
		(attr & THEME_REVERSE ? A_REVERSE : 0);
}

/* ---- painting ---- */

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

/*
 * A cell's character as curses wants it. Where the C library has another
 * opinion of its width, columns would shift: then it is a question mark.
 */
static void
terminal_wide(const struct cell *cell, int width, wchar_t wide[CCHARW_MAX + 1])
{
	size_t at = 0, len = strlen(cell->text), n = 0;

	while (at < len && n < CCHARW_MAX) {
		uint32_t code;
		size_t taken = utf8_decode(cell->text + at, len - at, &code);

		if (taken == 0 ||
			wcwidth((wchar_t)code) != (n == 0 ? width : 0))
			break;
		wide[n++] = (wchar_t)code;
		at += taken;
	}
	if (n == 0)
		wide[n++] = cell->text[0] == ' ' ? L' ' : L'?';
	wide[n] = L'\0';
}

static void
terminal_put(struct terminal *t, int x, int y, const struct cell *cell,
	int width)
{
	wchar_t wide[CCHARW_MAX + 1];
	int pair = terminal_pair(t, cell);
	cchar_t c;

	terminal_wide(cell, width, wide);
	if (setcchar(&c, wide, terminal_attr(t, cell), 0, &pair) != OK)
		return;
	mvadd_wch(y, x, &c); /* fails, and is right, in the last corner */
	if (width == 2 && wide[0] == L'?')
		mvadd_wch(y, x + 1, &c);
}

static void
terminal_put_row(struct terminal *t, const struct grid *grid, int y)
{
	struct cell *shown = t->shown + (size_t)y * (size_t)t->shown_w;

	for (int x = 0; x < t->shown_w; x++) {
		const struct cell *cell = grid_cell(grid, x, y);
		bool wide = x + 1 < t->shown_w &&
			grid_cell(grid, x + 1, y)->text[0] == '\0';

		if (memcmp(&shown[x], cell, sizeof(*cell)) == 0)
			continue;
		shown[x] = *cell;
		if (cell->text[0] != '\0')
			terminal_put(t, x, y, cell, wide ? 2 : 1);
	}
}

/* Nothing of what is on the screen is known. */
static void
terminal_forget(struct terminal *t, const struct grid *grid)
{
	size_t n;

	t->shown_w = grid_width(grid);
	t->shown_h = grid_height(grid);
	n = (size_t)t->shown_w * (size_t)t->shown_h;
	t->shown = xreallocarray(t->shown, n, sizeof(*t->shown));
	memset(t->shown, 0xff, n * sizeof(*t->shown));
	if (LINES != t->shown_h || COLS != t->shown_w)
		resize_term(t->shown_h, t->shown_w);
	clearok(curscr, TRUE);
	t->redraw = false;
}

void
terminal_paint(struct terminal *t, const struct grid *grid)
{
	if (!terminal_ready(t))
		return;
	if (t->redraw || grid_width(grid) != t->shown_w ||
		grid_height(grid) != t->shown_h)
		terminal_forget(t, grid);
	for (int y = 0; y < t->shown_h; y++)
		terminal_put_row(t, grid, y);
	refresh();
	terminal_flush(t);
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

	(void)fd;
	(void)what;
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

/* Stopped and continued: whoever had the terminal may have changed it. */
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
	(void)fd;
	(void)what;
	terminal_on_continued(arg);
}

static void
terminal_on_stopped(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	terminal_suspend(arg);
}

static void
terminal_on_gone(void *arg)
{
	struct terminal *t = arg;

	t->active = false;
	t->handlers->on_gone(t->arg);
}
