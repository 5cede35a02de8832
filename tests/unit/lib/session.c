/* session: see session.h. */
#include "lib/session.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "base/clock.h"
#include "lib/check.h"
#include "lib/files.h"

#define SEEN_MAX (8u << 20)

static void __attribute__((noreturn)) session_child(const struct session *s,
	session_main_fn *run, const char *const *env, const char *const *args)
{
	const char *argv[SESSION_WORDS] = { "session", "-o", NULL };
	char output[128];
	int n = 3;

	snprintf(output, sizeof(output), "%s/out", s->dir);
	argv[2] = output;
	/* Undo the handlers of the test library. */
	signal(SIGSEGV, SIG_DFL);
	signal(SIGABRT, SIG_DFL);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORTERM");
	for (; env != NULL && *env != NULL; env++)
		putenv((char *)*env);
	for (; *args != NULL && n < SESSION_WORDS - 1; args++)
		argv[n++] = *args;
	n = run(n, (char **)argv);
	fflush(NULL);
	_exit(n);
}

void
session_start(struct session *s, session_main_fn *run, const char *const *env,
	const char *const *args)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	memset(s, 0, sizeof(*s));
	snprintf(s->dir, sizeof(s->dir), "/tmp/test-launcher-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	s->seen = malloc(SEEN_MAX + 1);
	assert_int_equal(openpty(&s->master, &s->keep, NULL, NULL, &size), 0);
	tcgetattr(s->keep, &s->before);
	fflush(NULL);
	s->pid = fork();
	if (s->pid == 0) {
		close(s->master);
		login_tty(s->keep);
		session_child(s, run, env, args);
	}
	fcntl(s->master, F_SETFL, O_NONBLOCK);
}

void
session_read(struct session *s, int wait_ms)
{
	struct pollfd fd = { .fd = s->master, .events = POLLIN };
	ssize_t n;

	if (poll(&fd, 1, wait_ms) <= 0)
		return;
	n = read(s->master, s->seen + s->len, SEEN_MAX - s->len);
	if (n > 0)
		s->len += (size_t)n;
	s->seen[s->len] = '\0';
}

void
session_wait_taken(const struct session *s)
{
	uint64_t end = clock_now_ns() + SESSION_PATIENCE_MS * 1000000ull;
	int left = 1;

	while (ioctl(s->keep, FIONREAD, &left) == 0 && left > 0) {
		assert_true(clock_now_ns() < end);
		poll(NULL, 0, 1);
	}
	assert_int_equal(left, 0);
}

bool
session_has(const struct session *s, const char *text)
{
	return memmem(s->seen + s->mark, s->len - s->mark, text,
		       strlen(text)) != NULL;
}

void
session_expect(struct session *s, const char *text)
{
	uint64_t end = clock_now_ns() + SESSION_PATIENCE_MS * 1000000ull;

	while (!session_has(s, text)) {
		if (clock_now_ns() > end)
			fail_msg("`%s` never came; there was: %s", text,
				s->seen + s->mark);
		session_read(s, 100);
	}
	s->mark = (size_t)((char *)memmem(s->seen + s->mark, s->len - s->mark,
				   text, strlen(text)) -
			  s->seen) +
		strlen(text);
}

void
session_send(struct session *s, const char *bytes)
{
	size_t len = strlen(bytes);

	while (len > 0) {
		ssize_t n = write(s->master, bytes, len);

		if (n < 0 && errno == EAGAIN) {
			session_read(s, 10);
			continue;
		}
		assert_true(n > 0);
		bytes += n;
		len -= (size_t)n;
	}
}

/* Keys that wait unread would come as one burst, which is a paste. */
static bool
session_takes_keys(const struct session *s)
{
	struct termios modes;
	int unread = 0;

	return tcgetattr(s->keep, &modes) == 0 &&
		(modes.c_lflag & ICANON) == 0 &&
		ioctl(s->keep, FIONREAD, &unread) == 0 && unread == 0;
}

void
session_redraw(struct session *s, const char *text)
{
	for (int i = 0; i < SESSION_PATIENCE_MS / 200 && !session_has(s, text);
		i++) {
		poll(NULL, 0, 100);
		if (session_takes_keys(s))
			session_send(s, "\014");
		session_read(s, 100);
	}
	session_expect(s, text);
}

/* Keys would clear the message of the console, so the size changes. */
void
session_repaint(struct session *s, const char *text)
{
	struct winsize size = { .ws_row = 24, .ws_col = 120 };
	int i;

	for (i = 0; i < SESSION_PATIENCE_MS / 50 && !session_has(s, text);
		i++) {
		size.ws_col = size.ws_col == 120 ? 121 : 120;
		ioctl(s->master, TIOCSWINSZ, &size);
		session_read(s, 50);
	}
	session_expect(s, text);
}

int
session_wait(struct session *s)
{
	uint64_t end = clock_now_ns() + SESSION_PATIENCE_MS * 1000000ull;
	int status;
	pid_t pid;

	while ((pid = waitpid(s->pid, &status, WNOHANG)) == 0) {
		if (clock_now_ns() > end)
			fail_msg("it does not end: %s", s->seen + s->mark);
		if (s->master >= 0)
			session_read(s, 20);
		else
			poll(NULL, 0, 20);
	}
	for (size_t len = s->len + 1; s->master >= 0 && len != s->len;) {
		len = s->len;
		session_read(s, 50);
	}
	assert_int_equal(pid, s->pid);
	check(WIFEXITED(status), "status %x", (unsigned)status);
	return WEXITSTATUS(status);
}

void
session_check_restored(struct session *s)
{
	struct termios after;
	const char *left;

	assert_int_equal(tcgetattr(s->keep, &after), 0);
	assert_int_equal(after.c_lflag, s->before.c_lflag);
	assert_int_equal(after.c_iflag, s->before.c_iflag);
	assert_int_equal(after.c_oflag, s->before.c_oflag);
	/* The last settings of screen, cursor and paste mode. */
	left = memrchr(s->seen, '\033', s->len);
	assert_non_null(left);
	s->mark = 0;
	check(session_has(s, "\033[?1049l"), "%s",
		s->seen + (s->len > 1000 ? s->len - 1000 : 0));
	assert_null(strstr(strstr(s->seen, "\033[?1049l"), "\033[?1049h"));
	assert_null(strstr(strstr(s->seen, "\033[?2004l"), "\033[?2004h"));
}

static int
session_remove(const char *path, const struct stat *st, int type,
	struct FTW *ftw)
{
	return remove(path);
}

void
session_close(struct session *s)
{
	if (s->master >= 0)
		close(s->master);
	close(s->keep);
	nftw(s->dir, session_remove, 8, FTW_DEPTH | FTW_PHYS);
	free(s->seen);
}

/* The launcher's children, in order. */
pid_t
session_child_pid(const struct session *s, int which)
{
	char path[128], *text;
	int pids[2] = { 0, 0 };

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", s->pid,
		s->pid);
	text = files_read(path, NULL);
	assert_non_null(text);
	assert_int_equal(sscanf(text, "%d %d", &pids[0], &pids[1]), 2);
	free(text);
	return pids[which];
}
