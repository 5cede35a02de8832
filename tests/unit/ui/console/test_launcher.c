/*
 * test_launcher: launcher and console on a pseudo-terminal, with a fake engine.
 * FLAGS: -lutil
 *
 * `test_launcher play [OPTION]... SNAPSHOT` shows it interactively.
 */
#include "ui/console/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "lib/check.h"
#include "lib/play.h"
#include "lib/session.h"
#include "ui/term/terminal.h"

static void
session_open(struct session *s, const char *const *env, const char *const *args)
{
	session_start(s, play_main, env, args);
}

static const char *const busy[] = { "busy", NULL };

static void
session_fuzz(struct session *s)
{
	session_open(s, NULL, busy);
	session_expect(s, "FUZZING");
}

static void
session_quit(struct session *s)
{
	session_send(s, "q");
	session_expect(s, "stop and quit");
	session_send(s, "\r");
}

/* ---- ends ---- */

static void
test_quit(void **state)
{
	struct session s;

	session_fuzz(&s);
	session_quit(&s);
	assert_int_equal(session_wait(&s), 1);
	session_check_restored(&s);
	session_expect(&s, "\033[?1049l");
	assert_false(session_has(&s, "\033[?1049l")); /* once is enough */
	session_expect(&s, "heap-buffer-overflow in read_tile");
	session_expect(&s, "exit status 1: something was found");
	session_close(&s);
}

static void
test_ctrl_c_twice(void **state)
{
	struct session s;

	session_fuzz(&s);
	session_send(&s, "\003");
	session_expect(&s, "stop and quit");
	session_send(&s, "\003");
	assert_int_equal(session_wait(&s), 1);
	session_check_restored(&s);
	session_close(&s);
}

/* The error stays on the screen, then in the scrollback. */
static void
test_failed_start(void **state)
{
	static const char *const args[] = { "!", NULL };
	struct session s;

	session_open(&s, NULL, args);
	session_expect(&s, "any key ends");
	session_send(&s, "x");
	assert_int_equal(session_wait(&s), 2);
	session_check_restored(&s);
	session_expect(&s, "\033[?1049l");
	session_expect(&s, "./broken ended before it said hello");
	session_expect(&s, "open \\x1b[31mshared object");
	assert_false(session_has(&s, "exit status 0"));
	session_close(&s);
}

static void
test_console_dies(void **state)
{
	static const int signals[] = { SIGKILL, SIGSEGV, SIGABRT, SIGTERM };

	for (size_t i = 0; i < ROWS(signals); i++) {
		struct session s;

		session_fuzz(&s);
		kill(session_child_pid(&s, 0), signals[i]);
		assert_int_equal(session_wait(&s),
			signals[i] == SIGTERM ? 0 : 3);
		session_check_restored(&s);
		session_expect(&s, "\033[?1049l");
		if (signals[i] != SIGTERM)
			session_expect(&s, "the console ended by signal");
		session_expect(&s, "the campaign goes on: cfuzz attach ");
		session_close(&s);
	}
}

static void
test_engine_dies(void **state)
{
	struct session s;

	session_fuzz(&s);
	kill(session_child_pid(&s, 1), SIGKILL);
	assert_int_equal(session_wait(&s), 3);
	session_check_restored(&s);
	session_expect(&s, "the engine ended by signal 9");
	session_close(&s);
}

/* To the launcher, or to all of its job: the campaign ends, and nobody says
 * that it goes on. */
static void
test_signal_to_launcher(void **state)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		struct session s;

		session_fuzz(&s);
		kill(sign * s.pid, SIGTERM);
		assert_int_equal(session_wait(&s), 1);
		session_check_restored(&s);
		session_expect(&s, "exit status 1: something was found");
		s.mark = 0;
		assert_false(session_has(&s, "goes on"));
		session_close(&s);
	}
}

static void
test_hang_up(void **state)
{
	struct session s;

	session_fuzz(&s);
	close(s.keep);
	close(s.master);
	s.master = -1;
	assert_int_equal(session_wait(&s), 0);
	s.keep = -1;
	session_close(&s);
}

/* ---- what may happen to a terminal ---- */

static void
test_resize(void **state)
{
	struct session s;
	unsigned seed = 1;

	session_fuzz(&s);
	for (int i = 0; i < 300; i++) {
		struct winsize size = { .ws_row = 1, .ws_col = 1 };

		if (i % 10 != 0) {
			size.ws_row = (unsigned short)(rand_r(&seed) % 200);
			size.ws_col = (unsigned short)(rand_r(&seed) % 500);
		}
		ioctl(s.master, TIOCSWINSZ, &size);
		if (i == 100)
			session_send(&s, "l");
		if (i == 200)
			session_send(&s, "q");
		session_read(&s, 1);
		s.len = s.mark = 0;
	}
	session_send(&s, "q"); /* the dialog has closed */
	ioctl(s.master, TIOCSWINSZ,
		&(struct winsize){ .ws_row = 24, .ws_col = 80 });
	session_expect(&s, "stop and quit");
	session_send(&s, "\r");
	assert_int_equal(session_wait(&s), 1);
	session_close(&s);
}

/*
 * Nobody reads the terminal for a while: no backlog grows, and afterwards the
 * screen is current.
 */
static void
test_not_read(void **state)
{
	struct session s;
	size_t before;

	session_fuzz(&s);
	/* A backlog needs the time to grow; nothing shows that there is none. */
	poll(NULL, 0, 3000);
	before = s.len;
	session_read(&s, 0);
	for (int i = 0; i < 40; i++)
		session_read(&s, 5);
	assert_true(s.len - before < 65536);
	session_quit(&s);
	assert_int_equal(session_wait(&s), 1);
	session_check_restored(&s);
	session_close(&s);
}

/* The console can even end while nobody reads. */
static void
test_quit_unread(void **state)
{
	struct session s;
	int status = -1;

	session_fuzz(&s);
	session_send(&s, "q");
	session_wait_taken(&s);
	session_send(&s, "\r");
	for (int i = 0; i < SESSION_PATIENCE_MS / 100 &&
		waitpid(s.pid, &status, WNOHANG) == 0;
		i++)
		poll(NULL, 0, 100);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	session_close(&s);
}

static void
test_suspend(void **state)
{
	struct session s;

	session_fuzz(&s);
	session_send(&s, "\032");
	/*
	 * Without a shell ^Z has no lasting effect: leaves the screen and
	 * returns.
	 */
	session_expect(&s, "\033[?1049l");
	session_expect(&s, "\033[?1049h");
	session_expect(&s, "FUZZING");
	session_quit(&s);
	assert_int_equal(session_wait(&s), 1);
	session_close(&s);
}

static void
test_garbage(void **state)
{
	struct session s;
	uint64_t seed = 1;
	char bytes[512];

	session_fuzz(&s);
	for (int round = 0; round < 400; round++) {
		for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
			seed = seed * 6364136223846793005u + 1;
			bytes[i] = (char)(seed >> 56);
			/*
			 * Nor Enter: late bytes are keys, not part of a paste.
			 */
			if (bytes[i] == 0 || strchr("\033\r\n", bytes[i]))
				bytes[i] = 'q';
		}
		bytes[sizeof(bytes) - 1] = '\0';
		session_send(&s, bytes);
		session_read(&s, 0);
		s.len = s.mark = 0;
	}
	session_send(&s, "\033[200~qqq\rssssss\r\033[201~");
	session_wait_taken(&s);
	session_send(&s, "\033");
	session_redraw(&s, "FUZZING");
	session_quit(&s);
	assert_int_equal(session_wait(&s), 1);
	session_close(&s);
}

/* ---- colours, characters, kinds of terminals ---- */

static bool
has_color_code(const char *text)
{
	for (; (text = strstr(text, "\033[")) != NULL; text += 2) {
		const char *p = text + 2;

		while ((*p >= '0' && *p <= '9') || *p == ';' || *p == ':') {
			long n = strtol(p, (char **)&p, 10);

			if (n >= 30 && n <= 49 &&
				*(p +
					strcspn(p,
						"ABCDEFGHJKLMSTXZabcdefghilmnqrsu")) ==
					'm')
				return true;
			p += *p == ';' || *p == ':';
		}
	}
	return false;
}

static void
test_no_color(void **state)
{
	static const char *const env[] = { "NO_COLOR=1", NULL };
	static const char *const vt100[] = { "TERM=vt100", NULL };
	static const char *const flag[] = { "--no-color", "busy", NULL };
	const struct {
		const char *const *env, *const *args;
		bool color;
	} rows[] = {
		{ NULL, busy, true },
		{ env, busy, false },
		{ vt100, busy, false },
		{ NULL, flag, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct session s;

		session_open(&s, rows[i].env, rows[i].args);
		session_expect(&s, "FUZZING");
		session_quit(&s);
		assert_int_equal(session_wait(&s), 1);
		check(has_color_code(s.seen) == rows[i].color, "row %zu", i);
		session_close(&s);
	}
}

static void
test_ascii(void **state)
{
	static const char *const env[] = { "LC_ALL=C", NULL };
	static const char *const flag[] = { "--ascii", "busy", NULL };
	const struct {
		const char *const *env, *const *args;
	} rows[] = {
		{ env, busy },
		{ NULL, flag },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct session s;

		session_open(&s, rows[i].env, rows[i].args);
		session_expect(&s, "FUZZING");
		session_quit(&s);
		assert_int_equal(session_wait(&s), 1);
		for (size_t b = 0; b < s.len; b++)
			check(!(s.seen[b] & 0x80), "byte %zu of row %zu", b, i);
		session_close(&s);
	}
}

static void
test_terminals(void **state)
{
	static const struct {
		const char *term;
		bool fine;
	} rows[] = {
		{ "xterm-256color", true },
		{ "xterm", true },
		{ "linux", true },
		{ "vt100", true },
		{ "screen", true },
		{ "dumb", false },
		{ "unknown", false },
		{ "", false },
		{ "no-such-terminal", false },
	};
	int master, slave, null = open("/dev/null", O_RDWR);
	struct error err = { 0 };

	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	for (size_t i = 0; i < ROWS(rows); i++) {
		setenv("TERM", rows[i].term, 1);
		check((terminal_check(slave, slave, NULL) == OK) ==
				rows[i].fine,
			"TERM=%s", rows[i].term);
	}
	unsetenv("TERM");
	assert_int_not_equal(terminal_check(slave, slave, NULL), OK);
	setenv("TERM", "xterm", 1);
	assert_int_not_equal(terminal_check(slave, null, &err), OK);
	assert_string_equal(err.text, "this is not a terminal");
	close(master);
	close(slave);
	close(null);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quit),
		cmocka_unit_test(test_ctrl_c_twice),
		cmocka_unit_test(test_failed_start),
		cmocka_unit_test(test_console_dies),
		cmocka_unit_test(test_engine_dies),
		cmocka_unit_test(test_signal_to_launcher),
		cmocka_unit_test(test_hang_up),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_not_read),
		cmocka_unit_test(test_quit_unread),
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_no_color),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_terminals),
	};

	if (argc > 1 && strcmp(argv[1], "play") == 0)
		return play_main(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
